// Modes: what is the same in all lanes that are played in step, such as whose turn it is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/network.hpp"

namespace ludorum {

constexpr std::int8_t UNKNOWN = -1;

// Fluents that go through a short cycle in any play, and their values in each step of it. The cycle is
// proved: these fluents depend on no move and on no other fluent, and return to their initial values.
struct Cycle {
    std::vector<std::uint32_t> fluents;
    std::vector<std::vector<std::int8_t>> values;  // by step, then by fluent of the network; UNKNOWN for others
    bool in_turn = true;  // steps follow each other; otherwise these are modes in no order, and there may be more

    std::uint32_t length() const { return static_cast<std::uint32_t>(values.size()); }
    // The step of the cycle a packed state stands in, or -1 where it is in none.
    int mode_of(const std::uint8_t *state) const;
    int mode_of(const std::vector<std::uint64_t> &state) const;
};

// The shortest cycle of 2 to 4 steps; of length 0 where there is none.
Cycle find_cycle(const Network &network);

// One state at a time, plainly: the values of all nodes without any move.
std::vector<char> plain_values(const Network &network, const std::vector<char> &fluents);

// The network under these values of fluents, and with some gates false: constants are folded, moves that are then
// never legal are not done, and a role's only move is. The nodes before the gates keep their numbers.
struct Specialised {
    Network network;
    std::vector<char> forced;  // by role: it has exactly one move, always legal
};
Specialised specialise(const Network &network, const std::vector<std::int8_t> &fluents,
                       const std::vector<char> &never = {});

}  // namespace ludorum
