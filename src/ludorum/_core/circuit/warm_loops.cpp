// Growth by polarity: an AND grows with its inputs, and a negation grows where its node shrinks.

#include "circuit/warm_loops.hpp"

#include <algorithm>

#include "circuit/latches.hpp"

namespace ludorum {

namespace {

constexpr std::uint8_t GROWS = 1, SHRINKS = 2, STAYS = 3;

std::uint8_t of(const std::vector<std::uint8_t> &trends, Literal literal) {
    const std::uint8_t trend = trends[literal >> 1];
    return literal & 1 ? static_cast<std::uint8_t>((trend >> 1 | trend << 1) & STAYS) : trend;
}

}  // namespace

std::vector<std::uint32_t> carried_gates(const Network &network, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t base = network.first_gate();
    std::vector<std::uint32_t> carried;
    for (std::uint32_t gate = first; gate <= last; ++gate)
        for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at) {
            const std::uint32_t node = network.gate_literals[at] >> 1;
            if (node >= base + gate && node <= base + last) carried.push_back(node - base);
        }
    std::sort(carried.begin(), carried.end());
    carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
    return carried;
}

std::vector<Literal> latches_of(const Network &network) {
    if (network.loops.empty()) return {};
    const std::vector<std::int32_t> offsets(network.gate_offsets.begin(), network.gate_offsets.end());
    const std::vector<std::int32_t> literals(network.gate_literals.begin(), network.gate_literals.end());
    const std::vector<std::int32_t> next(network.next.begin(), network.next.end());
    std::vector<std::int32_t> loops;
    for (auto [first, last] : network.loops) {
        loops.push_back(static_cast<std::int32_t>(first));
        loops.push_back(static_cast<std::int32_t>(last));
    }
    const std::vector<std::int32_t> found =
        find_latches({static_cast<std::int32_t>(network.first_gate()), offsets, literals, loops}, next, [] {});
    return {found.begin(), found.end()};
}

std::vector<char> find_warm_loops(const Network &network, const std::vector<Literal> &latches) {
    std::vector<std::uint8_t> trends(network.nodes(), 0);
    trends[network.true_node()] = STAYS;
    for (Literal literal : latches) trends[literal >> 1] |= literal & 1 ? SHRINKS : GROWS;
    auto set = [&](std::uint32_t gate) {
        std::uint8_t trend = STAYS;
        for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at)
            trend &= of(trends, network.gate_literals[at]);
        std::uint8_t &known = trends[network.first_gate() + gate];
        const bool changed = known != trend;
        known = trend;
        return changed;
    };
    std::vector<char> warm;
    std::uint32_t gate = 0;
    for (auto [first, last] : network.loops) {
        for (; gate < first; ++gate) set(gate);
        // All of a loop is taken to stay as it is until something speaks against it.
        std::fill(trends.begin() + network.first_gate() + first, trends.begin() + network.first_gate() + last + 1,
                  STAYS);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t one = first; one <= last; ++one) changed |= set(one);
        }
        gate = last + 1;
        char grows = 1;
        for (std::uint32_t carried : carried_gates(network, first, last))
            grows &= trends[network.first_gate() + carried] & GROWS;
        warm.push_back(grows);
    }
    return warm;
}

std::vector<std::uint32_t> lasting_gates(const Network &network, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t base = network.first_gate();
    std::vector<std::uint32_t> lasting = carried_gates(network, first, last);
    auto add = [&](Literal literal) {
        if (literal >> 1 >= base + first && literal >> 1 <= base + last) lasting.push_back((literal >> 1) - base);
    };
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate)
        for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at)
            if (gate < first || gate > last) add(network.gate_literals[at]);
    for (const auto *outputs : {&network.legal, &network.goals, &network.next, &network.sees})
        for (Literal literal : *outputs) add(literal);
    add(network.terminal);
    std::sort(lasting.begin(), lasting.end());
    lasting.erase(std::unique(lasting.begin(), lasting.end()), lasting.end());
    return lasting;
}

namespace {

// The fluents a loop depends on; nothing where it depends on moves, or on fluents that modes know.
std::vector<std::uint32_t> loop_fluents(const Network &network, std::uint32_t last,
                                        const std::vector<std::uint32_t> &known) {
    const std::uint32_t base = network.first_gate();
    const std::vector<char> cone = network.cone({2 * (base + last)});
    std::vector<char> read(base, 0);
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate)
        for (std::uint32_t at = network.gate_offsets[gate]; cone[gate] && at < network.gate_offsets[gate + 1]; ++at)
            if (network.gate_literals[at] >> 1 < base) read[network.gate_literals[at] >> 1] = 1;
    if (std::any_of(read.begin() + network.fluents, read.begin() + network.true_node(), [](char one) { return one; }))
        return {};
    if (std::any_of(known.begin(), known.end(), [&](std::uint32_t fluent) { return read[fluent]; })) return {};
    std::vector<std::uint32_t> fluents;
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        if (read[fluent]) fluents.push_back(fluent);
    return fluents;
}

bool is_legality(const Network &network, std::uint32_t loop) {
    std::vector<Literal> outputs = network.legal;
    outputs.push_back(network.terminal);
    return network.cone(outputs)[network.loops[loop].first];
}

}  // namespace

std::vector<std::vector<char>> find_settled_loops(const Network &network, const std::vector<Specialised> &modes,
                                                  const std::vector<std::uint32_t> &known_fluents,
                                                  const std::vector<char> &warm) {
    std::vector<std::vector<char>> settled(modes.size(), std::vector<char>(network.loops.size(), 0));
    const std::vector<char> initial =
        plain_values(network, std::vector<char>(network.initial.begin(), network.initial.end()));
    for (std::uint32_t loop = 0; loop < network.loops.size(); ++loop) {
        const auto [first, last] = network.loops[loop];
        const std::vector<std::uint32_t> fluents = loop_fluents(network, last, known_fluents);
        bool able = warm[loop] && !fluents.empty();
        for (std::uint32_t gate : lasting_gates(network, first, last)) able &= !initial[network.first_gate() + gate];
        for (const Specialised &mode : modes) able &= is_legality(mode.network, loop);
        if (!able) continue;
        for (std::size_t mode = 0; mode < modes.size(); ++mode) {
            const Network &before = modes[(mode + modes.size() - 1) % modes.size()].network;
            settled[mode][loop] = std::all_of(fluents.begin(), fluents.end(), [&](std::uint32_t fluent) {
                return before.next[fluent] == 2 * fluent;
            });
        }
    }
    return settled;
}

}  // namespace ludorum
