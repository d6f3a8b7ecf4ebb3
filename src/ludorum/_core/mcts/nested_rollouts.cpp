// NestedRollouts: nested rollout policy adaptation (Rosin, IJCAI 2011) for games of one role.

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "single/single_evaluator.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Policy = std::vector<double>;  // logarithms of weights

// A game from the start on: the chosen moves, and the legal moves of each step.
struct Rollout {
    double score = -1e9;
    std::vector<std::uint32_t> moves;
    std::vector<std::uint32_t> legal, ends;  // legal moves of all steps, and where those of each end
};

struct RolloutTask {
    std::uint32_t iterations = 100, longest = 1000, first_level = 2, last_level = 4;
    double learning = 1.0;
    std::uint64_t playouts = UINT64_MAX;
    std::function<bool()> stop;
};

class RolloutSearch {
  public:
    explicit RolloutSearch(SingleEvaluator &evaluator) : evaluator_(evaluator), network_(evaluator.network()) {
        for (std::int32_t value : network_.goal_values) most_ = std::max(most_, value);
    }

    // Runs one after the other, deeper and deeper: some learn what is good anywhere, the others when it is good.
    Rollout search(const std::vector<std::uint8_t> &start, const RolloutTask &task, std::uint64_t seed) {
        start_ = &start;
        task_ = &task;
        random_ = SplitMix64(seed);
        playouts_ = 0;
        stopped_ = false;
        best_ = Rollout{};
        for (std::uint32_t run = 0; !stopped_; ++run) {
            by_step_ = run & 1;
            Policy policy;
            nested(std::min(task.first_level + run / 4, task.last_level), policy);
        }
        return best_;
    }

    std::uint64_t playouts() const { return playouts_; }

  private:
    std::size_t code(std::size_t step, std::uint32_t move) const {
        return by_step_ ? step * network_.moves + move : move;
    }
    static double weight(const Policy &policy, std::size_t code) { return code < policy.size() ? policy[code] : 0; }

    Rollout nested(std::uint32_t level, Policy policy) {
        if (level == 0) return play(policy);
        Rollout best;
        for (std::uint32_t round = 0; round < task_->iterations && !stopped_; ++round) {
            Rollout found = nested(level - 1, policy);
            if (found.score >= best.score) best = std::move(found);
            adapt(policy, best);
        }
        return best;
    }

    Rollout play(const Policy &policy) {
        Rollout rollout;
        SingleState *state = &evaluator_.begin(start_->data());
        for (std::uint32_t step = 0; !state->terminal() && step < task_->longest; ++step) {
            if (step % STEPS_A_LOOK == STEPS_A_LOOK - 1 && (stopped_ = task_->stop())) break;
            const std::size_t first = rollout.legal.size();
            list_legal(*state, rollout.legal);
            if (rollout.legal.size() == first) break;
            const auto move = static_cast<std::int32_t>(choose(policy, step, rollout.legal, first));
            rollout.moves.push_back(static_cast<std::uint32_t>(move));
            rollout.ends.push_back(static_cast<std::uint32_t>(rollout.legal.size()));
            state = &evaluator_.step(*state, &move);
        }
        rollout.score = score(*state);
        if (rollout.score > best_.score ||
            (rollout.score == best_.score && rollout.moves.size() < best_.moves.size()))
            best_ = rollout;
        stopped_ = ++playouts_ >= task_->playouts || best_.score >= most_ || stopped_ || task_->stop();
        return rollout;
    }

    // The goal; half of it where the game is not over, for plans have to end.
    double score(const SingleState &state) {
        std::int32_t value = 0, held = 0;
        for (std::uint32_t goal : evaluator_.goals(state.state())) {
            value = network_.goal_values[goal];
            ++held;
        }
        const double own = held == 1 ? std::max(value, 0) : 0;
        return state.terminal() ? own : 0.5 * own - 1;
    }

    void list_legal(const SingleState &state, std::vector<std::uint32_t> &legal) const {
        const std::uint64_t *bits = state.legal();
        for (std::uint32_t word = 0; 64 * word < network_.moves; ++word)
            for (std::uint64_t left = bits[word]; left; left &= left - 1)
                legal.push_back(64 * word + static_cast<std::uint32_t>(__builtin_ctzll(left)));
    }

    std::uint32_t choose(const Policy &policy, std::size_t step, const std::vector<std::uint32_t> &legal,
                         std::size_t first) {
        const std::size_t count = legal.size() - first;
        if (count == 1) return legal[first];
        shares_.resize(count);
        double sum = 0;
        for (std::size_t at = 0; at < count; ++at)
            sum += shares_[at] = std::exp(weight(policy, code(step, legal[first + at])));
        double left = static_cast<double>(random_.next() >> 11) * 0x1.0p-53 * sum;
        for (std::size_t at = 0; at + 1 < count; ++at)
            if ((left -= shares_[at]) < 0) return legal[first + at];
        return legal.back();
    }

    // Makes the moves of a rollout likelier, at the cost of the others there.
    void adapt(Policy &policy, const Rollout &rollout) {
        if (rollout.moves.empty()) return;
        const std::size_t size = by_step_ ? rollout.moves.size() * network_.moves : network_.moves;
        if (policy.size() < size) policy.resize(size, 0.0);
        const Policy before = policy;
        std::size_t first = 0;
        for (std::size_t step = 0; step < rollout.moves.size(); ++step) {
            double sum = 0;
            for (std::size_t at = first; at < rollout.ends[step]; ++at)
                sum += std::exp(before[code(step, rollout.legal[at])]);
            for (std::size_t at = first; at < rollout.ends[step]; ++at) {
                const std::size_t other = code(step, rollout.legal[at]);
                policy[other] -= task_->learning * std::exp(before[other]) / sum;
            }
            policy[code(step, rollout.moves[step])] += task_->learning;
            first = rollout.ends[step];
        }
    }

    static constexpr std::uint32_t STEPS_A_LOOK = 1024;  // at the clock, in the middle of a game

    SingleEvaluator &evaluator_;
    const Network &network_;
    std::int32_t most_ = 0;
    const std::vector<std::uint8_t> *start_ = nullptr;
    const RolloutTask *task_ = nullptr;
    SplitMix64 random_{0};
    std::uint64_t playouts_ = 0;
    bool stopped_ = false, by_step_ = false;
    Rollout best_;
    std::vector<double> shares_;
};

constexpr std::uint32_t MOST_LEVELS = 64;      // rollouts within rollouts: a hundred games each for a hundred above it
constexpr std::uint32_t LONGEST = 1'000'000;   // steps; a policy may have a weight for each move of each step

nb::tuple nested_rollouts(const EvaluatorSource &evaluators, const nb::bytes &state, const Whole &given_seed,
                          const std::optional<Whole> &playouts, std::optional<double> seconds,
                          std::optional<nb::callable> stop, const Whole &iterations, double learning,
                          const Whole &longest, const Whole &first_level, const Whole &last_level) {
    if (evaluators.network->roles() != 1) throw std::invalid_argument("nested rollouts are for games of one role");
    const auto evaluator = evaluators.make();
    if (state.size() != evaluator->state_bytes())
        throw std::invalid_argument("a state has " + std::to_string(evaluator->state_bytes()) + " bytes");
    const auto *row = reinterpret_cast<const std::uint8_t *>(state.c_str());
    const std::vector<std::uint8_t> start(row, row + state.size());
    RolloutTask task;
    task.iterations = std::max(1u, iterations.as<std::uint32_t>("iterations"));
    task.learning = number_in(learning, "learning", 0, 100);
    task.longest = longest.in<std::uint32_t>("longest", 0, LONGEST);
    task.first_level = first_level.in<std::uint32_t>("first_level", 0, MOST_LEVELS);
    task.last_level = last_level.in<std::uint32_t>("last_level", 0, MOST_LEVELS);
    if (playouts) task.playouts = playouts->as<std::uint64_t>("playouts");
    task.stop = AskToStop(checked_seconds(seconds), stop);
    const auto seed = given_seed.as<std::uint64_t>("seed");
    RolloutSearch search(*evaluator);
    Rollout found;
    {
        nb::gil_scoped_release release;
        found = search.search(start, task, seed);
    }
    return nb::make_tuple(std::vector<std::int64_t>(found.moves.begin(), found.moves.end()), search.playouts());
}

}  // namespace

void bind_nested_rollouts(nb::module_ &m) {
    m.def("nested_rollouts", &nested_rollouts, nb::arg("evaluators"), nb::arg("state"), nb::kw_only(),
          nb::arg("seed") = 0, nb::arg("playouts") = nb::none(), nb::arg("seconds") = nb::none(),
          nb::arg("stop") = nb::none(), nb::arg("iterations") = 100, nb::arg("learning") = 1.0,
          nb::arg("longest") = 1000, nb::arg("first_level") = 2, nb::arg("last_level") = 4,
          "The best line of moves that rollouts with a learnt policy find, and how many were played.");
}

}  // namespace ludorum
