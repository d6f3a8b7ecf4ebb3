// The value of positions of a card game to a player, by the pseudo-heuristics of its chart, and the outcomes of the
// moves of one pass of the main loop.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cards/program.hpp"

namespace ludorum::cards {

enum ConditionKind : std::int32_t { PLAIN, ROLE, ABSENT };
enum RoleMismatch : std::int32_t { IGNORE, COUNT_ONE, EXCLUDE };

// A condition by the address of its expression; for ABSENT that is the number of cards that should not be there.
struct Condition {
    std::int32_t kind = PLAIN, pc = 0;
};

// A card that a player plays: the slot of its name, and the seat of the player (0: me, k: the k-th after me).
struct Symbol {
    std::int32_t slot = 0, seat = 0;
};

struct Heuristic {
    std::int32_t weight = 0;
    std::vector<Symbol> symbols;                     // the card it belongs to first
    std::vector<std::vector<Condition>> conditions;  // by how many symbols must have their cards before
};

struct Valuation {
    std::vector<Heuristic> heuristics;
    std::vector<std::int32_t> seats;       // slots of the names of players, me first
    std::vector<std::int32_t> properties;  // addresses
    std::vector<std::int32_t> signs;       // of the properties
    RoleMismatch role_mismatch = IGNORE;
    bool active_only = false;
    double decided = 0;              // for a game won, and against one lost
    std::int32_t header = -1;        // where a pass of the main loop begins; -1: there is none
    std::uint32_t passes = 1;        // that are looked ahead
    std::uint64_t most_states = 0;   // looked at for one move in one world; then one reply each
    std::uint64_t most_tries = 0;    // to give the other symbols of a heuristic cards, for each first card
};

// A pseudo-heuristic with its cards, and the number of conditions that do not hold yet.
struct Instance {
    std::size_t heuristic = 0;
    std::int32_t count = 0;
    std::vector<std::int32_t> cards;
};

// The value of a move when all others play against me.
struct Outcome {
    std::int32_t option = 0;
    double value = 0;
    std::uint64_t states = 0;
    std::vector<std::uint8_t> state;  // the one that decides
};

class Judge {
  public:
    Judge(const Program &program, const Valuation &valuation, std::uint32_t me);

    // The value of a table at the start of a pass or at the end of the game.
    double value(Table &table);
    std::vector<Instance> instances(Table &table);
    // For every option of a table in which `me` is asked. The seed gives the order of the pack.
    std::vector<Outcome> outcomes(const Table &table, std::uint64_t seed, bool keep_states);

    const std::function<void()> *poll = nullptr;  // called now and then, if there is one; may throw

  private:
    double fold(std::size_t depth, std::uint32_t passes, SplitMix64 random, double least, double most,
                std::vector<std::uint8_t> *decides);
    double leaf(Table &table, SplitMix64 random);
    double properties(const Table &table) const;
    double hand_value(Table &table);
    void join(Table &table, const Heuristic &heuristic, std::size_t depth, std::int32_t count);
    void name_players(Table &table) const;
    void forget_names(Table &table) const;
    bool is_friend(const Table &table, std::int32_t who) const;
    Table table_at(std::size_t depth);

    const Program &program_;
    const Valuation &valuation_;
    std::uint32_t me_;
    std::uint64_t states_ = 0, tried_ = 0;
    SplitMix64 order_{0};
    std::vector<std::vector<std::uint64_t>> memory_;
    std::vector<std::uint64_t> peek_;
    std::vector<std::int32_t> chosen_;
    std::array<double, MOST_CARDS> sums_{};
    std::array<std::uint32_t, MOST_CARDS> counts_{};
    std::vector<Instance> *found_ = nullptr;
    std::size_t current_ = 0;
};

}  // namespace ludorum::cards
