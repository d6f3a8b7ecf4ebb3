// Whether a game is faster when its lanes take turns.
#pragma once

#include <memory>

#include "lanes/program.hpp"

namespace ludorum {

// Lets a program in which lanes wait for their turn take the place of this one where that pays, or (`always`) where
// there are turns.
void choose_turns(std::unique_ptr<LaneProgram> &chosen, bool always);

}  // namespace ludorum
