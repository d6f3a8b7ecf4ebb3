// Whether a game is faster in step with a timetable, or with lanes refilled as soon as a game is over.
#pragma once

#include "lanes/program.hpp"

namespace ludorum {

// Lets the program, or another that takes its place, follow the timetable of its game where that pays, or (`always`)
// where there is one.
void choose_timetable(std::unique_ptr<LaneProgram> &chosen, bool always);

}  // namespace ludorum
