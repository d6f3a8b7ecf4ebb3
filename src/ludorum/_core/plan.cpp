// Layouts: which gates a phase needs, in which order, and where their values go.

#include "plan.hpp"

#include <algorithm>
#include <map>

namespace ludorum {

namespace {

constexpr std::uint32_t NOWHERE = UINT32_MAX;

// The shape of a gate: how many inputs it takes as they are, and how many negated.
std::pair<std::uint32_t, std::uint32_t> shape(const Network &network, std::uint32_t gate) {
    std::uint32_t negative = 0;
    for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at)
        negative += network.gate_literals[at] & 1;
    return {network.gate_offsets[gate + 1] - network.gate_offsets[gate] - negative, negative};
}

// Takes gates (a loop counts as one) from those whose inputs are known, always the most numerous shape first.
class ReadyList {
  public:
    ReadyList(const Network &network, const std::vector<char> &wanted) : network_(network), wanted_(wanted) {
        const std::uint32_t gates = network.gates();
        unit_.resize(gates);
        for (std::uint32_t gate = 0; gate < gates; ++gate) unit_[gate] = gate;
        for (auto [first, last] : network.loops)
            for (std::uint32_t gate = first; gate <= last; ++gate) unit_[gate] = first;
        missing_.assign(gates, 0);
        users_offsets_.assign(gates + 1, 0);
        each_edge([&](std::uint32_t from, std::uint32_t to) {
            ++missing_[to];
            ++users_offsets_[from + 1];
        });
        for (std::uint32_t gate = 0; gate < gates; ++gate) users_offsets_[gate + 1] += users_offsets_[gate];
        users_.resize(users_offsets_.back());
        std::vector<std::uint32_t> filled(users_offsets_.begin(), users_offsets_.end() - 1);
        each_edge([&](std::uint32_t from, std::uint32_t to) { users_[filled[from]++] = to; });
        for (std::uint32_t gate = 0; gate < gates; ++gate)
            if (wanted_[gate] && unit_[gate] == gate && !missing_[gate]) add(gate);
    }

    // The next batch: gates of one shape, in the order in which they became ready; or one loop's first gate.
    std::vector<std::uint32_t> take() {
        auto best = ready_.end();
        for (auto it = ready_.begin(); it != ready_.end(); ++it)
            if (!it->second.empty() && (best == ready_.end() || it->second.size() > best->second.size())) best = it;
        if (best == ready_.end()) return {};
        std::vector<std::uint32_t> batch;
        batch.swap(best->second);
        // Gates of the same shape that become ready by this batch may join it.
        for (std::size_t at = 0; at < batch.size(); ++at) {
            finish(batch[at]);
            for (std::uint32_t gate : best->second) batch.push_back(gate);
            best->second.clear();
        }
        return batch;
    }

    bool is_loop(std::uint32_t gate) const {
        return std::binary_search(network_.loops.begin(), network_.loops.end(), std::make_pair(gate, 0u),
                                  [](auto &one, auto &other) { return one.first < other.first; });
    }

  private:
    template <class Visit>
    void each_edge(Visit visit) {
        const std::uint32_t base = network_.first_gate();
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
            if (!wanted_[gate]) continue;
            for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
                const std::uint32_t node = network_.gate_literals[at] >> 1;
                if (node < base || !wanted_[node - base] || unit_[node - base] == unit_[gate]) continue;
                visit(unit_[node - base], unit_[gate]);
            }
        }
    }

    void add(std::uint32_t gate) {
        // Loops have a shape of their own, so that they never join a run.
        ready_[is_loop(gate) ? std::make_pair(NOWHERE, gate) : shape(network_, gate)].push_back(gate);
    }

    void finish(std::uint32_t unit) {
        for (std::uint32_t at = users_offsets_[unit]; at < users_offsets_[unit + 1]; ++at)
            if (--missing_[users_[at]] == 0) add(users_[at]);
    }

    const Network &network_;
    const std::vector<char> &wanted_;
    std::vector<std::uint32_t> unit_, missing_, users_offsets_, users_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> ready_;
};

}  // namespace

void Phase::scale(std::uint32_t slot_bytes) {
    for (Run &run : runs) run.first_output *= slot_bytes;
    for (std::uint32_t &input : inputs) input *= slot_bytes;
    for (std::uint32_t &slot : carried) slot *= slot_bytes;
}

Layout::Layout(const Network &network, const std::vector<std::uint32_t> &move_slots, std::uint32_t first_gate_slot)
    : network_(network), slots_(network.nodes(), NOWHERE), done_(network.gates(), 0), size_(first_gate_slot) {
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent) slots_[fluent] = fluent;
    std::copy(move_slots.begin(), move_slots.end(), slots_.begin() + network.fluents);
    slots_[network.true_node()] = one_slot(network);
}

Phase Layout::phase(const std::vector<Literal> &outputs, bool keep) {
    Phase phase;
    segment_begin_ = 0;
    std::vector<char> wanted = network_.cone(outputs);
    for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) wanted[gate] = wanted[gate] && !done_[gate];
    ReadyList ready(network_, wanted);
    for (auto batch = ready.take(); !batch.empty(); batch = ready.take()) {
        if (ready.is_loop(batch.front())) {
            auto loop = std::lower_bound(network_.loops.begin(), network_.loops.end(),
                                         std::make_pair(batch.front(), 0u));
            close_segment(phase);
            add_loop(phase, loop->first, loop->second);
        } else {
            for (std::uint32_t gate : batch) add_gate(phase, gate);
        }
    }
    close_segment(phase);
    if (keep)
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) done_[gate] |= wanted[gate];
    return phase;
}

void Layout::add_gate(Phase &phase, std::uint32_t gate) {
    const auto [positive, negative] = shape(network_, gate);
    slots_[network_.first_gate() + gate] = size_;
    if (phase.runs.size() == segment_begin_ || phase.runs.back().positive != positive ||
        phase.runs.back().negative != negative || phase.runs.back().first_output + phase.runs.back().count != size_)
        phase.runs.push_back({positive, negative, 0, size_, static_cast<std::uint32_t>(phase.inputs.size())});
    ++phase.runs.back().count;
    ++size_;
    for (std::uint32_t sign : {0u, 1u})
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
            if ((network_.gate_literals[at] & 1) == sign)
                phase.inputs.push_back(slots_[network_.gate_literals[at] >> 1]);
}

// The order inside a loop is part of its meaning: later gates stand for what was derived so far.
void Layout::add_loop(Phase &phase, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t base = network_.first_gate();
    for (std::uint32_t gate = first; gate <= last; ++gate) slots_[base + gate] = size_ + gate - first;
    std::vector<std::uint32_t> carried;
    for (std::uint32_t gate = first; gate <= last; ++gate) {
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
            const std::uint32_t node = network_.gate_literals[at] >> 1;
            if (node >= base + gate && node <= base + last) carried.push_back(slots_[node]);
        }
        add_gate(phase, gate);
    }
    std::sort(carried.begin(), carried.end());
    carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
    const auto begin = static_cast<std::uint32_t>(phase.carried.size());
    phase.carried.insert(phase.carried.end(), carried.begin(), carried.end());
    phase.segments.push_back({segment_begin_, static_cast<std::uint32_t>(phase.runs.size()), begin,
                              static_cast<std::uint32_t>(phase.carried.size())});
    segment_begin_ = static_cast<std::uint32_t>(phase.runs.size());
}

void Layout::close_segment(Phase &phase) {
    const auto end = static_cast<std::uint32_t>(phase.runs.size());
    const auto carried = static_cast<std::uint32_t>(phase.carried.size());
    if (end > segment_begin_) phase.segments.push_back({segment_begin_, end, carried, carried});
    segment_begin_ = end;
}

}  // namespace ludorum
