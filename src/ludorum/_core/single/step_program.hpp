// What a step changes: the network split by modes, and the effects of each move worked out beforehand.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "circuit/gate_pool.hpp"
#include "circuit/network.hpp"
#include "circuit/specialise.hpp"

namespace ludorum {

// Fluents of one word that a move makes true or false in every state.
struct WordEffect {
    std::uint32_t word;
    std::uint64_t set, clear;
};

// A fluent that becomes what a literal is in the state before.
struct FluentEffect {
    std::uint32_t fluent;
    Literal literal;
};

// Where the effects of a move stand; fluents that are not among them become what `StepMode::next` says.
struct MoveEffects {
    std::uint32_t first_word, end_word;
    std::uint32_t first_fluent, end_fluent;
};

struct StepMode {
    std::vector<Literal> legal, next;
    Literal terminal = 0;
    std::vector<std::int32_t> forced;  // by role: its only move, or -1
    std::int32_t chooser = -1;         // the one role with a choice, where moves have effects
    std::vector<MoveEffects> effects;  // by move
};

// One set of gates for all modes. Where a single role chooses at a time and moves reach few gates, no gate
// depends on them: the next state is the same for all moves, but for the effects of the one that is done.
// Otherwise moves are inputs like fluents.
struct StepProgram {
    StepProgram(const Network &network, const Cycle &cycle);

    GatePool pool;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;
    Cycle cycle;  // the modes; of length 0 where there is one for all states
    std::vector<StepMode> modes;
    bool moves_are_inputs = false;
    std::vector<WordEffect> words;
    std::vector<FluentEffect> fluents;
};

}  // namespace ludorum
