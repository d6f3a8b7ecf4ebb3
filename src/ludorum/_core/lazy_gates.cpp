// Watched evaluation of gates.

#include "lazy_gates.hpp"

#include <algorithm>

namespace ludorum {

namespace {

constexpr std::uint32_t FREE = UINT32_MAX - 1;  // a place that is in no list
constexpr std::uint32_t LOOP = 1u << 31;        // an observer that is a loop
constexpr std::uint32_t DEEP = 1000;            // levels; asking goes down by recursion

}  // namespace

LazyGates::LazyGates(Source source, const std::vector<Output> &outputs, std::uint32_t output_bits)
    : source_(std::move(source)), base_(source_.fluents + source_.moves + 1) {
    const auto gates = static_cast<std::uint32_t>(source_.offsets.size()) - 1;
    truth_.assign(2 * (base_ + gates), UNKNOWN);
    for (std::uint32_t node = 0; node < base_; ++node) {
        truth_[2 * node] = node + 1 == base_;
        truth_[2 * node + 1] = node + 1 != base_;
    }
    watchers_.assign(truth_.size(), NONE);
    holders_.assign(truth_.size(), NONE);
    next_watcher_.assign(gates, NONE);
    next_holder_.assign(source_.literals.size(), FREE);
    gate_of_.resize(source_.literals.size());
    later_.assign(gates, 0);
    pinned_.assign(gates, 0);
    loop_of_.assign(gates, -1);
    for (std::uint32_t gate = 0; gate < gates; ++gate)
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            gate_of_[at] = gate;
            later_[gate] |= node < base_ ? node >= source_.fluents && node + 1 < base_ : later_[node - base_];
        }
    queues_[0].resize(gates);
    queues_[1].resize(gates);
    outputs_.assign((output_bits + 63) / 64, 0);
    link_loops();
    link_outputs(outputs);
    pin_deep_gates();
    start(outputs);
}

void LazyGates::link_loops() {
    for (std::size_t loop = 0; loop < source_.loops.size(); ++loop) {
        const auto [first, last] = source_.loops[loop];
        std::uint8_t later = 0;
        for (std::uint32_t gate = first; gate <= last; ++gate) {
            loop_of_[gate] = static_cast<std::int32_t>(loop);
            later |= later_[gate];
        }
        std::fill(later_.begin() + first, later_.begin() + last + 1, later);
    }
    if (source_.loops.empty()) return;
    // Behind loops the phase may have to be found again.
    loop_readers_.resize(loop_of_.size());
    for (std::uint32_t gate = 0; gate < loop_of_.size(); ++gate)
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            if (node < base_) continue;
            later_[gate] |= later_[node - base_];
            if (loop_of_[gate] >= 0 && loop_of_[node - base_] == loop_of_[gate])
                loop_readers_[node - base_].push_back(gate);
        }
}

// Observers of a node: the output bits it turns, and the loops that read it.
void LazyGates::link_outputs(const std::vector<Output> &outputs) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (auto [literal, bit] : outputs) all.emplace_back(literal >> 1, bit);
    for (std::uint32_t gate = 0; gate < loop_of_.size(); ++gate) {
        if (loop_of_[gate] < 0) continue;
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            if (node < base_ || loop_of_[node - base_] != loop_of_[gate])
                all.emplace_back(node, LOOP | static_cast<std::uint32_t>(loop_of_[gate]));
        }
    }
    std::sort(all.begin(), all.end());
    // An output bit may stand twice at one node, where it cancels out; a loop once is enough.
    all.erase(std::unique(all.begin(), all.end(),
                          [](auto &one, auto &other) { return one == other && one.second & LOOP; }),
              all.end());
    observer_offsets_.assign(truth_.size() / 2 + 1, 0);
    for (auto [node, bit] : all) {
        ++observer_offsets_[node + 1];
        observers_.push_back(bit);
        if (node >= base_) pinned_[node - base_] = 1;
    }
    for (std::size_t node = 0; node + 1 < observer_offsets_.size(); ++node)
        observer_offsets_[node + 1] += observer_offsets_[node];
}

// Where a chain of forgotten gates could be too long for the stack, every hundredth level is never forgotten.
void LazyGates::pin_deep_gates() {
    std::vector<std::uint32_t> level(pinned_.size(), 0);
    for (std::uint32_t gate = 0; gate < level.size(); ++gate) {
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            if (node >= base_ && node < base_ + gate) level[gate] = std::max(level[gate], level[node - base_] + 1);
        }
        if (level[gate] >= DEEP) {
            pinned_[gate] = 1;
            level[gate] = 0;
        }
    }
}

void LazyGates::start(const std::vector<Output> &outputs) {
    for (std::uint32_t gate = 0; gate < pinned_.size(); ++gate) {
        if (loop_of_[gate] >= 0) {
            if (source_.loops[loop_of_[gate]].first == gate) evaluate_loop(loop_of_[gate]);
        } else if (pinned_[gate] && truth_[2 * (base_ + gate)] == UNKNOWN) {
            evaluate(gate);
        }
    }
    for (auto [literal, bit] : outputs)
        if (truth_[literal] == 1) outputs_[bit / 64] ^= 1ull << (bit & 63);
}

void LazyGates::sort_inputs(const std::vector<float> &often) {
    std::vector<float> probability(truth_.size() / 2, 0.5f);
    std::copy(often.begin(), often.end(), probability.begin());
    std::fill(probability.begin() + source_.fluents, probability.begin() + base_, 0.01f);
    auto of = [&](Literal literal) {
        return literal & 1 ? 1 - probability[literal >> 1] : probability[literal >> 1];
    };
    for (std::uint32_t gate = 0; gate < pinned_.size(); ++gate) {
        const auto begin = source_.literals.begin() + source_.offsets[gate];
        const auto end = source_.literals.begin() + source_.offsets[gate + 1];
        std::stable_sort(begin, end, [&](Literal one, Literal other) { return of(one) < of(other); });
        float product = 1;
        for (auto at = begin; at != end; ++at) product *= of(*at);
        probability[base_ + gate] = product;
    }
}

void LazyGates::settle(int phase) {
    queues_[phase].drain([&](std::uint32_t gate) { visit(gate); });
}

// The first input that is false, or NONE; one that is known is taken before one that must be asked for.
Literal LazyGates::witness(std::uint32_t gate) {
    const Literal *const begin = source_.literals.data() + source_.offsets[gate];
    const Literal *const end = source_.literals.data() + source_.offsets[gate + 1];
    const Literal *open = end;
    for (const Literal *at = begin; at != end; ++at) {
        const std::uint8_t truth = truth_[*at];
        if (truth == 0) return *at;
        if (truth == UNKNOWN && open == end) open = at;
    }
    for (const Literal *at = open; at != end; ++at)
        if (!holds(*at)) return *at;
    return NONE;
}

// Puts a gate into the lists of the literal, or the literals, that it rests on.
void LazyGates::hold(std::uint32_t gate, Literal witness) {
    if (witness != NONE) {
        next_watcher_[gate] = watchers_[witness];
        watchers_[witness] = gate;
        return;
    }
    for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at) {
        if (next_holder_[at] != FREE) continue;  // from an earlier time at which the gate was true
        next_holder_[at] = holders_[source_.literals[at]];
        holders_[source_.literals[at]] = at;
    }
}

void LazyGates::evaluate(std::uint32_t gate) {
    const Literal found = witness(gate);
    hold(gate, found);
    truth_[2 * (base_ + gate)] = found == NONE;
    truth_[2 * (base_ + gate) + 1] = found != NONE;
}

void LazyGates::visit(std::uint32_t gate) {
    if (loop_of_[gate] >= 0) return evaluate_loop(static_cast<std::uint32_t>(loop_of_[gate]));
    const Literal yes = 2 * (base_ + gate);
    const std::uint8_t value = truth_[yes];
    if (!pinned_[gate] && holders_[yes | (value ^ 1)] == NONE && watchers_[yes | value] == NONE) {
        truth_[yes] = truth_[yes + 1] = UNKNOWN;
        return;
    }
    const Literal found = witness(gate);
    hold(gate, found);
    if ((found == NONE) != (value != 0)) change(base_ + gate, value ^ 1);
}

void LazyGates::change(std::uint32_t node, std::uint8_t value) {
    truth_[2 * node] = value;
    truth_[2 * node + 1] = value ^ 1;
    const Literal risen = 2 * node + (value ^ 1), fallen = risen ^ 1;
    for (std::uint32_t gate = watchers_[risen]; gate != NONE; gate = next_watcher_[gate]) enqueue(gate);
    watchers_[risen] = NONE;
    for (std::uint32_t at = holders_[fallen]; at != NONE;) {
        const std::uint32_t gate = gate_of_[at], next = next_holder_[at];
        next_holder_[at] = FREE;
        if (truth_[2 * (base_ + gate)] == 1) enqueue(gate);
        at = next;
    }
    holders_[fallen] = NONE;
    for (std::uint32_t at = observer_offsets_[node]; at < observer_offsets_[node + 1]; ++at) {
        const std::uint32_t observer = observers_[at];
        if (observer & LOOP)
            enqueue(source_.loops[observer & ~LOOP].first);
        else
            outputs_[observer / 64] ^= 1ull << (observer & 63);
    }
}

// From false, one pass over all gates of the loop, then only over those whose inputs in it have changed.
// Counting or witnesses would leave a circle standing that has lost its support.
void LazyGates::evaluate_loop(std::uint32_t loop) {
    const auto [first, last] = source_.loops[loop];
    const std::uint32_t count = last - first + 1;
    std::uint8_t *const truth = truth_.data() + 2 * (base_ + first);
    before_.resize(count);
    for (std::uint32_t at = 0; at < count; ++at) {
        before_[at] = truth[2 * at];
        truth[2 * at] = 0;
        truth[2 * at + 1] = 1;
    }
    dirty_.assign(count, 1);
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t at = 0; at < count; ++at) {
            if (!dirty_[at]) continue;
            dirty_[at] = 0;
            const std::uint32_t gate = first + at;
            std::uint8_t value = 1;
            for (std::uint32_t one = source_.offsets[gate]; value && one < source_.offsets[gate + 1]; ++one)
                value = truth_[source_.literals[one]];
            if (value == truth[2 * at]) continue;
            truth[2 * at] = value;
            truth[2 * at + 1] = value ^ 1;
            for (std::uint32_t reader : loop_readers_[gate]) {
                dirty_[reader - first] = 1;
                again |= reader <= gate;
            }
        }
    }
    for (std::uint32_t at = 0; at < count; ++at)
        if (truth[2 * at] != before_[at] && before_[at] != UNKNOWN) change(base_ + first + at, truth[2 * at]);
}

}  // namespace ludorum
