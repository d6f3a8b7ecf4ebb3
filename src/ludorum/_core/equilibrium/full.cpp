// Counterfactual regret minimisation over the whole tree, by sequences: what a player can expect after each of its
// sequences is a sparse matrix times the others' plans, and then its choices are gone through, the last ones first.

#include <algorithm>
#include <cmath>
#include <limits>

#include "equilibrium/regrets.hpp"

namespace ludorum {

namespace {

constexpr double ROUNDING = 1e-12;  // of the greatest value: no regret

}  // namespace

Regrets::Regrets(DecisionTree tree, std::uint64_t seed) : tree_(std::move(tree)), random_(seed) {
    const std::size_t slots = tree_.arrays.slots();
    regrets_.assign(slots, 0.0);
    weights_.assign(slots, 0.0);
    strategy_.assign(slots, 0.0);
    plan_.assign(slots + 1, 1.0);
    worth_.assign(slots + 1, 0.0);
    for (const PlayerSide &side : tree_.sides)
        for (const Choice &choice : side.choices) most_moves_ = std::max(most_moves_, choice.count);
    double most_value = 0;
    for (const double value : tree_.arrays.values) most_value = std::max(most_value, std::abs(value));
    least_regret_ = ROUNDING * most_value;
    local_.resize(most_moves_);
    local_sample_.resize(most_moves_);
}

void Regrets::put_plan(const std::vector<Choice> &choices, const std::vector<double> &profile) {
    for (const Choice &choice : choices) {
        const double before = plan_[choice.before];
        for (std::uint32_t slot = choice.first; slot < choice.first + choice.count; ++slot)
            plan_[slot + 1] = before * profile[slot];
    }
}

void Regrets::look_at_ends(const PlayerSide &side) {
    for (const Choice &choice : side.choices)
        for (std::uint32_t slot = choice.first; slot < choice.first + choice.count; ++slot) worth_[slot + 1] = 0;
    worth_[0] = 0;
    const std::size_t others = tree_.sides.size() - 1;
    if (others == 1) {
        for (const EndRow &row : side.rows) {
            double sum = 0;
            for (std::uint32_t at = row.first; at < row.last; ++at) sum += side.weights[at] * plan_[side.others[at]];
            worth_[row.own] = sum;
        }
        return;
    }
    for (const EndRow &row : side.rows) {
        double sum = 0;
        for (std::uint32_t at = row.first; at < row.last; ++at) {
            double product = side.weights[at];
            for (std::size_t other = 0; other < others; ++other) product *= plan_[side.others[at * others + other]];
            sum += product;
        }
        worth_[row.own] = sum;
    }
}

// Regrets and the next strategy of a player, from its last choices to its first.
void Regrets::learn(const PlayerSide &side, const FullUpdate &update) {
    const double least = update.plus ? 0.0 : -std::numeric_limits<double>::infinity();
    for (auto choice = side.choices.rbegin(); choice != side.choices.rend(); ++choice) {
        const double *after = &worth_[choice->first + 1];
        double *regrets = &regrets_[choice->first], *strategy = &strategy_[choice->first];
        double expected = 0;
        for (std::uint32_t at = 0; at < choice->count; ++at) expected += strategy[at] * after[at];
        for (std::uint32_t at = 0; at < choice->count; ++at)
            regrets[at] = std::max(regrets[at] + (after[at] - expected), least);
        match(choice->first, choice->count, strategy);
        worth_[choice->before] += expected;
    }
}

// Adds the plan that was played to the average, and makes the next.
void Regrets::move_plan(const PlayerSide &side, double weight) {
    for (const Choice &choice : side.choices) {
        const double before = plan_[choice.before];
        for (std::uint32_t slot = choice.first; slot < choice.first + choice.count; ++slot) {
            weights_[slot] += weight * plan_[slot + 1];
            plan_[slot + 1] = before * strategy_[slot];
        }
    }
}

void Regrets::iterate(const FullUpdate &update) {
    const double weight = update.plus ? static_cast<double>(iterations_) : 1.0;
    for (const PlayerSide &side : tree_.sides) {
        look_at_ends(side);
        learn(side, update);
        if (!update.simultaneous) move_plan(side, weight);
    }
    if (update.simultaneous)
        for (const PlayerSide &side : tree_.sides) move_plan(side, weight);
}

void Regrets::run_full(std::uint64_t iterations, const FullUpdate &update, const StopAsking &stop) {
    std::uint64_t work = 0;
    for (const PlayerSide &side : tree_.sides) {
        work += side.weights.size();
        for (const Choice &choice : side.choices) {
            match(choice.first, choice.count, &strategy_[choice.first]);
            work += 4 * choice.count;
        }
        put_plan(side.choices, strategy_);
    }
    repeat(iterations, stop, [&] {
        iterate(update);
        return work;
    });
}

Regrets::Worth Regrets::worth(const std::vector<double> &profile, std::uint32_t player) {
    const PlayerSide &side = tree_.sides[player];
    for (const PlayerSide &each : tree_.sides) put_plan(each.choices, profile);
    Worth found{};
    for (const bool best : {false, true}) {
        look_at_ends(side);
        for (auto choice = side.choices.rbegin(); choice != side.choices.rend(); ++choice) {
            const double *after = &worth_[choice->first + 1];
            double expected = 0;
            for (std::uint32_t at = 0; at < choice->count; ++at) expected += profile[choice->first + at] * after[at];
            worth_[choice->before] += best ? *std::max_element(after, after + choice->count) : expected;
        }
        (best ? found.best : found.own) = worth_[0];
    }
    return found;
}

}  // namespace ludorum
