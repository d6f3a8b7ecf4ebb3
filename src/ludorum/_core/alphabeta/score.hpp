// Values of alpha-beta: goal values in fine units that fade a little towards a draw with every step.
#pragma once

#include "alphabeta/table.hpp"

namespace ludorum {

constexpr Score UNIT = 10'000;  // of one goal point: a win fades by one a step and stays a win for thousands
constexpr Score DRAW = 50 * UNIT;
constexpr Score INFINITE = 1 << 28;

// So quick wins count more than slow ones, and late losses more than early ones.
inline Score fade(Score value) { return value > DRAW ? value - 1 : value < DRAW ? value + 1 : value; }
// The largest value that fades to no more than `alpha`, and the least that fades to no less than `beta`.
inline Score alpha_below(Score alpha) { return alpha >= DRAW ? alpha + 1 : alpha - 1; }
inline Score beta_below(Score beta) { return beta > DRAW ? beta + 1 : beta - 1; }

// A value and whether it follows from ends of the game alone.
struct Found {
    Score score;
    bool solved;
};

}  // namespace ludorum
