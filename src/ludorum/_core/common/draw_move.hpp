// A random one of some legal moves of a role, by their weights.
#pragma once

#include <cstddef>
#include <cstdint>

#include "circuit/network.hpp"
#include "common/random.hpp"

namespace ludorum {

// The place of one of `count` moves, of which `move_at` tells the numbers.
template <class MoveAt>
std::uint32_t draw_move(const Network &network, std::uint32_t role, std::uint32_t count, MoveAt move_at,
                        SplitMix64 &random) {
    if (!network.weighted[role]) return static_cast<std::uint32_t>(random.below(count));
    std::uint64_t total = 0;
    for (std::uint32_t place = 0; place < count; ++place) total += network.weights[move_at(place)];
    std::uint64_t left = random.below(total);
    std::uint32_t place = 0;
    for (; left >= network.weights[move_at(place)]; ++place) left -= network.weights[move_at(place)];
    return place;
}

}  // namespace ludorum
