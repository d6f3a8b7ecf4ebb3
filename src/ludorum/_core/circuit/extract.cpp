// Greedy extraction of common literals, the most common first.

#include "circuit/extract.hpp"

#include <algorithm>
#include <iterator>

namespace ludorum {

namespace {

constexpr std::size_t LONGEST = 10;      // pairs are counted in gates up to this length
constexpr std::size_t MOST_USERS = 100;  // a literal of more gates says little about what they share
constexpr std::size_t MOST_PAIRS = 30'000'000;
constexpr std::int32_t FEWEST_GATES = 5;  // a pair saves one literal a gate, and costs two and a gate
constexpr std::size_t FEWEST_LITERALS = 5;
constexpr int MOST_ROUNDS = 10;

std::uint64_t key_of(std::uint32_t one, std::uint32_t other) {
    return one < other ? static_cast<std::uint64_t>(one) << 32 | other : static_cast<std::uint64_t>(other) << 32 | one;
}

bool has(const std::vector<GateLiteral> &set, GateLiteral literal) {
    return std::binary_search(set.begin(), set.end(), literal);
}

void exchange(std::vector<GateLiteral> &set, std::span<const GateLiteral> gone, GateLiteral come) {
    std::erase_if(set, [&](GateLiteral one) { return std::binary_search(gone.begin(), gone.end(), one); });
    set.insert(std::lower_bound(set.begin(), set.end(), come), come);
}

}  // namespace

Extraction::Extraction(const OrderView &circuit, std::function<void()> poll)
    : circuit_(circuit), poll_(std::move(poll)), given_(circuit.offsets.size() - 1) {
    for (std::size_t gate = 0; gate < given_; ++gate) {
        Set &set = sets_.emplace_back(circuit.literals.begin() + circuit.offsets[gate],
                                      circuit.literals.begin() + circuit.offsets[gate + 1]);
        std::sort(set.begin(), set.end());
        set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    fixed_.assign(given_, 0);
    for (std::size_t at = 0; at < circuit.loops.size(); at += 2)
        for (std::int32_t gate = circuit.loops[at]; gate <= circuit.loops[at + 1]; ++gate) fixed_[gate] = 1;
}

bool Extraction::takes_pairs(std::size_t gate) const {
    return !fixed_[gate] && sets_[gate].size() > 1 && sets_[gate].size() <= LONGEST;
}

void Extraction::count_pair(GateLiteral one, GateLiteral other, int change) {
    const std::uint64_t key = key_of(one, other);
    const std::int32_t count = pairs_[key] += change;
    if (change < 0 || count < 2) return;
    if (queue_.size() <= static_cast<std::size_t>(count)) queue_.resize(count + 1);
    queue_[count].push_back(key);
}

void Extraction::share_pairs() {
    users_.assign(literal_of(sets_.size()), {});
    for (std::size_t gate = 0; gate < sets_.size(); ++gate) {
        if (!takes_pairs(gate)) continue;
        for (std::size_t at = 0; at < sets_[gate].size(); ++at) {
            users_[sets_[gate][at]].push_back(static_cast<std::int32_t>(gate));
            for (std::size_t before = 0; before < at; ++before) count_pair(sets_[gate][before], sets_[gate][at], 1);
        }
        if (pairs_.size() > MOST_PAIRS) return;
    }
    for (std::size_t count = queue_.size(); count-- > 2;) {
        // Counts only grow by what take_pair adds, which may be put above: then go up again.
        while (!queue_[count].empty()) {
            if (++polled_ % 1024 == 0) poll_();
            const std::uint64_t key = queue_[count].back();
            queue_[count].pop_back();
            if (pairs_[key] != static_cast<std::int32_t>(count)) continue;
            take_pair(static_cast<GateLiteral>(key >> 32), static_cast<GateLiteral>(key & 0xFFFFFFFF));
        }
        for (std::size_t above = queue_.size(); above-- > count + 1;)
            if (!queue_[above].empty()) {
                count = above + 1;
                break;
            }
    }
}

void Extraction::take_pair(GateLiteral one, GateLiteral other) {
    const GateLiteral rarer = users_[one].size() <= users_[other].size() ? one : other;
    std::vector<std::int32_t> gates;
    bool is_gate_already = false;
    for (std::int32_t gate : users_[rarer]) {
        if (!takes_pairs(gate) || !has(sets_[gate], one) || !has(sets_[gate], other)) continue;
        gates.push_back(gate);
        is_gate_already |= sets_[gate].size() == 2;
    }
    const auto count = static_cast<std::int32_t>(gates.size());
    pairs_[key_of(one, other)] = 0;
    if (count < (is_gate_already ? 2 : FEWEST_GATES)) return;
    const Set pair{std::min(one, other), std::max(one, other)};
    const GateLiteral made = literal_of(sets_.size());
    sets_.push_back(pair);
    fixed_.push_back(1);  // it is as small as it can be
    users_.resize(made + 2);
    for (std::int32_t gate : gates) {
        for (GateLiteral third : sets_[gate]) {
            if (third == one || third == other) continue;
            count_pair(one, third, -1);
            count_pair(other, third, -1);
            count_pair(made, third, 1);
        }
        exchange(sets_[gate], pair, made);
        users_[made].push_back(gate);
    }
}

void Extraction::share_sets() {
    for (int round = 0; round < MOST_ROUNDS; ++round)
        if (!share_sets_once()) break;
}

bool Extraction::share_sets_once() {
    users_.assign(literal_of(sets_.size()), {});
    for (std::size_t gate = 0; gate < sets_.size(); ++gate)
        if (!fixed_[gate] && sets_[gate].size() >= FEWEST_LITERALS)
            for (GateLiteral literal : sets_[gate]) users_[literal].push_back(static_cast<std::int32_t>(gate));
    std::unordered_map<std::uint64_t, std::int32_t> shared;
    for (const auto &gates : users_) {
        if (++polled_ % 1024 == 0) poll_();
        if (gates.size() < 2 || gates.size() > MOST_USERS) continue;
        for (std::size_t at = 1; at < gates.size(); ++at)
            for (std::size_t before = 0; before < at; ++before) ++shared[key_of(gates[before], gates[at])];
        if (shared.size() > MOST_PAIRS) return false;
    }
    std::vector<std::pair<std::int32_t, std::uint64_t>> ranked;
    for (auto [key, count] : shared)
        if (count >= static_cast<std::int32_t>(FEWEST_LITERALS)) ranked.emplace_back(-count, key);
    std::sort(ranked.begin(), ranked.end());
    bool any = false;
    for (auto [_, key] : ranked) {
        Set &one = sets_[key >> 32], &other = sets_[key & 0xFFFFFFFF];
        Set common;
        std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(common));
        if (common.size() < FEWEST_LITERALS) continue;
        const GateLiteral made = literal_of(sets_.size());
        exchange(one, common, made);
        exchange(other, common, made);
        sets_.push_back(std::move(common));
        fixed_.push_back(0);
        any = true;
    }
    return any;
}

// New gates are written before the first gate that uses them.
void Extraction::emit(std::size_t gate, std::vector<std::int32_t> &order, std::vector<char> &emitted) const {
    if (emitted[gate]) return;
    emitted[gate] = 1;
    for (GateLiteral literal : sets_[gate]) {
        const std::int64_t inside = static_cast<std::int64_t>(literal >> 1) - circuit_.first_gate;
        if (inside >= static_cast<std::int64_t>(given_)) emit(inside, order, emitted);
    }
    order.push_back(static_cast<std::int32_t>(gate));
}

GateArrays Extraction::finish(std::span<const std::int32_t> outputs) const {
    std::vector<std::int32_t> order;
    std::vector<char> emitted(sets_.size(), 0);
    for (std::size_t gate = 0; gate < given_; ++gate) emit(gate, order, emitted);
    std::vector<std::int32_t> place(sets_.size(), 0);
    for (std::size_t at = 0; at < order.size(); ++at) place[order[at]] = static_cast<std::int32_t>(at);
    auto moved = [&](GateLiteral literal) {
        const GateLiteral gate = (literal >> 1) - circuit_.first_gate;
        return gate < 0 ? literal : 2 * (circuit_.first_gate + place[gate]) + (literal & 1);
    };
    GateArrays arrays;
    arrays.offsets.push_back(0);
    for (std::int32_t gate : order) {
        for (GateLiteral literal : sets_[gate]) arrays.literals.push_back(moved(literal));
        arrays.offsets.push_back(static_cast<GateLiteral>(arrays.literals.size()));
    }
    for (GateLiteral literal : outputs) arrays.outputs.push_back(moved(literal));
    return arrays;
}

}  // namespace ludorum
