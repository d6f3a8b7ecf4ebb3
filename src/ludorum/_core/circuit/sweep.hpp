// One walk over a circuit that adds every gate anew, rewritten on the way: the body of the circuit passes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "circuit/gates.hpp"

namespace ludorum {

// What a sweep does to a gate before adding it; these come on top of the builder's own rules.
enum SweepRules : unsigned {
    LEGAL = 16,    // a move that is done is legal
    MERGE = 32,    // a gate used once, and positively, becomes part of its user
    GROUP = 64,    // alternatives that differ in the move only become one
    FACTOR = 128,  // (a & b) | (a & c) is a & (b | c)
};

struct CircuitView {
    std::int32_t first_gate = 0;
    std::vector<std::int32_t> roles;  // the role of each input that is a move, else -1
    std::span<const std::int32_t> offsets, literals;
    std::span<const std::int32_t> legal;  // for each move, in the order of the inputs
    std::span<const std::int32_t> outputs;
    std::int32_t first_move = 0;
};

class Sweep {
  public:
    Sweep(const CircuitView &circuit, unsigned rules);
    // `poll` is called now and then; it may throw.
    GateArrays run(const std::function<void()> &poll);

  private:
    struct Item {
        GateLiteral literal;
        bool own;  // used here and nowhere else
    };

    std::int32_t gates() const { return static_cast<std::int32_t>(circuit_.offsets.size()) - 1; }
    bool is_gate(GateLiteral literal) const { return literal >> 1 >= circuit_.first_gate; }
    std::int32_t gate(GateLiteral literal) const { return (literal >> 1) - circuit_.first_gate; }
    std::span<const std::int32_t> inside(GateLiteral literal) const;

    GateLiteral moved(GateLiteral literal);
    bool read(std::int32_t gate, std::vector<Item> &items);
    bool assume_legal(std::vector<GateLiteral> &literals);
    void collect_implied(GateLiteral literal);
    void group_moves(std::vector<Item> &items);
    std::vector<GateLiteral> factored(const std::vector<Item> &items);
    void factor(std::vector<std::vector<GateLiteral>> cubes, std::vector<GateLiteral> &none_of);

    const CircuitView &circuit_;
    unsigned rules_;
    GateBuilder builder_;
    std::vector<GateLiteral> moved_;
    std::vector<char> promised_;
    std::vector<std::int32_t> uses_;
    std::vector<std::uint32_t> implied_;  // stamps: what follows from the move at hand being legal
    std::uint32_t now_ = 0;
};

}  // namespace ludorum
