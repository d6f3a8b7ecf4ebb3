// All moves as first (RAVE, GRAVE), and regret matching: statistics that edges keep on the side.
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/policy.hpp"
#include "mcts/select.hpp"
#include "mcts/tree.hpp"

namespace ludorum::mcts {

// By place: where the later use of a role's moves is kept; null where the reference does not have the move.
void rave_of(const Tree &tree, Expansion *expansion, std::uint32_t role, Expansion *reference,
             std::vector<const EdgeExtra *> &later);

// As `select`, with the statistics of later moves; untried moves without any come first.
Selected select_by_rave(const Edge *edges, const std::vector<const EdgeExtra *> &later, double visits,
                        std::int16_t highest, double exploration, double constant, SplitMix64 &random);

// Draws a move by regrets and adds the present strategy to the average one.
std::uint32_t select_by_regret(EdgeExtra *edges, std::uint32_t count, double exploration, SplitMix64 &random);

}  // namespace ludorum::mcts
