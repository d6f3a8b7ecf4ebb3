// An evaluation function as data: what leaves read of a state, and the neurons above them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "circuit/network.hpp"

namespace ludorum {

// Values between which features lie: false for ever, false now, nearly true, true now, true for ever.
struct TruthValues {
    double never = -1, is_false = -1, near = -1, is_true = 1, ever = 1;

    // Closer to the ends of the scale, the closer the match is to its end.
    TruthValues at(double terminality) const {
        return {never, is_false + terminality * (never - is_false), near + terminality * (never - near),
                is_true + terminality * (ever - is_true), ever};
    }
};

// What a leaf counts for while it holds, or while it does not.
enum class FeatureKind : std::uint8_t {
    LASTS,      // it stays as it is for ever
    SOLUTIONS,  // places: the count of solutions; numbers: that of the first state
    DISTANCE,   // places: the sum of what is near; infinite where that is nothing, and then for ever if it lasts
    NEAREST,    // places: the same, and the count of what there is to be near; without any there is no distance
    PARTIAL,    // places: the counts of longer and longer parts of a conjunction
    MARGIN,     // places: atoms in the order of the margins that they mean; numbers: these margins, falling
    MOBILITY,   // places: the sum of what is near, and the count of moves; numbers: the moves of the first state
    ENDED,      // places: atoms of which one ends it for ever; `otherwise` speaks while none of them holds
};
constexpr std::uint8_t FEATURE_KINDS = 8;
constexpr std::int32_t NO_FEATURE = -1;

struct ValueFeature {
    FeatureKind kind;
    bool lasts;  // whether an infinite distance stays so
    std::vector<std::uint32_t> places;
    std::vector<double> numbers;
    std::int32_t otherwise = NO_FEATURE;  // an earlier feature
};

// A part of a neuron: twice the number of a node, plus 1 where it is negated. Leaves are the first nodes.
using ValuePart = std::uint32_t;
constexpr std::int32_t ALWAYS_TRUE = -1, ALWAYS_FALSE = -2;  // roots that are no nodes

struct ValueLeaf {
    std::uint32_t atom;  // it holds where this one does
    std::int32_t when_true = NO_FEATURE, when_false = NO_FEATURE;
};

struct ValueNeuron {
    double weight, bias;
    bool is_any;  // a disjunction: one part that is true for ever decides it
    std::uint32_t first_part, end_part;
};

struct SumTerm {
    std::uint32_t atom;
    double weight;  // infinite: where this one holds the distance is 0
};

struct GoalRoot {
    double value;
    std::int32_t root;
};

// What is known of a state beside its goals, for one role; places of sums, or -1.
struct RoleRefinement {
    std::vector<std::pair<std::uint32_t, double>> goals;  // atoms of goal values that may hold before the end
    std::int32_t moves = -1, pieces = -1;
};
struct ValueRefinement {
    double quantum = 0;  // values that are nearer to each other are one value; 0: there is no refinement
    double goal_share = 0;
    double usual_moves = 1, usual_worth = 1;
    std::vector<RoleRefinement> of_role;
};

// Bounds within which sums of fixed-point numbers never overflow.
constexpr std::uint32_t MOST_VALUE_PARTS = 1u << 24;
constexpr double LEAST_SUM_WEIGHT = 0x1p-20, MOST_SUM_WEIGHT = 0x1p36;

// Throws std::invalid_argument with the reason.
[[noreturn]] void refuse_evaluation(const std::string &reason);

struct ValueProgram {
    std::shared_ptr<const Network> network;  // its percepts are the atoms that leaves read
    std::vector<std::vector<SumTerm>> sums;
    std::vector<ValueFeature> features;
    std::vector<ValueLeaf> leaves;
    std::vector<ValueNeuron> neurons;  // parts first
    std::vector<ValuePart> parts;
    std::vector<std::vector<GoalRoot>> goals;  // by role, without the expected value
    std::int32_t end = ALWAYS_FALSE;                  // the root of the end of play
    double expected = 50;
    TruthValues values;
    bool crisp = true;  // leaves are true or false, however near the end is
    bool settles = false;
    std::uint32_t terminality_steps = 32;
    ValueRefinement refinement;

    std::size_t atoms() const { return network->sees.size(); }
    std::size_t nodes() const { return leaves.size() + neurons.size(); }

    // Throws std::invalid_argument where something refers to what is not there, or lies out of bounds.
    void check() const;
};

}  // namespace ludorum
