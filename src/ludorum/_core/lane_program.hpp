// A network compiled for lanes: what all blocks of one width share, and the memory of one block.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "lane_kernels.hpp"
#include "network.hpp"
#include "plan.hpp"

namespace ludorum {

// A phase whose offsets are bytes, with the literals it answers as byte offsets and signs.
struct Place {
    std::uint32_t offset;
    bool negated;
};

struct LaneProgram {
    LaneProgram(std::shared_ptr<const Network> network, const LaneKernels &kernels);

    std::shared_ptr<const Network> network;
    const LaneKernels &kernels;
    std::uint32_t slot_bytes;
    std::uint32_t words;  // 64-bit words of a slot
    std::uint32_t slots;
    Phase legal_phase, goal_phase, next_phase, sees_phase;
    std::vector<Place> legal, goals, next, sees;
    Place terminal;
    std::uint32_t one_offset;

    std::vector<MoveGroup> groups;
    std::vector<RoleGroups> roles;

    std::vector<Copy> copies;  // next state over this one; the first `saved_copies` need saving
    std::uint32_t saved_copies = 0;
    std::vector<std::uint64_t> initial;  // all bits or none

    // Finished lanes can be collected in a second block and valued together, where that is cheaper.
    bool collect_goals = false;
    std::uint32_t final_slots = 0;
    std::uint32_t final_one_offset = 0;
    Phase final_phase;
    std::vector<Place> final_goals;
    std::vector<std::uint32_t> final_fluents;  // offsets of the fluents that goals depend on

  private:
    void build_groups(const Layout &layout);
    void build_copies(const Layout &layout);
    void build_finals();
    Place place(std::uint32_t slot) const { return {(slot >> 1) * slot_bytes, (slot & 1) != 0}; }
};

inline PhaseCode code_of(const Phase &phase) {
    return {phase.runs.data(), phase.inputs.data(), phase.segments.data(),
            static_cast<std::uint32_t>(phase.segments.size()), phase.carried.data()};
}

// Zeroed memory aligned for any vector.
class Aligned {
  public:
    Aligned() = default;
    explicit Aligned(std::size_t bytes);
    ~Aligned() { std::free(data_); }
    Aligned(Aligned &&other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    Aligned &operator=(Aligned &&other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    char *bytes() const { return static_cast<char *>(data_); }
    std::uint64_t *words() const { return static_cast<std::uint64_t *>(data_); }

  private:
    void *data_ = nullptr;
};

// The memory of one block of lanes; used by one thread at a time.
class Block {
  public:
    explicit Block(const LaneProgram &program);

    const LaneProgram &program;
    Aligned slots, finals, saved, scratch, random;
    Aligned over, stuck, ended;  // a bit for each lane
    std::vector<std::uint8_t> live;
    std::vector<std::uint32_t> active;

    std::uint64_t *slot(std::uint32_t offset) const { return reinterpret_cast<std::uint64_t *>(slots.bytes() + offset); }
    void seed(std::uint64_t seed);
    void evaluate(const Phase &phase) { program.kernels.evaluate(code_of(phase), slots.bytes(), saved.bytes()); }
    void evaluate_finals() {
        program.kernels.evaluate(code_of(program.final_phase), finals.bytes(), saved.bytes());
    }
    void select();
    void advance();
    void reset(const std::uint64_t *lanes);
    void clear_moves();

    // Lanes 0 .. count-1 hold these packed states; the others hold nothing.
    void load(const std::uint8_t *states, std::size_t count);
    // One lane takes a packed state; its fluents must be clear.
    void load_lane(std::uint32_t lane, const std::uint8_t *state);
    // Packed rows of the lanes 0 .. count-1, a bit for each place.
    void store(const std::vector<Place> &places, std::uint8_t *rows, std::size_t count) const;
};

}  // namespace ludorum
