// The effects of single moves, found by following what each changes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ordered_queue.hpp"
#include "single/step_program.hpp"

namespace ludorum {

// Works on the images that the nodes of a network have in a pool while no move is done.
class EffectFinder {
  public:
    // `later`: the gates that only the next state needs.
    EffectFinder(const Network &network, const std::vector<char> &later);

    bool moves_reach_loops() const { return moves_reach_loops_; }
    // Takes over the images of a mode.
    void begin(const std::vector<Literal> &images, const GatePool &pool);
    // What the fluents become that this move changes, by fluent.
    std::vector<FluentEffect> find(std::uint32_t move, GatePool &pool);
    // Inputs looked at since `begin`: what the search costs.
    std::uint64_t visits() const { return visits_; }

  private:
    struct Reader {
        std::uint32_t gate;
        bool negated;
    };
    struct Change {
        Literal before, after;
    };
    void put(std::uint32_t node, Literal image);
    Literal image_of(std::uint32_t gate, GatePool &pool);

    const Network &network_;
    const std::vector<Literal> *images_ = nullptr;
    std::vector<std::uint32_t> reader_offsets_, next_offsets_, next_readers_;
    std::vector<Reader> readers_;
    std::vector<char> depends_;                     // by gate: on a move
    std::vector<std::uint32_t> never_;              // by gate: inputs that are false in this mode
    std::vector<std::uint32_t> open_offsets_;       // by gate: inputs that are no constants
    std::vector<Literal> open_;
    std::vector<std::vector<Change>> changes_;      // by gate, for one move
    std::vector<FluentEffect> found_;
    std::vector<Literal> inputs_;
    OrderedQueue queue_;
    std::uint64_t visits_ = 0;
    bool moves_reach_loops_ = false;
};

// Changes what fluents become without regard to the move to what they become by most of the moves, where that
// makes the lists shorter: `effects` of each of the moves.
void take_majority(std::vector<Literal> &next, std::vector<std::vector<FluentEffect>> &effects);

}  // namespace ludorum
