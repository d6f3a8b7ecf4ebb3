// The goals of a state, apart from everything else: they are asked for at the end only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/layout.hpp"
#include "single/single_state.hpp"

namespace ludorum {

class GoalGates {
  public:
    explicit GoalGates(const Network &network);

    // The numbers of the goals that hold.
    const std::vector<std::uint32_t> &held(const Words &fluents);

  private:
    struct Program {
        LanePhase phase;
        std::vector<std::uint32_t> fluents;  // those that goals depend on
        std::vector<std::uint32_t> goals;    // twice the slot of each, plus its sign
    };
    std::shared_ptr<const Program> program_;  // copies share it
    std::vector<std::uint8_t> slots_, saved_;
    std::vector<std::uint32_t> held_;
};

}  // namespace ludorum
