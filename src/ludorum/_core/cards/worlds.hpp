// Worlds that a player thinks possible, dealt anew for every iteration: hidden cards are dealt at random.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/habits.hpp"
#include "cards/program.hpp"

namespace ludorum::cards {

// An observed choice: by the worth of each card to the player, it makes other cards more or less likely in the hand.
struct Evidence {
    std::uint32_t owner = 0;      // place in Dealing::owners
    Mask mask;                    // hidden cards that the player could have chosen
    double chosen = 1, known = 1; // worth of the choice, and of all cards known to have been in the hand
    double count = 1;             // how many those are
    double random_share = 1;      // how likely the choice is random
    double since = 0;             // how many of the hidden cards came later; unknown which
    bool passed = false;          // then a hand without any card to play explains it
    std::vector<double> worth;    // by physical card
};

// The number of cards of a kind that an owner gets, by lot: a row of a table.
struct Amount {
    std::int32_t amount = 0;
    double up_to = 1;      // the share of the worlds that have this amount or one of the rows before it
    std::int32_t next = 0; // the lot that is drawn then
};

// The hidden cards: those about which all players know the same are a kind. Lots give the number of cards of each kind
// that every owner has (owner by owner, for kind after kind), in proportion to its worlds. The rest is in the pack.
struct Dealing {
    std::vector<std::uint8_t> table;  // some world; its hidden cards are dealt anew
    std::vector<std::int32_t> owners; // places
    std::vector<std::vector<std::int32_t>> kinds;
    std::vector<std::vector<Amount>> lots;  // the first is drawn first
    std::vector<Evidence> evidence;
    std::vector<Saying> sayings;
};

// All worlds are equally likely until evidence gives them weights: then a pool of worlds is drawn first, and each of
// its worlds is used in proportion to its weight.
class Worlds {
  public:
    Worlds(const Program &program, Dealing dealing, std::size_t pool, std::uint64_t seed);

    // Another world; valid until the next call.
    const std::uint8_t *draw();
    // The effective size of the pool (1 / sum of squared weights); 0 without a pool.
    double effective() const { return effective_; }

  private:
    void deal(std::uint64_t seed);
    const Amount &draw_amount(std::int32_t lot, SplitMix64 &random) const;
    void resize(Table &table, std::size_t place) const;
    double likelihood() const;

    const Program &program_;
    Dealing dealing_;
    SplitMix64 random_;
    std::vector<std::uint64_t> memory_;
    std::vector<std::int32_t> cards_;
    std::vector<std::uint64_t> seeds_;
    std::vector<double> sums_;  // of the weights of the pool up to each world
    double effective_ = 0;
};

}  // namespace ludorum::cards
