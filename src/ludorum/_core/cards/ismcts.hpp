// Monte Carlo tree search over information sets: one tree for all worlds that a player holds for possible.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/habits.hpp"
#include "cards/policy.hpp"
#include "cards/program.hpp"

namespace ludorum::cards {

struct IsmctsSettings {
    double exploration = 0.7;
    // How often another player is taken to move at random, instead of as well as the tree knows.
    double random_others = 0.0;
    // How much of a reward is the lead in points, beside having won; and how large a lead is.
    double margin_weight = 0.0, margin_scale = 1.0;
    // How often, after the tree, a player takes what is best at once: by the lead in points, and in cards got rid of.
    double greedy = 0.0;
    double points_worth = 1.0, cards_worth = 0.0;
    // After so many decisions a game is not played out any further: the lead, against its scale, is the reward then.
    std::uint32_t longest = 1000;
    double lead_scale = 5.0;
    // How often, after the tree, a move is drawn by the weights of the pseudo-heuristics, the best so many e-folds more
    // often than the worst. The rest is for `greedy`.
    double policy = 0.0, sharpness = 4.0;
    // How much more likely to win a move is taken to be that the pseudo-heuristics hold for best than the one they hold
    // for worst, as long as nothing is known; half as much after so many looks.
    double prior = 0.0, prior_looks = 20.0;
    // What others say out of habit; null: nothing is known.
    const Habits *habits = nullptr;
};

// What the search has found of one option of the root.
struct OptionValue {
    std::int32_t option;  // as Table::option gives it in the first world
    std::uint32_t visits;
    double value;  // mean reward 0..1 of the player that is asked
    double bonus;  // what the prior still adds to it
};

// What the search has found of an answer to one of them.
struct ReplyValue {
    std::int32_t key;  // a kind of card, -1 for a pass, or a choice
    std::uint32_t visits, available;
    double value;  // mean reward 0..1 of the player who gives it
};

// Single-observer information-set MCTS (Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search", 2012):
// every iteration goes through the tree in another world; a node is what has been done since the root, and a move
// competes as often as it was possible.
class Ismcts {
  public:
    // The policy must outlive the search; none: nothing is drawn by weights.
    Ismcts(const Program &program, const IsmctsSettings &settings, std::uint64_t seed, const Policy *policy = nullptr)
        : program_(program), settings_(settings), policy_(policy), random_(seed), memory_(program.bytes / 8), spare_(program.bytes / 8), nodes_(1) {}

    // One iteration in a world in which a player is asked; false where the world breaks the rules. `first` is the
    // number of the option that is tried, -1 for the one that the tree wants to know most of.
    bool iterate(const std::uint8_t *world, std::int32_t first = -1);
    // What is preferred among the options of the root, the higher the better.
    void set_prior(const std::uint8_t *world, const std::vector<std::pair<std::int32_t, double>> &values);
    // The number of the option, and its weight by the policy, for each of a world: what games are played out by.
    std::vector<double> weights(const std::uint8_t *world);
    // How far the player that is asked in a world leads at once after each of these answers. Cards he does not have are
    // given to him out of the pack, for others that he has; nothing, not even a number, where he cannot get one.
    std::vector<double> leads(const std::uint8_t *world, const std::vector<std::int32_t> &answers);
    // What comes by chance from now on.
    void reseed(std::uint64_t seed) { random_ = SplitMix64(seed); }
    std::vector<OptionValue> values(const std::uint8_t *world);
    // What comes directly after an option of the root, as far as it was seen.
    std::vector<ReplyValue> replies(const std::uint8_t *world, std::int32_t option);

  private:
    struct Child {
        std::int32_t key;
        std::int32_t node = -1;
        std::uint32_t visits = 0, available = 0;
        double sum = 0;  // rewards of the player who moves
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
    // The number of an option after the tree, and of one that is best at once.
    std::uint32_t play_out(Table &table, std::uint32_t count, bool at_random);
    std::uint32_t best_at_once(const Table &table, std::uint32_t count);
    std::uint32_t by_weights(Table &table, std::uint32_t count);
    // What each option is worth at once, and by the tables where the pass goes on; into `scores_`.
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

// Tries all options of the root in the same worlds with the same luck, and drops the worse half again and again
// (sequential halving: Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013). Few tries tell
// more about the last two than when each option has its own worlds.
class Halving {
  public:
    explicit Halving(std::size_t options);

    // How many rounds there are, and which options are in the one at hand.
    std::size_t rounds() const { return rounds_; }
    const std::vector<std::int32_t> &left() const { return left_; }
    // The round is over: keeps the better half by what they were worth.
    void drop(const std::vector<OptionValue> &values);

  private:
    std::size_t rounds_ = 0;
    std::vector<std::int32_t> left_;
};

}  // namespace ludorum::cards
