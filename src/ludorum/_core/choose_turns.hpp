// Whether a game is faster when its lanes take turns.
#pragma once

#include <memory>

#include "lane_program.hpp"

namespace ludorum {

// A program in which lanes wait for their turn, where that pays, or (`always`) where there is one; else null.
std::unique_ptr<LaneProgram> choose_turns(const LaneProgram &program, bool always);

}  // namespace ludorum
