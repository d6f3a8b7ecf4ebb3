// From ground rules to gates: a rule is an AND, an atom the OR of its rules.
#pragma once

#include <span>
#include <vector>

#include "circuit/gates.hpp"

namespace ludorum {

// A literal of a rule is 2 * atom + (1 if negated).
struct GroundRules {
    std::span<const std::int32_t> heads, body_offsets, body;
};

struct BuiltGates {
    std::vector<GateLiteral> offsets, literals;
    std::vector<GateLiteral> atoms;   // the literal of each atom
    std::vector<std::int32_t> circle;  // atoms through which negation runs in a circle; empty in good rules
};

// `atoms` has the literal of each atom that is an input or a constant, and -1 for those the rules define.
BuiltGates build_gates(const GroundRules &rules, std::vector<GateLiteral> atoms, std::int32_t first_gate);

}  // namespace ludorum
