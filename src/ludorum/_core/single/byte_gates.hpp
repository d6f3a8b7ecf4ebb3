// Phases evaluated for one state: 0 or 255 in a byte for each slot.
#pragma once

#include <cstdint>
#include <vector>

#include "lanes/layout.hpp"

namespace ludorum {

// `saved` has room for what the phase's loops carry.
void evaluate_bytes(const LanePhase &phase, std::uint8_t *slots, std::uint8_t *saved);

}  // namespace ludorum
