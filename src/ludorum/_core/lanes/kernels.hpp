// What the lane kernels of all instruction sets have in common: the values they work on and their table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lanes/layout.hpp"

namespace ludorum {

// The offsets of the legality of eight moves of one role, in bytes. The moves that are done have eight slots one after
// the other, for all groups. Missing moves are never legal.
struct MoveGroup {
    std::uint32_t legal[8];
    std::uint32_t negated;  // whether the legal slots hold the opposite
};

struct RoleGroups {
    std::uint32_t first;
    std::uint32_t end;
};

// A literal as a byte offset and a sign.
struct Place {
    std::uint32_t offset;
    bool negated;
};

// The code of a phase with offsets in bytes.
struct PhaseCode {
    const LaneRun *runs;
    const std::uint32_t *inputs;
    const Segment *segments;
    std::uint32_t segment_count;
    const std::uint32_t *carried;
    const LoopPart *parts;
    const std::uint32_t *users;
    const NativeEntry *entries;  // machine code by segment, then by part; or null
    bool all;  // settled loops as well
};

// dst = src, negated where `negated` has all bits set.
struct Copy {
    std::uint32_t to;
    std::uint32_t from;
    std::uint32_t negated;
};

// Random bits come in so many planes; a slot before them counts the vectors that have been taken. Each plane follows
// from the one that was in its place and those in these places after it.
constexpr std::uint32_t RANDOM_PLANES = 257, RANDOM_TAPS[3] = {55, 123, 176};

// All that choosing a move needs, for one block of lanes.
struct Selection {
    char *slots;
    char *does;  // the slots of the first group's moves
    const MoveGroup *groups;
    const RoleGroups *roles;
    std::uint32_t role_count;
    std::uint32_t group_count;
    std::uint8_t *live;       // for each group: whether its `does` slots may hold something
    std::uint32_t *active;    // scratch: groups with a legal move, one entry for each group
    void *scratch;            // scratch: vectors of the count trees and masks, for each column
    void *random;             // see RANDOM_PLANES
    const void *over;         // in: lanes that have ended (terminal or too long)
    void *playing;            // out: those of the others in which all roles have a move
};

// A role's numbers in consecutive slots, a plane of bits in each: the rank of its last legal move, where it has one, and
// the rank of the one that is chosen.
struct RolePlanes {
    std::uint32_t able;  // the slot of the lanes in which it has a legal move
    std::uint32_t last;
    std::uint32_t ranks;
    std::uint32_t width;
};

// All that drawing ranks of moves needs, where counting them and choosing by them is machine code.
struct Drawing {
    char *slots;
    const RolePlanes *roles;
    std::uint32_t role_count;
    void *random;
    const void *over;
    void *playing;
};

// Lanes by the fate of their games in a step, a bit for each.
struct StepEnds {
    const void *over, *playing;   // in: see Selection
    const void *active;           // in: lanes whose turn it is; null: all of them
    void *waiting;                // lanes without a game
    void *counted;                // lanes whose game counts
    void *ended, *ended_counted;  // out: lanes whose game ends in this step, and those among them that count
};

struct Ended {
    std::uint64_t games;  // that count
    bool stuck;           // whether some ended because a role has no move
};

struct LaneKernels {
    const char *name;
    std::uint32_t lanes;         // of a block
    std::uint32_t vector_bytes;  // of a column of lanes
    bool native;                 // whether gates become machine code, where that can be made
    // Returns how many gate inputs were read in loops.
    std::uint64_t (*evaluate)(const PhaseCode &code, char *slots, void *saved) = nullptr;
    void (*select)(const Selection &selection) = nullptr;
    void (*draw)(const Drawing &drawing) = nullptr;
    // In the lanes of `which`, or where it is null in all of them.
    void (*copy)(const Copy *copies, std::uint32_t count, char *slots, void *saved, std::uint32_t save_first,
                 const void *which) = nullptr;
    // Fluents of the lanes in `which` become the constants of `initial` (all bits or none for each fluent).
    void (*reset)(const std::uint64_t *initial, std::uint32_t fluents, char *slots, const void *which) = nullptr;
    // Slots become false in the lanes of `which`.
    void (*clear)(const std::uint32_t *offsets, std::uint32_t count, char *slots, const void *which) = nullptr;
    // Slots of the lanes in `which` are taken over from another block.
    void (*take)(const std::uint32_t *offsets, std::uint32_t count, char *to, const char *from,
                 const void *which) = nullptr;
    // Games end where no lane plays any more.
    Ended (*end)(const StepEnds &ends) = nullptr;
    // How many lanes of `which` each of some places holds for.
    void (*count)(const char *slots, const Place *places, std::size_t size, const void *which,
                  std::uint64_t *counts) = nullptr;
    // Reads so many bytes as evaluation would read slots, and nothing else: a bound on the speed of evaluation.
    std::uint64_t (*stream)(const char *memory, std::size_t bytes) = nullptr;
};

// Vectors of scratch that a selection among so many groups may need.
inline std::uint32_t scratch_vectors(std::uint32_t groups, std::uint32_t roles) {
    // Count trees: level l has ceil(n / 2^l) nodes of 4 + l planes: at most 4n + 5n/2 + ... < 12n, and the odd
    // nodes add up to 30 planes a level; masks: 2n more, and numbers for them: n; last ranks and ranks: 65 planes a role.
    return 15 * groups + roles * (32 * 32 + 128) + 256;
}

// Bits of the widest vectors that kernels use here: what the processor has, or less where LUDORUM_VECTORS says so.
std::uint32_t usable_vector_bits();

// The kernels with blocks of so many lanes (0: any) for an instruction set (empty: any this CPU has), the fastest
// first; null if there are none. `native`: with machine code, where there is a writer for it.
const LaneKernels *find_kernels(std::uint32_t lanes, const std::string &instruction_set = "", bool native = true);

}  // namespace ludorum
