// Game trees as arrays, and what regret minimisation needs of them: sequences of own moves, and weighted ends.
#pragma once

#include <cstdint>
#include <vector>

namespace ludorum {

// The arrays of a tree as they came in; checked by `make_decision_tree`.
struct TreeArrays {
    std::uint32_t players = 0;
    std::vector<std::int32_t> player;           // by node: who decides, CHANCE or TERMINAL
    std::vector<std::int32_t> first_edge;       // by node, and one more: its edges
    std::vector<std::int32_t> child;            // by edge
    std::vector<std::int64_t> weight;           // by edge: how likely nature draws it beside the others of its node
    std::vector<std::int32_t> information_set;  // by node; -1 where no player decides
    std::vector<std::int32_t> set_offsets;      // by information set, and one more: its slots, one a move
    std::vector<double> values;                 // by node and player; those of ends count

    static constexpr std::int32_t CHANCE = -1, TERMINAL = -2;

    // By node: the weights of its edges together.
    std::uint64_t total(std::int32_t node) const {
        std::uint64_t sum = 0;
        for (std::int32_t edge = first_edge[node]; edge < first_edge[node + 1]; ++edge)
            sum += static_cast<std::uint64_t>(weight[edge]);
        return sum;
    }
    std::size_t nodes() const { return player.size(); }
    std::size_t slots() const { return static_cast<std::size_t>(set_offsets.back()); }
};

// A sequence is what a player has chosen so far: 0 for nothing, else the slot of its last move and 1.
using Sequence = std::uint32_t;

// An information set of one player.
struct Choice {
    std::uint32_t first, count;  // its slots
    Sequence before;             // the player's sequence when it is reached
};

// The ends of the game after one sequence of a player.
struct EndRow {
    Sequence own;
    std::uint32_t first, last;  // places in `weights`; the sequences of the others are at so many times the others
};

// The tree as one player sees it: its choices, and all ends, sorted by its own sequence.
struct PlayerSide {
    std::vector<Choice> choices;  // a choice comes after the one before it
    std::vector<EndRow> rows;
    std::vector<double> weights;   // by end: its value times the probability of nature's draws
    std::vector<Sequence> others;  // by end and other player
};

struct DecisionTree {
    TreeArrays arrays;
    std::vector<PlayerSide> sides;
    std::vector<double> middle;  // by player: half of the least and the greatest value
};

// std::invalid_argument where the arrays are no tree, or a player could forget its own moves.
DecisionTree make_decision_tree(TreeArrays arrays);

}  // namespace ludorum
