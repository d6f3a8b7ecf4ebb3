// Evaluators of single states: looking at states, playing them, and choosing the way to do so.

#include "single/single_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "common/bits.hpp"

namespace ludorum {

namespace {

// Time this thread has run: on a busy machine the wall clock would let the other side win.
double processor_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Several goals of one role are none.
bool is_only_one(const Network &network, const std::vector<std::uint32_t> &held, std::uint32_t goal) {
    return std::none_of(held.begin(), held.end(), [&](std::uint32_t other) {
        return other != goal && network.goal_roles[other] == network.goal_roles[goal];
    });
}

double steps_a_second(SingleEvaluator &evaluator, double seconds) {
    SingleCounts counts;
    SplitMix64 random(1);
    std::vector<std::uint8_t> start(evaluator.state_bytes());
    evaluator.pack(initial_state(evaluator.network()), start.data());
    const double began = processor_seconds();
    const std::function<bool()> stop = [&] { return processor_seconds() - began > seconds; };
    evaluator.play(start.data(), random, {UINT64_MAX, 0, stop}, counts);
    return static_cast<double>(counts.steps) / (processor_seconds() - began);
}

}  // namespace

SingleEvaluator::SingleEvaluator(std::shared_ptr<const Network> network, std::shared_ptr<const StepProgram> steps,
                                 const GoalGates &goals)
    : network_(std::move(network)), goals_(goals), bytes_(packed_bytes(network_->fluents)) {
    if (steps) incremental_ = make_incremental(network_, std::move(steps));
    words_ = initial_state(*network_);
    after = words_;
    moves_.resize(network_->roles());
}

FullState &SingleEvaluator::full() {
    if (!full_) full_ = std::make_unique<FullState>(network_);
    return *full_;
}

void SingleEvaluator::unpack(const std::uint8_t *state) {
    for (std::size_t chunk = 0; chunk < words_.size(); ++chunk) words_[chunk] = load_chunk(state, bytes_.size(), chunk);
    if (network_->fluents & 63) words_.back() &= ~(~0ull << (network_->fluents & 63));
}

void SingleEvaluator::pack(const Words &words, std::uint8_t *state) const {
    for (std::size_t chunk = 0; chunk < words.size(); ++chunk) store_chunk(state, bytes_.size(), chunk, words[chunk]);
}

SingleState &SingleEvaluator::look_at(const std::uint8_t *state) {
    if (at_ && std::equal(bytes_.begin(), bytes_.end(), state)) return *at_;
    unpack(state);
    at_ = nullptr;  // should anything throw
    SingleState *found = &put(words_);
    std::copy_n(state, bytes_.size(), bytes_.data());
    return *(at_ = found);
}

SingleState &SingleEvaluator::look_at(const Words &state) {
    at_ = nullptr;  // `bytes_` says nothing of it
    if (!incremental_ && full().state() == state) return full();
    return put(state);
}

SingleState &SingleEvaluator::put(const Words &state) {
    if (chosen().set_state(state)) return chosen();
    full().set_state(state);
    return full();
}

void SingleEvaluator::percepts(const std::uint8_t *state, const std::int32_t *moves,
                               std::vector<std::uint32_t> &held) {
    unpack(state);
    if (at_ == &full()) at_ = nullptr;
    if (full().state() != words_) full().set_state(words_);
    full().percepts(moves, held);
}

bool SingleEvaluator::is_time(const PlayoutLimits &limits) {
    if (--until_clock_) return false;
    until_clock_ = CLOCK_EVERY;
    return limits.stop();
}

void SingleEvaluator::play(const std::uint8_t *start, SplitMix64 &random, const PlayoutLimits &limits,
                           SingleCounts &counts) {
    counts.goals.assign(network_->goals.size(), 0);
    SingleState &served = look_at(start);
    at_ = nullptr;
    const Words begin = served.state();
    for (; counts.playouts < limits.games; ++counts.playouts) {
        SingleState *state = &served;
        if (counts.playouts) state->set_state(begin);
        for (std::uint32_t length = 0; !state->terminal(); ++length) {
            if (limits.longest && length >= limits.longest) {
                ++counts.capped;
                break;
            }
            if (!choose_moves(*network_, *state, random, moves_)) {
                ++counts.stuck;
                break;
            }
            if (!state->step(moves_.data())) {
                full().set_state(state->state());
                state = &full();
            }
            ++counts.steps;
            if (is_time(limits)) return;
        }
        const auto &held = goals_.held(state->state());
        for (std::uint32_t goal : held) counts.goals[goal] += is_only_one(*network_, held, goal);
        if (is_time(limits)) {  // games may be over at once
            ++counts.playouts;
            return;
        }
    }
}

bool steps_are_faster(SingleEvaluator &steps, SingleEvaluator &full) {
    constexpr double LONG_ENOUGH = 0.0005;
    double best[2] = {0, 0};
    for (int round = 0; round < 2; ++round) {
        best[0] = std::max(best[0], steps_a_second(full, LONG_ENOUGH));
        best[1] = std::max(best[1], steps_a_second(steps, LONG_ENOUGH));
    }
    return best[1] > best[0];
}

}  // namespace ludorum
