// Selection: UCB1 over moves with unknown values, exact values where they are proven.
#pragma once

#include <cmath>
#include <cstdint>

#include "mcts/tree.hpp"
#include "common/random.hpp"

namespace ludorum::mcts {

// Nothing is drawn where there is no choice.
inline std::uint32_t draw(SplitMix64 &random, std::uint32_t count) {
    return count == 1 ? 0 : static_cast<std::uint32_t>(random.below(count));
}

struct Selected {
    std::uint32_t place;
    std::int32_t sure;  // a proven move that is better than the best open one, or -1
};

struct SelectParameters {
    double exploration, virtual_loss;
    double first_play;  // the bonus of an untried move above the mean of its node; infinite: it comes first
};

// The average value 0..1; pending visits count as losses, with the weight `loss`.
inline double mean_value(const Edge &edge, double loss) {
    const double counted = static_cast<double>(get(edge.visits)) + loss * static_cast<double>(get(edge.pending));
    return counted > 0 ? static_cast<double>(get(edge.points)) / (100.0 * counted) : 0.0;
}

// The move of a role with a choice; among the untried any, among equals the first. Untried moves come before
// tried ones that score less than the mean of the node and `first_play`. The arithmetic is that of the
// plain tree, operation by operation: both must choose the same.
Selected select(const Edge *edges, std::uint32_t count, double visits, double mean, std::int16_t highest,
                const SelectParameters &parameters, SplitMix64 &random);

// The same rule in single precision, without roots and divisions: for batches, which have no plain twin.
Selected select_quickly(const Edge *edges, std::uint32_t count, double visits, double mean, std::int16_t highest,
                        const SelectParameters &parameters, SplitMix64 &random);

}  // namespace ludorum::mcts
