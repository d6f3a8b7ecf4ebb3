// Drawing and learning; the arithmetic is that of the plain tree.

#include "mcts/policy.hpp"

#include "mcts/select.hpp"

namespace ludorum::mcts {

std::uint32_t Policy::choose(const std::vector<std::uint32_t> &moves, std::int64_t before, SplitMix64 &random) {
    if (kind_ == UNIFORM) return draw(random, static_cast<std::uint32_t>(moves.size()));
    drawn_.clear();
    double total = 0.0;
    for (std::uint32_t move : moves) {
        drawn_.push_back(weight(move, before));
        total += drawn_.back();
    }
    double left = unit_interval(random) * total;
    for (std::size_t at = 0; at < drawn_.size(); ++at) {
        left -= drawn_[at];
        if (left < 0.0) return static_cast<std::uint32_t>(at);
    }
    return static_cast<std::uint32_t>(moves.size() - 1);
}

double Policy::weight(std::uint32_t move, std::int64_t before) const {
    const Average &single = moves_[move];
    if (kind_ == NST && before >= 0) {
        const auto pair = pairs_.find(pair_of(before, move));
        if (pair != pairs_.end() && pair->second.count >= FEWEST_PAIRS)
            return std::exp((single.value() + pair->second.value()) / 2.0 / heat_);
    }
    return single.weight;
}

void Policy::learn(const History &history, const std::vector<std::uint64_t> &points, std::uint32_t games) {
    if (kind_ == UNIFORM) return;
    std::int64_t before = -1;
    std::size_t begin = 0;
    for (std::size_t end : history.ends) {
        for (std::size_t at = begin; at < end; ++at) {
            const Chosen &one = history.chosen[at];
            add(moves_[one.move], points[one.role], games);
            weights_[one.move] = static_cast<float>(moves_[one.move].weight);
            if (kind_ == NST && before >= 0) add(pairs_[pair_of(before, one.move)], points[one.role], games);
        }
        before = end > begin ? static_cast<std::int64_t>(history.chosen[begin].move) : -1;
        begin = end;
    }
}

void Policy::add(Average &average, std::uint64_t points, std::uint32_t games) const {
    average.count += games;
    average.points += points;
    average.weight = std::exp(average.value() / heat_);
}

}  // namespace ludorum::mcts
