// Reasons for a game to end that need not be looked for: a line of mine was not there before your move, and is not now.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "circuit/specialise.hpp"

namespace ludorum {

// Takes the ends that are settled out of the networks of steps, given what is known of the fluents in each of them and
// which of them come before it. Returns by step the network that takes nothing for granted, where something is settled.
std::vector<std::optional<Specialised>> settle_ends(const Network &network,
                                                    const std::vector<std::vector<std::int8_t>> &values,
                                                    const std::vector<std::vector<std::uint32_t>> &before,
                                                    std::vector<Specialised> &steps);

}  // namespace ludorum
