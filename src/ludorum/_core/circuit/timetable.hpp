// Timetables: the known part of the state after so many steps of any play.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/network.hpp"
#include "circuit/specialise.hpp"

namespace ludorum {

// In games that count their steps more is known with every step: which stone is the third, which groups cannot exist
// yet. All lanes that began together share this, so each step can have a network of its own, folded under it;
// a lane whose game is over must wait for the others. After the last step comes the one at `again`.
struct Timetable {
    std::vector<std::vector<std::int8_t>> values;  // by step, then by fluent; UNKNOWN where play decides
    std::uint32_t again = 0;

    std::uint32_t length() const { return static_cast<std::uint32_t>(values.size()); }
    // Whether a packed state may be met at this step.
    bool allows(std::uint32_t step, const std::uint8_t *state) const;
};

// The timetable from the initial state, and the gate inputs that stay unknown in each step: about what an
// evaluation costs. Of length 0 where nothing repeats within some hundred steps.
struct FoundTimetable {
    Timetable timetable;
    std::vector<std::uint64_t> literals;
};
FoundTimetable find_timetable(const Network &network);

}  // namespace ludorum
