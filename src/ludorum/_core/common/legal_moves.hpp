// A role's legal moves, out of the packed bits in which evaluators give those of all roles.
#pragma once

#include <cstdint>

#include "circuit/network.hpp"

namespace ludorum {

// Calls `visit` with each word of a role's legal moves, those of other roles blanked out, and its first move.
template <class Visit>
void each_legal_word(const Network &network, const std::uint64_t *legal, std::uint32_t role, Visit visit) {
    const std::uint32_t begin = network.role_begin(role), end = network.role_ends[role];
    for (std::uint32_t word = begin / 64; 64 * word < end; ++word) {
        std::uint64_t held = legal[word];
        if (word == begin / 64) held &= ~0ull << (begin & 63);
        if (64 * word + 64 > end) held &= ~(~0ull << (end & 63));
        visit(held, 64 * word);
    }
}

template <class Visit>
void each_legal(const Network &network, const std::uint64_t *legal, std::uint32_t role, Visit visit) {
    each_legal_word(network, legal, role, [&](std::uint64_t held, std::uint32_t first) {
        for (; held; held &= held - 1)
            visit(static_cast<std::int32_t>(first + static_cast<std::uint32_t>(__builtin_ctzll(held))));
    });
}

inline std::uint32_t count_legal(const Network &network, const std::uint64_t *legal, std::uint32_t role) {
    std::uint32_t count = 0;
    each_legal_word(network, legal, role, [&](std::uint64_t held, std::uint32_t) {
        count += static_cast<std::uint32_t>(__builtin_popcountll(held));
    });
    return count;
}

}  // namespace ludorum
