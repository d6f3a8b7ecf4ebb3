// The states of descents that are under way at once: their legal moves, their steps, and games from their leaves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/random.hpp"
#include "lanes/program.hpp"
#include "single/single_evaluator.hpp"

namespace ludorum::information {

// Random games from the leaves.
struct LeafGames {
    std::uint32_t games, longest;
    const std::function<bool()> &stop;  // asked now and then
};

class Positions {
  public:
    virtual ~Positions() = default;
    // How many descents there may be at once.
    virtual std::size_t most() const = 0;
    // Packed states, one after the other.
    virtual void set_worlds(std::vector<std::uint8_t> states, std::size_t count) = 0;
    // A descent begins in a world.
    virtual void begin(std::size_t descent, std::size_t world) = 0;
    virtual bool terminal(std::size_t descent) const = 0;
    virtual const std::uint64_t *legal(std::size_t descent) const = 0;
    // Some descents go on by joint moves, one after the other.
    virtual void step(const std::vector<std::uint32_t> &descents, const std::vector<std::int32_t> &joints) = 0;
    // The percepts of all roles in the last step of a descent, as numbers.
    virtual void percepts(std::size_t descent, std::vector<std::uint32_t> &held) const = 0;
    // Games from where the descents 0 .. count-1 are: sums of goal values by descent and role, and how many games came to
    // an end.
    virtual void play(std::size_t count, const LeafGames &task, SplitMix64 &random, std::vector<double> &sums,
                      std::vector<std::uint32_t> &finished) = 0;
};

// One descent at a time; games are those that `Single.playouts` plays with the next random number as its seed.
std::unique_ptr<Positions> make_single_positions(const EvaluatorSource &source);
// Many in lanes.
std::unique_ptr<Positions> make_lane_positions(std::shared_ptr<const LaneProgram> program, std::size_t most);

}  // namespace ludorum::information
