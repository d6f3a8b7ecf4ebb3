// Counted evaluation of gates.

#include "single/counting_gates.hpp"

#include <algorithm>


namespace ludorum {

namespace {

constexpr std::uint32_t LOOP = 1u << 31;  // an observer that is a loop
constexpr std::uint32_t LIST = 1u << 30;  // a node's observers are listed: how many, then each
constexpr std::uint32_t NOBODY = ~0u;
constexpr std::uint32_t LONG = 100;       // gates
constexpr std::uint32_t FEW = 16;          // readers

}  // namespace

CountingGates::CountingGates(Source source, const std::vector<Output> &outputs, std::uint32_t output_bits)
    : source_(std::move(source)),
      base_(source_.fluents + source_.moves + 1),
      loops_(base_, source_.loops, source_.offsets, source_.literals),
      outputs_((output_bits + 63) / 64, 0) {
    const auto gates = static_cast<std::uint32_t>(source_.offsets.size()) - 1;
    truth_.assign(2 * (base_ + gates), UNKNOWN);
    for (std::uint32_t node = 0; node < base_; ++node) {
        truth_[2 * node] = node + 1 == base_;
        truth_[2 * node + 1] = node + 1 != base_;
    }
    missing_.assign(gates, 0);
    queues_[0].resize(gates);
    queues_[1].resize(gates);
    find_phases();
    const std::vector<char> kept = needed(outputs);
    link(kept, outputs);
    start(kept, outputs);
}

// Gates read earlier gates only, but in loops, which are needed whole.
std::vector<char> CountingGates::needed(const std::vector<Output> &outputs) const {
    std::vector<char> found(missing_.size(), 0);
    auto mark = [&](Literal literal) {
        if (literal >> 1 >= base_) found[(literal >> 1) - base_] = 1;
    };
    for (auto [literal, bit] : outputs) mark(literal);
    for (std::size_t loop = 0; loop < loops_.size(); ++loop)
        for (std::uint32_t gate = loops_.range(loop).first; gate <= loops_.range(loop).second; ++gate) found[gate] = 1;
    auto close = [&] {
        for (std::size_t gate = found.size(); gate-- > 0;)
            if (found[gate])
                for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at)
                    mark(source_.literals[at]);
    };
    close();
    // A gate that is computed on demand is not cached: where that would take long, it is kept up to date as well.
    std::vector<std::uint32_t> cost(found.size(), 1);
    for (std::size_t gate = 0; gate < found.size(); ++gate) {
        if (found[gate]) continue;
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at)
            if (source_.literals[at] >> 1 >= base_) cost[gate] += cost[(source_.literals[at] >> 1) - base_];
        if (cost[gate] <= LONG) continue;
        found[gate] = 1;
        cost[gate] = 1;
    }
    close();
    return found;
}

void CountingGates::find_phases() {
    later_.assign(missing_.size(), 0);
    for (std::uint32_t gate = 0; gate < later_.size(); ++gate) {
        const std::int32_t loop = loops_.loop_of(gate);
        const std::uint32_t last = loop < 0 ? gate : loops_.range(static_cast<std::size_t>(loop)).second;
        std::uint8_t later = 0;
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[last + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            later |= node < base_ ? node >= source_.fluents && node + 1 < base_ : later_[node - base_];
        }
        std::fill(later_.begin() + gate, later_.begin() + last + 1, later);
        some_later_ |= later != 0;
        gate = last;
    }
}

void CountingGates::link(const std::vector<char> &needed, const std::vector<Output> &outputs) {
    const auto gates = static_cast<std::uint32_t>(needed.size());
    // Readers of each literal; a literal and its negation stand one behind the other.
    std::vector<std::uint32_t> begin(truth_.size() + 1, 0);
    auto each = [&](auto visit) {
        for (std::uint32_t gate = 0; gate < gates; ++gate)
            if (needed[gate] && loops_.loop_of(gate) < 0)
                for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at)
                    visit(source_.literals[at], gate);
    };
    each([&](Literal literal, std::uint32_t) { ++begin[literal + 1]; });
    for (std::size_t literal = 0; literal + 1 < begin.size(); ++literal) begin[literal + 1] += begin[literal];
    readers_.resize(begin.back());
    std::vector<std::uint32_t> filled(begin.begin(), begin.end() - 1);
    each([&](Literal literal, std::uint32_t gate) { readers_[filled[literal]++] = gate; });

    std::vector<std::pair<std::uint32_t, std::uint32_t>> observing;
    for (auto [literal, bit] : outputs) observing.emplace_back(literal >> 1, bit);
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
        const auto [first, last] = loops_.range(loop);
        for (std::uint32_t at = source_.offsets[first]; at < source_.offsets[last + 1]; ++at) {
            const std::uint32_t node = source_.literals[at] >> 1;
            if (node < base_ + first || node > base_ + last)
                observing.emplace_back(node, LOOP | static_cast<std::uint32_t>(loop));
        }
    }
    std::sort(observing.begin(), observing.end());
    auto at = observing.begin();
    for (std::uint32_t node = 0; node < truth_.size() / 2; ++node) {
        const auto first = at;
        while (at != observing.end() && at->first == node) ++at;
        std::uint32_t observer = NOBODY;
        if (at - first == 1 && !(first->second & LOOP)) {
            observer = first->second;
        } else if (at != first) {
            observer = LIST | static_cast<std::uint32_t>(observers_.size());
            observers_.push_back(static_cast<std::uint32_t>(at - first));
            for (auto each = first; each != at; ++each) observers_.push_back(each->second);
        }
        nodes_.push_back({begin[2 * node], begin[2 * node + 1], begin[2 * node + 2], observer});
    }
}

void CountingGates::start(const std::vector<char> &needed, const std::vector<Output> &outputs) {
    for (std::uint32_t gate = 0; gate < needed.size(); ++gate) {
        if (!needed[gate]) continue;
        if (const std::int32_t loop = loops_.loop_of(gate); loop >= 0) {
            loops_.evaluate(static_cast<std::size_t>(loop), truth_);
            gate = loops_.range(static_cast<std::size_t>(loop)).second;
            continue;
        }
        for (std::uint32_t at = source_.offsets[gate]; at < source_.offsets[gate + 1]; ++at)
            missing_[gate] += truth_[source_.literals[at]] == 0;
        truth_[2 * (base_ + gate)] = missing_[gate] == 0;
        truth_[2 * (base_ + gate) + 1] = missing_[gate] != 0;
    }
    for (auto [literal, bit] : outputs)
        if (truth_[literal] == 1) outputs_[bit / 64] ^= 1ull << (bit & 63);
}

bool CountingGates::holds(Literal literal) const {
    if (truth_[literal] != UNKNOWN) return truth_[literal] == 1;
    const std::uint32_t gate = (literal >> 1) - base_;
    bool all = true;
    for (std::uint32_t at = source_.offsets[gate]; all && at < source_.offsets[gate + 1]; ++at)
        all = holds(source_.literals[at]);
    return all != ((literal & 1) != 0);
}

void CountingGates::settle(OrderedQueue &queue) {
    queue.drain([&](std::uint32_t gate) {
        if (const std::int32_t loop = loops_.loop_of(gate); loop >= 0) {
            for (std::uint32_t node : loops_.evaluate(static_cast<std::size_t>(loop), truth_)) tell(node);
        } else if (const std::uint32_t node = base_ + gate; (missing_[gate] == 0) != (truth_[2 * node] != 0)) {
            turn(node);
            tell(node);
        }
    });
}

// Readers whose literal has risen may have become true, those whose literal has fallen may have become false.
// A branch on whether a few of them have is hard to predict: where one queue serves all, they enter it without one. Of
// many readers nearly all stay as they are.
void CountingGates::tell(std::uint32_t number) {
    const Node node = nodes_[number];
    const bool value = truth_[2 * number] != 0;
    const std::uint32_t *const readers = readers_.data();
    const std::uint32_t *const middle = readers + node.middle;
    const std::uint32_t *const risen = value ? readers + node.begin : middle;
    const std::uint32_t *const risen_end = value ? middle : readers + node.end;
    const std::uint32_t *const fallen = value ? middle : readers + node.begin;
    const std::uint32_t *const fallen_end = value ? readers + node.end : middle;
    std::uint16_t *const missing = missing_.data();
    if (some_later_ || node.end - node.begin > FEW) {
        for (const std::uint32_t *at = risen; at != risen_end; ++at)
            if (--missing[*at] == 0) enqueue(*at);
        for (const std::uint32_t *at = fallen; at != fallen_end; ++at)
            if (missing[*at]++ == 0) enqueue(*at);
    } else {
        OrderedQueue &queue = queues_[0];
        for (const std::uint32_t *at = risen; at != risen_end; ++at) queue.add_if(*at, --missing[*at] == 0);
        for (const std::uint32_t *at = fallen; at != fallen_end; ++at) queue.add_if(*at, missing[*at]++ == 0);
    }
    if (node.observer == NOBODY) return;
    if (node.observer & LIST)
        observe(node.observer & ~LIST);
    else
        outputs_[node.observer / 64] ^= 1ull << (node.observer & 63);
}

void CountingGates::observe(std::uint32_t first) {
    for (std::uint32_t at = first + 1; at <= first + observers_[first]; ++at) {
        const std::uint32_t observer = observers_[at];
        if (observer & LOOP)
            enqueue(loops_.range(observer & ~LOOP).first);
        else
            outputs_[observer / 64] ^= 1ull << (observer & 63);
    }
}

}  // namespace ludorum
