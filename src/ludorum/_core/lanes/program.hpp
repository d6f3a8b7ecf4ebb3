// A network compiled for lanes: what all blocks of one width share, and the memory of one block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "lanes/kernels.hpp"
#include "lanes/step.hpp"
#include "circuit/network.hpp"
#include "circuit/specialise.hpp"
#include "circuit/timetable.hpp"

namespace ludorum {

// How often each goal holds is counted by place: goals of one place are counted once, those that never hold not at all.
struct GoalCounts {
    static constexpr std::uint32_t NEVER = 0;
    std::vector<Place> places;
    std::vector<std::uint32_t> numbers;  // by goal: that of its place, from 1 on, or NEVER

    GoalCounts() = default;
    GoalCounts(const std::vector<Place> &goals, std::uint32_t zero);
};

// The flags of groups with a move that is done, one set for all codes that use the same slots for their moves: the code
// for any state, those of a cycle, those of a timetable.
constexpr std::uint32_t LIVE_OF_GENERAL = 0, LIVE_OF_MODES = 1, LIVE_OF_STEPS = 2, LIVE_GROUPS = 3;

// A move that stands at several places of its role's groups, as its weight says; it is done where one of them is.
struct RepeatedMove {
    std::uint32_t move;
    std::uint32_t first, end;  // places, counted over all groups
};

// Roles whose weights are larger in sum are drawn lane by lane.
constexpr std::uint64_t MOST_PLACES = 256;

// The code for one mode, or for any state.
struct LaneCode {
    LanePhase legal_phase, goal_phase, sees_phase, next_phase;
    std::vector<Place> legal, goals, next, sees;
    GoalCounts goal_counts;
    Place terminal{};
    std::vector<std::uint32_t> does;  // by move: the offset of its slot
    std::uint32_t first_does = 0;     // the slots of the first group's moves
    std::vector<MoveGroup> groups;
    std::vector<RoleGroups> roles;  // those that have a choice
    std::vector<RepeatedMove> repeated;
    std::vector<std::uint32_t> apart;  // roles that have a choice and no groups: their weights are large
    std::size_t choices = 0;        // legal literals to choose among, each counted once
    std::vector<Copy> copies;       // next state over this one; the first `saved_copies` need saving
    std::uint32_t saved_copies = 0;
    std::uint32_t slots = 0;
    int after = -1;                 // the mode of the next step
    bool legal_stays = false;       // whether legal literals are in their slots until the next phase
    NativeStep step;                // or none
    std::vector<std::uint32_t> warm;  // offsets of what warm loops carry from step to step
    std::uint32_t live = LIVE_OF_GENERAL;  // what a block knows of its moves stands there
    std::unique_ptr<LaneCode> whole;  // the same for states of which no step before is known; null: this one

    std::uint64_t literals() const { return legal_phase.literals + next_phase.literals; }
};

struct LaneProgram {
    // `lasting`: values stay until legality is evaluated again. `turns`: modes that lanes wait for.
    LaneProgram(std::shared_ptr<const Network> network, const LaneKernels &kernels, bool lasting = false,
                const Cycle *turns = nullptr);

    // Adds a mode for each step of a timetable; not while a block is in use.
    void follow(Timetable &&timetable);

    std::shared_ptr<const Network> network;
    const LaneKernels &kernels;
    bool lasting;
    std::uint32_t slot_bytes;
    std::uint32_t words;  // 64-bit words of a slot
    std::uint32_t slots = 0;
    LaneCode general;
    bool coded = false;  // whether gates become machine code, if this machine allows any
    Cycle cycle;
    std::vector<LaneCode> modes;         // by step of the cycle, then by step of the timetable
    Timetable timetable;
    std::vector<Literal> latches;        // where there are loops
    std::vector<std::uint64_t> initial;  // all bits or none

    // Finished lanes can be collected in a second block and valued together, where that is cheaper.
    bool collect_goals = false;
    std::uint32_t final_slots = 0;
    LanePhase final_phase;
    std::vector<Place> final_goals;
    GoalCounts final_counts;
    std::vector<std::uint32_t> final_fluents;  // offsets of the fluents that goals depend on

    // Bytes of machine code.
    std::size_t code_bytes() const;
    // Calls visit(code) for the code of all states, of all modes, and of all modes without a step before.
    template <class Visit>
    void each_code(Visit visit) const {
        visit(general);
        for (const LaneCode &code : modes) {
            visit(code);
            if (code.whole) visit(*code.whole);
        }
    }

    // `loaded`: for states that have come from elsewhere.
    const LaneCode &code(int mode, bool loaded = false) const {
        const LaneCode &found = mode < 0 ? general : modes[static_cast<std::size_t>(mode)];
        return loaded && found.whole ? *found.whole : found;
    }
    int first_timed() const { return static_cast<int>(cycle.length()); }
    // Whether games of this mode are played in step from their beginning: no game begins before all have ended.
    bool timed(int mode) const { return mode >= first_timed(); }
    // Whether lanes that are in another mode wait while this one is played.
    bool waits(int mode) const { return mode >= 0 && !timed(mode) && !cycle.in_turn; }
    // The mode of games that begin in the initial state.
    int first_mode() const { return timetable.length() ? first_timed() : cycle.length() ? 0 : -1; }
    // The mode of the timetable, of the cycle, or -1, that a packed state can be played in.
    int mode_of(const std::uint8_t *state) const;
    // Where each fluent stands; those a timetable knows are not in slots of their own.
    std::vector<Place> fluent_places(int mode) const;

  private:
    const std::vector<std::int8_t> &known(int mode) const {
        return timetable.values[static_cast<std::size_t>(mode - first_timed())];
    }
    // `free` is the first slot that is not in use; it grows by the slots of the moves.
    struct Draft {
        const Network &network;
        std::vector<char> forced;
        LaneCode code;
        std::vector<std::uint32_t> move_slots;
        std::vector<std::uint32_t> pinned;  // by gate: the slot of what a warm loop carries
        std::vector<char> settled;          // by loop
        std::vector<char> apart;            // by fluent: it would change where lanes wait
    };
    void pin_loops(Draft &draft, std::uint32_t &free) const;
    void settle_loops(std::vector<Draft> &drafts, const std::vector<Specialised> &variants, std::uint32_t &free) const;
    Draft draft(const Network &network, const std::vector<char> &forced, std::uint32_t &free) const;
    LaneCode finish(Draft &&draft, std::uint32_t first_gate_slot, const std::vector<std::int8_t> &known_after) const;
    void add_copies(LaneCode &code, const LaneLayout &layout, const Network &network,
                    const std::vector<std::int8_t> &known_after) const;
    void build_finals();
    // Of the general code and of all modes (-1), or of those from a mode on.
    void make_native_codes(int first, std::uint32_t first_gate_slot);
    void make_native_phases(LaneCode &code, std::uint32_t first_gate_slot, const std::vector<Place> &active) const;
    std::vector<Place> active_places(std::size_t mode) const;
    Place place(std::uint32_t slot) const { return {(slot >> 1) * slot_bytes, (slot & 1) != 0}; }
};

// The code of more gate inputs (some megabytes) has left every cache when it runs again: threads would wait for each
// other's memory.
constexpr std::size_t NATIVE_LITERALS = 400'000;

// A block that is larger than so many bytes leaves the second cache of most machines too often: slots have so many
// vectors then and no more. Wide vectors stay as they are: they would be left with one a slot (measured: chess with
// AVX2 loses a fifth).
struct BlockLimit {
    std::size_t bytes;
    std::uint32_t vectors;
    std::size_t native_bytes;  // where gates are machine code, slots of a larger block have one vector
    std::size_t small_bytes;   // a block with twice as many lanes as usual may be as large as this
};

// With one vector a slot, finding the inputs takes longer than reading them, but for machine code, which knows them.
// In small blocks more lanes share the costs of a step besides its gates.
constexpr BlockLimit PLAYOUT_LIMIT{std::size_t{1} << 19, 2, std::size_t{1} << 20, std::size_t{7} << 13};
// A tree works better with few lanes: each leaf is chosen with the results of more others.
constexpr BlockLimit TREE_LIMIT{std::size_t{1} << 20, 1, std::size_t{1} << 20, 0};

// A program with as many lanes as the kernels have, or with fewer or more where that is faster.
std::unique_ptr<LaneProgram> compile_lanes(const std::shared_ptr<const Network> &network, const LaneKernels &kernels,
                                           const BlockLimit &limit);

inline PhaseCode code_of(const LanePhase &phase, bool all = false) {
    return {phase.runs.data(), phase.inputs.data(), phase.segments.data(),
            static_cast<std::uint32_t>(phase.segments.size()), phase.carried.data(), phase.parts.data(),
            phase.users.data(), phase.entries.empty() ? nullptr : phase.entries.data(), all};
}

// Zeroed memory aligned for any vector.
class Aligned {
  public:
    Aligned() = default;
    explicit Aligned(std::size_t bytes);
    ~Aligned() { std::free(data_); }
    Aligned(Aligned &&other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    Aligned &operator=(Aligned &&other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    char *bytes() const { return static_cast<char *>(data_); }
    std::uint64_t *words() const { return static_cast<std::uint64_t *>(data_); }

  private:
    void *data_ = nullptr;
};

// The memory of one block of lanes; used by one thread at a time.
class Block {
  public:
    explicit Block(const LaneProgram &program);

    const LaneProgram &program;
    Aligned slots, finals, saved, scratch, random;
    Aligned over, playing, ended;  // a bit for each lane; steps of machine code have a slot for those that are playing
    Aligned active;              // lanes whose turn it is, where the mode lets others wait

    std::uint64_t *slot(std::uint32_t offset) const { return reinterpret_cast<std::uint64_t *>(slots.bytes() + offset); }
    void seed(std::uint64_t seed);
    // `all`: loops that are settled in most lanes too. Returns how many gate inputs were read in loops.
    std::uint64_t evaluate(const LanePhase &phase, bool all = false) {
        return program.kernels.evaluate(code_of(phase, all), slots.bytes(), saved.bytes());
    }
    std::uint64_t evaluate_finals() {
        return program.kernels.evaluate(code_of(program.final_phase), finals.bytes(), saved.bytes());
    }
    void select(const LaneCode &code);
    void advance(const LaneCode &code, bool waits);
    // The same by machine code, where there is some.
    void evaluate_step(const LaneCode &code) { run(code.step.legal); }
    void draw(const LaneCode &code);
    void advance_step(const LaneCode &code) { run(code.step.advance); }
    void find_active(int mode);
    void reset(const std::uint64_t *lanes);
    void clear_moves();
    // Warm loops begin anew in these lanes, in the code of one mode.
    void forget(int mode, const std::uint64_t *lanes);
    // Clears the moves that this code has done: steps of a timetable share the slots of their moves.
    void clear_done(const LaneCode &code, bool all);
    // Clears the moves of roles with weights: their slots are not those of groups, and other codes may use them for such.
    void clear_drawn(const LaneCode &code);

    // Lanes 0 .. count-1 hold these packed states; the others hold nothing.
    void load(const std::uint8_t *states, std::size_t count);
    // Some lanes of a word take a packed state; their fluents must be clear.
    void load_lanes(std::uint32_t word, std::uint64_t lanes, const std::uint8_t *state);
    // Packed rows of the lanes 0 .. count-1, a bit for each place.
    void store(const std::vector<Place> &places, std::uint8_t *rows, std::size_t count) const;
    void store_lane(const std::vector<Place> &places, std::uint8_t *row, std::size_t lane) const;

  private:
    // In every column.
    void run(NativeEntry function) { function(slots.bytes(), slots.bytes() + program.slot_bytes); }
    std::vector<std::vector<std::uint8_t>> live_;  // by the slots that moves have
    std::vector<std::uint32_t> active_;
};

}  // namespace ludorum
