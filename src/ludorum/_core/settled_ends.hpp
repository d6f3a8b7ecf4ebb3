// Reasons for a game to end that need not be looked for: a line of mine was not there before your move, and is not now.
#pragma once

#include <cstdint>
#include <vector>

#include "specialise.hpp"

namespace ludorum {

// By gate: whether it cannot hold in a state that a game goes on to, given the fluents that the step before has kept as
// they were. Such a gate alone ends a game, and depends on nothing but these fluents: had it held, there would have been
// no step. Nor does it hold in the initial state.
std::vector<char> find_settled_ends(const Network &network, const std::vector<char> &kept);

// The networks of steps, given what is known of the fluents in each of them and which of them come before it, without the
// ends that are settled. Returns those that take nothing for granted; none where nothing is settled.
std::vector<Specialised> settle_ends(const Network &network, const std::vector<std::vector<std::int8_t>> &values,
                                     const std::vector<std::vector<std::uint32_t>> &before,
                                     std::vector<Specialised> &steps);

}  // namespace ludorum
