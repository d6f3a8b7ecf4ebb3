// Programs and blocks: a network laid out for one width of lanes.

#include "lanes/program.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>

#include "common/ask_to_stop.hpp"
#include "common/bits.hpp"
#include "lanes/native.hpp"
#include "circuit/settled_ends.hpp"
#include "circuit/turns.hpp"
#include "circuit/warm_loops.hpp"

namespace ludorum {

GoalCounts::GoalCounts(const std::vector<Place> &goals, std::uint32_t zero) {
    for (const Place &goal : goals) {
        const auto found = std::find_if(places.begin(), places.end(), [&](const Place &place) {
            return place.offset == goal.offset && place.negated == goal.negated;
        });
        const bool never = goal.offset == zero && !goal.negated;
        numbers.push_back(never ? NEVER : 1 + static_cast<std::uint32_t>(found - places.begin()));
        if (!never && found == places.end()) places.push_back(goal);
    }
}

LaneProgram::LaneProgram(std::shared_ptr<const Network> source, const LaneKernels &chosen, bool values_last,
                         const Cycle *turns)
    : network(std::move(source)),
      kernels(chosen),
      lasting(values_last),
      slot_bytes(chosen.lanes / 8),
      words(chosen.lanes / 64),
      cycle(turns ? *turns : find_cycle(*network)),
      latches(values_last ? std::vector<Literal>{} : latches_of(*network)) {
    AskToStop heed;  // between stages, of which each is short
    std::uint32_t free = first_free_slot(*network);
    std::vector<Specialised> variants;
    std::vector<std::optional<Specialised>> wholes;
    std::vector<std::vector<std::uint32_t>> before;
    for (std::uint32_t mode = 0; mode < cycle.length(); ++mode) {
        heed();
        variants.push_back(specialise(*network, cycle.values[mode]));
        before.push_back({(mode + cycle.length() - 1) % cycle.length()});
    }
    if (cycle.in_turn && !lasting) wholes = settle_ends(*network, cycle.values, before, variants);
    std::vector<Draft> drafts;
    std::vector<std::optional<Draft>> whole_drafts(variants.size());
    // Moves are made in one mode at a time: all modes use the same slots for them.
    const std::uint32_t first_move = free;
    auto draft_mode = [&](const Specialised &one) {
        heed();
        std::uint32_t end = first_move;
        Draft made = draft(one.network, one.forced, end);
        free = std::max(free, end);
        return made;
    };
    for (const Specialised &one : variants) drafts.push_back(draft_mode(one));
    for (std::size_t mode = 0; mode < wholes.size(); ++mode)
        if (wholes[mode]) whole_drafts[mode].emplace(draft_mode(*wholes[mode]));
    heed();
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
    heed();
    general = finish(std::move(any), free, {});
    for (Draft &one : drafts) {
        heed();
        modes.push_back(finish(std::move(one), free, {}));
    }
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
        modes[mode].after = static_cast<int>((mode + 1) % modes.size());
        modes[mode].live = LIVE_OF_MODES;
        if (!whole_drafts[mode]) continue;
        heed();
        modes[mode].whole = std::make_unique<LaneCode>(finish(std::move(*whole_drafts[mode]), free, {}));
        modes[mode].whole->after = modes[mode].after;
        modes[mode].whole->live = LIVE_OF_MODES;
    }
    make_native_codes(-1, free);
    each_code([&](const LaneCode &code) { slots = std::max(slots, code.slots); });
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

// Where modes share the slots of a loop, one of them can use the values that the other has derived.
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
    AskToStop heed;
    timetable = std::move(followed);
    const std::uint32_t length = timetable.length();
    const Literal yes = 2 * network->true_node();
    auto after = [&](std::uint32_t step) { return step + 1 < length ? step + 1 : timetable.again; };
    std::vector<Specialised> variants;
    std::vector<std::optional<Specialised>> wholes(length);
    std::vector<std::vector<std::uint32_t>> before(length);
    for (std::uint32_t step = 0; step < length; ++step) {
        heed();
        variants.push_back(specialise(*network, timetable.values[step]));
        before[after(step)].push_back(step);
    }
    if (!lasting) wholes = settle_ends(*network, timetable.values, before, variants);
    const std::uint32_t first = slots;
    std::uint32_t first_gate = first;
    auto draft_step = [&](Specialised &one, std::uint32_t step) {
        const auto &following = timetable.values[after(step)];
        for (std::uint32_t fluent = 0; fluent < network->fluents; ++fluent)
            if (following[fluent] != UNKNOWN) one.network.next[fluent] = yes + (following[fluent] ? 0 : 1);
        std::uint32_t free = first;
        Draft made = draft(one.network, one.forced, free);
        first_gate = std::max(first_gate, free);
        return made;
    };
    std::vector<Draft> drafts;
    std::vector<std::optional<Draft>> whole_drafts(length);
    for (std::uint32_t step = 0; step < length; ++step) {
        heed();
        drafts.push_back(draft_step(variants[step], step));
        if (wholes[step]) whole_drafts[step].emplace(draft_step(*wholes[step], step));
    }
    auto finish_step = [&](Draft &&draft, std::uint32_t step) {
        LaneCode code = finish(std::move(draft), first_gate, timetable.values[after(step)]);
        code.after = first_timed() + static_cast<int>(after(step));
        code.live = LIVE_OF_STEPS;
        return code;
    };
    for (std::uint32_t step = 0; step < length; ++step) {
        heed();
        modes.push_back(finish_step(std::move(drafts[step]), step));
        if (whole_drafts[step])
            modes.back().whole = std::make_unique<LaneCode>(finish_step(std::move(*whole_drafts[step]), step));
    }
    make_native_codes(first_timed(), first_gate);
    each_code([&](const LaneCode &code) { slots = std::max(slots, code.slots); });
}

std::unique_ptr<LaneProgram> compile_lanes(const std::shared_ptr<const Network> &network, const LaneKernels &kernels,
                                           const BlockLimit &limit) {
    auto program = std::make_unique<LaneProgram>(network, kernels);
    const std::size_t bytes = static_cast<std::size_t>(program->slots) * program->slot_bytes;
    const bool small = 2 * bytes <= limit.small_bytes;
    if (kernels.vector_bytes != 16 || (bytes <= limit.bytes && !small)) return program;
    const std::uint32_t vectors = program->coded && bytes > limit.native_bytes ? 1 : limit.vectors;
    const std::uint32_t lanes = small ? 2 * kernels.lanes : 8 * vectors * kernels.vector_bytes;
    const LaneKernels *better = find_kernels(lanes, kernels.name, kernels.native);
    if (better && better != &kernels) program = std::make_unique<LaneProgram>(network, *better);
    return program;
}

std::size_t LaneProgram::code_bytes() const {
    std::size_t sum = 0;
    auto add = [&](const std::shared_ptr<const NativeCode> &code) { sum += code ? code->bytes() : 0; };
    each_code([&](const LaneCode &code) {
        for (const LanePhase *phase : {&code.legal_phase, &code.goal_phase, &code.sees_phase, &code.next_phase})
            add(phase->native);
        add(code.step.code);
    });
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

// What divides all weights of a role, whose moves then have so many places in groups; 0 where these are too many.
static std::uint32_t divisor_of_weights(const Network &network, std::uint32_t role) {
    std::uint64_t sum = 0;
    std::uint32_t divisor = 0;
    for (std::uint32_t move = network.role_begin(role); move < network.role_ends[role]; ++move) {
        if (network.legal[move] == 2 * network.true_node() + 1) continue;
        sum += network.weights[move];
        divisor = std::gcd(divisor, network.weights[move]);
    }
    divisor = std::max(divisor, 1u);  // 0 where no move is possible
    return sum <= MOST_PLACES * divisor ? divisor : 0;
}

// One place more of a move; a run of places ends where a group ends, since the next begins with empty ones between.
static void repeat(LaneCode &code, std::uint32_t move, std::uint32_t place) {
    if (!code.repeated.empty() && code.repeated.back().move == move && code.repeated.back().end == place)
        ++code.repeated.back().end;
    else
        code.repeated.push_back({move, place, place + 1});
}

// Moves in groups of at most eight, all about as large, of one role and one sign; those that are never legal are in none.
LaneProgram::Draft LaneProgram::draft(const Network &source, const std::vector<char> &forced,
                                      std::uint32_t &free) const {
    Draft draft{source, forced, {}, std::vector<std::uint32_t>(source.moves, UINT32_MAX), {}, {}, {}};
    LaneCode &code = draft.code;
    code.first_does = free * slot_bytes;
    for (std::uint32_t role = 0; role < source.roles(); ++role) {
        if (forced[role]) continue;
        const std::uint32_t divisor = source.weighted[role] ? divisor_of_weights(source, role) : 1;
        if (!divisor) {
            code.apart.push_back(role);
            continue;
        }
        const auto first = static_cast<std::uint32_t>(code.groups.size());
        for (std::uint32_t sign : {0u, 1u}) {
            std::vector<std::uint32_t> moves;
            for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move)
                if ((source.legal[move] & 1) == sign && source.legal[move] != 2 * source.true_node() + 1)
                    moves.insert(moves.end(), source.weights[move] / divisor, move);
            const std::size_t groups = (moves.size() + 7) / 8;
            for (std::size_t group = 0; group < groups; ++group) {
                MoveGroup empty;
                std::fill_n(empty.legal, 8, (sign ? one_slot(source) : zero_slot(source)) * slot_bytes);
                empty.negated = sign;
                const std::size_t begin = moves.size() * group / groups, end = moves.size() * (group + 1) / groups;
                for (std::size_t at = begin; at < end; ++at) {
                    const auto place = static_cast<std::uint32_t>(8 * code.groups.size() + at - begin);
                    if (source.weighted[role])
                        repeat(code, moves[at], place);
                    else
                        draft.move_slots[moves[at]] = free + place;
                }
                code.groups.push_back(empty);
            }
        }
        code.roles.push_back({first, static_cast<std::uint32_t>(code.groups.size())});
    }
    free += 8 * static_cast<std::uint32_t>(code.groups.size());
    for (const RepeatedMove &one : code.repeated)
        if (draft.move_slots[one.move] == UINT32_MAX) draft.move_slots[one.move] = free++;
    for (std::uint32_t role : code.apart)
        for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move)
            if (source.legal[move] != 2 * source.true_node() + 1) draft.move_slots[move] = free++;
    // Moves that are in no group are folded away, but for those that may be tried in any state.
    const std::uint32_t nowhere = free++;
    for (std::uint32_t &slot : draft.move_slots)
        if (slot == UINT32_MAX) slot = &source == network.get() ? free++ : nowhere;
    return draft;
}

// Legal literals to choose among; those that are always legal, or fill up a group, need not be read.
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
    // Whole steps choose among legal moves after the goals were evaluated.
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
    for (const RepeatedMove &one : code.repeated)
        for (std::uint32_t place = one.first; place < one.end; ++place)
            code.groups[place / 8].legal[place % 8] = code.legal[one.move].offset;
    code.choices = count_choices(code, one_slot(source) * slot_bytes, zero_slot(source) * slot_bytes);
    code.terminal = place(layout.slot(source.terminal));
    code.goal_phase = layout.next_phase();
    for (Literal literal : source.goals) code.goals.push_back(place(layout.slot(literal)));
    code.goal_counts = GoalCounts(code.goals, zero_slot(source) * slot_bytes);
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
    std::vector<std::pair<LaneCode *, std::vector<Place>>> codes;
    if (first < 0) codes.push_back({&general, {}});
    for (auto mode = static_cast<std::size_t>(std::max(first, 0)); mode < modes.size(); ++mode) {
        codes.push_back({&modes[mode], active_places(mode)});
        if (modes[mode].whole) codes.push_back({modes[mode].whole.get(), active_places(mode)});
    }
    std::size_t literals = 0;
    for (const auto &[code, active] : codes) literals += code->literals() + code->goal_phase.literals;
    if (literals > NATIVE_LITERALS) return;
    coded = true;
    for (const auto &[code, active] : codes) make_native_phases(*code, first_gate_slot, active);
}

// The literals that hold in the lanes whose turn it is, where others wait.
std::vector<Place> LaneProgram::active_places(std::size_t mode) const {
    std::vector<Place> places;
    if (cycle.in_turn || mode >= cycle.length()) return places;
    for (std::uint32_t fluent : cycle.fluents) places.push_back({fluent * slot_bytes, !cycle.values[mode][fluent]});
    return places;
}

// A step evaluates legality, then goals and percepts or neither, and then the next state.
void LaneProgram::make_native_phases(LaneCode &code, std::uint32_t first_gate_slot,
                                     const std::vector<Place> &active) const {
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
    if (lasting) return;
    LiveSlots ending = mark(mark(LiveSlots(code.slots, 0), code.goals), {code.terminal});
    ending = read_before(code.goal_phase, std::move(ending), map);
    code.step = make_step(code, {map, one_slot(*network) * slot_bytes, zero_slot(*network) * slot_bytes, active, ending});
}

// Fluents of the next state that a timetable knows are in its code, not in its slots.
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
    final_counts = GoalCounts(final_goals, zero_slot(*network) * slot_bytes);
    final_slots = layout.size();
    final_phase.scale(slot_bytes);
    if (!kernels.native) return;
    LiveSlots live(final_slots, 0);
    for (const Place &goal : final_goals) live[goal.offset / slot_bytes] = 1;
    make_native(final_phase, std::move(live), {slot_bytes, kernels.vector_bytes, free});
}

}  // namespace ludorum
