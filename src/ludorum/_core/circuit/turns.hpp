// Turns: games in which one role at a time chooses, and play decides which role is next.
#pragma once

#include <vector>

#include "circuit/specialise.hpp"

namespace ludorum {

// Modes such as whose turn it is, where play decides what comes next: a role that has jumped may have to jump again.
// They are proved to be complete: no move leads out of them. Of length 0 where there are none, or where
// their networks are not much smaller than the one for all states.
Cycle find_turns(const Network &network);

// Whether each fluent keeps its value where nothing is done, in the network of a mode.
std::vector<char> find_kept(const Network &network);

// The gate inputs that legality and the next state depend on.
std::size_t step_literals(const Network &network);

}  // namespace ludorum
