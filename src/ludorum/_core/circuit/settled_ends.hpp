// Ends of a game that need not be tested: a line of mine was not there before your move, and is not now.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "circuit/specialise.hpp"

namespace ludorum {

// Takes the settled ends out of the networks of steps, given the known fluents of each step and the steps that come
// before it. Returns by step the network with all ends, where some are settled.
std::vector<std::optional<Specialised>> settle_ends(const Network &network,
                                                    const std::vector<std::vector<std::int8_t>> &values,
                                                    const std::vector<std::vector<std::uint32_t>> &before,
                                                    std::vector<Specialised> &steps);

}  // namespace ludorum
