// In which phase, and in which order, the gates of a circuit are evaluated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ludorum {

struct OrderView {
    std::int32_t first_gate;
    std::span<const std::int32_t> offsets, literals;
    std::span<const std::int32_t> loops;  // first and last gate of each, one pair after the other
};

// 0 for gates that legal moves and the end need, or both goals and the next state; 1 for those that only goals
// need; 2 for all others.
std::vector<std::int32_t> gate_phases(const OrderView &circuit, std::span<const std::int32_t> state_outputs,
                                      std::span<const std::int32_t> goal_outputs,
                                      std::span<const std::int32_t> next_outputs);

// The gates phase by phase, within a phase in long runs of one shape (as many positive, as many negated
// literals); a loop stays together and as it is.
std::vector<std::int32_t> gate_order(const OrderView &circuit, std::span<const std::int32_t> phases);

}  // namespace ludorum
