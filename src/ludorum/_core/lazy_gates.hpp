// Gates that are evaluated when somebody wants to know, and again only when their reason has gone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "network.hpp"
#include "ordered_queue.hpp"

namespace ludorum {

// A false gate remembers one false input, its witness, and hears of nothing else (two-watched-literals of SAT
// solvers: Moskewicz et al., "Chaff", DAC 2001); a true gate hears of every input. A gate that nobody listens
// to any more is forgotten until it is asked for again, so that paths over squares without a piece cost
// nothing. Gates are visited in the order of their numbers: none changes twice in one settling.
class LazyGates {
  public:
    struct Source {
        std::uint32_t fluents, moves;
        std::vector<std::uint32_t> offsets;
        std::vector<Literal> literals;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;
    };
    // An output is a bit that tells whether an odd number of its literals hold; outputs are always known.
    using Output = std::pair<Literal, std::uint32_t>;
    LazyGates(Source source, const std::vector<Output> &outputs, std::uint32_t output_bits);

    // All inputs are false at first.
    void flip(std::uint32_t input) { change(input, truth_[2 * input] ^ 1); }
    // Brings outputs up to date: those that no move can change, or those that wait for moves.
    void settle_now() { settle(0); }
    void settle_later() { settle(1); }
    bool holds(Literal literal) {
        if (truth_[literal] == UNKNOWN) evaluate((literal >> 1) - base_);
        return truth_[literal] == 1;
    }
    const std::uint64_t *outputs() const { return outputs_.data(); }
    // Puts inputs that are seldom true first: they are the best witnesses. `often` is by fluent, 0 .. 1.
    void sort_inputs(const std::vector<float> &often);

  private:
    enum : std::uint8_t { UNKNOWN = 2 };
    static constexpr std::uint32_t NONE = UINT32_MAX;

    void link_outputs(const std::vector<Output> &outputs);
    void link_loops();
    void pin_deep_gates();
    void start(const std::vector<Output> &outputs);
    void settle(int phase);
    void visit(std::uint32_t gate);
    void evaluate(std::uint32_t gate);
    void evaluate_loop(std::uint32_t loop);
    Literal witness(std::uint32_t gate);
    void change(std::uint32_t node, std::uint8_t value);
    void hold(std::uint32_t gate, Literal witness);
    void enqueue(std::uint32_t gate) { queues_[later_[gate]].add(gate); }

    Source source_;
    std::uint32_t base_;
    std::vector<std::uint8_t> truth_;             // by literal
    std::vector<std::uint32_t> watchers_;         // by literal: the first gate that has it as its witness
    std::vector<std::uint32_t> next_watcher_;     // by gate
    std::vector<std::uint32_t> holders_;          // by literal: the first place in a true gate's inputs
    std::vector<std::uint32_t> next_holder_;      // by place; HELD_NOT where it is in no list
    std::vector<std::uint32_t> gate_of_;          // by place
    std::vector<std::uint8_t> pinned_, later_;    // by gate: always known; depends on moves
    std::vector<std::uint32_t> observer_offsets_, observers_;  // by node: output bits, or loops
    std::vector<std::uint64_t> outputs_;
    std::vector<std::int32_t> loop_of_;
    std::vector<std::vector<std::uint32_t>> loop_readers_;  // by place in the loops: who reads a gate
    std::vector<std::uint8_t> dirty_, before_;
    OrderedQueue queues_[2];
};

}  // namespace ludorum
