// Incremental evaluation: each gate counts its false inputs, and only changes travel.

#include <algorithm>

#include "single_state.hpp"

namespace ludorum {

namespace {

// Gates that only the next state needs wait until moves are known: `LATER`. Loops cannot be counted (taking a
// support away from a circle leaves it standing), so a loop is evaluated anew when something it reads changes.
class IncrementalState final : public SingleState {
  public:
    explicit IncrementalState(const Network &network) : network_(network) {
        const std::uint32_t gates = network.gates();
        std::vector<Literal> first = network.legal;
        first.push_back(network.terminal);
        const std::vector<char> now = network.cone(first), later = network.cone(network.next);
        phase_.assign(gates, NEVER);
        for (std::uint32_t gate = 0; gate < gates; ++gate) phase_[gate] = now[gate] ? NOW : later[gate] ? LATER : NEVER;
        loop_of_.assign(gates, NO_LOOP);
        for (std::uint32_t loop = 0; loop < network.loops.size(); ++loop)
            for (std::uint32_t gate = network.loops[loop].first; gate <= network.loops[loop].second; ++gate)
                loop_of_[gate] = loop;
        link();
        values_.assign(network.nodes(), 0);
        missing_.assign(gates, 0);
        queued_.assign(gates, 0);
        state_.assign((network.fluents + 63) / 64, 0);
        next_ = changed_ = state_;
        legal_.assign((network.moves + 63) / 64, 0);
        does_.assign(network.roles(), -1);
        start();
    }

    const char *name() const override { return "incremental"; }
    const Words &state() const override { return state_; }
    const Words &legal() const override { return legal_; }
    bool terminal() const override { return (values_[network_.terminal >> 1] ^ (network_.terminal & 1)) != 0; }

    void set_state(const Words &fluents) override {
        for (std::size_t word = 0; word < state_.size(); ++word) changed_[word] = fluents[word] ^ state_[word];
        flip_fluents();
    }

    void step(const std::int32_t *moves) override {
        for (std::uint32_t role = 0; role < does_.size(); ++role) {
            if (does_[role] == moves[role]) continue;
            if (does_[role] >= 0) flip(network_.fluents + static_cast<std::uint32_t>(does_[role]));
            if (moves[role] >= 0) flip(network_.fluents + static_cast<std::uint32_t>(moves[role]));
            does_[role] = moves[role];
        }
        settle(LATER);
        for (std::size_t word = 0; word < state_.size(); ++word) changed_[word] = next_[word] ^ state_[word];
        flip_fluents();
    }

  private:
    enum : std::uint8_t { NOW = 0, LATER = 1, NEVER = 2 };
    static constexpr std::uint32_t NO_LOOP = UINT32_MAX;

    // Who reads a node, and what is known of it outside: entries are 2 * gate (or move, or fluent) + sign.
    void link() {
        const std::uint32_t nodes = network_.nodes();
        auto build = [&](auto each, std::vector<std::uint32_t> &offsets, std::vector<std::uint32_t> &entries) {
            offsets.assign(nodes + 1, 0);
            each([&](Literal literal, std::uint32_t) { ++offsets[(literal >> 1) + 1]; });
            for (std::uint32_t node = 0; node < nodes; ++node) offsets[node + 1] += offsets[node];
            entries.resize(offsets.back());
            std::vector<std::uint32_t> filled(offsets.begin(), offsets.end() - 1);
            each([&](Literal literal, std::uint32_t number) {
                entries[filled[literal >> 1]++] = 2 * number + (literal & 1);
            });
        };
        build(
            [&](auto visit) {
                for (std::uint32_t gate = 0; gate < network_.gates(); ++gate)
                    if (phase_[gate] != NEVER)
                        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
                            visit(network_.gate_literals[at], gate);
            },
            reader_offsets_, readers_);
        build(
            [&](auto visit) {
                for (std::uint32_t move = 0; move < network_.moves; ++move) visit(network_.legal[move], move);
            },
            legal_offsets_, legal_readers_);
        build(
            [&](auto visit) {
                for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) visit(network_.next[fluent], fluent);
            },
            next_offsets_, next_readers_);
    }

    bool holds(Literal literal) const { return (values_[literal >> 1] ^ (literal & 1)) != 0; }

    // Everything once, plainly, in the state without any fact; then the initial state by changes.
    void start() {
        values_[network_.true_node()] = 1;
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
            if (phase_[gate] == NEVER) continue;
            if (loop_of_[gate] != NO_LOOP) {
                if (network_.loops[loop_of_[gate]].first == gate) evaluate_loop(loop_of_[gate]);
                continue;
            }
            for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
                missing_[gate] += !holds(network_.gate_literals[at]);
            values_[network_.first_gate() + gate] = missing_[gate] == 0;
        }
        for (std::uint32_t move = 0; move < network_.moves; ++move)
            if (holds(network_.legal[move])) legal_[move / 64] |= 1ull << (move & 63);
        for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
            if (holds(network_.next[fluent])) next_[fluent / 64] |= 1ull << (fluent & 63);
            if (network_.initial[fluent]) changed_[fluent / 64] |= 1ull << (fluent & 63);
        }
        flip_fluents();
    }

    void flip_fluents() {
        for (std::size_t word = 0; word < changed_.size(); ++word) {
            const std::uint64_t changed = changed_[word];
            state_[word] ^= changed;
            for (std::uint64_t left = changed; left; left &= left - 1)
                flip(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(__builtin_ctzll(left)));
        }
        settle(NOW);
    }

    void flip(std::uint32_t node) {
        const std::uint32_t value = values_[node] ^= 1;
        for (std::uint32_t at = reader_offsets_[node]; at < reader_offsets_[node + 1]; ++at) {
            const std::uint32_t gate = readers_[at] >> 1;
            const std::uint32_t now_true = value ^ (readers_[at] & 1);
            if (loop_of_[gate] != NO_LOOP) {
                enqueue(network_.loops[loop_of_[gate]].first);
                continue;
            }
            missing_[gate] += now_true ? -1 : 1;
            if ((missing_[gate] == 0) != (values_[network_.first_gate() + gate] != 0)) enqueue(gate);
        }
        for (std::uint32_t at = legal_offsets_[node]; at < legal_offsets_[node + 1]; ++at)
            legal_[legal_readers_[at] / 128] ^= 1ull << (legal_readers_[at] / 2 & 63);
        for (std::uint32_t at = next_offsets_[node]; at < next_offsets_[node + 1]; ++at)
            next_[next_readers_[at] / 128] ^= 1ull << (next_readers_[at] / 2 & 63);
    }

    void enqueue(std::uint32_t gate) {
        if (queued_[gate]) return;
        queued_[gate] = 1;
        queues_[phase_[gate]].push_back(gate);
    }

    // First in, first out: mostly by levels, so that few gates change twice.
    void settle(std::uint8_t phase) {
        std::vector<std::uint32_t> &queue = queues_[phase];
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const std::uint32_t gate = queue[at];
            queued_[gate] = 0;
            if (loop_of_[gate] != NO_LOOP) {
                loop_before_.assign(values_.begin() + network_.first_gate() + gate,
                                    values_.begin() + network_.first_gate() + network_.loops[loop_of_[gate]].second + 1);
                evaluate_loop(loop_of_[gate]);
                spread_loop(loop_of_[gate]);
            } else if ((missing_[gate] == 0) != (values_[network_.first_gate() + gate] != 0)) {
                flip(network_.first_gate() + gate);
            }
        }
        queue.clear();
    }

    // One pass over all gates from false, then only over those whose inputs in the loop have changed.
    void evaluate_loop(std::uint32_t loop) {
        const auto [first, last] = network_.loops[loop];
        const std::uint32_t base = network_.first_gate();
        std::fill(values_.begin() + base + first, values_.begin() + base + last + 1, 0);
        dirty_.assign(last - first + 1, 1);
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t gate = first; gate <= last; ++gate) {
                if (!dirty_[gate - first]) continue;
                dirty_[gate - first] = 0;
                std::uint8_t value = 1;
                for (std::uint32_t at = network_.gate_offsets[gate]; value && at < network_.gate_offsets[gate + 1]; ++at)
                    value = holds(network_.gate_literals[at]);
                if (value == values_[base + gate]) continue;
                values_[base + gate] = value;
                for (std::uint32_t at = reader_offsets_[base + gate]; at < reader_offsets_[base + gate + 1]; ++at) {
                    const std::uint32_t reader = readers_[at] >> 1;
                    if (loop_of_[reader] != loop) continue;
                    dirty_[reader - first] = 1;
                    again |= reader <= gate;
                }
            }
        }
    }

    // Tells the readers outside of a loop what its evaluation has changed.
    void spread_loop(std::uint32_t loop) {
        const auto [first, last] = network_.loops[loop];
        const std::uint32_t base = network_.first_gate();
        for (std::uint32_t gate = first; gate <= last; ++gate) {
            if (values_[base + gate] == loop_before_[gate - first]) continue;
            const std::uint32_t value = values_[base + gate];
            for (std::uint32_t at = reader_offsets_[base + gate]; at < reader_offsets_[base + gate + 1]; ++at) {
                const std::uint32_t reader = readers_[at] >> 1;
                if (loop_of_[reader] == loop) continue;
                if (loop_of_[reader] != NO_LOOP) {
                    enqueue(network_.loops[loop_of_[reader]].first);
                    continue;
                }
                missing_[reader] += value ^ (readers_[at] & 1) ? -1 : 1;
                if ((missing_[reader] == 0) != (values_[base + reader] != 0)) enqueue(reader);
            }
            const std::uint32_t node = base + gate;
            for (std::uint32_t at = legal_offsets_[node]; at < legal_offsets_[node + 1]; ++at)
                legal_[legal_readers_[at] / 128] ^= 1ull << (legal_readers_[at] / 2 & 63);
            for (std::uint32_t at = next_offsets_[node]; at < next_offsets_[node + 1]; ++at)
                next_[next_readers_[at] / 128] ^= 1ull << (next_readers_[at] / 2 & 63);
        }
    }

    const Network &network_;
    std::vector<std::uint8_t> phase_, values_, queued_, dirty_, loop_before_;
    std::vector<std::uint32_t> loop_of_;
    std::vector<std::int32_t> missing_;
    std::vector<std::uint32_t> reader_offsets_, readers_, legal_offsets_, legal_readers_, next_offsets_, next_readers_;
    std::vector<std::uint32_t> queues_[2];
    Words state_, next_, changed_, legal_;
    std::vector<std::int32_t> does_;
};

}  // namespace

std::unique_ptr<SingleState> make_incremental(const Network &network) {
    return std::make_unique<IncrementalState>(network);
}

}  // namespace ludorum
