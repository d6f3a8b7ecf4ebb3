// The gates of a phase as machine code: no stream of inputs is read, and values that are read again soon stay in
// registers. It computes what the kernels compute that go through the runs; where it cannot be made, they run as ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/basic_block.hpp"

namespace ludorum {

// Memory that holds code; given back with its last owner.
class NativeCode {
  public:
    // Null where this machine has other instructions, or allows no new code.
    static std::shared_ptr<const NativeCode> make(const std::vector<std::uint8_t> &code);
    ~NativeCode();
    NativeCode(const NativeCode &) = delete;
    NativeCode &operator=(const NativeCode &) = delete;
    NativeEntry entry(std::size_t begin) const {
        return reinterpret_cast<NativeEntry>(static_cast<std::uint8_t *>(memory_) + begin);
    }

    std::size_t bytes() const { return bytes_; }

  private:
    NativeCode(void *memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
    void *memory_;
    std::size_t bytes_;
};

// Whether a machine with vectors of so many bytes has an instruction for choices.
bool has_choices(std::uint32_t vector_bytes);

// Functions for some basic blocks, which begin at these bytes of the code; null where one of them cannot be made.
std::shared_ptr<const NativeCode> write_basic_blocks(const std::vector<BasicBlock *> &blocks, std::uint32_t vector_bytes,
                                                  std::vector<std::size_t> &begins);

// The slots that are read in a phase or after it, as they are before it, given those that are read after it.
LiveSlots read_before(const LanePhase &phase, LiveSlots after, const SlotMap &map);

// Makes code for the basic blocks of a phase and the parts of its loops, given the slots that are read after it. Returns
// those that are read in it or after it, as they are before it.
LiveSlots make_native(LanePhase &phase, LiveSlots live, const SlotMap &map);

}  // namespace ludorum
