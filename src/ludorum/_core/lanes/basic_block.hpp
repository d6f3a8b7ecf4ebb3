// A basic block of gates, from which machine code is made: every value is defined once, and nothing says where it stands but for
// those that come from slots and those that go to slots.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <vector>

#include "lanes/layout.hpp"

namespace ludorum {

// A value of a basic block, times two, plus its sign.
using Term = std::uint32_t;

constexpr Term NO_LANE = UINT32_MAX - 1, EVERY_LANE = UINT32_MAX;

inline Term opposite(Term term) { return term ^ 1; }
inline bool is_constant(Term term) { return term >= NO_LANE; }

struct BasicBlock {
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    enum Kind : std::uint8_t {
        INPUT,    // from a slot
        ALL,      // all terms hold
        UNEQUAL,  // one of two terms holds
        CHOICE,   // the second of three terms where the first holds, the third elsewhere
    };
    struct Value {
        Kind kind;
        bool flip;                     // whether it is the opposite of what its kind says
        std::uint32_t first, end;      // its terms
        std::uint32_t slot = NOWHERE;  // the offset of the slot it comes from or goes to
    };

    std::vector<Value> values;
    std::vector<Term> terms;
    bool chooses = true;  // whether there may be choices; else they become other gates
    // Whether a NOR may be stored as an OR, which a register holds in the end. Slots whose readers know the sign get it
    // without another operation.
    bool any_sign = false;
    bool by_slot = false;  // whether values go to slots in the order of slots: neighbours share many terms

    // What a slot holds at the beginning.
    Term input(std::uint32_t offset);
    Term add(Kind kind, std::initializer_list<Term> of, bool flip = false);
    // These fold constants.
    Term both(Term a, Term b);
    Term either(Term a, Term b) { return opposite(both(opposite(a), opposite(b))); }
    Term unequal(Term a, Term b);
    Term choose(Term condition, Term a, Term b);
    // A slot is given a value that is no constant.
    void put(Term term, std::uint32_t offset);

    bool reads(std::uint32_t offset) const { return inputs_.count(offset) != 0; }
    std::uint32_t input_at(std::uint32_t offset) const { return inputs_.at(offset); }

  private:
    std::unordered_map<std::uint32_t, std::uint32_t> inputs_;  // by offset
};

// How large slots and vectors are in bytes, and the first slot that belongs to gates: what is written before it is kept.
struct SlotMap {
    std::uint32_t slot_bytes;
    std::uint32_t vector_bytes;
    std::uint32_t first_gate;
};

// Which slots will be read, by number.
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

// What slots hold, by offset, where that is no input.
using Holdings = std::unordered_map<std::uint32_t, Term>;

inline Term held_at(BasicBlock &block, const Holdings &held, std::uint32_t offset) {
    const auto found = held.find(offset);
    return found != held.end() ? found->second : block.input(offset);
}

// A gate with any terms.
Term add_gate(BasicBlock &block, const std::vector<Term> &terms, bool flip);

// Adds the gates of some runs. They read and change `held`, and are written to no slot.
void add_gates(BasicBlock &block, const LanePhase &phase, std::uint32_t first_run, std::uint32_t end_run, Holdings &held);

// Writes values to the slots that are read afterwards.
void put_live(BasicBlock &block, const Holdings &held, const LiveSlots &after, const SlotMap &map);

// An order of the values in which they are read soon after they are written; those that are not needed are left out. Where slots
// wait for each other's old values, values are added that go to them at the end.
std::vector<std::uint32_t> order_basic_block(BasicBlock &block);

}  // namespace ludorum
