// A circuit as plain checked arrays, from which every kernel is built.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ludorum {

using Literal = std::uint32_t;  // 2 * node + (1 if negated)

constexpr std::uint32_t MOST_NODES = 1u << 28;  // so that literals, and twice as many, are numbers of 32 bits
constexpr std::uint32_t MOST_ROLES = 1u << 16;

// Nodes: fluents, moves, the constant TRUE, gates. A gate is the AND of its literals. Gates refer to earlier
// nodes only, but inside a loop, whose gates are evaluated in order again and again until nothing changes.
struct Network {
    std::uint32_t fluents = 0;
    std::uint32_t moves = 0;
    std::vector<std::uint32_t> role_ends;  // moves of role r: role_ends[r - 1] .. role_ends[r]
    std::vector<std::uint32_t> gate_offsets;
    std::vector<Literal> gate_literals;
    std::vector<Literal> legal;  // one for each move
    Literal terminal = 0;
    std::vector<std::uint32_t> goal_roles;
    std::vector<std::int32_t> goal_values;  // -1 where a goal value is no number
    std::vector<Literal> goals;
    std::vector<Literal> next;  // one for each fluent
    std::vector<Literal> sees;
    std::vector<std::uint8_t> initial;  // one byte for each fluent
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loops;  // first and last gate
    std::vector<std::uint32_t> weights;  // by move: how likely it is beside the other legal moves of its role; never 0
    bool has_weights = false;            // whether some weight is not 1
    std::vector<char> weighted;          // by role: whether some move of it has another weight than 1

    std::uint32_t gates() const { return static_cast<std::uint32_t>(gate_offsets.size()) - 1; }
    std::uint32_t roles() const { return static_cast<std::uint32_t>(role_ends.size()); }
    std::uint32_t true_node() const { return fluents + moves; }
    std::uint32_t first_gate() const { return fluents + moves + 1; }
    std::uint32_t nodes() const { return first_gate() + gates(); }
    std::uint32_t role_begin(std::uint32_t role) const { return role ? role_ends[role - 1] : 0; }

    // Which gates the answer to some literals needs; a loop is needed whole or not at all.
    std::vector<char> cone(const std::vector<Literal> &outputs) const;

    // Takes over a weight for each move; none: all moves of a role are as likely.
    void set_weights(std::vector<std::uint32_t> given);

    // Throws std::invalid_argument where an array is out of bounds or out of order.
    void check() const;
};

}  // namespace ludorum
