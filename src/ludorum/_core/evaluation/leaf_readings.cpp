// Leaves and their features, read off counts and sums that follow each change of a state.

#include "evaluation/leaf_readings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ludorum {

namespace {

constexpr double SUM_SCALE = 0x1p60;  // of sums: counts and inverse squares of distances
constexpr double FARTHEST_SHARE = 2;  // of the longest distance: more than any has
constexpr double MOST_PARTIAL = 100;  // partial solutions that are told apart by number

std::vector<CountingGates::Output> outputs_of(const ValueProgram &program) {
    std::vector<CountingGates::Output> found;
    for (std::uint32_t atom = 0; atom < program.atoms(); ++atom) found.emplace_back(program.network->sees[atom], atom);
    return found;
}

CountingGates::Source source_of(const Network &network) {
    return {network.fluents, network.moves, network.gate_offsets, network.gate_literals, network.loops};
}

}  // namespace

LeafReadings::LeafReadings(const ValueProgram &program)
    : program_(program),
      gates_(source_of(*program.network), outputs_of(program), static_cast<std::uint32_t>(program.atoms())),
      state_((program.network->fluents + 63) / 64, 0),
      seen_((program.atoms() + 63) / 64, 0),
      sums_(program.sums.size()),
      sums_of_(program.atoms()),
      leaves_of_atoms_(program.atoms()),
      leaves_of_sums_(program.sums.size()),
      readings_(program.leaves.size()) {
    for (std::uint32_t sum = 0; sum < program.sums.size(); ++sum)
        for (const SumTerm &term : program.sums[sum]) {
            const bool infinite = std::isinf(term.weight);
            sums_of_[term.atom].push_back({sum, infinite, infinite ? 0 : static_cast<Fixed>(term.weight * SUM_SCALE)});
        }
    for (std::uint32_t leaf = 0; leaf < program.leaves.size(); ++leaf) {
        const ValueLeaf &own = program.leaves[leaf];
        leaves_of_atoms_[own.atom].push_back(leaf);
        for (std::int32_t number : {own.when_true, own.when_false})
            for (; number != NO_FEATURE; number = program.features[static_cast<std::size_t>(number)].otherwise) {
                const ValueFeature &feature = program.features[static_cast<std::size_t>(number)];
                const bool of_atoms = feature.kind == FeatureKind::MARGIN || feature.kind == FeatureKind::ENDED;
                Users &users = of_atoms ? leaves_of_atoms_ : leaves_of_sums_;
                for (std::uint32_t place : feature.places) users[place].push_back(leaf);
            }
        }
    for (Users *users : {&leaves_of_atoms_, &leaves_of_sums_})
        for (auto &own : *users) {
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
        }
    dirty_.resize(program.leaves.size());
    for (std::uint32_t atom = 0; atom < program.atoms(); ++atom)  // those that hold where no fluent does
        if (gates_.outputs()[atom / 64] >> (atom & 63) & 1) change(atom, true);
    std::copy_n(gates_.outputs(), seen_.size(), seen_.data());
    for (std::uint32_t leaf = 0; leaf < program.leaves.size(); ++leaf) readings_[leaf] = read(leaf);
    dirty_.drain([](std::uint32_t) {});
}

void LeafReadings::follow(const Words &state) {
    for (std::size_t word = 0; word < state_.size(); ++word)
        for (std::uint64_t left = state[word] ^ state_[word]; left; left &= left - 1)
            gates_.flip(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(__builtin_ctzll(left)));
    state_ = state;
    gates_.settle_now();
    for (std::size_t word = 0; word < seen_.size(); ++word) {
        const std::uint64_t now = gates_.outputs()[word], changed = now ^ seen_[word];
        seen_[word] = now;
        for (std::uint64_t left = changed; left; left &= left - 1) {
            const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(left));
            change(static_cast<std::uint32_t>(64 * word) + bit, now >> bit & 1);
        }
    }
}

void LeafReadings::change(std::uint32_t atom, bool holds) {
    for (const SumChange &each : sums_of_[atom]) {
        Sum &sum = sums_[each.sum];
        sum.amount += holds ? each.weight : -each.weight;
        if (each.infinite) sum.infinite += holds ? 1 : -1;
        for (std::uint32_t leaf : leaves_of_sums_[each.sum]) dirty_.add(leaf);
    }
    for (std::uint32_t leaf : leaves_of_atoms_[atom]) dirty_.add(leaf);
}

double LeafReadings::amount(std::uint32_t sum) const { return static_cast<double>(sums_[sum].amount) / SUM_SCALE; }

// The least of some distances, made less by each other one; the sum is that of their inverse squares.
double LeafReadings::nearest(std::uint32_t sum) const {
    if (sums_[sum].infinite) return 0;
    if (!sums_[sum].amount) return std::numeric_limits<double>::infinity();
    return 1 / std::sqrt(static_cast<double>(sums_[sum].amount) / SUM_SCALE);
}

LeafReading LeafReadings::read(std::uint32_t leaf) const {
    const ValueLeaf &own = program_.leaves[leaf];
    const bool is_true = holds(own.atom);
    const std::int32_t feature = is_true ? own.when_true : own.when_false;
    if (feature != NO_FEATURE) return read(program_.features[static_cast<std::size_t>(feature)], is_true);
    return {is_true ? LeafReading::Scale::TRUTH : LeafReading::Scale::FALSITY, false, 0};
}

LeafReading LeafReadings::read(const ValueFeature &feature, bool is_true) const {
    switch (feature.kind) {
        case FeatureKind::LASTS: return {is_true ? LeafReading::Scale::EVER : LeafReading::Scale::NEVER, true, 0};
        case FeatureKind::SOLUTIONS: {
            const double exponent = (1 - amount(feature.places[0])) / std::max(feature.numbers[0], 1.0);
            return {LeafReading::Scale::TRUTH, false, 1 - std::exp(exponent * std::log(2.0))};
        }
        case FeatureKind::DISTANCE: return read_distance(feature.places[0], feature.lasts);
        case FeatureKind::NEAREST:
            if (amount(feature.places[1]) == 0) return {LeafReading::Scale::FALSITY, false, 0};
            return read_distance(feature.places[0], feature.lasts);
        case FeatureKind::PARTIAL: return read_partial(feature);
        case FeatureKind::MARGIN: return read_margin(feature, is_true);
        case FeatureKind::MOBILITY: return read_mobility(feature);
        case FeatureKind::ENDED: return read_ended(feature);
    }
    return {};
}

LeafReading LeafReadings::read_distance(std::uint32_t sum, bool lasts) const {
    const double found = nearest(sum);
    if (std::isinf(found)) return {LeafReading::Scale::NEVER, lasts, 0};
    return {LeafReading::Scale::DISTANCE, false, std::min(found, FARTHEST_SHARE)};
}

// How many of the parts, each longer than the one before, have solutions, and how many the last of these has.
LeafReading LeafReadings::read_partial(const ValueFeature &feature) const {
    double depth = 0, partial = 0;
    for (std::uint32_t sum : feature.places) {
        const double found = amount(sum);
        if (found == 0) break;
        ++depth;
        partial = found;
    }
    const double literals = static_cast<double>(feature.places.size()) + 1;
    const double share = 1 - depth / literals - std::min(partial, MOST_PARTIAL - 1) / (literals * MOST_PARTIAL);
    return {LeafReading::Scale::DISTANCE, false, share};
}

LeafReading LeafReadings::read_margin(const ValueFeature &feature, bool is_true) const {
    for (std::size_t at = 0; at < feature.places.size(); ++at) {
        if (!holds(feature.places[at])) continue;
        const double margin = feature.numbers[at];
        if (is_true || margin > 0) return {LeafReading::Scale::TRUTH, false, std::max(margin, 0.0)};
        return {LeafReading::Scale::FALSITY, false, margin};
    }
    return {is_true ? LeafReading::Scale::TRUTH : LeafReading::Scale::FALSITY, false, 0};
}

LeafReading LeafReadings::read_mobility(const ValueFeature &feature) const {
    if (std::isinf(nearest(feature.places[0]))) return {LeafReading::Scale::NEVER, false, 0};
    const double moves = amount(feature.places[1]) / std::max(feature.numbers[0], 1.0);
    return {LeafReading::Scale::FALSITY, false, -std::min(1.0, moves)};
}

LeafReading LeafReadings::read_ended(const ValueFeature &feature) const {
    for (std::uint32_t atom : feature.places)
        if (holds(atom)) return {LeafReading::Scale::NEVER, true, 0};
    if (feature.otherwise == NO_FEATURE) return {LeafReading::Scale::FALSITY, false, 0};
    return read(program_.features[static_cast<std::size_t>(feature.otherwise)], false);
}

}  // namespace ludorum
