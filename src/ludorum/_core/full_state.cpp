// Full evaluation of one state: 0 or 255 in a byte for each gate, runs of one shape without any branch.

#include "full_state.hpp"

#include <algorithm>

namespace ludorum {

namespace {

using Byte = std::uint8_t;

template <int P, int N>
void run_shape(const Run &run, const std::uint32_t *in, Byte *slots) {
    Byte *out = slots + run.first_output;
    for (std::uint32_t i = 0; i < run.count; ++i, in += P + N) {
        Byte value = 0xFF;
#pragma GCC unroll 8
        for (int at = 0; at < P; ++at) value &= slots[in[at]];
#pragma GCC unroll 8
        for (int at = P; at < P + N; ++at) value &= static_cast<Byte>(~slots[in[at]]);
        out[i] = value;
    }
}

void run_any(const Run &run, const std::uint32_t *in, Byte *slots) {
    Byte *out = slots + run.first_output;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        Byte all = 0xFF, none = 0;
        for (std::uint32_t at = 0; at < run.positive; ++at) all &= slots[*in++];
        for (std::uint32_t at = 0; at < run.negative; ++at) none |= slots[*in++];
        out[i] = static_cast<Byte>(all & ~none);
    }
}

using RunShape = void (*)(const Run &, const std::uint32_t *, Byte *);
constexpr std::uint32_t SHAPES = 5;
#define ROW(p) {&run_shape<p, 0>, &run_shape<p, 1>, &run_shape<p, 2>, &run_shape<p, 3>, &run_shape<p, 4>}
constexpr RunShape TABLE[SHAPES][SHAPES] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4)};
#undef ROW

void run_all(const Phase &phase, std::uint32_t first, std::uint32_t end, Byte *slots) {
    for (std::uint32_t number = first; number < end; ++number) {
        const Run &run = phase.runs[number];
        const std::uint32_t *in = phase.inputs.data() + run.first_input;
        if (run.positive < SHAPES && run.negative < SHAPES)
            TABLE[run.positive][run.negative](run, in, slots);
        else
            run_any(run, in, slots);
    }
}

// A table that only says how wide a slot is: programs of one byte a slot run here, not in lanes.
constexpr LaneKernels BYTES{"bytes", 8, 1, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};

std::size_t word_count(std::size_t bits) { return (bits + 63) / 64; }

}  // namespace

FullState::FullState(std::shared_ptr<const Network> network)
    : program_(std::move(network), BYTES),
      slots_(program_.slots, 0),
      state_(word_count(program_.network->fluents), 0),
      legal_(word_count(program_.network->moves), 0) {
    const Network &source = *program_.network;
    Layout layout(source, std::vector<std::uint32_t>(source.moves, zero_slot(source)), first_free_slot(source));
    final_phase_ = layout.phase(source.goals, true);
    for (Literal literal : source.goals) final_goals_.push_back({layout.slot(literal) >> 1, (literal & 1) != 0});
    final_slots_.assign(layout.size(), 0);
    slots_[one_slot(source)] = final_slots_[one_slot(source)] = 0xFF;
    std::size_t carried = final_phase_.carried.size();
    auto look_at = [&](const LaneCode &code) {
        for (const Phase *phase : {&code.legal_phase, &code.goal_phase, &code.next_phase, &code.sees_phase})
            carried = std::max(carried, phase->carried.size());
    };
    look_at(program_.general);
    forced_.push_back(only_moves(program_.general));
    for (const LaneCode &code : program_.modes) {
        look_at(code);
        forced_.push_back(only_moves(code));
    }
    saved_.resize(carried);
    Words initial(state_.size(), 0);
    for (std::uint32_t fluent = 0; fluent < source.fluents; ++fluent)
        if (source.initial[fluent]) initial[fluent / 64] |= 1ull << (fluent & 63);
    set_state(initial);
}

std::vector<std::int32_t> FullState::only_moves(const LaneCode &code) const {
    const Network &source = *program_.network;
    std::vector<std::int32_t> only(source.roles(), -1);
    for (std::uint32_t role = 0; role < source.roles(); ++role) {
        std::uint32_t possible = 0, certain = 0;
        for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move) {
            const bool fixed = code.legal[move].offset == one_slot(source);
            if (fixed && code.legal[move].negated) continue;
            ++possible;
            if (!fixed) continue;
            ++certain;
            only[role] = static_cast<std::int32_t>(move);
        }
        if (possible != 1 || certain != 1) only[role] = -1;
    }
    return only;
}

void FullState::evaluate(const Phase &phase, Byte *slots) {
    for (const Segment &segment : phase.segments) {
        const std::uint32_t *carried = phase.carried.data() + segment.first_carried;
        const std::uint32_t count = segment.end_carried - segment.first_carried;
        for (std::uint32_t i = 0; i < count; ++i) saved_[i] = slots[carried[i]] = 0;
        for (bool changed = true; changed;) {
            run_all(phase, segment.first_run, segment.end_run, slots);
            changed = false;
            for (std::uint32_t i = 0; i < count; ++i) {
                changed |= saved_[i] != slots[carried[i]];
                saved_[i] = slots[carried[i]];
            }
        }
    }
}

bool FullState::set_state(const Words &fluents) {
    state_ = fluents;
    mode_ = -1;
    if (!program_.modes.empty()) mode_ = program_.cycle.mode_of(state_);
    for (std::uint32_t fluent = 0; fluent < program_.network->fluents; ++fluent)
        slots_[fluent] = state_[fluent / 64] >> (fluent & 63) & 1 ? 0xFF : 0;
    look();
    return true;
}

void FullState::look() {
    evaluate(code().legal_phase, slots_.data());
    const std::vector<Place> &places = code().legal;
    const std::size_t moves = places.size();
    for (std::size_t word = 0; 64 * word < moves; ++word) {
        std::uint64_t bits = 0;
        const std::size_t end = std::min<std::size_t>(64, moves - 64 * word);
        for (std::size_t at = 0; at < end; ++at)
            bits |= static_cast<std::uint64_t>(holds(places[64 * word + at])) << at;
        legal_[word] = bits;
    }
}

bool FullState::terminal() const { return holds(code().terminal); }

void FullState::put_moves(const std::int32_t *moves, Byte value) {
    for (std::uint32_t role = 0; role < program_.network->roles(); ++role)
        if (moves[role] >= 0) slots_[code().does[static_cast<std::size_t>(moves[role])]] = value;
}

void FullState::step(const std::int32_t *moves) {
    put_moves(moves, 0xFF);
    evaluate(code().next_phase, slots_.data());
    const std::vector<Place> &places = code().next;
    const std::size_t fluents = places.size();
    for (std::size_t word = 0; 64 * word < fluents; ++word) {
        std::uint64_t bits = 0;
        const std::size_t end = std::min<std::size_t>(64, fluents - 64 * word);
        for (std::size_t at = 0; at < end; ++at)
            bits |= static_cast<std::uint64_t>(holds(places[64 * word + at])) << at;
        state_[word] = bits;
    }
    put_moves(moves, 0);  // only now: a next literal may be a move itself
    for (std::size_t fluent = 0; fluent < fluents; ++fluent)
        slots_[fluent] = state_[fluent / 64] >> (fluent & 63) & 1 ? 0xFF : 0;
    if (mode_ >= 0 && ++mode_ == static_cast<int>(program_.modes.size())) mode_ = 0;
    look();
}

void FullState::goals(const Words &fluents, std::vector<std::uint32_t> &held) {
    held.clear();
    for (std::uint32_t fluent = 0; fluent < program_.network->fluents; ++fluent)
        final_slots_[fluent] = fluents[fluent / 64] >> (fluent & 63) & 1 ? 0xFF : 0;
    evaluate(final_phase_, final_slots_.data());
    for (std::uint32_t goal = 0; goal < final_goals_.size(); ++goal)
        if ((final_slots_[final_goals_[goal].offset] != 0) != final_goals_[goal].negated) held.push_back(goal);
}

void FullState::percepts(const std::int32_t *moves, std::vector<std::uint32_t> &held) {
    held.clear();
    put_moves(moves, 0xFF);
    evaluate(code().next_phase, slots_.data());
    evaluate(code().sees_phase, slots_.data());
    for (std::uint32_t percept = 0; percept < code().sees.size(); ++percept)
        if (holds(code().sees[percept])) held.push_back(percept);
    put_moves(moves, 0);
}

}  // namespace ludorum
