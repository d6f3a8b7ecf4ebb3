// Monte Carlo tree search over information sets: one tree for all worlds that a player thinks possible.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/habits.hpp"
#include "cards/policy.hpp"
#include "cards/program.hpp"

namespace ludorum::cards {

struct IsmctsSettings {
    double exploration = 0.7;
    // The share of moves of other players that are random, instead of chosen by the tree.
    double random_others = 0.0;
    // The share of the lead in points in a reward, beside the win; and the scale of the lead.
    double margin_weight = 0.0, margin_scale = 1.0;
    // The share of playout moves that are best at once: by the lead in points, and in cards got rid of.
    double greedy = 0.0;
    double points_worth = 1.0, cards_worth = 0.0;
    // A playout stops after so many decisions: the lead, divided by its scale, is its reward then.
    std::uint32_t longest = 1000;
    double lead_scale = 5.0;
    // The share of playout moves that are drawn by the weights of the pseudo-heuristics, the best so many e-folds more
    // often than the worst. The rest is for `greedy`.
    double policy = 0.0, sharpness = 4.0;
    // The prior value of the best move by the pseudo-heuristics, above that of the worst; half as much after so many
    // visits.
    double prior = 0.0, prior_looks = 20.0;
    // The habits of the other players; null: none are known.
    const Habits *habits = nullptr;
};

// The result of the search for one option of the root.
struct OptionValue {
    std::int32_t option;  // as Table::option gives it in the first world
    std::uint32_t visits;
    double value;  // mean reward 0..1 of the player that is asked
    double bonus;  // what the prior still adds to it
};

// The result of the search for a reply to one of them.
struct ReplyValue {
    std::int32_t key;  // a kind of card, -1 for a pass, or a choice
    std::uint32_t visits, available;
    double value;  // mean reward 0..1 of the player that replies
};

// Single-observer information-set MCTS (Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search", 2012):
// every iteration goes through the tree in another world; a node is the sequence of moves since the root, and a move
// competes as often as it was legal.
class Ismcts {
  public:
    // The policy must outlive the search; none: nothing is drawn by weights.
    Ismcts(const Program &program, const IsmctsSettings &settings, std::uint64_t seed, const Policy *policy = nullptr)
        : program_(program), settings_(settings), policy_(policy), random_(seed), memory_(program.bytes / 8), spare_(program.bytes / 8), nodes_(1) {}

    // One iteration in a world in which a player is asked; false where the world breaks the rules. `first` is the
    // number of the option that is tried, -1 for the one that selection chooses.
    bool iterate(const std::uint8_t *world, std::int32_t first = -1);
    // Priors of the options of the root, the higher the better.
    void set_prior(const std::uint8_t *world, const std::vector<std::pair<std::int32_t, double>> &values);
    // By option of a world: its weight by the policy, as playouts use it.
    std::vector<double> weights(const std::uint8_t *world);
    // The lead of the player that is asked in a world, directly after each of these answers. A card that is not in
    // the hand comes from the pack, in exchange for another; not a number where an answer is not possible.
    std::vector<double> leads(const std::uint8_t *world, const std::vector<std::int32_t> &answers);
    // Seeds all draws from now on.
    void reseed(std::uint64_t seed) { random_ = SplitMix64(seed); }
    std::vector<OptionValue> values(const std::uint8_t *world);
    // The replies to an option of the root that were visited.
    std::vector<ReplyValue> replies(const std::uint8_t *world, std::int32_t option);

  private:
    struct Child {
        std::int32_t key;
        std::int32_t node = -1;
        std::uint32_t visits = 0, available = 0;
        double sum = 0;  // rewards of the player that moves
        double prior = 0;  // -0.5 the least preferred to 0.5 the most
    };
    struct Visit {
        std::int32_t node;
        std::uint32_t child, who;
    };

    static bool is_offered(const Table &table, std::int32_t option);
    std::int32_t key_of(const Table &table, std::int32_t option) const;
    std::uint32_t find_child(std::int32_t node, std::int32_t key);
    // The number of the option that is taken; sets whether it is new in the tree.
    std::uint32_t choose(const Table &table, std::int32_t node, std::uint32_t count, bool at_random, std::int32_t wanted,
                         bool &is_new);
    double reward(const Table &table, std::uint32_t player) const;
    double lead(const Table &table, std::uint32_t player) const;
    bool lot(double share) { return share > 0 && static_cast<double>(random_.next() >> 11) * 0x1p-53 < share; }
    // The number of an option in playouts, and of one that is best at once.
    std::uint32_t play_out(Table &table, std::uint32_t count, bool at_random);
    std::uint32_t best_at_once(const Table &table, std::uint32_t count);
    std::uint32_t by_weights(Table &table, std::uint32_t count);
    // The value of each option at once, with the tables of the policy where the pass goes on; into `scores_`.
    void score_options(Table &table, std::uint32_t count);
    double bonus(const Child &child) const {
        return settings_.prior * child.prior * settings_.prior_looks / (settings_.prior_looks + child.visits);
    }

    const Program &program_;
    IsmctsSettings settings_;
    const Policy *policy_;
    SplitMix64 random_;
    std::vector<std::uint64_t> memory_, spare_;
    std::vector<std::vector<Child>> nodes_;
    std::vector<Visit> path_;
    std::vector<std::uint32_t> places_;  // of the children of the options at hand
    std::vector<double> scores_;         // of the options at hand
};

// Tries all options of the root in the same worlds with the same seeds, and drops the worse half again and again
// (sequential halving: Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013). Common
// worlds tell two close options apart with fewer tries than worlds of their own.
class Halving {
  public:
    explicit Halving(std::size_t options);

    // The number of rounds, and the options of the present one.
    std::size_t rounds() const { return rounds_; }
    const std::vector<std::int32_t> &left() const { return left_; }
    // Ends the round: keeps the half of the options with the better values.
    void drop(const std::vector<OptionValue> &values);

  private:
    std::size_t rounds_ = 0;
    std::vector<std::int32_t> left_;
};

}  // namespace ludorum::cards
