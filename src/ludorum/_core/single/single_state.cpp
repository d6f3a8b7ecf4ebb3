// Where play begins, and random moves for one state: counts of bits, then the bit of that number.

#include "single/single_state.hpp"

#include "common/legal_moves.hpp"

namespace ludorum {

namespace {

// The bit of that number, from 0 on, among those that are set.
std::uint32_t select_bit(std::uint64_t bits, std::uint64_t number) {
    for (; number; --number) bits &= bits - 1;
    return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

// Number of a legal move in begin .. end, or -1.
std::int32_t choose_even(const std::uint64_t *legal, std::uint32_t begin, std::uint32_t end, SplitMix64 &random) {
    if (begin == end) return -1;
    const std::uint32_t first = begin / 64, last = (end - 1) / 64;
    auto bits = [&](std::uint32_t word) {
        std::uint64_t found = legal[word];
        if (word == first) found &= ~0ull << (begin & 63);
        if (word == last && (end & 63)) found &= ~(~0ull << (end & 63));
        return found;
    };
    std::uint64_t total = 0;
    for (std::uint32_t word = first; word <= last; ++word)
        total += static_cast<std::uint64_t>(__builtin_popcountll(bits(word)));
    if (!total) return -1;
    std::uint64_t left = total == 1 ? 0 : random.below(total);
    for (std::uint32_t word = first;; ++word) {
        const std::uint64_t found = bits(word);
        const auto here = static_cast<std::uint64_t>(__builtin_popcountll(found));
        if (left < here) return static_cast<std::int32_t>(64 * word + select_bit(found, left));
        left -= here;
    }
}

// The same where moves have weights.
std::int32_t choose_weighted(const Network &network, const std::uint64_t *legal, std::uint32_t role,
                             SplitMix64 &random) {
    std::uint32_t count = 0;
    std::uint64_t total = 0;
    each_legal(network, legal, role, [&](std::int32_t move) {
        ++count;
        total += network.weights[static_cast<std::size_t>(move)];
    });
    if (!count) return -1;
    std::uint64_t left = count == 1 ? 0 : random.below(total);
    std::int32_t chosen = -1;
    each_legal(network, legal, role, [&](std::int32_t move) {
        const std::uint32_t weight = network.weights[static_cast<std::size_t>(move)];
        if (chosen < 0 && left < weight) chosen = move;
        left -= weight;
    });
    return chosen;
}

std::int32_t choose_move(const Network &network, const std::uint64_t *legal, std::uint32_t role, SplitMix64 &random) {
    if (network.has_weights && network.weighted[role]) return choose_weighted(network, legal, role, random);
    return choose_even(legal, network.role_begin(role), network.role_ends[role], random);
}

}  // namespace

Words initial_state(const Network &network) {
    Words initial((network.fluents + 63) / 64, 0);
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        if (network.initial[fluent]) initial[fluent / 64] |= 1ull << (fluent & 63);
    return initial;
}

bool choose_moves(const Network &network, const SingleState &state, SplitMix64 &random,
                  std::vector<std::int32_t> &moves) {
    const std::uint64_t *legal = state.legal();
    const std::int32_t *forced = state.forced();
    for (std::uint32_t role = 0; role < network.roles(); ++role) {
        moves[role] = forced[role] >= 0 ? forced[role] : choose_move(network, legal, role, random);
        if (moves[role] < 0) return false;
    }
    return true;
}

}  // namespace ludorum
