// Gates that are written down once: folding of constants and sharing of equal gates, and nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/network.hpp"

namespace ludorum {

class GatePool {
  public:
    // Wider gates become trees: inputs may be counted in 16 bits.
    static constexpr std::size_t WIDEST = 50'000;

    // Nodes below `first_gate` are inputs, the last of them the constant TRUE.
    explicit GatePool(std::uint32_t first_gate) : first_gate_(first_gate), offsets{0} { grow(1024); }

    Literal yes() const { return 2 * (first_gate_ - 1); }
    Literal no() const { return yes() + 1; }
    std::uint32_t gates() const { return static_cast<std::uint32_t>(offsets.size()) - 1; }

    // The literal that says whether all these hold; the vector is put in order.
    Literal add(std::vector<Literal> &inputs);
    // A gate of its own, without folding or sharing: for loops.
    Literal append(const std::vector<Literal> &inputs);

  private:
    void grow(std::size_t size);

    std::uint32_t first_gate_;
    std::vector<std::uint32_t> table_, hashes_;  // gate + 1 by hash; hash by gate

  public:
    std::vector<std::uint32_t> offsets;
    std::vector<Literal> literals;
};

}  // namespace ludorum
