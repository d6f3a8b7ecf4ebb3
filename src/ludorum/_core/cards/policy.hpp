// Moves by the pseudo-heuristics of a chart: a preference among the options of a position, and tables of the values of
// cards, quick enough for playouts.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cards/judge.hpp"

namespace ludorum::cards {

// The value of each option of the player that is asked: the mean of Judge::outcomes over some worlds. Worlds in which
// the game cannot go on are left out; empty where it can go on in none.
std::vector<std::pair<std::int32_t, double>> preferences(const Program &program, const Valuation &valuation,
                                                         const std::function<const std::uint8_t *()> &next_world,
                                                         std::uint64_t count, std::uint64_t seed,
                                                         const std::function<bool()> &stop);

// Mean values of cards over some worlds of the root. To try all instances at every move of every playout would cost
// more than the playouts; a lookup in a table costs next to nothing.
//
// The *gain* of a card is the mean weight of the instances that hold with it in hand, by the role of its player in a
// pass (such as the leader); the cards of other players are any that fit. The value to *keep* it is the mean over all
// semi-active instances, which counts less the more conditions do not hold yet: the value of a card in the thesis.
class Policy {
  public:
    Policy(const Program &program, const Valuation &valuation);

    // Adds a world to the means, for all players.
    void look(const std::uint8_t *world);
    // The present role of a player: the number of a group of heuristics, or none().
    std::size_t role(Table &table, std::uint32_t who) const;
    std::size_t none() const { return roles_.size(); }
    double gain(std::uint32_t who, std::size_t role, std::int32_t card) const;
    double keep(std::uint32_t who, std::int32_t card) const;
    // Where a pass ends.
    std::int32_t header() const { return valuation_.header; }

  private:
    struct Mean {
        double sum = 0, count = 0;
        void add(double value) {
            sum += value;
            count += 1;
        }
        double value() const { return count > 0 ? sum / count : 0; }
    };
    std::size_t kind_of(std::int32_t card) const { return static_cast<std::size_t>(program_.kind_of[static_cast<std::size_t>(card)]); }
    std::size_t at(std::uint32_t who, std::size_t row, std::int32_t card) const {
        return (who * (roles_.size() + 1) + row) * program_.rank_of.size() + kind_of(card);
    }

    const Program &program_;
    Valuation valuation_;                           // without roles, which are kept apart here
    std::vector<std::vector<std::int32_t>> roles_;  // addresses of the conditions of each
    std::vector<std::size_t> role_of_;              // by heuristic
    std::vector<Mean> means_;                       // by player, role (the last: to keep) and kind of card
    std::vector<std::uint64_t> memory_;
};

}  // namespace ludorum::cards
