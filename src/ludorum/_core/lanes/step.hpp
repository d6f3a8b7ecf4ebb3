// A whole step of random play as machine code: what is legal and how many moves there are; then, when ranks have been
// drawn, the moves and the next state, without a look at slots in between.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/kernels.hpp"
#include "lanes/basic_block.hpp"

namespace ludorum {

struct LaneCode;

struct NativeStep {
    std::shared_ptr<const NativeCode> code;
    NativeEntry legal = nullptr;    // the legal phase, and the totals of all roles
    NativeEntry advance = nullptr;  // moves by the ranks that were drawn, the next phase, and all copies
    std::vector<RolePlanes> roles;
    std::uint32_t playing = 0;

    explicit operator bool() const { return code != nullptr; }
};

// What a step has to know besides its code. Offsets are in bytes.
struct StepPlan {
    SlotMap map;
    std::uint32_t one, zero;            // the slots of the constants
    std::vector<Place> active;          // where lanes wait: the literals that hold in the lanes that do not
    LiveSlots after_legal;              // slots that others read after the legal phase
};

// More groups than these are better gone through one by one, those left out that no lane has chosen.
constexpr std::uint32_t MOST_GROUPS = 64;

// Whether there is something to choose, and not too much.
bool can_step(const LaneCode &code);

// The code gets more slots. Nothing is made where legal literals do not stay, or phases have loops.
NativeStep make_step(LaneCode &code, const StepPlan &plan);

}  // namespace ludorum
