// Cycles of fluents, and networks folded under the known fluents of a mode.

#include "circuit/specialise.hpp"

#include <algorithm>
#include <map>

namespace ludorum {

std::vector<char> plain_values(const Network &network, const std::vector<char> &fluents) {
    std::vector<char> values(network.nodes(), 0);
    std::copy(fluents.begin(), fluents.end(), values.begin());
    values[network.true_node()] = 1;
    auto loop = network.loops.begin();
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate) {
        std::uint32_t last = gate;
        if (loop != network.loops.end() && loop->first == gate) last = (loop++)->second;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t one = gate; one <= last; ++one) {
                char all = 1;
                for (std::uint32_t at = network.gate_offsets[one]; at < network.gate_offsets[one + 1]; ++at)
                    all &= values[network.gate_literals[at] >> 1] ^ static_cast<char>(network.gate_literals[at] & 1);
                changed |= last > gate && all != values[network.first_gate() + one];
                values[network.first_gate() + one] = all;
            }
        }
        gate = last;
    }
    return values;
}

namespace {

constexpr std::uint32_t LONGEST_CYCLE = 4;

// For each fluent the fluents its next value depends on; `moves` marks those that depend on a move.
class Dependence {
  public:
    explicit Dependence(const Network &network) : network_(network), stamp_(network.nodes(), 0) {}

    bool find(std::uint32_t fluent, std::vector<std::uint32_t> &fluents) {
        ++now_;
        fluents.clear();
        std::vector<std::uint32_t> open{network_.next[fluent] >> 1};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (stamp_[node] == now_) continue;
            stamp_[node] = now_;
            if (node < network_.fluents) {
                fluents.push_back(node);
            } else if (node < network_.true_node()) {
                return false;
            } else if (node >= network_.first_gate()) {
                const std::uint32_t gate = node - network_.first_gate();
                for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
                    open.push_back(network_.gate_literals[at] >> 1);
            }
            if (fluents.size() > MANY) return false;
        }
        return true;
    }

  private:
    // The turn depends on a handful of fluents; a fluent that depends on many is no clock.
    static constexpr std::size_t MANY = 64;
    const Network &network_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t now_ = 0;
};

std::vector<char> plain_next(const Network &network, const std::vector<char> &fluents) {
    const std::vector<char> values = plain_values(network, fluents);
    std::vector<char> next;
    for (Literal literal : network.next) next.push_back(values[literal >> 1] ^ static_cast<char>(literal & 1));
    return next;
}

}  // namespace

Cycle find_cycle(const Network &network) {
    std::vector<std::vector<std::uint32_t>> needs(network.fluents);
    std::vector<char> clock(network.fluents, 0);
    Dependence dependence(network);
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        clock[fluent] = dependence.find(fluent, needs[fluent]);
    auto close = [&](std::vector<char> &chosen) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent) {
                if (!chosen[fluent]) continue;
                for (std::uint32_t other : needs[fluent])
                    if (!chosen[other]) {
                        chosen[fluent] = 0;
                        changed = true;
                        break;
                    }
            }
        }
    };
    close(clock);
    std::vector<std::vector<char>> states{std::vector<char>(network.initial.begin(), network.initial.end())};
    for (std::uint32_t step = 0; step < LONGEST_CYCLE; ++step) states.push_back(plain_next(network, states.back()));
    for (std::uint32_t length = 2; length <= LONGEST_CYCLE; ++length) {
        std::vector<char> chosen = clock;
        for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
            chosen[fluent] = chosen[fluent] && states[0][fluent] == states[length][fluent];
        close(chosen);
        bool moves = false;
        for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
            for (std::uint32_t step = 1; step < length; ++step)
                moves |= chosen[fluent] && states[0][fluent] != states[step][fluent];
        if (!moves) continue;
        Cycle cycle;
        for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
            if (chosen[fluent]) cycle.fluents.push_back(fluent);
        for (std::uint32_t step = 0; step < length; ++step) {
            std::vector<std::int8_t> values(network.fluents, UNKNOWN);
            for (std::uint32_t fluent : cycle.fluents) values[fluent] = states[step][fluent];
            cycle.values.push_back(values);
        }
        return cycle;
    }
    return {};
}

namespace {

template <class Holds>
int step_of(const Cycle &cycle, Holds holds) {
    for (std::uint32_t step = 0; step < cycle.length(); ++step)
        if (std::all_of(cycle.fluents.begin(), cycle.fluents.end(),
                        [&](std::uint32_t fluent) { return holds(fluent) == cycle.values[step][fluent]; }))
            return static_cast<int>(step);
    return -1;
}

}  // namespace

int Cycle::mode_of(const std::uint8_t *state) const {
    return step_of(*this, [&](std::uint32_t fluent) { return state[fluent / 8] >> (fluent & 7) & 1; });
}

int Cycle::mode_of(const std::vector<std::uint64_t> &state) const {
    return step_of(*this, [&](std::uint32_t fluent) { return static_cast<int>(state[fluent / 64] >> (fluent & 63) & 1); });
}

Specialised specialise(const Network &source, const std::vector<std::int8_t> &fluents, const std::vector<char> &never_held) {
    const Literal yes = 2 * source.true_node(), no = yes + 1;
    std::vector<Literal> image(source.nodes());  // the literal each node has become
    for (std::uint32_t node = 0; node < source.first_gate(); ++node) image[node] = 2 * node;
    for (std::uint32_t fluent = 0; fluent < source.fluents; ++fluent)
        if (fluents[fluent] != UNKNOWN) image[fluent] = fluents[fluent] ? yes : no;
    auto now = [&](Literal literal) { return image[literal >> 1] ^ (literal & 1); };

    // Legality first, without anything known of moves; then once more, for moves that cannot be done.
    Specialised result;
    result.forced.assign(source.roles(), 0);
    for (int round = 0; round < 2; ++round) {
        Network &network = result.network = source;
        network.gate_offsets = {0};
        network.gate_literals.clear();
        network.loops.clear();
        std::map<std::vector<Literal>, Literal> known;  // folding makes gates equal
        auto loop = source.loops.begin();
        for (std::uint32_t gate = 0; gate < source.gates(); ++gate) {
            const bool inside = loop != source.loops.end() && loop->first <= gate;
            if (inside && loop->first == gate) {
                const std::uint32_t first = network.gates();
                network.loops.emplace_back(first, first + loop->second - loop->first);
                for (std::uint32_t one = gate; one <= loop->second; ++one)
                    image[source.first_gate() + one] = 2 * (source.first_gate() + first + one - gate);
            }
            std::vector<Literal> literals;
            bool never = !never_held.empty() && never_held[gate];
            for (std::uint32_t at = source.gate_offsets[gate]; at < source.gate_offsets[gate + 1]; ++at) {
                const Literal literal = now(source.gate_literals[at]);
                never |= literal == no;
                if (literal != yes) literals.push_back(literal);
            }
            std::sort(literals.begin(), literals.end());
            literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
            for (std::size_t at = 1; at < literals.size(); ++at) never |= (literals[at] ^ 1) == literals[at - 1];
            if (inside) {
                if (never) literals = {no};
            } else if (never || literals.size() < 2) {
                image[source.first_gate() + gate] = never ? no : literals.empty() ? yes : literals[0];
                continue;
            } else {
                const auto [place, fresh] = known.try_emplace(literals, 2 * network.nodes());
                image[source.first_gate() + gate] = place->second;
                if (!fresh) continue;
            }
            network.gate_literals.insert(network.gate_literals.end(), literals.begin(), literals.end());
            network.gate_offsets.push_back(static_cast<std::uint32_t>(network.gate_literals.size()));
            if (inside && gate == loop->second) ++loop;
        }
        for (Literal &literal : network.legal) literal = now(literal);
        for (Literal &literal : network.next) literal = now(literal);
        for (Literal &literal : network.goals) literal = now(literal);
        for (Literal &literal : network.sees) literal = now(literal);
        network.terminal = now(network.terminal);
        if (round) break;
        for (std::uint32_t role = 0; role < source.roles(); ++role) {
            std::uint32_t possible = 0, certain = 0;
            for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move) {
                possible += network.legal[move] != no;
                certain += network.legal[move] == yes;
            }
            result.forced[role] = possible == 1 && certain == 1;
            for (std::uint32_t move = source.role_begin(role); move < source.role_ends[role]; ++move) {
                if (network.legal[move] == no) image[source.fluents + move] = no;
                if (result.forced[role] && network.legal[move] == yes) image[source.fluents + move] = yes;
            }
        }
    }
    return result;
}

}  // namespace ludorum
