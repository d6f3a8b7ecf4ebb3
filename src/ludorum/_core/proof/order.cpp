// In which order proof search tries choices: by past success, and near the root by random games.

#include <algorithm>

#include "common/bits.hpp"
#include "proof/search.hpp"

namespace ludorum {

namespace {

constexpr std::uint64_t PLAYOUTS = 100;
constexpr std::uint32_t LONGEST_PLAYOUT = 1000;
constexpr std::int64_t REPLY_COUNTS = 4;  // weight of success as a reply to the last choice, beside success anywhere

}  // namespace

// By insertion: it keeps equal ones in their order and is quickest for the few options most states have.
void ProofSearch::sort_by_success(Frame &frame, std::uint32_t depth) {
    const std::uint32_t before = key_above(depth);
    ranks_.resize(frame.keys.size());
    for (std::size_t option = 0; option < ranks_.size(); ++option)
        ranks_[option] = success_[frame.keys[option]] + REPLY_COUNTS * reply(before, frame.keys[option]);
    auto rank = [&](std::uint32_t option) { return ranks_[option]; };
    for (std::size_t at = 1; at < frame.order.size(); ++at) {
        const std::uint32_t option = frame.order[at];
        std::size_t to = at;
        for (; to && rank(frame.order[to - 1]) < rank(option); --to) frame.order[to] = frame.order[to - 1];
        frame.order[to] = option;
    }
}

// Near the root a bad first choice costs most, and random games cost little beside the search.
void ProofSearch::sort_by_playouts(Frame &frame) {
    const std::function<bool()> stop = [&] { return task_->stop && task_->stop(); };
    std::vector<std::uint8_t> start(packed_bytes(network_.fluents));
    std::vector<double> means(frame.moves.size(), 0);
    for (std::uint32_t option = 0; option < means.size(); ++option) {
        if (frame.known[option].solved()) continue;
        evaluator_.pack(Words(child(frame, option), child(frame, option) + words_), start.data());
        SplitMix64 random(1);
        SingleCounts counts;
        evaluator_.play(start.data(), random, {PLAYOUTS, LONGEST_PLAYOUT, stop}, counts);
        played_ += counts.steps;
        for (std::size_t goal = 0; goal < counts.goals.size(); ++goal)
            if (network_.goal_roles[goal] == task_->role && network_.goal_values[goal] > 0)
                means[option] += static_cast<double>(network_.goal_values[goal]) * static_cast<double>(counts.goals[goal]);
        if (!frame.own) means[option] = -means[option];
    }
    std::stable_sort(frame.order.begin(), frame.order.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return means[one] > means[other]; });
}

// The choice that decided gains as much as the choices lose that were tried before it.
void ProofSearch::reward(const Frame &frame, std::uint32_t depth, std::uint32_t option) {
    const std::uint32_t before = key_above(depth), key = frame.keys[option];
    for (std::uint32_t tried : frame.order) {
        if (tried == option) return;
        ++success_[key];
        --success_[frame.keys[tried]];
        ++reply(before, key);
        --reply(before, frame.keys[tried]);
    }
}

// Very many pairs share places by a hash: that can cost time, but changes no answer.
std::int64_t &ProofSearch::reply(std::uint32_t before, std::uint32_t key) {
    const std::uint64_t pair = before * success_.size() + key;
    return replies_[pair < replies_.size() ? pair : pair * 0x9E3779B97F4A7C15ull >> 32 & (MOST_REPLIES - 1)];
}

}  // namespace ludorum
