// Timetables by evaluation in three values: the initial state is known, moves are not.

#include "circuit/timetable.hpp"

#include <algorithm>

namespace ludorum {

namespace {

constexpr std::uint32_t MOST_STEPS = 300;
constexpr std::uint32_t LONGEST_TAIL = 4;  // steps that repeat at the end: whose turn it is
constexpr std::uint64_t MOST_TIMETABLE_WORK = 60'000'000;  // gate inputs looked at: about a tenth of a second

// A value in three: bit 0 where it may be false, bit 1 where it may be true.
using Three = std::uint8_t;
constexpr Three FALSE = 1, TRUE = 2, EITHER = 3;

Three negate(Three value) { return static_cast<Three>((value >> 1 | value << 1) & 3); }

class Simulation {
  public:
    explicit Simulation(const Network &network) : network_(network), values_(network.nodes(), FALSE) {
        values_[network.true_node()] = TRUE;
        gates_ = values_.data() + network.first_gate();
        loop_end_.assign(network.gates(), 0);
        for (auto [first, last] : network.loops) loop_end_[first] = last + 1;
    }

    std::vector<std::int8_t> step(const std::vector<std::int8_t> &fluents) {
        for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent)
            values_[fluent] = fluents[fluent] == UNKNOWN ? EITHER : fluents[fluent] ? TRUE : FALSE;
        std::fill_n(values_.begin() + network_.fluents, network_.moves, EITHER);
        evaluate();
        assume_legal_moves();
        evaluate();
        std::vector<std::int8_t> next(network_.fluents);
        for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
            const Three value = of(network_.next[fluent]);
            next[fluent] = value == EITHER ? UNKNOWN : static_cast<std::int8_t>(value == TRUE);
        }
        return next;
    }

    // Gate inputs of the last step that are unknown, in gates that are unknown.
    std::uint64_t unknown_literals() const {
        std::uint64_t count = 0;
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
            if (gates_[gate] != EITHER) continue;
            for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
                count += values_[network_.gate_literals[at] >> 1] == EITHER;
        }
        return count;
    }

  private:
    Three of(Literal literal) const {
        const Three value = values_[literal >> 1];
        return literal & 1 ? negate(value) : value;
    }

    void evaluate() {
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
            if (!loop_end_[gate]) {
                gates_[gate] = value(gate);
                continue;
            }
            const std::uint32_t end = loop_end_[gate];
            std::fill(gates_ + gate, gates_ + end, FALSE);
            for (bool changed = true; changed;) {
                changed = false;
                for (std::uint32_t one = gate; one < end; ++one) {
                    const Three now = value(one);
                    changed |= now != gates_[one];
                    gates_[one] = now;
                }
            }
            gate = end - 1;
        }
    }

    Three value(std::uint32_t gate) const {
        Three may_be_true = TRUE, may_be_false = 0;
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
            const Three input = of(network_.gate_literals[at]);
            may_be_true &= input;
            may_be_false |= input & FALSE;
        }
        return may_be_true | may_be_false;
    }

    // A move that is never legal is not done, and a role's only move is.
    void assume_legal_moves() {
        for (std::uint32_t role = 0; role < network_.roles(); ++role) {
            std::uint32_t possible = 0, certain = 0;
            for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
                const Three legal = of(network_.legal[move]);
                possible += legal != FALSE;
                certain += legal == TRUE;
            }
            const bool forced = possible == 1 && certain == 1;
            for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
                const Three legal = of(network_.legal[move]);
                if (legal == FALSE) values_[network_.fluents + move] = FALSE;
                if (legal == TRUE && forced) values_[network_.fluents + move] = TRUE;
            }
        }
    }

    const Network &network_;
    std::vector<Three> values_;
    Three *gates_;                         // the values of gates
    std::vector<std::uint32_t> loop_end_;  // of a loop's first gate: the gate behind it; of others 0
};

}  // namespace

bool Timetable::allows(std::uint32_t step, const std::uint8_t *state) const {
    const std::vector<std::int8_t> &known = values[step];
    for (std::size_t fluent = 0; fluent < known.size(); ++fluent)
        if (known[fluent] != UNKNOWN && (state[fluent / 8] >> (fluent & 7) & 1) != known[fluent]) return false;
    return true;
}

FoundTimetable find_timetable(const Network &network) {
    FoundTimetable found;
    auto &values = found.timetable.values;
    Simulation simulation(network);
    values.emplace_back(network.initial.begin(), network.initial.end());
    const std::uint64_t work = 2 * (network.gate_literals.size() + network.gates()) + network.fluents;
    while (values.size() <= MOST_STEPS && values.size() * work <= MOST_TIMETABLE_WORK) {
        std::vector<std::int8_t> next = simulation.step(values.back());
        found.literals.push_back(simulation.unknown_literals());
        for (std::uint32_t back = 1; back <= LONGEST_TAIL && back <= values.size(); ++back)
            if (values[values.size() - back] == next) {
                found.timetable.again = static_cast<std::uint32_t>(values.size()) - back;
                return found;
            }
        values.push_back(std::move(next));
    }
    return {};
}

}  // namespace ludorum
