// Full evaluation of one state: the phases of its mode, and bits out of bytes.

#include "single/full_state.hpp"

#include <algorithm>

#include "single/byte_gates.hpp"

namespace ludorum {

namespace {

using Byte = std::uint8_t;

// A table that only says how wide a slot is: programs of one byte a slot run here, not in lanes.
constexpr LaneKernels BYTES{"bytes", 8, 1, false};

std::size_t word_count(std::size_t bits) { return (bits + 63) / 64; }

}  // namespace

FullState::FullState(std::shared_ptr<const Network> network)
    : program_(std::move(network), BYTES, true),
      slots_(program_.slots, 0),
      state_(word_count(program_.network->fluents), 0),
      legal_(word_count(program_.network->moves), 0) {
    const Network &source = *program_.network;
    slots_[one_slot(source)] = 0xFF;
    std::size_t carried = 0;
    auto look_at = [&](const LaneCode &code) {
        for (const LanePhase *phase : {&code.legal_phase, &code.goal_phase, &code.next_phase, &code.sees_phase})
            carried = std::max(carried, phase->carried.size());
    };
    look_at(program_.general);
    forced_.push_back(only_moves(program_.general));
    for (const LaneCode &code : program_.modes) {
        look_at(code);
        forced_.push_back(only_moves(code));
    }
    saved_.resize(carried);
    set_state(initial_state(source));
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
    evaluate_bytes(code().legal_phase, slots_.data(), saved_.data());
    take(code().legal, legal_);
}

void FullState::take(const std::vector<Place> &places, Words &bits) const {
    for (std::size_t word = 0; word < bits.size(); ++word) {
        std::uint64_t found = 0;
        const std::size_t end = std::min<std::size_t>(64, places.size() - 64 * word);
        for (std::size_t at = 0; at < end; ++at)
            found |= static_cast<std::uint64_t>(holds(places[64 * word + at])) << at;
        bits[word] = found;
    }
}

bool FullState::terminal() const { return holds(code().terminal); }

void FullState::put_moves(const std::int32_t *moves, Byte value) {
    for (std::uint32_t role = 0; role < program_.network->roles(); ++role)
        if (moves[role] >= 0) slots_[code().does[static_cast<std::size_t>(moves[role])]] = value;
}

void FullState::next(const std::int32_t *moves, Words &after) {
    put_moves(moves, 0xFF);
    evaluate_bytes(code().next_phase, slots_.data(), saved_.data());
    take(code().next, after);
    put_moves(moves, 0);  // only now: a next literal may be a move itself
}

bool FullState::step(const std::int32_t *moves) {
    next(moves, state_);
    for (std::uint32_t fluent = 0; fluent < program_.network->fluents; ++fluent)
        slots_[fluent] = state_[fluent / 64] >> (fluent & 63) & 1 ? 0xFF : 0;
    if (mode_ >= 0 && ++mode_ == static_cast<int>(program_.modes.size())) mode_ = 0;
    look();
    return true;
}

void FullState::percepts(const std::int32_t *moves, std::vector<std::uint32_t> &held) {
    held.clear();
    put_moves(moves, 0xFF);
    evaluate_bytes(code().sees_phase, slots_.data(), saved_.data());
    for (std::uint32_t percept = 0; percept < code().sees.size(); ++percept)
        if (holds(code().sees[percept])) held.push_back(percept);
    put_moves(moves, 0);
}

}  // namespace ludorum
