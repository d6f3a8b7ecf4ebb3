// Worlds that a player holds for possible, dealt anew for every look: what is hidden is shared out at random.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/habits.hpp"
#include "cards/program.hpp"

namespace ludorum::cards {

// A choice that was seen: what each card was worth to the player tells how likely others were in the hand.
struct Evidence {
    std::uint32_t owner = 0;      // place in Dealing::owners
    Mask mask;                    // hidden cards that he could have chosen
    double chosen = 1, known = 1; // worth of what he chose, and of all that he is known to have had, that included
    double count = 1;             // how many these are
    double random_share = 1;      // how likely it is that he does anything
    double since = 0;             // how many of the hidden cards came later; unknown which
    bool passed = false;          // then his having had anything to play is what matters
    std::vector<double> worth;    // by physical card
};

// How many cards of a kind an owner gets, by lot: some of the rows of one table.
struct Amount {
    std::int32_t amount = 0;
    double up_to = 1;      // the share of the worlds that have this amount or one of the rows before it
    std::int32_t next = 0; // the lot that is drawn then
};

// What is hidden: cards about which everybody knows the same are a kind. Lots say how many of each kind every owner has
// (owner by owner, for kind after kind), each amount as likely as it has worlds. The rest is in the pack.
struct Dealing {
    std::vector<std::uint8_t> table;  // some world; its hidden cards are dealt anew
    std::vector<std::int32_t> owners; // places
    std::vector<std::vector<std::int32_t>> kinds;
    std::vector<std::vector<Amount>> lots;  // the first is drawn first
    std::vector<Evidence> evidence;
    std::vector<Saying> sayings;
};

// All worlds are equally likely; evidence makes some of them likelier. For that a pool of worlds is drawn first, of
// which each is used as often as it is likely.
class Worlds {
  public:
    Worlds(const Program &program, Dealing dealing, std::size_t pool, std::uint64_t seed);

    // Another world; what is given is valid until the next.
    const std::uint8_t *draw();
    // Of the pool: how many worlds it is worth (1 / sum of squared weights); 0 without a pool.
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
