// One state at a time: what both ways of evaluating have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/network.hpp"
#include "common/random.hpp"

namespace ludorum {

using Words = std::vector<std::uint64_t>;  // bits of fluents or moves

Words initial_state(const Network &network);

struct StepProgram;

class SingleState {
  public:
    virtual ~SingleState() = default;
    virtual const char *name() const = 0;
    // Puts all fluents; legality and terminal are known afterwards. False, and nothing is done, where this way
    // of evaluating does not serve the state.
    virtual bool set_state(const Words &fluents) = 0;
    virtual const Words &state() const = 0;
    virtual const std::uint64_t *legal() const = 0;  // a bit for each move
    virtual bool terminal() const = 0;
    // By role: the only move it ever has in states like this one, or -1.
    virtual const std::int32_t *forced() const = 0;
    // The state after one move for each role (or -1); this one stays.
    virtual void next(const std::int32_t *moves, Words &after) = 0;
    // Goes there. False where this way of evaluating does not serve that state: then only `state` is right.
    virtual bool step(const std::int32_t *moves) = 0;
};

// One legal move for each role, by the weights; false where a role has none.
bool choose_moves(const Network &network, const SingleState &state, SplitMix64 &random,
                  std::vector<std::int32_t> &moves);

// Evaluates only what the last step can have changed; serves the states of the game's modes.
std::shared_ptr<const StepProgram> compile_steps(const std::shared_ptr<const Network> &network);
std::unique_ptr<SingleState> make_incremental(std::shared_ptr<const Network> network,
                                              std::shared_ptr<const StepProgram> program);

}  // namespace ludorum
