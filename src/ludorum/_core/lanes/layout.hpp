// From a network to what the lane kernels run: gates in an order that keeps values near, in slots used again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/network.hpp"

namespace ludorum {

// The slots of the constants, behind the fluents.
inline std::uint32_t one_slot(const Network &network) { return network.fluents; }
inline std::uint32_t zero_slot(const Network &network) { return network.fluents + 1; }
inline std::uint32_t first_free_slot(const Network &network) { return network.fluents + 2; }

// Runs to be evaluated once, or, where `carried` is not empty, until the carried slots stay as they are.
struct Segment {
    std::uint32_t first_run;
    std::uint32_t end_run;
    std::uint32_t first_carried;
    std::uint32_t end_carried;
    std::uint32_t warm = 0;  // whether carried slots begin with what they held a step before
    std::uint32_t first_part = 0, end_part = 0;
    std::uint32_t settled = 0;  // whether it is left out, but for lanes that hold a state from elsewhere

    bool is_loop() const { return first_carried != end_carried; }
};

// A part of a loop that is evaluated as a whole, when something it reads has changed. It has carried slots of
// its own, and `users` are the parts that have to be evaluated again when one of them has changed.
struct LoopPart {
    std::uint32_t first_run;
    std::uint32_t end_run;
    std::uint32_t first_carried;
    std::uint32_t end_carried;
    std::uint32_t first_user;
    std::uint32_t end_user;
    std::uint32_t literals;  // gate inputs: what a visit costs
};

// Gates of one shape. Each has its inputs in the stream, those taken as they are first, and then its output.
struct LaneRun {
    std::uint32_t positive;
    std::uint32_t negative;
    std::uint32_t count;
    std::uint32_t flip;         // whether outputs are stored negated
    std::uint32_t first_input;  // where the run begins in the stream
};

class NativeCode;

// Machine code that evaluates a segment in the columns of lanes from the first one up to an end.
using NativeEntry = void (*)(char *slots, char *end);

struct LanePhase {
    std::vector<LaneRun> runs;
    std::vector<std::uint32_t> inputs;
    std::vector<Segment> segments;
    std::vector<std::uint32_t> carried;  // slots of loop gates that earlier gates of the loop refer to
    std::vector<LoopPart> parts;
    std::vector<std::uint32_t> users;  // numbers of parts within their loop
    std::size_t literals = 0;            // gate inputs: what an evaluation costs, if loops are gone through once
    std::size_t loop_literals = 0;       // those of loops
    std::shared_ptr<const NativeCode> native;
    std::vector<NativeEntry> entries;  // by segment, then by part; null where its runs are gone through; or none at all

    bool empty() const { return runs.empty(); }
    void scale(std::uint32_t slot_bytes);  // from slot numbers to byte offsets
};

// The purpose of a phase. Later phases may read the values of a kept one; a phase with targets writes its
// outputs straight into the slots of fluents, where the old value is not needed any more.
struct PhaseWish {
    std::vector<Literal> outputs;
    bool keep = false;
    bool to_fluents = false;  // output i is the next value of fluent i
    std::vector<char> apart = {};  // by fluent: whether its old value must stay; empty: none
    std::size_t until = 0;         // the phase at the end of which its outputs may go, if it is kept
};

// Fluents stand in the slots of their own numbers, the constants behind them, moves where the caller wants them,
// gates from a given slot on. Values live from their gate to their last reader, and the outputs of a phase until
// the next phase begins; or (`lasting`) all live on, so that later phases can be evaluated again and again.
// `pinned` gates (by gate, UINT32_MAX: none) have slots of their own: those that warm loops carry. `settled` loops
// keep the values of the step before.
class LaneLayout {
  public:
    LaneLayout(const Network &network, const std::vector<std::uint32_t> &move_slots, std::uint32_t first_gate_slot,
               std::vector<PhaseWish> wishes, bool lasting = false, std::vector<std::uint32_t> pinned = {},
               std::vector<char> settled = {});

    // The phases in the order of the wishes.
    LanePhase next_phase();

    // The literal's slot, times two, plus its sign, as the last phase has left it.
    std::uint32_t slot(Literal literal) const { return 2 * slots_[literal >> 1] + (literal & 1); }
    // The same for the next value of a fluent: its own slot, where it has been written there.
    std::uint32_t next_slot(std::uint32_t fluent) const;
    std::uint32_t size() const { return size_; }

  private:
    static constexpr std::uint32_t NOWHERE = UINT32_MAX;

    void find_writers();
    void order_gates(const std::vector<Literal> &outputs);
    void order_windows();
    void find_last_uses(const PhaseWish &wish);
    void add_gate(LanePhase &phase, std::uint32_t gate);
    std::vector<std::uint32_t> order_loop(std::uint32_t first, std::uint32_t last,
                                          const std::vector<std::uint32_t> &carried) const;
    std::vector<std::uint32_t> part_loop(std::uint32_t first, std::uint32_t last,
                                         const std::vector<std::uint32_t> &carried) const;
    void find_users(LanePhase &phase, const std::vector<std::vector<std::uint32_t>> &parts,
                    const std::vector<std::uint32_t> &carried, std::uint32_t first, std::uint32_t last) const;
    void add_loop(LanePhase &phase, std::uint32_t first, std::uint32_t last);
    void close_segment(LanePhase &phase);
    std::uint32_t take_slot();
    bool is_pinned(std::uint32_t gate) const { return !pinned_.empty() && pinned_[gate] != NOWHERE; }
    void release(std::uint32_t at);
    std::uint32_t loop_last(std::uint32_t gate) const;
    std::uint32_t gate_of(Literal literal) const;

    template <class Visit>
    void each_input(std::uint32_t unit, Visit visit) const;

    const Network &network_;
    std::vector<PhaseWish> wishes_;
    bool lasting_;
    std::vector<std::uint32_t> pinned_;
    std::vector<char> settled_;            // by loop
    std::size_t number_ = 0;               // of the phase being laid out
    std::vector<std::uint32_t> slots_;     // by node
    std::vector<std::uint32_t> unit_;      // by gate: itself, or the first gate of its loop
    std::vector<char> done_, wanted_;      // by gate: kept by an earlier phase; computed in this one
    std::vector<std::size_t> needed_in_;   // by gate: the last phase that asks for what a kept one computed
    std::vector<std::uint32_t> writes_;    // by gate: the fluent whose slot it writes to, in this phase
    std::vector<std::uint32_t> written_;   // by fluent: whether a gate has written its next value
    std::vector<std::vector<std::uint32_t>> readers_;   // by fluent: wanted gates that read its old value
    std::vector<std::uint32_t> order_;                  // units
    std::vector<std::vector<std::uint32_t>> releases_;  // by place in the order: gates read there for the last time
    std::vector<std::uint32_t> free_;
    std::uint32_t size_;
    std::uint32_t segment_begin_ = 0;
};

}  // namespace ludorum
