// Checks of evaluation functions that come from outside.

#include "evaluation/value_program.hpp"

#include <stdexcept>
#include <string>

#include "common/arguments.hpp"

namespace ludorum {

void refuse_evaluation(const std::string &reason) { throw std::invalid_argument("not an evaluation: " + reason); }

namespace {

// How many places refer to sums, which come first; the others of a margin or an end are atoms.
struct Shape {
    std::size_t least_places, most_places, numbers;
};
constexpr std::size_t ANY = ~std::size_t{0};

Shape shape_of(const ValueFeature &feature) {
    switch (feature.kind) {
        case FeatureKind::LASTS: return {0, 0, 0};
        case FeatureKind::SOLUTIONS: return {1, 1, 1};
        case FeatureKind::DISTANCE: return {1, 1, 0};
        case FeatureKind::NEAREST: return {2, 2, 0};
        case FeatureKind::PARTIAL: return {0, ANY, 0};
        case FeatureKind::MARGIN: return {0, ANY, feature.places.size()};
        case FeatureKind::MOBILITY: return {2, 2, 1};
        case FeatureKind::ENDED: return {0, ANY, 0};
    }
    refuse_evaluation("a feature of no known kind");
}

void check_feature(const ValueProgram &program, std::size_t number) {
    const ValueFeature &feature = program.features[number];
    const Shape shape = shape_of(feature);
    if (feature.places.size() < shape.least_places || feature.places.size() > shape.most_places)
        refuse_evaluation("a feature with too few places, or too many");
    if (feature.numbers.size() != shape.numbers) refuse_evaluation("a feature with too few numbers, or too many");
    const bool of_atoms = feature.kind == FeatureKind::MARGIN || feature.kind == FeatureKind::ENDED;
    const std::size_t end = of_atoms ? program.atoms() : program.sums.size();
    for (std::uint32_t place : feature.places)
        if (place >= end) refuse_evaluation("a feature of what is not there");
    const bool is_margin = feature.kind == FeatureKind::MARGIN;
    for (double number_given : feature.numbers)
        number_in(number_given, is_margin ? "a margin" : "a count of the first state", is_margin ? -1.0 : 0.0,
                  is_margin ? 1.0 : 1e15);
    if (feature.otherwise == NO_FEATURE) return;
    if (feature.kind != FeatureKind::ENDED || feature.otherwise < 0 ||
        static_cast<std::size_t>(feature.otherwise) >= number ||
        program.features[static_cast<std::size_t>(feature.otherwise)].otherwise != NO_FEATURE)
        refuse_evaluation("otherwise has to be an earlier feature that stands for itself");
}

}  // namespace

void ValueProgram::check() const {
    std::size_t terms = 0;
    for (const auto &sum : sums) {
        terms += sum.size();
        for (const SumTerm &term : sum) {
            if (term.atom >= atoms()) refuse_evaluation("a sum of what is not there");
            if (term.weight != std::numeric_limits<double>::infinity())
                number_in(term.weight, "a weight of a sum", LEAST_SUM_WEIGHT, MOST_SUM_WEIGHT);
        }
    }
    if (terms > MOST_VALUE_PARTS || parts.size() > MOST_VALUE_PARTS || nodes() > MOST_VALUE_PARTS) refuse_evaluation("it is too large");
    for (std::size_t number = 0; number < features.size(); ++number) check_feature(*this, number);
    auto check_use = [&](std::int32_t feature) {
        if (feature != NO_FEATURE && (feature < 0 || static_cast<std::size_t>(feature) >= features.size()))
            refuse_evaluation("a leaf with a feature that is not there");
    };
    for (const ValueLeaf &leaf : leaves) {
        if (leaf.atom >= atoms()) refuse_evaluation("a leaf that is no atom");
        check_use(leaf.when_true);
        check_use(leaf.when_false);
    }
    for (std::size_t number = 0; number < neurons.size(); ++number) {
        const ValueNeuron &neuron = neurons[number];
        number_in(neuron.weight, "the weight of a neuron", -1e100, 1e100);
        number_in(neuron.bias, "the bias of a neuron", -1e100, 1e100);
        if (neuron.first_part >= neuron.end_part || neuron.end_part > parts.size()) refuse_evaluation("a neuron without parts");
        for (std::uint32_t at = neuron.first_part; at < neuron.end_part; ++at)
            if (parts[at] >> 1 >= leaves.size() + number) refuse_evaluation("a neuron with a part that comes later");
    }
    auto check_root = [&](std::int32_t root) {
        if (root < ALWAYS_FALSE || (root >= 0 && static_cast<std::size_t>(root >> 1) >= nodes()))
            refuse_evaluation("a root that is no node");
    };
    check_root(end);
    for (const auto &own : goals)
        for (const GoalRoot &goal : own) {
            number_in(goal.value, "the value of a goal", -1e9, 1e9);
            check_root(goal.root);
        }
    number_in(expected, "expected", 0, 100);
    number_in(refinement.quantum, "quantum", 0, 1);
    if (refinement.quantum > 0) {
        number_in(refinement.quantum, "quantum", 0x1p-100, 1);
        number_in(refinement.goal_share, "goal_share", 0, 1);
        number_in(refinement.usual_moves, "usual_moves", 1, 1e15);
        number_in(refinement.usual_worth, "usual_worth", 1, 1e15);
        if (refinement.of_role.size() != goals.size()) refuse_evaluation("roles have one refinement each");
    }
    auto check_sum = [&](std::int32_t sum) {
        if (sum < -1 || sum >= static_cast<std::int64_t>(sums.size())) refuse_evaluation("a sum that is not there");
    };
    for (const RoleRefinement &own : refinement.of_role) {
        check_sum(own.moves);
        check_sum(own.pieces);
        for (auto [atom, value] : own.goals) {
            if (atom >= atoms()) refuse_evaluation("a goal that is no atom");
            number_in(value, "a goal value", -1, 100);
        }
    }
    for (double value : {values.never, values.is_false, values.near, values.is_true, values.ever})
        number_in(value, "a truth value", -1, 1);
}

}  // namespace ludorum
