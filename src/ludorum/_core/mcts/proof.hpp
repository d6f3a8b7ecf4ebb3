// Proofs in a tree: exact goal values, role by role, that are backed up from ends towards the root.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "mcts/tree.hpp"

namespace ludorum::mcts {

class Proof {
  public:
    // Ends that must agree before a sum counts as constant, and joint moves of a node that are looked at.
    static constexpr std::uint32_t ENOUGH_ENDS = 64;
    static constexpr std::uint64_t MOST_JOINTS = 64;

    // `chance`: by role, whether nature has it.
    Proof(Tree &tree, std::vector<char> chance, std::vector<std::int16_t> highest, int constant_sum, bool observe);

    bool is_chance(std::uint32_t role) const { return chance_[role]; }
    // Whether one player, and nobody else, chooses.
    bool is_player(std::int32_t mover) const { return mover >= 0 && !chance_[static_cast<std::uint32_t>(mover)]; }
    std::int16_t highest(std::uint32_t role) const { return highest_[role]; }
    // The sum of the goals of both players, where it counts as constant; else -1.
    int constant_sum() const {
        return sure_ || (get(observing_) && get(ends_) >= ENOUGH_ENDS) ? get(sum_) : -1;
    }
    // Notes so many games with these sums of goal values; false where they contradict the constant sum of earlier ones.
    bool observe(const std::uint64_t *points, std::uint32_t games);

    std::int16_t known(Node *node, std::uint32_t role) const {
        const std::int16_t value = get(tree_.values(node)[role]);
        if (value >= 0 || players_.size() != 2 || chance_[role]) return value;
        const int total = constant_sum();
        if (total < 0) return UNKNOWN;
        const std::int16_t other = get(tree_.values(node)[players_[0] + players_[1] - role]);
        return other < 0 ? UNKNOWN : static_cast<std::int16_t>(total - other);
    }
    bool solved(Node *node) const {
        for (std::uint32_t role : players_)
            if (known(node, role) < 0) return false;
        return true;
    }
    // Backs up the proven values of a child to its parent.
    void learn(Node *node, Expansion *expansion, const std::uint32_t *places);
    // Forgets all proofs but those of ends.
    void drop();

  private:
    void take_best(Node *node, Expansion *expansion);
    void compare_joints(Node *node, Expansion *expansion);
    void agree(Node *node, const std::vector<Node *> &children);
    void know(Node *node, std::uint32_t role, std::int16_t value) {
        if (value >= 0 && get(tree_.values(node)[role]) < 0) tree_.values(node)[role].store(value, std::memory_order_relaxed);
    }

    Tree &tree_;
    std::vector<char> chance_;
    std::vector<std::uint32_t> players_;
    std::vector<std::int16_t> highest_;
    bool sure_;
    std::atomic<bool> observing_;
    std::atomic<int> sum_;
    std::atomic<std::uint32_t> ends_{0};  // counted until they are enough
};

}  // namespace ludorum::mcts
