// A state is terminal where one of many gates holds: terminal is the opposite of an AND of opposites.

#include "circuit/settled_ends.hpp"

#include <algorithm>
#include <utility>

namespace ludorum {

namespace {

// The gates of which each one ends a game.
std::vector<std::uint32_t> find_ends(const Network &network) {
    std::vector<std::uint32_t> ends;
    std::vector<char> seen(network.gates(), 0);
    std::vector<Literal> open{network.terminal};
    while (!open.empty()) {
        const Literal literal = open.back();
        open.pop_back();
        if (literal >> 1 < network.first_gate()) continue;
        const std::uint32_t gate = (literal >> 1) - network.first_gate();
        if (!(literal & 1)) {
            ends.push_back(gate);
        } else if (!seen[gate]) {
            seen[gate] = 1;
            for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at)
                open.push_back(network.gate_literals[at] ^ 1);
        }
    }
    return ends;
}

// By gate: whether it cannot hold in a state after a step, given the fluents that the step has left as they were. Such
// a gate alone ends a game, and depends on these fluents only: had it held before, there would have been no step. Nor
// does it hold in the initial state.
std::vector<char> find_settled_ends(const Network &network, const std::vector<char> &kept) {
    std::vector<char> settled(network.gates(), 0);
    if (!network.loops.empty()) return settled;
    // By node: whether it has the value that it had a step before.
    std::vector<char> same(kept);
    same.resize(network.nodes(), 0);
    same[network.true_node()] = 1;
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate) {
        const auto begin = network.gate_literals.begin() + network.gate_offsets[gate];
        const auto end = network.gate_literals.begin() + network.gate_offsets[gate + 1];
        same[network.first_gate() + gate] = std::all_of(begin, end, [&](Literal literal) { return same[literal >> 1]; });
    }
    const std::vector<char> first = plain_values(network, {network.initial.begin(), network.initial.end()});
    for (std::uint32_t gate : find_ends(network))
        settled[gate] = same[network.first_gate() + gate] && !first[network.first_gate() + gate];
    return settled;
}

}  // namespace

std::vector<std::optional<Specialised>> settle_ends(const Network &network,
                                                    const std::vector<std::vector<std::int8_t>> &values,
                                                    const std::vector<std::vector<std::uint32_t>> &before,
                                                    std::vector<Specialised> &steps) {
    std::vector<std::vector<char>> settled;
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
        std::vector<char> kept(network.fluents, 1);
        for (std::uint32_t one : before[step])
            for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent) {
                const std::int8_t known = values[one][fluent];
                kept[fluent] &= steps[one].network.next[fluent] == 2 * fluent ||
                                (known != UNKNOWN && known == values[step][fluent]);
            }
        settled.push_back(find_settled_ends(network, kept));
    }
    std::vector<std::optional<Specialised>> whole(steps.size());
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
        if (!std::count(settled[step].begin(), settled[step].end(), 1)) continue;
        whole[step] = std::move(steps[step]);
        steps[step] = specialise(network, values[step], settled[step]);
    }
    return whole;
}

}  // namespace ludorum
