// The choice of a move as values of a stretch: legal moves are counted in groups of eight and in a tree above them, and
// a random rank goes down the tree, as in the kernels that choose among moves in groups.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stretch.hpp"

namespace ludorum {

// A number in each lane, the lowest bits first.
using Planes = std::vector<Term>;

using EightMoves = std::array<Term, 8>;

// By level from the groups upwards, and by node. Of two nodes the one above is the sum; a last one may stand alone.
using CountTree = std::vector<std::vector<Planes>>;

CountTree count_moves(Stretch &stretch, const std::vector<EightMoves> &groups);

// The moves that are done: in the lanes of `playing`, the legal one with so many others before it as the rank says. Of the
// tree only the left nodes are looked at.
std::vector<EightMoves> choose_moves(Stretch &stretch, const std::vector<EightMoves> &groups, const CountTree &tree,
                                     Planes rank, Term playing);

}  // namespace ludorum
