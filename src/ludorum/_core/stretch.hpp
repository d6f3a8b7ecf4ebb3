// A stretch of gates that machine code is made of: every value is defined once, and nothing says where it stands but for
// those that come from slots and those that go to slots.
#pragma once

#include <cstdint>
#include <vector>

#include "lane_layout.hpp"

namespace ludorum {

// A value of a stretch, times two, plus its sign.
using Term = std::uint32_t;

struct Stretch {
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    enum Kind : std::uint8_t {
        ALL,      // all terms hold
        UNEQUAL,  // one of two terms holds
        CHOICE,   // the second of three terms where the first holds, the third elsewhere
    };
    struct Gate {
        std::uint32_t first, end;  // its terms
        Kind kind;
        bool flip;                    // whether its value is the opposite of what its kind says
        std::uint32_t home = NOWHERE;  // the offset of the slot it goes to
    };

    std::vector<std::uint32_t> inputs;  // by input: the offset of its slot
    std::vector<Gate> gates;            // their values are numbered behind those of the inputs
    std::vector<Term> terms;

    std::uint32_t values() const { return static_cast<std::uint32_t>(inputs.size() + gates.size()); }
    bool is_input(std::uint32_t value) const { return value < inputs.size(); }
    std::uint32_t gate_of(std::uint32_t value) const { return value - static_cast<std::uint32_t>(inputs.size()); }
};

// How large slots are in bytes, and the first of those that belong to gates: what is written before it is kept.
struct SlotMap {
    std::uint32_t slot_bytes;
    std::uint32_t first_gate;
};

// Which slots somebody will read, by number.
using LiveSlots = std::vector<char>;

// Calls visit(run, inputs, output) for some runs of a phase; outputs and inputs are offsets.
template <class Visit>
void each_gate(const LanePhase &phase, std::uint32_t first_run, std::uint32_t end_run, Visit visit) {
    for (std::uint32_t number = first_run; number < end_run; ++number) {
        const LaneRun &run = phase.runs[number];
        const std::uint32_t size = run.positive + run.negative;
        const std::uint32_t *in = phase.inputs.data() + run.first_input;
        for (std::uint32_t left = run.count; left; --left, in += size + 1) visit(run, in, in[size]);
    }
}

// The gates of a segment that is no loop, given the slots that are read after it.
Stretch read_stretch(const LanePhase &phase, const Segment &segment, const LiveSlots &after, const SlotMap &map);

// An order of the gates in which values are read soon after they are written; gates nobody needs are left out.
std::vector<std::uint32_t> order_stretch(const Stretch &stretch);

}  // namespace ludorum
