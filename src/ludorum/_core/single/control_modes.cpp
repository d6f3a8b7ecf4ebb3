// Modes that depend on play: facts such as whose turn it is, found in a short random game.

#include <algorithm>
#include <set>

#include "single/single_state.hpp"
#include "single/step_program.hpp"

namespace ludorum {

namespace {

constexpr int STEPS = 200;             // of play to learn from
constexpr std::size_t MOST_MODES = 4;  // each has gates of its own
constexpr double LARGE_SHARE = 0.08;   // of all updates that changes of facts cause

std::vector<Words> random_walk(const std::shared_ptr<const Network> &network,
                               const std::shared_ptr<const StepProgram> &program) {
    const auto state = make_incremental(network, program);
    const Words initial = state->state();
    SplitMix64 random(1);
    std::vector<std::int32_t> moves(network->roles());
    std::vector<Words> walk{initial};
    for (int step = 0; step < STEPS; ++step) {
        if (state->terminal() || !choose_moves(*network, *state, random, moves))
            state->set_state(initial);
        else
            state->step(moves.data());
        walk.push_back(state->state());
    }
    return walk;
}

bool holds(const Words &state, std::uint32_t fluent) { return state[fluent / 64] >> (fluent & 63) & 1; }

// The fluents whose changes cause the most updates of gates; the worst first.
std::vector<std::uint32_t> restless_fluents(const Network &network, const std::vector<Words> &walk) {
    std::vector<double> told(network.fluents, 0);
    for (Literal literal : network.gate_literals)
        if (literal >> 1 < network.fluents) ++told[literal >> 1];
    double all = 0;
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent) {
        int changes = 0;
        for (std::size_t at = 1; at < walk.size(); ++at) changes += holds(walk[at], fluent) != holds(walk[at - 1], fluent);
        all += told[fluent] *= changes;
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        if (told[fluent] > LARGE_SHARE * all) found.push_back(fluent);
    std::stable_sort(found.begin(), found.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return told[one] > told[other]; });
    return found;
}

// The values that some fluents were seen to have together.
std::set<std::vector<std::int8_t>> values_seen(const Network &network, const std::vector<std::uint32_t> &fluents,
                                               const std::vector<Words> &walk) {
    std::set<std::vector<std::int8_t>> seen;
    for (const Words &state : walk) {
        std::vector<std::int8_t> values(network.fluents, UNKNOWN);
        for (std::uint32_t fluent : fluents) values[fluent] = holds(state, fluent);
        seen.insert(std::move(values));
    }
    return seen;
}

// As many restless fluents as go together in a few modes.
Cycle find_control(const Network &network, const std::vector<Words> &walk) {
    Cycle control;
    control.in_turn = false;
    for (std::uint32_t fluent : restless_fluents(network, walk)) {
        control.fluents.push_back(fluent);
        const auto seen = values_seen(network, control.fluents, walk);
        if (seen.size() <= MOST_MODES)
            control.values.assign(seen.begin(), seen.end());
        else
            control.fluents.pop_back();
    }
    return control;
}

std::size_t choosers(const StepMode &mode) {
    return static_cast<std::size_t>(std::count(mode.forced.begin(), mode.forced.end(), -1));
}

}  // namespace

std::shared_ptr<const StepProgram> compile_steps(const std::shared_ptr<const Network> &network) {
    const Cycle cycle = find_cycle(*network);
    auto program = std::make_shared<const StepProgram>(*network, cycle);
    if (cycle.length()) return program;
    const Cycle control = find_control(*network, random_walk(network, program));
    if (control.length() < 2) return program;
    auto split = std::make_shared<const StepProgram>(*network, control);
    // Facts that decide which role may choose are worth modes; others would only double the gates.
    for (const StepMode &mode : split->modes)
        if (choosers(mode) >= choosers(program->modes.front())) return program;
    return split;
}

}  // namespace ludorum
