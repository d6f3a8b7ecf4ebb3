// The memory of lanes: what it holds, and how rows of states go in and out.

#include <algorithm>
#include <cstring>
#include <new>

#include "common/bits.hpp"
#include "lanes/program.hpp"
#include "common/random.hpp"

namespace ludorum {

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
      random((1 + RANDOM_PLANES) * source.slot_bytes),
      over(source.slot_bytes),
      playing(source.slot_bytes),
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
    source.each_code(look_at);
    saved = Aligned(most);
    scratch = Aligned(static_cast<std::size_t>(scratch_vectors(groups, roles)) * source.slot_bytes);
    live_.assign(LIVE_GROUPS, std::vector<std::uint8_t>(groups, 0));
    active_.assign(groups, 0);
    const std::size_t one = static_cast<std::size_t>(one_slot(*source.network)) * source.slot_bytes;
    std::memset(slots.bytes() + one, 0xFF, source.slot_bytes);
    if (source.collect_goals) std::memset(finals.bytes() + one, 0xFF, source.slot_bytes);
}

void Block::seed(std::uint64_t seed) {
    SplitMix64 source(seed);
    random.words()[0] = 0;
    for (std::uint32_t word = 0; word < RANDOM_PLANES * program.words; ++word)
        random.words()[program.words + word] = source.next();
}

void Block::select(const LaneCode &code) {
    program.kernels.select({slots.bytes(), slots.bytes() + code.first_does, code.groups.data(), code.roles.data(),
                            static_cast<std::uint32_t>(code.roles.size()),
                            static_cast<std::uint32_t>(code.groups.size()), live_[code.live].data(),
                            active_.data(), scratch.bytes(), random.bytes(), over.bytes(), playing.bytes()});
    clear_drawn(code);
    for (const RepeatedMove &one : code.repeated) {
        std::uint64_t *done = slot(code.does[one.move]);
        for (std::uint32_t place = one.first; place < one.end; ++place) {
            const std::uint64_t *chosen = slot(code.first_does + place * program.slot_bytes);
            for (std::uint32_t word = 0; word < program.words; ++word) done[word] |= chosen[word];
        }
    }
}

void Block::clear_drawn(const LaneCode &code) {
    for (const RepeatedMove &one : code.repeated) std::fill_n(slot(code.does[one.move]), program.words, 0);
    const Network &network = *program.network;
    for (std::uint32_t role : code.apart)
        for (std::uint32_t move = network.role_begin(role); move < network.role_ends[role]; ++move)
            std::fill_n(slot(code.does[move]), program.words, 0);
}

void Block::advance(const LaneCode &code, bool waits) {
    program.kernels.copy(code.copies.data(), static_cast<std::uint32_t>(code.copies.size()), slots.bytes(),
                         saved.bytes(), code.saved_copies, waits ? active.bytes() : nullptr);
}

void Block::draw(const LaneCode &code) {
    const NativeStep &step = code.step;
    program.kernels.draw({slots.bytes(), step.roles.data(), static_cast<std::uint32_t>(step.roles.size()),
                          random.bytes(), over.bytes(), slots.bytes() + step.playing});
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
    program.each_code([&](const LaneCode &code) {
        for (std::uint32_t offset : code.does) std::memset(slots.bytes() + offset, 0, program.slot_bytes);
        std::memset(slots.bytes() + code.first_does, 0, 8 * code.groups.size() * program.slot_bytes);
    });
    for (auto &live : live_) std::fill(live.begin(), live.end(), 0);
}

void Block::forget(int mode, const std::uint64_t *lanes) {
    const std::vector<std::uint32_t> &warm = program.code(mode).warm;
    program.kernels.clear(warm.data(), static_cast<std::uint32_t>(warm.size()), slots.bytes(), lanes);
}

void Block::clear_done(const LaneCode &code, bool all) {
    std::vector<std::uint8_t> &live = live_[code.live];
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
