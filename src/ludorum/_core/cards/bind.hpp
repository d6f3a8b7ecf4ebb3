// What the bindings of card games share.
#pragma once

#include <nanobind/nanobind.h>

#include "cards/judge.hpp"
#include "cards/program.hpp"
#include "cards/worlds.hpp"

namespace ludorum::cards {

// A program from the parts that cards/compiled/cards.py names.
Program read_program(const nanobind::dict &parts);
// Reads what `cards/worlds/dealing.py` writes; all of it is checked, since the kernel trusts it afterwards.
Dealing read_dealing(const Program &program, const nanobind::dict &parts, const std::vector<std::uint8_t> &table);
// Reads what `cards/mind/habits.py` writes; checked as well.
Habits read_habits(const Program &program, const nanobind::dict &parts);
// The memory of a table that came as bytes; std::invalid_argument where these are no table of this program.
std::vector<std::uint8_t> copy_table(const Program &program, const nanobind::bytes &state);
// The valuation of a CardJudge; std::invalid_argument where the judge belongs to another program.
const Valuation &valuation_of(nanobind::handle judge, const Program &program);

}  // namespace ludorum::cards
