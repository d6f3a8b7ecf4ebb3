// Programs, tables and valuations of card games, checked before they run: the machine trusts them afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/judge.hpp"
#include "cards/program.hpp"
#include "cards/worlds.hpp"

namespace ludorum::cards {

// Before `Program::prepare`: std::invalid_argument where the parts of a program do not fit each other.
void check_parts(const Program &program);
// After it: follows the code from every address at which it may be entered. No operation takes more from a stack than
// is there, reads or writes outside of slots and places, or loops without a node, which counts. Fills `entries`.
void check_code(Program &program);
// Whether code may be entered at an address with nothing on the stacks.
bool is_entry(const Program &program, std::int32_t pc);
// The same for an expression that only a valuation refers to.
void check_expression(const Program &program, std::int32_t pc);

// std::invalid_argument where a table is none that a program could have made: places that share cards, orders of cards
// that are not there, values that are no values, an address that is none.
void check_table(const Program &program, const std::uint8_t *memory);

// The addresses and slots of a valuation.
void check_valuation(const Program &program, const Valuation &valuation);

// Checks that only hidden cards are dealt, each once, and to places without an order.
void check_hidden(const Program &program, const Dealing &dealing);

}  // namespace ludorum::cards
