// Regret minimisation over a game tree: the whole tree in every iteration, or samples of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/random.hpp"
#include "equilibrium/tree.hpp"

namespace ludorum {

struct FullUpdate {
    bool plus = false;          // regrets are never negative, and later strategies weigh more
    bool simultaneous = false;  // all players update against the strategies before the iteration
};

using StopAsking = std::function<bool()>;

class Regrets {
  public:
    Regrets(DecisionTree tree, std::uint64_t seed);

    // Each runs so many iterations, one at least if any are asked for, or fewer where it is asked to stop.
    void run_full(std::uint64_t iterations, const FullUpdate &update, const StopAsking &stop);
    void run_external(std::uint64_t iterations, const StopAsking &stop);
    void run_outcome(std::uint64_t iterations, double exploration, const StopAsking &stop);

    // What a player gets by its own strategy, and by the best response to the others' strategies.
    struct Worth {
        double own, best;
    };
    Worth worth(const std::vector<double> &profile, std::uint32_t player);

    const DecisionTree &tree() const { return tree_; }
    const std::vector<double> &regrets() const { return regrets_; }
    const std::vector<double> &weights() const { return weights_; }
    std::uint64_t iterations() const { return iterations_; }
    std::uint64_t random_state() const { return random_.state(); }

  private:
    void put_plan(const std::vector<Choice> &choices, const std::vector<double> &profile);
    void look_at_ends(const PlayerSide &side);
    void learn(const PlayerSide &side, const FullUpdate &update);
    void move_plan(const PlayerSide &side, double weight);
    void iterate(const FullUpdate &update);

    // Probabilities in proportion to positive regrets; even where there are none. What may be rounding is none: of
    // moves that are equally good, it would choose one.
    void match(std::uint32_t first, std::uint32_t count, double *strategy) const {
        double sum = 0;
        for (std::uint32_t at = 0; at < count; ++at) {
            const double regret = regrets_[first + at];
            sum += strategy[at] = regret > least_regret_ ? regret : 0.0;
        }
        if (sum > 0) {
            for (std::uint32_t at = 0; at < count; ++at) strategy[at] /= sum;
        } else {
            std::fill_n(strategy, count, 1.0 / count);
        }
    }

    // Each iteration says how much work it was; whether to stop is asked whenever enough has been done.
    template <class Iterate>
    void repeat(std::uint64_t iterations, const StopAsking &stop, Iterate iterate) {
        constexpr std::uint64_t WORK_A_LOOK = 200'000;  // less than a millisecond
        std::uint64_t work = 0;
        for (std::uint64_t done = 0; done < iterations; ++done) {
            if (work >= WORK_A_LOOK) {
                if (stop()) return;
                work = 0;
            }
            ++iterations_;
            work += 1 + iterate();
        }
    }

    void traverse(std::uint32_t player);
    void visit(std::size_t at, std::uint32_t player);
    void return_to(std::size_t at, std::uint32_t player);
    void play_once(std::uint32_t player, double exploration);
    std::uint32_t draw(const double *strategy, std::uint32_t count);
    // Which of the edges of a node of chance, whose weights have this sum.
    std::uint32_t draw_of_nature(std::int32_t node, std::uint64_t total);
    std::uint32_t slot_of(std::int32_t node) const {
        return static_cast<std::uint32_t>(tree_.arrays.set_offsets[tree_.arrays.information_set[node]]);
    }

    DecisionTree tree_;
    SplitMix64 random_;
    std::uint64_t iterations_ = 0;
    std::vector<double> regrets_, weights_;  // by slot
    std::vector<double> strategy_;           // by slot: in proportion to positive regrets
    std::vector<double> plan_;               // by sequence: the product of its player's probabilities
    std::vector<double> worth_;              // by sequence: what the player that updates can expect after it
    double least_regret_ = 0;                // that counts
    std::uint32_t most_moves_ = 0;           // of an information set

    // A node that a sampled traversal visits, and the place of its first child among those that it visits.
    struct Visit {
        std::int32_t node;
        std::uint32_t first_child;
        double value;
    };
    std::vector<Visit> visits_;

    // A choice on the way of one sampled game.
    struct Passed {
        std::int32_t node;
        std::uint32_t chosen;
        double own, others;  // probabilities to come here: of the player that updates, and of all others
        double sampled;      // how likely the sample came here
        double likely;       // how likely it chose what it did
    };
    std::vector<Passed> passed_;
    std::vector<double> local_, local_sample_;  // strategies of one information set
};

}  // namespace ludorum
