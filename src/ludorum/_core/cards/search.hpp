// Random games of card games, from the start and from positions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cards/program.hpp"

namespace ludorum::cards {

// What many games came to.
struct Tally {
    std::uint64_t games = 0, decisions = 0, options = 0, steps = 0, broken_off = 0, failed = 0;
    std::int32_t fault = 0, fault_node = 0;
    std::vector<double> goals, scores, squares;  // by player: sums, and of squared goals
};

// Games from copies of a table; moves are random where no player chooses.
class Games {
  public:
    Games(const Program &program, std::uint64_t seed) : program_(program), random_(seed), memory_(program.bytes / 8) {}

    // Plays on from a table to the end and adds to a tally; false where the game cannot go on, or `stop` said so.
    bool play(const std::uint8_t *from, Tally &tally, const std::function<bool()> &stop);
    void play_from_start(std::uint64_t count, Tally &tally, const std::function<bool()> &stop);
    SplitMix64 &random() { return random_; }
    Table table() { return Table(program_, reinterpret_cast<std::uint8_t *>(memory_.data())); }
    void add(Table &table, Tally &tally) const;

  private:
    // False where `stop` said so in the middle of the game.
    bool finish(Table &table, Tally &tally, const std::function<bool()> &stop);

    static constexpr std::uint64_t DECISIONS_A_LOOK = 4096;  // whether to stop
    const Program &program_;
    SplitMix64 random_;
    std::vector<std::uint64_t> memory_;
};

}  // namespace ludorum::cards
