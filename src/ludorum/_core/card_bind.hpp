// What the bindings of card games share.
#pragma once

#include <nanobind/nanobind.h>

#include "card_program.hpp"

namespace ludorum::cards {

// A program from the parts that cards/compiled/cards.py names.
Program read_program(const nanobind::dict &parts);
// The memory of a table that came as bytes; std::invalid_argument where it is none of this program.
std::vector<std::uint8_t> copy_table(const Program &program, const nanobind::bytes &state);

}  // namespace ludorum::cards
