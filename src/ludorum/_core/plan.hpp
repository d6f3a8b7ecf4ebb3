// From a network to what the lane kernels run: phases, runs of gates of one shape, and slots.
#pragma once

#include <cstdint>
#include <vector>

#include "network.hpp"

namespace ludorum {

// The slots of the constants, behind the fluents.
inline std::uint32_t one_slot(const Network &network) { return network.fluents; }
inline std::uint32_t zero_slot(const Network &network) { return network.fluents + 1; }
inline std::uint32_t first_free_slot(const Network &network) { return network.fluents + 2; }

// Gates of one shape whose outputs stand one after the other. Offsets are in bytes of the slot memory.
struct Run {
    std::uint32_t positive;  // inputs taken as they are ...
    std::uint32_t negative;  // ... and inputs taken negated, which come after them in the stream
    std::uint32_t count;
    std::uint32_t first_output;
    std::uint32_t first_input;  // where the run's inputs begin in the stream
};

// Runs to be evaluated once, or, where `carried` is not empty, until the carried slots stay as they are.
struct Segment {
    std::uint32_t first_run;
    std::uint32_t end_run;
    std::uint32_t first_carried;
    std::uint32_t end_carried;
};

struct Phase {
    std::vector<Run> runs;
    std::vector<std::uint32_t> inputs;
    std::vector<Segment> segments;
    std::vector<std::uint32_t> carried;  // slots of loop gates that earlier gates of the loop refer to

    bool empty() const { return runs.empty(); }
    void scale(std::uint32_t slot_bytes);  // from slot numbers to byte offsets
};

// Where each node lives and in which order phases fill the slots: fluents in the slots of their own numbers,
// the constants behind them, moves where the caller wants them, gates from a given slot on.
class Layout {
  public:
    Layout(const Network &network, const std::vector<std::uint32_t> &move_slots, std::uint32_t first_gate_slot);

    // The gates that `outputs` need and earlier phases of this layout have not computed. `keep` says whether
    // later phases may rely on them.
    Phase phase(const std::vector<Literal> &outputs, bool keep);

    // The literal's slot, times two, plus its sign; valid for the last phase and for those kept before.
    std::uint32_t slot(Literal literal) const { return 2 * slots_[literal >> 1] + (literal & 1); }
    std::uint32_t size() const { return size_; }

  private:
    void add_gate(Phase &phase, std::uint32_t gate);
    void add_loop(Phase &phase, std::uint32_t first, std::uint32_t last);
    void close_segment(Phase &phase);

    const Network &network_;
    std::vector<std::uint32_t> slots_;
    std::vector<char> done_;
    std::uint32_t size_;
    std::uint32_t segment_begin_ = 0;
};

}  // namespace ludorum
