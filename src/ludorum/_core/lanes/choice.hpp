// The choice of a move as values of a basic block: legal moves are counted in groups of eight and in a tree above them, and
// a random rank goes down the tree, as in the kernels that choose among moves in groups.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "lanes/basic_block.hpp"

namespace ludorum {

// A number in each lane, the lowest bits first.
using Planes = std::vector<Term>;

using EightMoves = std::array<Term, 8>;

// By level from the groups upwards, and by node. Of two nodes the one above is the sum; a last one may stand alone.
using CountTree = std::vector<std::vector<Planes>>;

CountTree count_moves(BasicBlock &block, const std::vector<EightMoves> &groups);

// One less than a number; all bits where it is zero.
Planes less_one(BasicBlock &block, const Planes &number);

// The moves that are done: those of a group in its lanes, where also the place of the move is the one that is chosen. No
// two groups share a lane.
struct ChosenMoves {
    std::vector<Term> lanes;  // by group
    EightMoves places;
};

// In the lanes of `playing`, the legal move with so many others before it as the rank says. Of the tree only the left nodes
// are looked at.
ChosenMoves choose_moves(BasicBlock &block, const std::vector<EightMoves> &groups, const CountTree &tree, Planes rank,
                         Term playing);

// Where one of some moves is done; `places` has a bit for each place that counts, by group.
Term one_is_done(BasicBlock &block, const ChosenMoves &chosen, const std::map<std::uint32_t, std::uint32_t> &places);

}  // namespace ludorum
