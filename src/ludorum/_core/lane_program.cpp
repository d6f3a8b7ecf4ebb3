// Programs and blocks: a network laid out for one width of lanes.

#include "lane_program.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "bits.hpp"
#include "lane_native.hpp"
#include "random.hpp"
#include "turns.hpp"
#include "warm_loops.hpp"

namespace ludorum {

LaneProgram::LaneProgram(std::shared_ptr<const Network> source, const LaneKernels &chosen, bool values_last,
                         const Cycle *turns)
    : network(std::move(source)),
      kernels(chosen),
      lasting(values_last),
      slot_bytes(chosen.lanes / 8),
      words(chosen.lanes / 64),
      cycle(turns ? *turns : find_cycle(*network)),
      latches(values_last ? std::vector<Literal>{} : latches_of(*network)) {
    std::uint32_t free = first_free_slot(*network);
    std::vector<Specialised> variants;
    variants.reserve(cycle.length());
    for (const auto &values : cycle.values) variants.push_back(specialise(*network, values));
    std::vector<Draft> drafts;
    for (const Specialised &one : variants) drafts.push_back(draft(one.network, one.forced, free));
    Draft any = draft(*network, std::vector<char>(network->roles(), 0), free);
    if (cycle.in_turn) settle_loops(drafts, variants, free);
    for (Draft &one : drafts) {
        if (cycle.in_turn) continue;
        one.apart = find_kept(one.network);
        for (char &apart : one.apart) apart = !apart;
    }
    for (Draft &one : drafts) pin_loops(one, free);
    pin_loops(any, free);
    // Gates live for one step only: all modes use the same slots for them.
    for (Draft &one : drafts) modes.push_back(finish(std::move(one), free, {}));
    for (std::size_t mode = 0; mode < modes.size(); ++mode) modes[mode].after = static_cast<int>((mode + 1) % modes.size());
    general = finish(std::move(any), free, {});
    make_native_codes(-1, free);
    slots = general.slots;
    for (const LaneCode &code : modes) slots = std::max(slots, code.slots);
    for (std::uint8_t bit : network->initial) initial.push_back(bit ? ~0ull : 0ull);
    build_finals();
}

void LaneProgram::pin_loops(Draft &draft, std::uint32_t &free) const {
    if (latches.empty()) return;
    const std::vector<char> warm = find_warm_loops(draft.network, latches);
    draft.pinned.resize(draft.network.gates(), UINT32_MAX);
    for (std::size_t loop = 0; loop < warm.size(); ++loop) {
        if (!warm[loop]) continue;
        for (std::uint32_t gate :
             carried_gates(draft.network, draft.network.loops[loop].first, draft.network.loops[loop].second)) {
            if (draft.pinned[gate] != UINT32_MAX) continue;
            draft.code.warm.push_back(free * slot_bytes);
            draft.pinned[gate] = free++;
        }
    }
}

// Where modes share what a loop has derived, one of them can leave it to the other.
void LaneProgram::settle_loops(std::vector<Draft> &drafts, const std::vector<Specialised> &variants,
                               std::uint32_t &free) const {
    if (latches.empty() || drafts.empty()) return;
    std::vector<char> warm(network->loops.size(), 1);
    for (const Specialised &one : variants) {
        const std::vector<char> found = find_warm_loops(one.network, latches);
        for (std::size_t loop = 0; loop < warm.size(); ++loop) warm[loop] &= found[loop];
    }
    const auto settled = find_settled_loops(*network, variants, cycle.fluents, warm);
    for (std::size_t mode = 0; mode < drafts.size(); ++mode) {
        drafts[mode].settled = settled[mode];
        drafts[mode].pinned.assign(drafts[mode].network.gates(), UINT32_MAX);
    }
    for (std::size_t loop = 0; loop < warm.size(); ++loop) {
        if (std::none_of(settled.begin(), settled.end(), [&](const auto &one) { return one[loop]; })) continue;
        const auto [first, last] = network->loops[loop];
        for (std::uint32_t gate : lasting_gates(*network, first, last)) {
            for (Draft &one : drafts) one.pinned[one.network.loops[loop].first + gate - first] = free;
            drafts.front().code.warm.push_back(free++ * slot_bytes);
        }
    }
}

void LaneProgram::follow(Timetable &&followed) {
    timetable = std::move(followed);
    const std::uint32_t length = timetable.length();
    const Literal yes = 2 * network->true_node();
    auto after = [&](std::uint32_t step) { return step + 1 < length ? step + 1 : timetable.again; };
    std::vector<Specialised> variants;
    variants.reserve(length);
    for (std::uint32_t step = 0; step < length; ++step) {
        Specialised &one = variants.emplace_back(specialise(*network, timetable.values[step]));
        const auto &following = timetable.values[after(step)];
        for (std::uint32_t fluent = 0; fluent < network->fluents; ++fluent)
            if (following[fluent] != UNKNOWN) one.network.next[fluent] = yes + (following[fluent] ? 0 : 1);
    }
    const std::uint32_t first = slots;
    std::uint32_t first_gate = first;
    std::vector<Draft> drafts;
    for (const Specialised &one : variants) {
        std::uint32_t free = first;
        drafts.push_back(draft(one.network, one.forced, free));
        first_gate = std::max(first_gate, free);
    }
    for (std::uint32_t step = 0; step < length; ++step) {
        modes.push_back(finish(std::move(drafts[step]), first_gate, timetable.values[after(step)]));
        modes.back().after = first_timed() + static_cast<int>(after(step));
    }
    make_native_codes(first_timed(), first_gate);
    for (const LaneCode &code : modes) slots = std::max(slots, code.slots);
}

std::unique_ptr<LaneProgram> compile_lanes(const std::shared_ptr<const Network> &network, const LaneKernels &kernels,
                                           const BlockLimit &limit) {
    auto program = std::make_unique<LaneProgram>(network, kernels);
    const std::size_t bytes = static_cast<std::size_t>(program->slots) * program->slot_bytes;
    if (kernels.vector_bytes != 16 || bytes <= limit.bytes) return program;
    const std::uint32_t vectors = program->coded && bytes > limit.native_bytes ? 1 : limit.vectors;
    const LaneKernels *narrow = find_kernels(8 * vectors * kernels.vector_bytes, kernels.name, kernels.native);
    if (narrow && narrow != &kernels) program = std::make_unique<LaneProgram>(network, *narrow);
    return program;
}

std::size_t LaneProgram::code_bytes() const {
    std::size_t sum = 0;
    auto add = [&](const std::shared_ptr<const NativeCode> &code) { sum += code ? code->bytes() : 0; };
    auto add_phases = [&](const LaneCode &code) {
        for (const LanePhase *phase : {&code.legal_phase, &code.goal_phase, &code.sees_phase, &code.next_phase})
            add(phase->native);
        add(code.step.code);
    };
    add_phases(general);
    for (const LaneCode &code : modes) add_phases(code);
    add(final_phase.native);
    return sum;
}

int LaneProgram::mode_of(const std::uint8_t *state) const {
    for (std::uint32_t step = 0; step < timetable.length(); ++step)
        if (timetable.allows(step, state)) return first_timed() + static_cast<int>(step);
    return cycle.mode_of(state);
}

std::vector<Place> LaneProgram::fluent_places(int mode) const {
    std::vector<Place> places;
    for (std::uint32_t fluent = 0; fluent < network->fluents; ++fluent) {
        const std::int8_t value = timed(mode) ? known(mode)[fluent] : UNKNOWN;
        places.push_back({(value == UNKNOWN ? fluent : value ? one_slot(*network) : zero_slot(*network)) * slot_bytes,
                          false});
    }
    return places;
}

// Moves in groups of eight of one role and one sign; those that are never legal are in none.
LaneProgram::Draft LaneProgram::draft(const Network &source, const std::vector<char> &forced,
                                      std::uint32_t &free) const {
    Draft draft{source, forced, {}, std::vector<std::uint32_t>(source.moves, UINT32_MAX), {}, {}, {}};
    LaneCode &code = draft.code;
    code.first_does = free * slot_bytes;
    for (std::uint32_t role = 0; role < source.roles(); ++role) {
        if (forced[role]) continue;
        const auto first = static_cast<std::uint32_t>(code.groups.size());
        for (std::uint32_t sign : {0u, 1u}) {
            std::uint32_t filled = 8;
            for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move) {
                if ((source.legal[move] & 1) != sign || source.legal[move] == 2 * source.true_node() + 1) continue;
                if (filled == 8) {
                    MoveGroup empty;
                    std::fill_n(empty.legal, 8, (sign ? one_slot(source) : zero_slot(source)) * slot_bytes);
                    empty.negated = sign;
                    code.groups.push_back(empty);
                    filled = 0;
                }
                draft.move_slots[move] = free + 8 * static_cast<std::uint32_t>(code.groups.size() - 1) + filled++;
            }
        }
        code.roles.push_back({first, static_cast<std::uint32_t>(code.groups.size())});
    }
    free += 8 * static_cast<std::uint32_t>(code.groups.size());
    // Moves that are in no group are folded away, but for those somebody may try in any state.
    const std::uint32_t nowhere = free++;
    for (std::uint32_t &slot : draft.move_slots)
        if (slot == UINT32_MAX) slot = &source == network.get() ? free++ : nowhere;
    return draft;
}

// Legal literals to choose among; what is always legal, or fills up a group, need not be read.
static std::size_t count_choices(const LaneCode &code, std::uint32_t one, std::uint32_t zero) {
    std::set<std::uint32_t> read;
    for (const MoveGroup &group : code.groups) read.insert(group.legal, group.legal + 8);
    read.erase(one);
    read.erase(zero);
    return read.size();
}

LaneCode LaneProgram::finish(Draft &&draft, std::uint32_t first_gate_slot,
                             const std::vector<std::int8_t> &known_after) const {
    const Network &source = draft.network;
    LaneCode code = std::move(draft.code);
    std::vector<Literal> first = source.legal;
    first.push_back(source.terminal);
    // Whole steps choose among what is legal when goals have been asked for.
    code.legal_stays = kernels.native && can_step(code);
    LaneLayout layout(source, draft.move_slots, first_gate_slot,
                      {{first, true, false, {}, code.legal_stays ? 3u : 0u},
                       {source.goals},
                       {source.sees},
                       {source.next, true, true, draft.apart}},
                      lasting,
                      std::move(draft.pinned), std::move(draft.settled));
    code.legal_phase = layout.next_phase();
    for (std::uint32_t move = 0; move < source.moves; ++move) {
        code.legal.push_back(place(layout.slot(source.legal[move])));
        code.does.push_back(draft.move_slots[move] * slot_bytes);
        const std::uint32_t number = (code.does[move] - code.first_does) / slot_bytes;
        if (number / 8 < code.groups.size()) code.groups[number / 8].legal[number % 8] = code.legal[move].offset;
    }
    code.choices = count_choices(code, one_slot(source) * slot_bytes, zero_slot(source) * slot_bytes);
    code.terminal = place(layout.slot(source.terminal));
    code.goal_phase = layout.next_phase();
    for (Literal literal : source.goals) code.goals.push_back(place(layout.slot(literal)));
    code.sees_phase = layout.next_phase();
    for (Literal literal : source.sees) code.sees.push_back(place(layout.slot(literal)));
    code.next_phase = layout.next_phase();
    for (std::uint32_t fluent = 0; fluent < source.fluents; ++fluent)
        code.next.push_back(place(layout.next_slot(fluent)));
    add_copies(code, layout, source, known_after);
    code.slots = layout.size();
    for (LanePhase *phase : {&code.legal_phase, &code.goal_phase, &code.next_phase, &code.sees_phase})
        phase->scale(slot_bytes);
    return code;
}

void LaneProgram::make_native_codes(int first, std::uint32_t first_gate_slot) {
    if (!kernels.native) return;
    std::vector<LaneCode *> codes;
    if (first < 0) codes.push_back(&general);
    for (std::size_t mode = static_cast<std::size_t>(std::max(first, 0)); mode < modes.size(); ++mode)
        codes.push_back(&modes[mode]);
    std::size_t literals = 0;
    for (const LaneCode *code : codes) literals += code->literals() + code->goal_phase.literals;
    if (literals > NATIVE_LITERALS) return;
    coded = true;
    for (LaneCode *code : codes) make_native_phases(*code, first_gate_slot);
}

// The literals that hold in the lanes whose turn it is, where others wait.
std::vector<Place> LaneProgram::active_places(const LaneCode &code) const {
    std::vector<Place> places;
    if (cycle.in_turn || &code == &general) return places;
    const auto mode = static_cast<std::size_t>(&code - modes.data());
    if (mode >= cycle.length()) return places;
    for (std::uint32_t fluent : cycle.fluents) places.push_back({fluent * slot_bytes, !cycle.values[mode][fluent]});
    return places;
}

// A step asks for what is legal, then for goals and percepts or for neither, and then for what comes next.
void LaneProgram::make_native_phases(LaneCode &code, std::uint32_t first_gate_slot) const {
    const SlotMap map{slot_bytes, kernels.vector_bytes, first_gate_slot};
    auto mark = [&](LiveSlots live, const std::vector<Place> &places) {
        for (const Place &place : places) live[place.offset / slot_bytes] = 1;
        return live;
    };
    auto join = [](LiveSlots a, const LiveSlots &b) {
        for (std::size_t slot = 0; slot < a.size(); ++slot) a[slot] |= b[slot];
        return a;
    };
    LiveSlots after_next(code.slots, 0);
    for (const Copy &copy : code.copies) after_next[copy.from / slot_bytes] = 1;
    const LiveSlots next = make_native(code.next_phase, mark(std::move(after_next), code.next), map);
    const LiveSlots sees = make_native(code.sees_phase, mark(next, code.sees), map);
    const LiveSlots later = join(sees, next);
    const LiveSlots goal = make_native(code.goal_phase, mark(later, code.goals), map);
    const LiveSlots asked = mark(mark(join(later, goal), code.legal), {code.terminal});
    make_native(code.legal_phase, asked, map);
    if (!lasting)
        code.step = make_step(code, {map, one_slot(*network) * slot_bytes, zero_slot(*network) * slot_bytes,
                                     active_places(code), asked});
}

// What a timetable knows of the next state is in its code, not in its slots.
void LaneProgram::add_copies(LaneCode &code, const LaneLayout &layout, const Network &source,
                             const std::vector<std::int8_t> &known_after) const {
    std::vector<Copy> plain;
    for (std::uint32_t fluent = 0; fluent < source.fluents; ++fluent) {
        if (!known_after.empty() && known_after[fluent] != UNKNOWN) continue;
        const std::uint32_t slot = layout.next_slot(fluent);
        if (slot == 2 * fluent) continue;  // stays as it is, or has been written
        const Copy copy{fluent * slot_bytes, (slot >> 1) * slot_bytes, slot & 1};
        (slot >> 1 < source.fluents ? code.copies : plain).push_back(copy);
    }
    code.saved_copies = static_cast<std::uint32_t>(code.copies.size());
    code.copies.insert(code.copies.end(), plain.begin(), plain.end());
}

// Goals that share little with legality are cheaper for many finished lanes together: taking over the fluents
// they need costs three memory accesses a fluent, in every step in which some lane ends.
void LaneProgram::build_finals() {
    if (general.goal_phase.empty()) return;
    std::vector<char> used(network->fluents, 0);
    auto mark = [&](Literal literal) {
        if (literal >> 1 < network->fluents) used[literal >> 1] = 1;
    };
    const std::vector<char> needed = network->cone(network->goals);
    for (Literal literal : network->goals) mark(literal);
    for (std::uint32_t gate = 0; gate < network->gates(); ++gate)
        if (needed[gate])
            for (std::uint32_t at = network->gate_offsets[gate]; at < network->gate_offsets[gate + 1]; ++at)
                mark(network->gate_literals[at]);
    for (std::uint32_t fluent = 0; fluent < network->fluents; ++fluent)
        if (used[fluent]) final_fluents.push_back(fluent * slot_bytes);
    collect_goals = general.goal_phase.literals > 4 * final_fluents.size();
    if (!collect_goals) return;
    const std::uint32_t free = first_free_slot(*network);
    LaneLayout layout(*network, std::vector<std::uint32_t>(network->moves, zero_slot(*network)), free,
                      {{network->goals}});
    final_phase = layout.next_phase();
    for (Literal literal : network->goals) final_goals.push_back(place(layout.slot(literal)));
    final_slots = layout.size();
    final_phase.scale(slot_bytes);
    if (!kernels.native) return;
    LiveSlots live(final_slots, 0);
    for (const Place &goal : final_goals) live[goal.offset / slot_bytes] = 1;
    make_native(final_phase, std::move(live), {slot_bytes, kernels.vector_bytes, free});
}

Aligned::Aligned(std::size_t bytes) {
    const std::size_t rounded = (bytes + 127) / 64 * 64;
    data_ = std::aligned_alloc(64, rounded);
    if (!data_) throw std::bad_alloc();
    std::memset(data_, 0, rounded);
}

Block::Block(const LaneProgram &source)
    : program(source),
      slots(static_cast<std::size_t>(source.slots) * source.slot_bytes),
      finals(static_cast<std::size_t>(source.final_slots) * source.slot_bytes),
      random(4 * source.slot_bytes),
      over(source.slot_bytes),
      stuck(source.slot_bytes),
      ended(source.slot_bytes),
      active(source.slot_bytes) {
    auto saved_bytes = [&](const LanePhase &phase) {
        return phase.carried.size() * source.slot_bytes + phase.parts.size();
    };
    std::size_t most = saved_bytes(source.final_phase);
    std::uint32_t groups = 0, roles = 0;
    auto look_at = [&](const LaneCode &code) {
        for (const LanePhase *phase : {&code.legal_phase, &code.goal_phase, &code.next_phase, &code.sees_phase})
            most = std::max(most, saved_bytes(*phase));
        most = std::max<std::size_t>(most, code.saved_copies * source.slot_bytes);
        groups = std::max(groups, static_cast<std::uint32_t>(code.groups.size()));
        roles = std::max(roles, static_cast<std::uint32_t>(code.roles.size()));
    };
    look_at(source.general);
    for (const LaneCode &code : source.modes) look_at(code);
    saved = Aligned(most);
    scratch = Aligned(static_cast<std::size_t>(scratch_vectors(groups, roles)) * source.slot_bytes);
    live_.assign(source.cycle.length() + 2, std::vector<std::uint8_t>(groups, 0));
    active_.assign(groups, 0);
    const std::size_t one = static_cast<std::size_t>(one_slot(*source.network)) * source.slot_bytes;
    std::memset(slots.bytes() + one, 0xFF, source.slot_bytes);
    if (source.collect_goals) std::memset(finals.bytes() + one, 0xFF, source.slot_bytes);
}

void Block::seed(std::uint64_t seed) {
    SplitMix64 source(seed);
    for (std::uint32_t word = 0; word < 4 * program.words; ++word) random.words()[word] = source.next();
}

void Block::select(int mode) {
    const LaneCode &code = program.code(mode);
    program.kernels.select({slots.bytes(), slots.bytes() + code.first_does, code.groups.data(), code.roles.data(),
                            static_cast<std::uint32_t>(code.roles.size()),
                            static_cast<std::uint32_t>(code.groups.size()), live_[live_index(mode)].data(),
                            active_.data(), scratch.bytes(), random.bytes(), over.bytes(), stuck.bytes()});
}

void Block::advance(int mode) {
    const LaneCode &code = program.code(mode);
    program.kernels.copy(code.copies.data(), static_cast<std::uint32_t>(code.copies.size()), slots.bytes(),
                         saved.bytes(), code.saved_copies, program.waits(mode) ? active.bytes() : nullptr);
}

void Block::evaluate_step(int mode) {
    run(program.code(mode).step.legal);
}

void Block::draw(int mode) {
    const NativeStep &step = program.code(mode).step;
    program.kernels.draw({slots.bytes(), step.roles.data(), static_cast<std::uint32_t>(step.roles.size()), step.playing,
                          random.bytes(), over.bytes(), stuck.bytes()});
}

void Block::advance_step(int mode) {
    run(program.code(mode).step.advance);
}

void Block::run(NativeEntry function) {
    for (std::uint32_t at = 0; at < program.slot_bytes; at += program.kernels.vector_bytes) function(slots.bytes() + at);
}

void Block::find_active(int mode) {
    std::fill_n(active.words(), program.words, ~0ull);
    const auto &values = program.cycle.values[static_cast<std::size_t>(mode)];
    for (std::uint32_t fluent : program.cycle.fluents)
        for (std::uint32_t word = 0; word < program.words; ++word)
            active.words()[word] &= slot(fluent * program.slot_bytes)[word] ^ (values[fluent] ? 0ull : ~0ull);
}

void Block::reset(const std::uint64_t *lanes) {
    program.kernels.reset(program.initial.data(), program.network->fluents, slots.bytes(), lanes);
}

void Block::clear_moves() {
    auto clear = [&](const LaneCode &code) {
        for (std::uint32_t offset : code.does) std::memset(slots.bytes() + offset, 0, program.slot_bytes);
    };
    clear(program.general);
    for (const LaneCode &code : program.modes) clear(code);
    for (auto &live : live_) std::fill(live.begin(), live.end(), 0);
}

void Block::forget(int mode, const std::uint64_t *lanes) {
    const std::vector<std::uint32_t> &warm = program.code(mode).warm;
    program.kernels.clear(warm.data(), static_cast<std::uint32_t>(warm.size()), slots.bytes(), lanes);
}

void Block::clear_done(int mode, bool all) {
    const LaneCode &code = program.code(mode);
    std::vector<std::uint8_t> &live = live_[live_index(mode)];
    for (std::size_t group = 0; group < code.groups.size(); ++group) {
        if (all || live[group])
            std::memset(slots.bytes() + code.first_does + group * 8 * program.slot_bytes, 0, 8 * program.slot_bytes);
        live[group] = 0;
    }
}

void Block::load(const std::uint8_t *states, std::size_t count) {
    const std::size_t fluents = program.network->fluents, bytes = packed_bytes(fluents);
    for (std::uint32_t offset : program.general.warm) std::memset(slots.bytes() + offset, 0, program.slot_bytes);
    const std::size_t words = std::min<std::size_t>(program.words, (count + 63) / 64);
    for (std::size_t word = 0; word < words; ++word)
        for (std::size_t chunk = 0; 64 * chunk < fluents; ++chunk) {
            std::uint64_t rows[64];
            for (std::size_t lane = 0; lane < 64; ++lane) {
                const std::size_t state = 64 * word + lane;
                rows[lane] = state < count ? load_chunk(states + state * bytes, bytes, chunk) : 0;
            }
            transpose64(rows);
            const std::size_t end = std::min<std::size_t>(64, fluents - 64 * chunk);
            for (std::size_t j = 0; j < end; ++j)
                slot(static_cast<std::uint32_t>((64 * chunk + j) * program.slot_bytes))[word] = rows[j];
        }
    if (words == program.words) return;
    for (std::size_t fluent = 0; fluent < fluents; ++fluent)
        std::fill_n(slot(static_cast<std::uint32_t>(fluent * program.slot_bytes)) + words, program.words - words, 0);
}

void Block::load_lanes(std::uint32_t word, std::uint64_t lanes, const std::uint8_t *state) {
    const std::size_t fluents = program.network->fluents, bytes = packed_bytes(fluents);
    for (std::size_t chunk = 0; 64 * chunk < fluents; ++chunk)
        for (std::uint64_t left = load_chunk(state, bytes, chunk); left; left &= left - 1) {
            const std::size_t fluent = 64 * chunk + static_cast<std::size_t>(__builtin_ctzll(left));
            if (fluent < fluents) slot(static_cast<std::uint32_t>(fluent * program.slot_bytes))[word] |= lanes;
        }
}

void Block::store_lane(const std::vector<Place> &places, std::uint8_t *row, std::size_t lane) const {
    std::fill_n(row, packed_bytes(places.size()), 0);
    for (std::size_t at = 0; at < places.size(); ++at) {
        const std::uint64_t bit = (slot(places[at].offset)[lane / 64] >> (lane & 63) & 1) ^ places[at].negated;
        row[at / 8] |= static_cast<std::uint8_t>(bit << (at & 7));
    }
}

void Block::store(const std::vector<Place> &places, std::uint8_t *rows, std::size_t count) const {
    const std::size_t bytes = packed_bytes(places.size());
    for (std::size_t word = 0; 64 * word < count; ++word)
        for (std::size_t chunk = 0; 64 * chunk < places.size(); ++chunk) {
            std::uint64_t planes[64] = {};
            for (std::size_t j = 0; j < 64 && 64 * chunk + j < places.size(); ++j) {
                const Place &place = places[64 * chunk + j];
                planes[j] = slot(place.offset)[word] ^ (place.negated ? ~0ull : 0ull);
            }
            transpose64(planes);
            for (std::size_t lane = 0; lane < 64 && 64 * word + lane < count; ++lane)
                store_chunk(rows + (64 * word + lane) * bytes, bytes, chunk, planes[lane]);
        }
}

}  // namespace ludorum
