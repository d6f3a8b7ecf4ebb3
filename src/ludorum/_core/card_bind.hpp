// What the bindings of card games share.
#pragma once

#include <nanobind/nanobind.h>

#include "card_judge.hpp"
#include "card_program.hpp"
#include "card_worlds.hpp"

namespace ludorum::cards {

// A program from the parts that cards/compiled/cards.py names.
Program read_program(const nanobind::dict &parts);
// What `cards/hyperplay/dealing.py` gives; everything is checked, since the kernel trusts it afterwards.
Dealing read_dealing(const Program &program, const nanobind::dict &parts, const std::vector<std::uint8_t> &table);
// What `cards/habits.py` gives, checked as well.
Habits read_habits(const Program &program, const nanobind::dict &parts);
// The memory of a table that came as bytes; std::invalid_argument where it is none of this program.
std::vector<std::uint8_t> copy_table(const Program &program, const nanobind::bytes &state);
// What a CardJudge judges by; std::invalid_argument where it is one of another program.
const Valuation &valuation_of(nanobind::handle judge, const Program &program);

}  // namespace ludorum::cards
