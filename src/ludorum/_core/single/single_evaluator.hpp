// What one thread needs to answer questions about single states, and what all threads share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "single/full_state.hpp"
#include "single/goal_gates.hpp"
#include "single/single_state.hpp"

namespace ludorum {

struct SingleCounts {
    std::uint64_t steps = 0, playouts = 0, stuck = 0, capped = 0;
    std::vector<std::uint64_t> goals;
};

struct PlayoutLimits {
    std::uint64_t games;
    std::uint32_t longest;              // 0: any length
    const std::function<bool()> &stop;  // asked now and then
};

// The gates with the values of one state; used by one thread at a time.
class SingleEvaluator {
  public:
    // Full evaluation where there is no program for steps.
    SingleEvaluator(std::shared_ptr<const Network> network, std::shared_ptr<const StepProgram> steps,
                    const GoalGates &goals);

    // The evaluation of a packed state, by the way that serves it; the last one is kept.
    SingleState &look_at(const std::uint8_t *state);
    // The same for a state that is not packed.
    SingleState &look_at(const Words &state);
    void percepts(const std::uint8_t *state, const std::int32_t *moves, std::vector<std::uint32_t> &held);
    const std::vector<std::uint32_t> &goals(const std::uint8_t *state) {
        unpack(state);
        return goals_.held(words_);
    }
    // Random games from a packed state, one after the other; the same games by either way of evaluation.
    void play(const std::uint8_t *start, SplitMix64 &random, const PlayoutLimits &limits, SingleCounts &counts);

    // For play that goes on step by step: the state is given away, and `step` goes to the next one.
    SingleState &begin(const std::uint8_t *state) {
        SingleState &served = look_at(state);
        at_ = nullptr;
        return served;
    }
    SingleState &step(SingleState &state, const std::int32_t *moves) {
        if (state.step(moves)) return state;
        full().set_state(state.state());
        return full();
    }
    const std::vector<std::uint32_t> &goals(const Words &state) { return goals_.held(state); }

    const Network &network() const { return *network_; }
    std::size_t state_bytes() const { return bytes_.size(); }
    // Packs what `SingleState::next` has found.
    void pack(const Words &words, std::uint8_t *state) const;

    Words after;  // room for a successor

  private:
    FullState &full();
    SingleState &chosen() { return incremental_ ? *incremental_ : static_cast<SingleState &>(full()); }
    SingleState &put(const Words &state);
    void unpack(const std::uint8_t *state);
    bool is_time(const PlayoutLimits &limits);

    static constexpr std::uint32_t CLOCK_EVERY = 64;  // steps between looks at the clock
    std::shared_ptr<const Network> network_;
    std::unique_ptr<SingleState> incremental_;
    std::unique_ptr<FullState> full_;  // made when it is needed
    GoalGates goals_;
    std::vector<std::uint8_t> bytes_;  // of the state that `at_` holds
    SingleState *at_ = nullptr;
    Words words_;
    std::vector<std::int32_t> moves_;
    std::uint32_t until_clock_ = CLOCK_EVERY;
};

// All that is needed to make evaluators of one game, one for each thread that wants one.
struct EvaluatorSource {
    std::shared_ptr<const Network> network;
    GoalGates goals;
    std::shared_ptr<const StepProgram> steps;  // none: full evaluation

    std::unique_ptr<SingleEvaluator> make() const {
        return std::make_unique<SingleEvaluator>(network, steps, goals);
    }
};

// A short race on the game itself: whether evaluation in steps is faster than full evaluation. The result changes the
// speed and nothing else.
bool steps_are_faster(SingleEvaluator &steps, SingleEvaluator &full);

}  // namespace ludorum
