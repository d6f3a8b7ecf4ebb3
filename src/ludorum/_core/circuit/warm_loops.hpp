// Loops that may go on from where they ended a step before: what they derive can only grow within a game.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/network.hpp"
#include "circuit/specialise.hpp"

namespace ludorum {

// The gates of a loop that gates at or before them refer to: its back edges.
std::vector<std::uint32_t> carried_gates(const Network &network, std::uint32_t first, std::uint32_t last);

// The fluent literals of a network that hold for ever once they do; none where there are no loops.
std::vector<Literal> latches_of(const Network &network);

// For each loop, whether everything it carries grows as long as latches close one after the other: a chain of
// stones on a board that only fills up. A fixpoint of a step before lies below the present one, and iteration
// from there ends in the same place as from nothing, only sooner.
std::vector<char> find_warm_loops(const Network &network, const std::vector<Literal> &latches);

// Loops that need no evaluation in a mode, since no input of theirs has changed in the step before; by mode
// and loop. `warm`: those that are warm in every mode, which must know their last values: all of these loops are
// derived from nothing in the initial state, where games begin.
std::vector<std::vector<char>> find_settled_loops(const Network &network, const std::vector<Specialised> &modes,
                                                  const std::vector<std::uint32_t> &known_fluents,
                                                  const std::vector<char> &warm);

// Gates of a loop whose values last from step to step where it may be settled: those that are carried, and those
// that others read.
std::vector<std::uint32_t> lasting_gates(const Network &network, std::uint32_t first, std::uint32_t last);

}  // namespace ludorum
