// Modes are followed from the initial state; each value that their networks leave open is taken as possible.

#include "circuit/turns.hpp"

#include <algorithm>

namespace ludorum {

namespace {

constexpr std::size_t MOST_CANDIDATES = 8;
constexpr double WORTH_A_FLUENT = 0.95;  // of the gate inputs without it
constexpr double WORTH_MODES = 0.75;

// Fluents that are the legality of some move: whether a role may pass depends on the turn alone.
std::vector<std::uint32_t> find_candidates(const Network &network) {
    std::vector<std::uint32_t> fluents;
    for (Literal literal : network.legal)
        if (literal >> 1 < network.fluents) fluents.push_back(literal >> 1);
    std::sort(fluents.begin(), fluents.end());
    fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
    if (fluents.size() > MOST_CANDIDATES) fluents.clear();
    return fluents;
}

struct Modes {
    std::vector<std::vector<std::int8_t>> values;
    std::size_t literals = 0;  // of an average mode
    bool alone = true;         // whether some role has nothing to choose in each of them
};

// The values that these fluents may have after a step in a mode.
std::vector<std::vector<std::int8_t>> values_after(const Network &network, const std::vector<std::uint32_t> &fluents) {
    std::vector<std::uint32_t> open;  // nodes that decide
    for (std::uint32_t fluent : fluents)
        if (network.next[fluent] >> 1 != network.true_node()) open.push_back(network.next[fluent] >> 1);
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    std::vector<std::vector<std::int8_t>> found;
    for (std::uint32_t world = 0; world < 1u << open.size(); ++world) {
        std::vector<std::int8_t> values(network.fluents, UNKNOWN);
        for (std::uint32_t fluent : fluents) {
            const std::uint32_t node = network.next[fluent] >> 1;
            const auto place = std::lower_bound(open.begin(), open.end(), node) - open.begin();
            const bool holds = node == network.true_node() || (world >> place & 1);
            values[fluent] = static_cast<std::int8_t>(holds != (network.next[fluent] & 1));
        }
        found.push_back(std::move(values));
    }
    return found;
}

// All modes that can be reached; none where there are more than so many.
Modes reach_modes(const Network &network, const std::vector<std::uint32_t> &fluents, std::size_t most) {
    Modes modes;
    modes.values.emplace_back(network.fluents, UNKNOWN);
    for (std::uint32_t fluent : fluents) modes.values[0][fluent] = static_cast<std::int8_t>(network.initial[fluent]);
    for (std::size_t at = 0; at < modes.values.size(); ++at) {
        const Specialised one = specialise(network, modes.values[at]);
        modes.literals += step_literals(one.network);
        modes.alone &= std::count(one.forced.begin(), one.forced.end(), 1) > 0;
        for (auto &values : values_after(one.network, fluents))
            if (std::find(modes.values.begin(), modes.values.end(), values) == modes.values.end())
                modes.values.push_back(std::move(values));
        if (modes.values.size() > most) return {};
    }
    modes.literals /= modes.values.size();
    return modes;
}

}  // namespace

std::size_t step_literals(const Network &network) {
    std::vector<Literal> outputs = network.legal;
    outputs.push_back(network.terminal);
    outputs.insert(outputs.end(), network.next.begin(), network.next.end());
    const std::vector<char> cone = network.cone(outputs);
    std::size_t literals = 0;
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate)
        if (cone[gate]) literals += network.gate_offsets[gate + 1] - network.gate_offsets[gate];
    return literals;
}

Cycle find_turns(const Network &network) {
    Cycle turns;
    turns.in_turn = false;
    const std::size_t all = step_literals(network);
    Modes best;
    best.literals = all;
    for (std::uint32_t fluent : find_candidates(network)) {
        turns.fluents.push_back(fluent);
        Modes modes = reach_modes(network, turns.fluents, network.roles());
        if (modes.values.size() > 1 && static_cast<double>(modes.literals) < WORTH_A_FLUENT * static_cast<double>(best.literals))
            best = std::move(modes);
        else
            turns.fluents.pop_back();
    }
    const bool worth = static_cast<double>(best.literals) < WORTH_MODES * static_cast<double>(all);
    if (best.values.size() < 2 || !best.alone || !worth) return {};
    turns.values = std::move(best.values);
    return turns;
}

std::vector<char> find_kept(const Network &network) {
    const Literal yes = 2 * network.true_node(), no = yes + 1;
    std::vector<Literal> image(network.nodes());  // the literal each node becomes
    for (std::uint32_t node = 0; node < network.nodes(); ++node) image[node] = 2 * node;
    for (std::uint32_t move = 0; move < network.moves; ++move) image[network.fluents + move] = no;
    auto loop = network.loops.begin();
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate) {
        if (loop != network.loops.end() && loop->first == gate) {
            gate = (loop++)->second;
            continue;
        }
        bool never = false, several = false;
        Literal left = yes;
        for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at) {
            const Literal literal = image[network.gate_literals[at] >> 1] ^ (network.gate_literals[at] & 1);
            never |= literal == no;
            if (literal == yes || literal == left) continue;
            several |= left != yes;
            left = literal;
        }
        if (never || !several) image[network.first_gate() + gate] = never ? no : left;
    }
    std::vector<char> kept(network.fluents);
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        kept[fluent] = (image[network.next[fluent] >> 1] ^ (network.next[fluent] & 1)) == 2 * fluent;
    return kept;
}

}  // namespace ludorum
