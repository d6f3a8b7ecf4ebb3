// StateValues and Spread: evaluation functions of goals, for Python and for compiled searches.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "evaluation/spread.hpp"
#include "evaluation/state_values.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using WholeNumbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A copy: Python could change the array after it was checked.
struct Groups {
    std::vector<std::int32_t> offsets;

    // Where groups begin in an array of so many entries; one more than there are groups.
    Groups(const WholeNumbers &given, std::size_t entries, const char *name)
        : offsets(given.data(), given.data() + given.size()) {
        const std::string of(name);
        if (offsets.empty() || offsets.front() != 0) refuse_evaluation(of + " must begin with 0");
        for (std::size_t at = 0; at + 1 < offsets.size(); ++at)
            if (offsets[at] > offsets[at + 1]) refuse_evaluation(of + " must not fall");
        if (static_cast<std::size_t>(offsets.back()) != entries) refuse_evaluation(of + " must end where its entries end");
    }
    std::size_t size() const { return offsets.size() - 1; }
    std::size_t begin(std::size_t group) const { return static_cast<std::size_t>(offsets[group]); }
    std::size_t end(std::size_t group) const { return static_cast<std::size_t>(offsets[group + 1]); }
};

std::uint32_t as_index(std::int32_t given, const char *name) {
    if (given < 0) refuse_evaluation(std::string(name) + " must not be negative");
    return static_cast<std::uint32_t>(given);
}

void same_size(std::size_t one, std::size_t other, const char *names) {
    if (one != other) refuse_evaluation(std::string(names) + " must be as many");
}

void take_sums(ValueProgram &program, const WholeNumbers &offsets, const WholeNumbers &atoms, const Numbers &weights) {
    same_size(atoms.size(), weights.size(), "the atoms of sums and their weights");
    const Groups groups(offsets, atoms.size(), "sum_offsets");
    program.sums.resize(groups.size());
    for (std::size_t sum = 0; sum < groups.size(); ++sum)
        for (std::size_t at = groups.begin(sum); at < groups.end(sum); ++at)
            program.sums[sum].push_back({as_index(atoms.data()[at], "an atom"), weights.data()[at]});
}

void take_features(ValueProgram &program, const WholeNumbers &kinds, const WholeNumbers &lasts,
                   const WholeNumbers &otherwise, const WholeNumbers &place_offsets, const WholeNumbers &places,
                   const WholeNumbers &number_offsets, const Numbers &numbers) {
    const Groups own_places(place_offsets, places.size(), "place_offsets");
    const Groups own_numbers(number_offsets, numbers.size(), "number_offsets");
    same_size(kinds.size(), own_places.size(), "kinds of features and their places");
    same_size(kinds.size(), own_numbers.size(), "kinds of features and their numbers");
    same_size(kinds.size(), lasts.size(), "kinds of features and lasts");
    same_size(kinds.size(), otherwise.size(), "kinds of features and otherwise");
    for (std::size_t at = 0; at < kinds.size(); ++at) {
        if (kinds.data()[at] < 0 || kinds.data()[at] >= FEATURE_KINDS) refuse_evaluation("a feature of no known kind");
        ValueFeature feature{static_cast<FeatureKind>(kinds.data()[at]), lasts.data()[at] != 0, {}, {}, otherwise.data()[at]};
        for (std::size_t place = own_places.begin(at); place < own_places.end(at); ++place)
            feature.places.push_back(as_index(places.data()[place], "a place"));
        feature.numbers.assign(numbers.data() + own_numbers.begin(at), numbers.data() + own_numbers.end(at));
        program.features.push_back(std::move(feature));
    }
}

void take_leaves(ValueProgram &program, const WholeNumbers &atoms, const WholeNumbers &when_true,
                 const WholeNumbers &when_false) {
    same_size(atoms.size(), when_true.size(), "leaves and when_true");
    same_size(atoms.size(), when_false.size(), "leaves and when_false");
    for (std::size_t at = 0; at < atoms.size(); ++at)
        program.leaves.push_back({as_index(atoms.data()[at], "an atom"), when_true.data()[at], when_false.data()[at]});
}

void take_neurons(ValueProgram &program, const Numbers &weights, const Numbers &biases, const WholeNumbers &any,
                  const WholeNumbers &offsets, const WholeNumbers &parts) {
    const Groups groups(offsets, parts.size(), "part_offsets");
    same_size(weights.size(), groups.size(), "weights and part_offsets");
    same_size(weights.size(), biases.size(), "weights and biases");
    same_size(weights.size(), any.size(), "weights and any");
    for (std::size_t at = 0; at < parts.size(); ++at) program.parts.push_back(as_index(parts.data()[at], "a part"));
    for (std::size_t at = 0; at < weights.size(); ++at)
        program.neurons.push_back({weights.data()[at], biases.data()[at], any.data()[at] != 0,
                                   static_cast<std::uint32_t>(groups.begin(at)),
                                   static_cast<std::uint32_t>(groups.end(at))});
}

void take_goals(ValueProgram &program, const WholeNumbers &offsets, const Numbers &values, const WholeNumbers &roots) {
    const Groups groups(offsets, roots.size(), "goal_offsets");
    same_size(values.size(), roots.size(), "values of goals and their roots");
    program.goals.resize(groups.size());
    for (std::size_t role = 0; role < groups.size(); ++role)
        for (std::size_t at = groups.begin(role); at < groups.end(role); ++at)
            program.goals[role].push_back({values.data()[at], roots.data()[at]});
}

void take_refinement(ValueProgram &program, double quantum, double goal_share, double usual_moves, double usual_worth,
                     const WholeNumbers &offsets, const WholeNumbers &atoms, const Numbers &values,
                     const WholeNumbers &moves, const WholeNumbers &pieces) {
    const Groups groups(offsets, atoms.size(), "held_offsets");
    same_size(atoms.size(), values.size(), "atoms of goals that hold and their values");
    same_size(moves.size(), groups.size(), "moves and held_offsets");
    same_size(pieces.size(), groups.size(), "pieces and held_offsets");
    program.refinement = {quantum, goal_share, usual_moves, usual_worth, {}};
    for (std::size_t role = 0; role < groups.size(); ++role) {
        RoleRefinement own{{}, moves.data()[role], pieces.data()[role]};
        for (std::size_t at = groups.begin(role); at < groups.end(role); ++at)
            own.goals.emplace_back(as_index(atoms.data()[at], "an atom"), values.data()[at]);
        program.refinement.of_role.push_back(std::move(own));
    }
}

std::shared_ptr<StateValues> make_values(
    std::shared_ptr<const Network> network, const WholeNumbers &sum_offsets, const WholeNumbers &sum_atoms,
    const Numbers &sum_weights, const WholeNumbers &kinds, const WholeNumbers &lasts, const WholeNumbers &otherwise,
    const WholeNumbers &place_offsets, const WholeNumbers &places, const WholeNumbers &number_offsets,
    const Numbers &numbers, const WholeNumbers &leaf_atoms, const WholeNumbers &when_true,
    const WholeNumbers &when_false, const Numbers &weights, const Numbers &biases, const WholeNumbers &any,
    const WholeNumbers &part_offsets, const WholeNumbers &parts, const WholeNumbers &goal_offsets,
    const Numbers &goal_values, const WholeNumbers &goal_roots, const Whole &end, double expected,
    const Numbers &truth_values, bool crisp, bool settles, const Whole &terminality_steps, double quantum,
    double goal_share, double usual_moves, double usual_worth, const WholeNumbers &held_offsets,
    const WholeNumbers &held_atoms, const Numbers &held_values, const WholeNumbers &moves, const WholeNumbers &pieces) {
    auto program = std::make_shared<ValueProgram>();
    program->network = std::move(network);
    take_sums(*program, sum_offsets, sum_atoms, sum_weights);
    take_features(*program, kinds, lasts, otherwise, place_offsets, places, number_offsets, numbers);
    take_leaves(*program, leaf_atoms, when_true, when_false);
    take_neurons(*program, weights, biases, any, part_offsets, parts);
    take_goals(*program, goal_offsets, goal_values, goal_roots);
    program->end = end.as<std::int32_t>("end");
    program->expected = expected;
    if (truth_values.size() != 5) refuse_evaluation("there are five truth values");
    const double *values = truth_values.data();
    program->values = {values[0], values[1], values[2], values[3], values[4]};
    program->crisp = crisp;
    program->settles = settles;
    program->terminality_steps = terminality_steps.in<std::uint32_t>("terminality_steps", 1, 1u << 20);
    take_refinement(*program, quantum, goal_share, usual_moves, usual_worth, held_offsets, held_atoms, held_values,
                    moves, pieces);
    program->check();
    return std::make_shared<StateValues>(std::move(program));
}

void put_state(Words &words, const std::uint8_t *row, std::uint32_t fluents) {
    for (std::size_t chunk = 0; chunk < words.size(); ++chunk) words[chunk] = load_chunk(row, packed_bytes(fluents), chunk);
    if (fluents & 63) words.back() &= ~(~0ull << (fluents & 63));
}

// By row the value for one role.
nb::object values_of(StateValues &self, const Rows &states, const Whole &given_role) {
    const std::uint32_t role = checked_role(given_role, static_cast<std::uint32_t>(self.program().goals.size()));
    const std::uint32_t fluents = self.program().network->fluents;
    if (states.shape(1) != packed_bytes(fluents))
        throw std::invalid_argument("a state has " + std::to_string(packed_bytes(fluents)) + " bytes");
    auto found = std::make_unique<double[]>(std::max<std::size_t>(states.shape(0), 1));
    {
        StateValues::Loan evaluator(self);
        Words words((fluents + 63) / 64);
        for (std::size_t row = 0; row < states.shape(0); ++row) {
            put_state(words, states.data() + row * states.shape(1), fluents);
            found[row] = evaluator.value(words, role);
            if (row % 4096 == 4095 && PyErr_CheckSignals() != 0) throw nb::python_error();
        }
    }
    double *const data = found.release();
    nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(data, {states.shape(0)}, owner));
}

double value_of(StateValues &self, const nb::bytes &state, const Whole &given_role) {
    const std::uint32_t role = checked_role(given_role, static_cast<std::uint32_t>(self.program().goals.size()));
    const std::uint32_t fluents = self.program().network->fluents;
    if (state.size() != packed_bytes(fluents))
        throw std::invalid_argument("a state has " + std::to_string(packed_bytes(fluents)) + " bytes");
    Words words((fluents + 63) / 64);
    put_state(words, reinterpret_cast<const std::uint8_t *>(state.c_str()), fluents);
    return StateValues::Loan(self).value(words, role);
}

using GivenInterval = std::tuple<double, double, double, std::vector<double>>;

std::shared_ptr<Spread> make_spread(const std::vector<GivenInterval> &intervals) {
    auto spread = std::make_shared<Spread>();
    for (const auto &[low, high, unit, sample] : intervals) spread->intervals.push_back({low, high, unit, sample});
    spread->check();
    return spread;
}

}  // namespace

void bind_evaluation(nb::module_ &m) {
    nb::class_<StateValues>(m, "StateValues", "Values of packed states for roles, by networks of their goals.")
        .def(nb::new_(&make_values), nb::arg("network"), nb::kw_only(), nb::arg("sum_offsets"), nb::arg("sum_atoms"),
             nb::arg("sum_weights"), nb::arg("kinds"), nb::arg("lasts"), nb::arg("otherwise"),
             nb::arg("place_offsets"), nb::arg("places"), nb::arg("number_offsets"), nb::arg("numbers"),
             nb::arg("leaf_atoms"), nb::arg("when_true"), nb::arg("when_false"), nb::arg("weights"),
             nb::arg("biases"), nb::arg("any"), nb::arg("part_offsets"), nb::arg("parts"), nb::arg("goal_offsets"),
             nb::arg("goal_values"), nb::arg("goal_roots"), nb::arg("end"), nb::arg("expected"),
             nb::arg("truth_values"), nb::arg("crisp"), nb::arg("settles"), nb::arg("terminality_steps"),
             nb::arg("quantum"), nb::arg("goal_share"), nb::arg("usual_moves"), nb::arg("usual_worth"),
             nb::arg("held_offsets"), nb::arg("held_atoms"), nb::arg("held_values"), nb::arg("moves"),
             nb::arg("pieces"))
        .def("value", &value_of, nb::arg("state"), nb::arg("role"),
             "The value of a state that is not terminal: strictly between 0 and 100.")
        .def("values", &values_of, nb::arg("states"), nb::arg("role"), "The values of rows of packed states.")
        .def_prop_ro("evaluated", &StateValues::evaluated, "How many values were made.")
        .def_prop_ro("roles", [](const StateValues &self) { return self.program().goals.size(); });
    nb::class_<Spread>(m, "Spread", "Spreads near values apart, in their order.")
        .def(nb::new_(&make_spread), nb::arg("intervals"),
             "Of intervals (low, high, unit, sample), each after the one before.")
        .def("place", [](const Spread &self, double value) { return self.place(number_in(value, "value")); },
             nb::arg("value"));
}

}  // namespace ludorum
