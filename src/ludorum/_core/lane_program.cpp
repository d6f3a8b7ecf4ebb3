// Programs and blocks: a network laid out for one width of lanes.

#include "lane_program.hpp"

#include <algorithm>
#include <cstring>

#include "bits.hpp"
#include "random.hpp"

namespace ludorum {

LaneProgram::LaneProgram(std::shared_ptr<const Network> source, const LaneKernels &chosen)
    : network(std::move(source)), kernels(chosen), slot_bytes(chosen.lanes / 8), words(chosen.lanes / 64) {
    Layout layout(*network);
    std::vector<Literal> first = network->legal;
    first.push_back(network->terminal);
    legal_phase = layout.phase(first, true);
    for (Literal literal : network->legal) legal.push_back(place(layout.slot(literal)));
    terminal = place(layout.slot(network->terminal));
    build_groups(layout);
    goal_phase = layout.phase(network->goals, false);
    for (Literal literal : network->goals) goals.push_back(place(layout.slot(literal)));
    next_phase = layout.phase(network->next, true);
    for (Literal literal : network->next) next.push_back(place(layout.slot(literal)));
    build_copies(layout);
    sees_phase = layout.phase(network->sees, false);
    for (Literal literal : network->sees) sees.push_back(place(layout.slot(literal)));
    slots = layout.size();
    one_offset = layout.one() * slot_bytes;
    for (std::uint8_t bit : network->initial) initial.push_back(bit ? ~0ull : 0ull);
    build_finals();
    for (Phase *phase : {&legal_phase, &goal_phase, &next_phase, &sees_phase, &final_phase}) phase->scale(slot_bytes);
}

void LaneProgram::build_groups(const Layout &layout) {
    for (std::uint32_t role = 0; role < network->roles(); ++role) {
        const auto first = static_cast<std::uint32_t>(groups.size());
        for (std::uint32_t sign : {0u, 1u}) {
            std::uint32_t filled = 8;
            for (std::uint32_t move = network->role_begin(role); move < network->role_ends[role]; ++move) {
                const std::uint32_t slot = layout.slot(network->legal[move]);
                if ((slot & 1) != sign || slot == 2 * layout.one() + 1) continue;  // never legal
                if (filled == 8) {
                    MoveGroup empty;
                    std::fill_n(empty.legal, 8, (sign ? layout.one() : layout.zero()) * slot_bytes);
                    std::fill_n(empty.does, 8, layout.junk() * slot_bytes);
                    empty.negated = sign ? ~0u : 0u;
                    groups.push_back(empty);
                    filled = 0;
                }
                groups.back().legal[filled] = (slot >> 1) * slot_bytes;
                groups.back().does[filled++] = (network->fluents + move) * slot_bytes;
            }
        }
        roles.push_back({first, static_cast<std::uint32_t>(groups.size())});
    }
}

void LaneProgram::build_copies(const Layout &layout) {
    std::vector<Copy> plain;
    for (std::uint32_t fluent = 0; fluent < network->fluents; ++fluent) {
        const std::uint32_t slot = layout.slot(network->next[fluent]);
        if (slot == 2 * fluent) continue;  // never changes
        const Copy copy{fluent * slot_bytes, (slot >> 1) * slot_bytes, slot & 1 ? ~0u : 0u};
        (slot >> 1 < network->fluents ? copies : plain).push_back(copy);
    }
    saved_copies = static_cast<std::uint32_t>(copies.size());
    copies.insert(copies.end(), plain.begin(), plain.end());
}

// Goals that share little with legality are cheaper for many finished lanes together: taking over the fluents
// they need costs three memory accesses a fluent, in every step in which some lane ends.
void LaneProgram::build_finals() {
    collect_goals = goal_phase.inputs.size() > 0;
    if (!collect_goals) return;
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
    collect_goals = goal_phase.inputs.size() > 4 * final_fluents.size();
    if (!collect_goals) {
        final_fluents.clear();
        return;
    }
    Layout layout(*network);
    final_phase = layout.phase(network->goals, true);
    for (Literal literal : network->goals) final_goals.push_back(place(layout.slot(literal)));
    final_slots = layout.size();
    final_one_offset = layout.one() * slot_bytes;
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
      ended(source.slot_bytes) {
    std::size_t carried = source.saved_copies;
    for (const Phase *phase : {&source.legal_phase, &source.goal_phase, &source.next_phase, &source.sees_phase,
                               &source.final_phase})
        carried = std::max(carried, phase->carried.size());
    saved = Aligned(carried * source.slot_bytes);
    const auto groups = static_cast<std::uint32_t>(source.groups.size());
    scratch = Aligned(static_cast<std::size_t>(scratch_vectors(groups, static_cast<std::uint32_t>(source.roles.size()))) *
                      source.kernels.vector_bytes);
    live.assign(static_cast<std::size_t>(groups) * (source.slot_bytes / source.kernels.vector_bytes), 0);
    active.assign(groups, 0);
    std::memset(slots.bytes() + source.one_offset, 0xFF, source.slot_bytes);
    if (source.collect_goals) std::memset(finals.bytes() + source.final_one_offset, 0xFF, source.slot_bytes);
}

void Block::seed(std::uint64_t seed) {
    SplitMix64 source(seed);
    for (std::uint32_t word = 0; word < 4 * program.words; ++word) random.words()[word] = source.next();
}

void Block::select() {
    program.kernels.select({slots.bytes(), program.groups.data(), program.roles.data(),
                            static_cast<std::uint32_t>(program.roles.size()),
                            static_cast<std::uint32_t>(program.groups.size()), live.data(), active.data(),
                            scratch.bytes(), random.bytes(), over.bytes(), stuck.bytes()});
}

void Block::advance() {
    program.kernels.copy(program.copies.data(), static_cast<std::uint32_t>(program.copies.size()), slots.bytes(),
                         saved.bytes(), program.saved_copies);
}

void Block::reset(const std::uint64_t *lanes) {
    program.kernels.reset(program.initial.data(), program.network->fluents, slots.bytes(), lanes);
}

void Block::clear_moves() {
    std::memset(slots.bytes() + static_cast<std::size_t>(program.network->fluents) * program.slot_bytes, 0,
                static_cast<std::size_t>(program.network->moves) * program.slot_bytes);
    std::fill(live.begin(), live.end(), 0);
}

void Block::load(const std::uint8_t *states, std::size_t count) {
    const std::size_t fluents = program.network->fluents, bytes = packed_bytes(fluents);
    for (std::size_t word = 0; word < program.words; ++word)
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
}

void Block::load_lane(std::uint32_t lane, const std::uint8_t *state) {
    const std::size_t fluents = program.network->fluents, bytes = packed_bytes(fluents);
    const std::uint64_t bit = 1ull << (lane & 63);
    for (std::size_t chunk = 0; 64 * chunk < fluents; ++chunk)
        for (std::uint64_t left = load_chunk(state, bytes, chunk); left; left &= left - 1) {
            const std::size_t fluent = 64 * chunk + static_cast<std::size_t>(__builtin_ctzll(left));
            if (fluent < fluents) slot(static_cast<std::uint32_t>(fluent * program.slot_bytes))[lane / 64] |= bit;
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
