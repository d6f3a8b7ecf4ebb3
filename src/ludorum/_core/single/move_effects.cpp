// Partial evaluation by one move at a time.

#include "single/move_effects.hpp"

#include <algorithm>
#include <map>

namespace ludorum {

EffectFinder::EffectFinder(const Network &network, const std::vector<char> &later)
    : network_(network), depends_(network.gates(), 0), changes_(network.gates()) {
    const std::uint32_t base = network.first_gate();
    std::vector<char> looped(network.gates(), 0);
    for (auto [first, last] : network.loops) std::fill(looped.begin() + first, looped.begin() + last + 1, 1);
    auto each = [&](auto visit) {
        for (std::uint32_t gate = 0; gate < network.gates(); ++gate) {
            if (!later[gate]) continue;
            for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at) {
                const std::uint32_t node = network.gate_literals[at] >> 1;
                const bool is_move = node >= network.fluents && node < network.true_node();
                if (is_move || (node >= base && depends_[node - base])) visit(gate, network.gate_literals[at]);
            }
        }
    };
    each([&](std::uint32_t gate, Literal) {
        depends_[gate] = 1;
        moves_reach_loops_ |= looped[gate] != 0;
    });
    reader_offsets_.assign(network.nodes() + 1, 0);
    next_offsets_.assign(network.nodes() + 1, 0);
    each([&](std::uint32_t, Literal literal) { ++reader_offsets_[(literal >> 1) + 1]; });
    for (Literal literal : network.next) ++next_offsets_[(literal >> 1) + 1];
    for (std::uint32_t node = 0; node < network.nodes(); ++node) {
        reader_offsets_[node + 1] += reader_offsets_[node];
        next_offsets_[node + 1] += next_offsets_[node];
    }
    readers_.resize(reader_offsets_.back());
    next_readers_.resize(next_offsets_.back());
    std::vector<std::uint32_t> filled(reader_offsets_.begin(), reader_offsets_.end() - 1);
    each([&](std::uint32_t gate, Literal literal) {
        readers_[filled[literal >> 1]++] = {gate, (literal & 1) != 0};
    });
    filled.assign(next_offsets_.begin(), next_offsets_.end() - 1);
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        next_readers_[filled[network.next[fluent] >> 1]++] = fluent;
    queue_.resize(network.gates());
}

void EffectFinder::begin(const std::vector<Literal> &images, const GatePool &pool) {
    images_ = &images;
    visits_ = 0;
    never_.assign(network_.gates(), 0);
    open_.clear();
    open_offsets_.assign(1, 0);
    for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
        if (depends_[gate])
            for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
                const Literal literal = network_.gate_literals[at];
                const Literal image = images[literal >> 1] ^ (literal & 1);
                never_[gate] += image == pool.no();
                if (image >> 1 != pool.yes() >> 1) open_.push_back(image);
            }
        open_offsets_.push_back(static_cast<std::uint32_t>(open_.size()));
    }
}

std::vector<FluentEffect> EffectFinder::find(std::uint32_t move, GatePool &pool) {
    found_.clear();
    put(network_.fluents + move, pool.yes());
    queue_.drain([&](std::uint32_t gate) {
        const Literal image = image_of(gate, pool);
        changes_[gate].clear();
        const std::uint32_t node = network_.first_gate() + gate;
        if (image != (*images_)[node]) put(node, image);
    });
    std::sort(found_.begin(), found_.end(),
              [](const FluentEffect &one, const FluentEffect &other) { return one.fluent < other.fluent; });
    return found_;
}

// Only what has changed is looked at, and what is no constant: a gate may ask after hundreds of moves.
Literal EffectFinder::image_of(std::uint32_t gate, GatePool &pool) {
    std::uint32_t never = never_[gate];
    visits_ += changes_[gate].size();
    for (const Change &change : changes_[gate]) {
        never -= change.before == pool.no();
        never += change.after == pool.no();
    }
    if (never) return pool.no();
    inputs_.assign(open_.begin() + open_offsets_[gate], open_.begin() + open_offsets_[gate + 1]);
    visits_ += inputs_.size();
    for (const Change &change : changes_[gate]) {
        const auto before = std::find(inputs_.begin(), inputs_.end(), change.before);
        if (before != inputs_.end()) inputs_.erase(before);
    }
    for (const Change &change : changes_[gate]) inputs_.push_back(change.after);
    return pool.add(inputs_);
}

void EffectFinder::put(std::uint32_t node, Literal image) {
    const Literal before = (*images_)[node];
    for (std::uint32_t at = reader_offsets_[node]; at < reader_offsets_[node + 1]; ++at) {
        const auto [gate, negated] = readers_[at];
        queue_.add(gate);
        changes_[gate].push_back({before ^ negated, image ^ negated});
    }
    for (std::uint32_t at = next_offsets_[node]; at < next_offsets_[node + 1]; ++at) {
        const std::uint32_t fluent = next_readers_[at];
        found_.push_back({fluent, image ^ (network_.next[fluent] & 1)});
    }
}

void take_majority(std::vector<Literal> &next, std::vector<std::vector<FluentEffect>> &effects) {
    std::vector<std::uint32_t> listed(next.size(), 0);
    for (const auto &own : effects)
        for (const FluentEffect &effect : own) ++listed[effect.fluent];
    std::map<std::uint32_t, std::map<Literal, std::size_t>> votes;
    for (const auto &own : effects)
        for (const FluentEffect &effect : own)
            if (2 * listed[effect.fluent] > effects.size()) ++votes[effect.fluent][effect.literal];
    std::map<std::uint32_t, Literal> before;  // of the fluents that change
    for (const auto &[fluent, counts] : votes) {
        const auto best = std::max_element(counts.begin(), counts.end(),
                                           [](auto &one, auto &other) { return one.second < other.second; });
        if (best->second <= effects.size() - listed[fluent]) continue;
        before[fluent] = next[fluent];
        next[fluent] = best->first;
    }
    for (auto &own : effects) {
        std::vector<FluentEffect> kept;
        auto left = before;
        for (const FluentEffect &effect : own) {
            left.erase(effect.fluent);
            if (effect.literal != next[effect.fluent]) kept.push_back(effect);
        }
        for (const auto &[fluent, literal] : left) kept.push_back({fluent, literal});
        std::sort(kept.begin(), kept.end(),
                  [](const FluentEffect &one, const FluentEffect &other) { return one.fluent < other.fluent; });
        own = std::move(kept);
    }
}

}  // namespace ludorum
