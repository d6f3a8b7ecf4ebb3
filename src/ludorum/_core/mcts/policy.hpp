// Playout policies that learn: mean results of moves wherever they were made (MAST), and after another move (NST).
#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/random.hpp"

namespace ludorum::mcts {

struct Chosen {
    std::uint32_t role, move;
};

// The choices of a game, step by step; nature's moves are left out.
struct History {
    std::vector<Chosen> chosen;
    std::vector<std::size_t> ends;  // of the steps

    void clear() { cut(0); }
    // Keeps the first steps.
    void cut(std::size_t steps) {
        ends.resize(steps);
        chosen.resize(steps ? ends.back() : 0);
    }
    // The first move of the last step, -1: nothing was chosen in it.
    std::int64_t last() const {
        const std::size_t steps = ends.size();
        const std::size_t begin = steps > 1 ? ends[steps - 2] : 0;
        return steps && ends.back() > begin ? static_cast<std::int64_t>(chosen[begin].move) : -1;
    }
};

// From 0 on, below 1.
inline double unit_interval(SplitMix64 &random) { return static_cast<double>(random.next() >> 11) * 0x1.0p-53; }

class Policy {
  public:
    enum Kind { UNIFORM = 0, MAST = 1, NST = 2 };

    Policy(int kind, double heat, std::uint32_t moves)
        : kind_(kind), heat_(heat), unseen_(std::exp(0.5 / heat)), moves_(kind == UNIFORM ? 0 : moves),
          weights_(kind == UNIFORM ? 0 : moves, static_cast<float>(unseen_)) {
        for (Average &one : moves_) one.weight = unseen_;
    }

    // A place among the moves of a role that has several; `before` is the move that led here, or -1.
    std::uint32_t choose(const std::vector<std::uint32_t> &moves, std::int64_t before, SplitMix64 &random);
    // Learns from games in which these moves were made; goal values are summed over the games.
    void learn(const History &history, const std::vector<std::uint64_t> &points, std::uint32_t games);
    // For lanes, one for each move.
    const float *weights() const { return weights_.data(); }

  private:
    static constexpr std::uint32_t FEWEST_PAIRS = 7;  // times a pair must have been seen before it counts
    struct Average {
        std::uint64_t points = 0;
        std::uint32_t count = 0;
        double weight = 0;
        double value() const {
            return count ? static_cast<double>(points) / (100.0 * static_cast<double>(count)) : 0.5;
        }
    };

    double weight(std::uint32_t move, std::int64_t before) const;
    void add(Average &average, std::uint64_t points, std::uint32_t games) const;
    static std::uint64_t pair_of(std::int64_t before, std::uint32_t move) {
        return static_cast<std::uint64_t>(before) << 32 | move;
    }

    int kind_;
    double heat_, unseen_;
    std::vector<Average> moves_;
    std::vector<float> weights_;
    std::unordered_map<std::uint64_t, Average> pairs_;
    std::vector<double> drawn_;
};

}  // namespace ludorum::mcts
