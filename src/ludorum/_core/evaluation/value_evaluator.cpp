// Neurons whose inputs are kept as exact sums: a change of a part is added to them.

#include "evaluation/value_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ludorum {

namespace {

constexpr double OUTPUT_SCALE = 0x1p100;  // of outputs
constexpr double EDGE = 5, SHARE = 100, SHARE_OF_GOAL = 11;
constexpr std::uint32_t NO_STEP = std::numeric_limits<std::uint32_t>::max();

double squashed(double activation) {
    if (activation < -700) return -1;
    return 2 / (1 + std::exp(-activation)) - 1;
}

std::vector<std::int32_t> roots_of(const std::vector<GoalRoot> &goals) {
    std::vector<std::int32_t> found;
    for (const GoalRoot &goal : goals) found.push_back(goal.root);
    return found;
}

}  // namespace

NeuronRun::NeuronRun(const ValueProgram &program, const LeafReadings &readings,
                     const std::vector<std::int32_t> &roots)
    : program_(program),
      readings_(readings),
      used_(program.nodes(), 0),
      reader_offsets_(program.nodes() + 1, 0),
      outputs_(program.nodes()),
      inputs_(program.neurons.size()) {
    const std::size_t leaves = program.leaves.size();
    for (std::int32_t root : roots)
        if (root >= 0) used_[static_cast<std::size_t>(root >> 1)] = 1;
    for (std::size_t number = program.neurons.size(); number-- > 0;)
        if (used_[leaves + number])
            for (std::uint32_t at = program.neurons[number].first_part; at < program.neurons[number].end_part; ++at)
                used_[program.parts[at] >> 1] = 1;
    auto each = [&](auto visit) {
        for (std::uint32_t number = 0; number < program.neurons.size(); ++number)
            if (used_[leaves + number])
                for (std::uint32_t at = program.neurons[number].first_part; at < program.neurons[number].end_part; ++at)
                    visit(program.parts[at] >> 1, Reader{number, (program.parts[at] & 1) != 0});
    };
    each([&](std::uint32_t node, Reader) { ++reader_offsets_[node + 1]; });
    for (std::size_t node = 0; node < program.nodes(); ++node) reader_offsets_[node + 1] += reader_offsets_[node];
    readers_.resize(reader_offsets_.back());
    std::vector<std::uint32_t> filled(reader_offsets_.begin(), reader_offsets_.end() - 1);
    each([&](std::uint32_t node, Reader reader) { readers_[filled[node]++] = reader; });
    dirty_leaves_.resize(leaves);
    dirty_neurons_.resize(program.neurons.size());
    for (std::uint32_t number = 0; number < program.neurons.size(); ++number)
        if (used_[leaves + number]) dirty_neurons_.add(number);
    mark_all();
}

void NeuronRun::mark_all() {
    for (std::uint32_t leaf = 0; leaf < program_.leaves.size(); ++leaf) mark(leaf);
}

void NeuronRun::update(const TruthValues &values) {
    dirty_leaves_.drain([&](std::uint32_t leaf) {
        const LeafReading &reading = readings_[leaf];
        put(leaf, reading.among(values), program_.settles ? reading.settled() : 0);
    });
    dirty_neurons_.drain([&](std::uint32_t number) { compute(number); });
}

void NeuronRun::compute(std::uint32_t number) {
    const ValueNeuron &neuron = program_.neurons[number];
    const Input &input = inputs_[number];
    const auto node = static_cast<std::uint32_t>(program_.leaves.size()) + number;
    const int decision = neuron.is_any ? 1 : -1;
    if (input.deciding)
        put(node, decision, decision);
    else if (input.settled == neuron.end_part - neuron.first_part)
        put(node, -decision, -decision);
    else
        put(node, squashed(neuron.weight * (static_cast<double>(input.total) / OUTPUT_SCALE + neuron.bias)), 0);
}

void NeuronRun::put(std::uint32_t node, double value, int settled) {
    Output &output = outputs_[node];
    if (output.value == value && output.settled == settled) return;
    const Fixed fixed = static_cast<Fixed>(value * OUTPUT_SCALE), change = fixed - output.fixed;
    const int before = output.settled;
    output = {value, fixed, settled};
    for (std::uint32_t at = reader_offsets_[node]; at < reader_offsets_[node + 1]; ++at) {
        const Reader reader = readers_[at];
        Input &input = inputs_[reader.neuron];
        input.total += reader.negated ? -change : change;
        dirty_neurons_.add(reader.neuron);
        if (before == settled) continue;
        const int decision = (program_.neurons[reader.neuron].is_any ? 1 : -1) * (reader.negated ? -1 : 1);
        input.settled += static_cast<std::uint32_t>(settled != 0) - static_cast<std::uint32_t>(before != 0);
        input.deciding += static_cast<std::uint32_t>(settled == decision) - static_cast<std::uint32_t>(before == decision);
    }
}

double NeuronRun::output(std::int32_t root) const {
    if (root < 0) return root == ALWAYS_TRUE ? 1 : -1;
    const double value = outputs_[static_cast<std::size_t>(root >> 1)].value;
    return root & 1 ? -value : value;
}

ValueEvaluator::ValueEvaluator(std::shared_ptr<const ValueProgram> program)
    : program_(std::move(program)),
      readings_(*program_),
      end_(*program_, readings_, {program_->end}),
      of_role_(program_->goals.size()),
      step_of_role_(program_->goals.size(), NO_STEP) {}

NeuronRun &ValueEvaluator::run_of(std::uint32_t role) {
    if (!of_role_[role])
        of_role_[role] = std::make_unique<NeuronRun>(*program_, readings_, roots_of(program_->goals[role]));
    return *of_role_[role];
}

double ValueEvaluator::value(const Words &state, std::uint32_t role) {
    NeuronRun &run = run_of(role);
    readings_.look(state, [&](std::uint32_t leaf) {
        end_.mark(leaf);
        for (const auto &other : of_role_)
            if (other) other->mark(leaf);
    });
    if (program_->crisp) {
        run.update(program_->values);
        return state_value(run, role);
    }
    end_.update(program_->values);
    const double steps = program_->terminality_steps;
    const double step = std::nearbyint((end_.output(program_->end) + 1) / 2 * steps);
    if (static_cast<std::uint32_t>(step) != step_of_role_[role]) {
        step_of_role_[role] = static_cast<std::uint32_t>(step);
        run.mark_all();
    }
    run.update(program_->values.at(step / steps));
    return state_value(run, role);
}

double ValueEvaluator::state_value(const NeuronRun &run, std::uint32_t role) const {
    const auto &goals = program_->goals[role];
    double value = program_->expected;
    for (const GoalRoot &goal : goals) value += (goal.value - program_->expected) * (run.output(goal.root) + 1) / 2;
    return refined(pressed_inside(value, std::max(SHARE, SHARE_OF_GOAL * static_cast<double>(goals.size()))), role);
}

// The value with what is known beside goals: goal values that hold already, and a bonus that never reaches as far as to
// another value.
double ValueEvaluator::refined(double value, std::uint32_t role) const {
    const ValueRefinement &refinement = program_->refinement;
    if (refinement.quantum == 0) return value;
    std::size_t held = 0;
    double goal = -1;
    for (auto [atom, points] : refinement.of_role[role].goals)
        if (readings_.holds(atom)) {
            ++held;
            goal = points;
        }
    if (held == 1 && goal >= 0) value += refinement.goal_share * (goal - value);
    return (std::floor(value / refinement.quantum) + bonus(role) / 2) * refinement.quantum;
}

double ValueEvaluator::bonus(std::uint32_t role) const {
    const RoleRefinement &own = program_->refinement.of_role[role];
    double sum = 0, parts = 0;
    if (own.moves >= 0) {
        const double moves = readings_.amount(static_cast<std::uint32_t>(own.moves));
        sum += moves > 0 ? moves / (moves + program_->refinement.usual_moves) : 0;
        ++parts;
    }
    if (own.pieces >= 0) {
        sum += piece_share(role);
        ++parts;
    }
    return parts > 0 ? sum / parts : 0;
}

// 0 to 1: a half where a role and all others have as much on the board.
double ValueEvaluator::piece_share(std::uint32_t role) const {
    double own = 0, all = 0;
    for (std::uint32_t other = 0; other < program_->refinement.of_role.size(); ++other) {
        const std::int32_t sum = program_->refinement.of_role[other].pieces;
        const double worth = sum < 0 ? 0 : readings_.amount(static_cast<std::uint32_t>(sum));
        all += worth;
        if (other == role) own = worth;
    }
    return (1 + std::clamp((2 * own - all) / program_->refinement.usual_worth, -1.0, 1.0)) / 2;
}

double pressed_inside(double value, double share) {
    if (value < EDGE) return EDGE + (value - EDGE) / share;
    if (value > 100 - EDGE) return 100 - EDGE + (value - (100 - EDGE)) / share;
    return value;
}

}  // namespace ludorum
