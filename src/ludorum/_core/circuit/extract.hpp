// Literals that several gates have in common, computed once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "circuit/gates.hpp"
#include "circuit/order.hpp"

namespace ludorum {

class Extraction {
  public:
    // `poll` is called now and then; it may throw.
    Extraction(const OrderView &circuit, std::function<void()> poll);

    // Two literals that many gates share become a gate of their own.
    void share_pairs();

    // Many literals that two gates share become a gate of their own; in rounds, since the new gates may
    // share literals again.
    void share_sets();

    GateArrays finish(std::span<const std::int32_t> outputs) const;

  private:
    using Set = std::vector<GateLiteral>;  // sorted

    GateLiteral literal_of(std::size_t gate) const {
        return 2 * (circuit_.first_gate + static_cast<GateLiteral>(gate));
    }
    bool takes_pairs(std::size_t gate) const;
    void count_pair(GateLiteral one, GateLiteral other, int change);
    void take_pair(GateLiteral one, GateLiteral other);
    bool share_sets_once();
    void emit(std::size_t gate, std::vector<std::int32_t> &order, std::vector<char> &emitted) const;

    const OrderView &circuit_;
    std::function<void()> poll_;
    std::size_t polled_ = 0;
    std::size_t given_;
    std::vector<Set> sets_;     // the gates that were given, then new ones
    std::vector<char> fixed_;   // gates of loops stay as they are
    std::vector<std::vector<std::int32_t>> users_;  // of each literal: a superset, checked when used
    std::unordered_map<std::uint64_t, std::int32_t> pairs_;
    std::vector<std::vector<std::uint64_t>> queue_;  // pairs by how many gates had them when they were put here
};

}  // namespace ludorum
