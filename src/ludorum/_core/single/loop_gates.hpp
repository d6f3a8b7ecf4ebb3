// Gates that depend on each other in a circle: evaluated together, from false.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "circuit/network.hpp"

namespace ludorum {

class LoopGates {
  public:
    LoopGates(std::uint32_t first_node, std::vector<std::pair<std::uint32_t, std::uint32_t>> loops,
              const std::vector<std::uint32_t> &offsets, const std::vector<Literal> &literals);

    std::size_t size() const { return loops_.size(); }
    std::pair<std::uint32_t, std::uint32_t> range(std::size_t loop) const { return loops_[loop]; }
    // The loop of a gate, or -1.
    std::int32_t loop_of(std::uint32_t gate) const { return loops_.empty() ? -1 : loop_of_[gate]; }

    // Finds the least values of a loop's gates, where `truth` (by literal) has those of all earlier nodes, and
    // lists the nodes that changed; values that are neither 0 nor 1 count as new.
    const std::vector<std::uint32_t> &evaluate(std::size_t loop, std::vector<std::uint8_t> &truth);

  private:
    std::uint32_t base_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loops_;
    std::vector<std::int32_t> loop_of_;
    const std::vector<std::uint32_t> &offsets_;
    const std::vector<Literal> &literals_;
    std::vector<std::vector<std::uint32_t>> readers_;  // inside of the loop
    std::vector<std::uint8_t> dirty_, before_;
    std::vector<std::uint32_t> changed_;
};

}  // namespace ludorum
