// Binds what builds and rewrites circuits. Arrays are checked here, once.

#include <stdexcept>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "circuit/build_gates.hpp"
#include "circuit/extract.hpp"
#include "circuit/foresight.hpp"
#include "circuit/latches.hpp"
#include "circuit/loop_check.hpp"
#include "circuit/order.hpp"
#include "circuit/sweep.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Array = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Made = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

constexpr std::int32_t MOST_INPUTS = 1 << 26;
constexpr unsigned ALL_RULES = 2 * FACTOR - 1;  // each is a bit, and that is the last

std::span<const std::int32_t> view(const Array &array) { return {array.data(), array.size()}; }

Made made(std::vector<std::int32_t> &&values) {
    auto *kept = new std::vector<std::int32_t>(std::move(values));
    nb::capsule owner(kept, [](void *data) noexcept { delete static_cast<std::vector<std::int32_t> *>(data); });
    return Made(kept->data(), {kept->size()}, owner);
}

void check_offsets(std::span<const std::int32_t> offsets, std::size_t end, const char *name) {
    if (offsets.empty() || offsets.front() != 0 || static_cast<std::size_t>(offsets.back()) != end)
        throw std::invalid_argument(std::string(name) + " must begin with 0 and end where the literals end");
    for (std::size_t at = 1; at < offsets.size(); ++at)
        if (offsets[at] < offsets[at - 1]) throw std::invalid_argument(std::string(name) + " must not fall");
}

void check_range(std::span<const std::int32_t> values, std::int64_t least, std::int64_t end, const char *name) {
    for (std::int32_t value : values)
        if (value < least || value >= end) throw std::invalid_argument(std::string(name) + " is out of range");
}

// How many inputs there are, with the constant; arrays are made that have an entry for each.
std::int32_t checked_first_gate(const Whole &first_gate) {
    return first_gate.in<std::int32_t>("the constant needs a node: first_gate", 1, MOST_INPUTS);
}

void check_nodes(std::int64_t first_gate, std::size_t gates) {
    if (first_gate + static_cast<std::int64_t>(gates) > MOST_NODES) throw std::invalid_argument("too many nodes");
}

nb::tuple build(Array heads, Array body_offsets, Array body, Array atoms, const Whole &given_first_gate) {
    const std::int32_t first_gate = checked_first_gate(given_first_gate);
    check_nodes(first_gate, atoms.size() + heads.size());
    const auto count = static_cast<std::int64_t>(atoms.size());
    check_range(view(heads), 0, count, "a head");
    check_range(view(body), 0, 2 * count, "a body literal");
    check_range(view(atoms), -1, 2 * static_cast<std::int64_t>(first_gate), "an atom's literal");
    if (body_offsets.size() != heads.size() + 1) throw std::invalid_argument("one body for each head");
    check_offsets(view(body_offsets), body.size(), "body_offsets");
    BuiltGates built;
    {
        nb::gil_scoped_release released;
        built = build_gates({view(heads), view(body_offsets), view(body)},
                            {atoms.data(), atoms.data() + atoms.size()}, first_gate);
    }
    return nb::make_tuple(made(std::move(built.offsets)), made(std::move(built.literals)),
                          made(std::move(built.atoms)), made(std::move(built.circle)));
}

nb::tuple sweep(const Whole &given_fluents, Array moves_of_roles, Array offsets, Array literals, Array legal,
                Array outputs, const Whole &given_rules) {
    CircuitView circuit;
    const auto fluents = given_fluents.in<std::int32_t>("fluents", 0, MOST_INPUTS);
    const auto rules = given_rules.in<unsigned>("rules", 0, ALL_RULES);
    check_range(view(moves_of_roles), 0, INT32_MAX, "a number of moves");
    std::size_t moves = 0;
    for (std::int32_t own : view(moves_of_roles)) moves += static_cast<std::size_t>(own);
    if (moves != legal.size()) throw std::invalid_argument("legal needs one literal for each move");
    if (moves_of_roles.size() > MOST_ROLES) throw std::invalid_argument("there may be 65536 roles at most");
    check_nodes(fluents, moves + offsets.size());
    circuit.first_move = fluents;
    circuit.roles.assign(fluents, -1);
    for (std::size_t role = 0; role < moves_of_roles.size(); ++role)
        circuit.roles.insert(circuit.roles.end(), moves_of_roles.data()[role], static_cast<std::int32_t>(role));
    circuit.first_gate = static_cast<std::int32_t>(circuit.roles.size()) + 1;
    check_offsets(view(offsets), literals.size(), "gate_offsets");
    const std::int64_t end = 2 * (static_cast<std::int64_t>(circuit.first_gate) + offsets.size() - 1);
    check_range(view(literals), 0, end, "a literal");
    check_range(view(outputs), 0, end, "an output");
    check_range(view(legal), 0, end, "a legal literal");
    circuit.offsets = view(offsets);
    circuit.literals = view(literals);
    circuit.legal = view(legal);
    circuit.outputs = view(outputs);
    GateArrays arrays;
    {
        nb::gil_scoped_release released;
        AskToStop stop;
        arrays = Sweep(circuit, rules).run([&] { stop(); });
    }
    return nb::make_tuple(made(std::move(arrays.offsets)), made(std::move(arrays.literals)),
                          made(std::move(arrays.outputs)));
}

OrderView order_view(std::int32_t first_gate, const Array &offsets, const Array &literals, const Array &loops) {
    check_nodes(first_gate, offsets.size());
    check_offsets(view(offsets), literals.size(), "gate_offsets");
    const auto gates = static_cast<std::int64_t>(offsets.size()) - 1;
    check_range(view(literals), 0, 2 * (first_gate + gates), "a literal");
    check_range(view(loops), 0, gates, "a loop");
    if (loops.size() % 2) throw std::invalid_argument("loops are pairs of gates");
    LoopCheck<std::int32_t> loop_check(first_gate, view(offsets), view(literals));
    for (std::size_t at = 0; at < loops.size(); at += 2) {
        const std::int32_t first = loops.data()[at], last = loops.data()[at + 1];
        if (last < first || (at && first <= loops.data()[at - 1]))
            throw std::invalid_argument("loops must be sorted and apart");
        if (!loop_check.ends(first, last))
            throw std::invalid_argument("a loop has a way round with a negation: it would never come to rest");
    }
    return {first_gate, view(offsets), view(literals), view(loops)};
}

Made phases(const Whole &given_first_gate, Array offsets, Array literals, Array loops, Array state_outputs,
            Array goal_outputs, Array next_outputs) {
    const std::int32_t first_gate = checked_first_gate(given_first_gate);
    const OrderView circuit = order_view(first_gate, offsets, literals, loops);
    for (const Array &outputs : {state_outputs, goal_outputs, next_outputs})
        check_range(view(outputs), 0, 2 * (static_cast<std::int64_t>(first_gate) + offsets.size() - 1), "an output");
    return made(gate_phases(circuit, view(state_outputs), view(goal_outputs), view(next_outputs)));
}

Made order(const Whole &given_first_gate, Array offsets, Array literals, Array loops, Array gate_phases) {
    const std::int32_t first_gate = checked_first_gate(given_first_gate);
    const OrderView circuit = order_view(first_gate, offsets, literals, loops);
    check_range(view(gate_phases), 0, 3, "a phase");
    if (gate_phases.size() + 1 != offsets.size()) throw std::invalid_argument("one phase for each gate");
    return made(gate_order(circuit, view(gate_phases)));
}

Made latches(const Whole &given_first_gate, Array offsets, Array literals, Array loops, Array next) {
    const std::int32_t first_gate = checked_first_gate(given_first_gate);
    const OrderView circuit = order_view(first_gate, offsets, literals, loops);
    check_range(view(next), 0, 2 * (static_cast<std::int64_t>(first_gate) + offsets.size() - 1), "a next literal");
    if (static_cast<std::int64_t>(next.size()) >= first_gate) throw std::invalid_argument("more fluents than inputs");
    std::vector<std::int32_t> found;
    {
        nb::gil_scoped_release released;
        AskToStop stop;
        found = find_latches(circuit, view(next), [&] { stop(); });
    }
    return made(std::move(found));
}

nb::tuple extract(const Whole &given_first_gate, Array offsets, Array literals, Array loops, Array outputs, bool pairs,
                  bool sets) {
    const std::int32_t first_gate = checked_first_gate(given_first_gate);
    const OrderView circuit = order_view(first_gate, offsets, literals, loops);
    check_range(view(outputs), 0, 2 * (static_cast<std::int64_t>(first_gate) + offsets.size() - 1), "an output");
    GateArrays arrays;
    {
        nb::gil_scoped_release released;
        AskToStop stop;
        Extraction extraction(circuit, [&] { stop(); });
        if (sets) extraction.share_sets();
        if (pairs) extraction.share_pairs();
        arrays = extraction.finish(view(outputs));
    }
    return nb::make_tuple(made(std::move(arrays.offsets)), made(std::move(arrays.literals)),
                          made(std::move(arrays.outputs)));
}

std::vector<std::int32_t> signed_copy(const std::vector<std::uint32_t> &values) {
    return {values.begin(), values.end()};
}

// Other gates with the outputs of a circuit, legal moves and end as `choose` has them.
template <class Choose>
nb::object foresee_by(const Network &network, std::size_t most_literals, bool flat, Choose choose) {
    if (!network.loops.empty()) return nb::none();
    std::vector<std::int32_t> offsets, literals, outputs;
    try {
        nb::gil_scoped_release released;
        Foresight foresight(network, most_literals, flat);
        outputs = signed_copy(choose(foresight));
        if (!outputs.empty())
            for (const auto &part : {network.goals, network.next, network.sees})
                for (Literal literal : part) outputs.push_back(static_cast<std::int32_t>(foresight.image(literal)));
        offsets = signed_copy(foresight.pool().offsets);
        literals = signed_copy(foresight.pool().literals);
    } catch (const Foresight::TooLarge &) {
        return nb::none();
    }
    if (outputs.empty()) return nb::none();
    return nb::make_tuple(made(std::move(offsets)), made(std::move(literals)), made(std::move(outputs)));
}

nb::object foresee(const Network &network, const Whole &most_literals) {
    return foresee_by(network, most_literals.as<std::size_t>("most_literals"), false, [&](Foresight &foresight) {
        std::vector<Literal> found = foresight.moves_worth_playing();
        if (!found.empty()) found.push_back(foresight.image(network.terminal));
        return found;
    });
}

nb::object look_ahead(const Network &network, const Whole &most_literals) {
    return foresee_by(network, most_literals.as<std::size_t>("most_literals"), true, [&](Foresight &foresight) {
        Foresight::Outlook found = foresight.outlook();
        if (!found.legal.empty()) found.legal.push_back(found.over);
        return found.legal;
    });
}

}  // namespace

void bind_optimise(nb::module_ &m) {
    m.def("build_gates", &build, nb::arg("heads"), nb::arg("body_offsets"), nb::arg("body"), nb::arg("atoms"),
          nb::arg("first_gate"),
          "Gates of ground rules: offsets, literals, the literal of each atom, and the atoms of a negative circle.");
    m.def("sweep_gates", &sweep, nb::arg("fluents"), nb::arg("moves_of_roles"), nb::arg("gate_offsets"),
          nb::arg("gate_literals"), nb::arg("legal"), nb::arg("outputs"), nb::arg("rules"),
          "Every gate added anew under some rules: offsets, literals and outputs without dead gates.");
    m.def("gate_phases", &phases, nb::arg("first_gate"), nb::arg("gate_offsets"), nb::arg("gate_literals"),
          nb::arg("loops"), nb::arg("state_outputs"), nb::arg("goal_outputs"), nb::arg("next_outputs"),
          "The phase of each gate: 0 legal and terminal, 1 goals only, 2 the rest.");
    m.def("gate_order", &order, nb::arg("first_gate"), nb::arg("gate_offsets"), nb::arg("gate_literals"),
          nb::arg("loops"), nb::arg("phases"), "The gates phase by phase in long runs of one shape.");
    m.def("find_latches", &latches, nb::arg("first_gate"), nb::arg("gate_offsets"), nb::arg("gate_literals"),
          nb::arg("loops"), nb::arg("next"), "Fluent literals that, once they hold, hold for ever.");
    m.def("extract_gates", &extract, nb::arg("first_gate"), nb::arg("gate_offsets"), nb::arg("gate_literals"),
          nb::arg("loops"), nb::arg("outputs"), nb::arg("pairs"), nb::arg("sets"),
          "Literals that gates have in common as gates of their own: offsets, literals and outputs.");
    m.def("foresee_gates", &foresee, nb::arg("network"), nb::arg("most_literals"),
          "Gates under which only moves worth playing are legal: offsets, literals and outputs; None where there are none, or too many.");
    m.def("outlook_gates", &look_ahead, nb::arg("network"), nb::arg("most_literals"),
          "Gates for proofs: legal is what wins at once or does not lose at once, terminal is whatever is decided.");
    nb::dict rules;
    rules["fold"] = static_cast<unsigned>(FOLD);
    rules["share"] = static_cast<unsigned>(SHARE);
    rules["absorb"] = static_cast<unsigned>(ABSORB);
    rules["one_hot"] = static_cast<unsigned>(ONE_HOT);
    rules["legal"] = static_cast<unsigned>(LEGAL);
    rules["merge"] = static_cast<unsigned>(MERGE);
    rules["group"] = static_cast<unsigned>(GROUP);
    rules["factor"] = static_cast<unsigned>(FACTOR);
    m.attr("SWEEP_RULES") = rules;
}

}  // namespace ludorum
