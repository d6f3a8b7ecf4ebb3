// Gates that count their false inputs: a change travels to those that read it, and only changes travel.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "single/loop_gates.hpp"
#include "common/ordered_queue.hpp"

namespace ludorum {

// Gates are visited in the order of their numbers, so that none changes twice in one settling. Those that no
// output needs are not kept up to date but computed when they are asked for. Loops cannot be counted (a circle
// would stay after it has lost its support): they are evaluated anew when something they read changes.
class CountingGates {
  public:
    struct Source {
        std::uint32_t fluents, moves;
        std::vector<std::uint32_t> offsets;
        std::vector<Literal> literals;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;
    };
    // An output bit tells whether an odd number of its literals hold.
    using Output = std::pair<Literal, std::uint32_t>;

    CountingGates(Source source, const std::vector<Output> &outputs, std::uint32_t output_bits);
    CountingGates(const CountingGates &) = delete;
    CountingGates &operator=(const CountingGates &) = delete;

    // All inputs are false at first.
    void flip(std::uint32_t input) {
        turn(input);
        tell(input);
    }
    // Brings outputs up to date: those that no move can change, or those that wait for moves.
    void settle_now() { settle(queues_[0]); }
    void settle_later() { settle(queues_[1]); }
    bool holds(Literal literal) const;
    const std::uint64_t *outputs() const { return outputs_.data(); }

  private:
    static constexpr std::uint8_t UNKNOWN = 2;
    struct Node {
        std::uint32_t begin, middle, end;  // gates that read it as it is, and those that read it negated
        std::uint32_t observer;            // an output bit, or a mark and the place of a list in `observers_`
    };

    std::vector<char> needed(const std::vector<Output> &outputs) const;
    void find_phases();
    void link(const std::vector<char> &needed, const std::vector<Output> &outputs);
    void start(const std::vector<char> &needed, const std::vector<Output> &outputs);
    void settle(OrderedQueue &queue);
    void turn(std::uint32_t node) {  // both literals of a node at once
        std::uint16_t both;
        std::memcpy(&both, &truth_[2 * node], 2);
        both ^= 0x0101;
        std::memcpy(&truth_[2 * node], &both, 2);
    }
    void tell(std::uint32_t node);
    void observe(std::uint32_t first);
    void enqueue(std::uint32_t gate) { queues_[some_later_ && later_[gate]].add(gate); }

    Source source_;
    std::uint32_t base_;
    LoopGates loops_;
    std::vector<std::uint8_t> truth_;     // by literal
    std::vector<std::uint16_t> missing_;  // by gate: inputs that are false; see GatePool::WIDEST
    std::vector<std::uint8_t> later_;     // by gate: it depends on moves
    bool some_later_ = false;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> readers_, observers_;  // gates; output bits, or loops
    std::vector<std::uint64_t> outputs_;
    OrderedQueue queues_[2];
};

}  // namespace ludorum
