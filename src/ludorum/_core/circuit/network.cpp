// Networks: taken over from numpy arrays and checked once, so that no kernel need look again.

#include "circuit/network.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "circuit/loop_check.hpp"

namespace nb = nanobind;

namespace ludorum {

std::vector<char> Network::cone(const std::vector<Literal> &outputs) const {
    std::vector<char> needed(gates(), 0);
    const std::uint32_t base = first_gate();
    auto mark = [&](Literal literal) {
        if (literal >> 1 >= base) needed[(literal >> 1) - base] = 1;
    };
    for (Literal literal : outputs) mark(literal);
    auto loop = loops.rbegin();
    for (std::uint32_t gate = gates(); gate-- > 0;) {
        while (loop != loops.rend() && gate < loop->first) ++loop;
        if (loop != loops.rend() && gate == loop->second) {
            bool any = false;
            for (std::uint32_t one = loop->first; one <= loop->second; ++one) any |= needed[one] != 0;
            if (any)
                for (std::uint32_t one = loop->first; one <= loop->second; ++one) needed[one] = 1;
        }
        if (!needed[gate]) continue;
        for (std::uint32_t at = gate_offsets[gate]; at < gate_offsets[gate + 1]; ++at) mark(gate_literals[at]);
    }
    return needed;
}

void Network::set_weights(std::vector<std::uint32_t> given) {
    weights = given.empty() ? std::vector<std::uint32_t>(moves, 1) : std::move(given);
    if (weights.size() != moves) throw std::invalid_argument("not a circuit: weights need one number for each move");
    weighted.assign(roles(), 0);
    has_weights = false;
    for (std::uint32_t role = 0; role < roles(); ++role)
        for (std::uint32_t move = role_begin(role); move < role_ends[role]; ++move) {
            if (weights[move] < 1 || weights[move] > INT32_MAX)
                throw std::invalid_argument("not a circuit: a weight is a number from 1 to 2147483647");
            weighted[role] |= weights[move] != 1;
            has_weights |= weights[move] != 1;
        }
}

void Network::check() const {
    auto fail = [](const std::string &what) { throw std::invalid_argument("not a circuit: " + what); };
    auto check_literals = [&](const std::vector<Literal> &literals, const char *name) {
        for (Literal literal : literals)
            if (literal >> 1 >= nodes()) fail(std::string(name) + " refers to a node that is not there");
    };
    if (std::uint64_t{fluents} + moves + gate_offsets.size() > MOST_NODES) fail("too many nodes");
    if (gate_offsets.empty() || gate_offsets.front() != 0) fail("gate_offsets must begin with 0");
    for (std::size_t gate = 0; gate + 1 < gate_offsets.size(); ++gate)
        if (gate_offsets[gate] > gate_offsets[gate + 1]) fail("gate_offsets must not fall");
    if (gate_offsets.back() != gate_literals.size()) fail("gate_offsets must end where gate_literals ends");
    if (!role_ends.empty() ? role_ends.back() != moves : moves != 0) fail("moves must be those of the roles");
    if (legal.size() != moves) fail("legal needs one literal for each move");
    if (next.size() != fluents || initial.size() != fluents) fail("next and initial need one entry a fluent");
    for (std::uint8_t held : initial)
        if (held > 1) fail("initial must be 0 or 1 for each fluent");
    if (goal_roles.size() != goals.size() || goal_values.size() != goals.size()) fail("goals do not match");
    for (std::uint32_t role : goal_roles)
        if (role >= roles()) fail("a goal of a role that is not there");
    check_literals(gate_literals, "a gate");
    check_literals(legal, "legal");
    check_literals(next, "next");
    check_literals(goals, "goals");
    check_literals(sees, "sees");
    check_literals({terminal}, "terminal");
    std::uint32_t after = 0;
    for (auto [first, last] : loops) {
        if (first < after || last < first || last >= gates()) fail("loops must be sorted and apart");
        after = last + 1;
    }
    LoopCheck<std::uint32_t> loop_check(first_gate(), gate_offsets, gate_literals);
    for (auto [first, last] : loops)
        if (!loop_check.ends(first, last)) fail("a loop has a way round with a negation: it would never come to rest");
    std::size_t loop = 0;
    for (std::uint32_t gate = 0; gate < gates(); ++gate) {
        while (loop < loops.size() && loops[loop].second < gate) ++loop;
        const bool inside = loop < loops.size() && loops[loop].first <= gate;
        const std::uint32_t end = first_gate() + (inside ? loops[loop].second + 1 : gate);
        for (std::uint32_t at = gate_offsets[gate]; at < gate_offsets[gate + 1]; ++at)
            if (gate_literals[at] >> 1 >= end) fail("a gate refers to a later one outside of a loop");
    }
}

namespace {

template <class T>
using ArrayOf = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class To, class From>
std::vector<To> copied(const ArrayOf<From> &array) {
    return std::vector<To>(array.data(), array.data() + array.size());
}

std::shared_ptr<Network> make_network(const Whole &fluents, ArrayOf<std::int32_t> moves_of_roles,
                                      ArrayOf<std::int32_t> gate_offsets, ArrayOf<std::int32_t> gate_literals,
                                      ArrayOf<std::int32_t> legal, const Whole &terminal,
                                      ArrayOf<std::int32_t> goal_roles, ArrayOf<std::int32_t> goal_values,
                                      ArrayOf<std::int32_t> goals, ArrayOf<std::int32_t> next,
                                      ArrayOf<std::int32_t> sees, ArrayOf<std::uint8_t> initial,
                                      ArrayOf<std::int32_t> loops,
                                      const std::optional<ArrayOf<std::int32_t>> &weights) {
    auto network = std::make_shared<Network>();
    network->fluents = fluents.in<std::uint32_t>("fluents", 0, MOST_NODES);
    if (moves_of_roles.size() > MOST_ROLES) throw std::invalid_argument("not a circuit: more than 65536 roles");
    for (std::size_t role = 0; role < moves_of_roles.size(); ++role) {
        const std::int32_t moves = moves_of_roles.data()[role];
        if (moves < 0) throw std::invalid_argument("not a circuit: fewer than no moves");
        if (moves > static_cast<std::int32_t>(MOST_NODES - network->moves))
            throw std::invalid_argument("not a circuit: too many moves");
        network->moves += static_cast<std::uint32_t>(moves_of_roles.data()[role]);
        network->role_ends.push_back(network->moves);
    }
    network->gate_offsets = copied<std::uint32_t>(gate_offsets);
    network->gate_literals = copied<Literal>(gate_literals);
    network->legal = copied<Literal>(legal);
    network->terminal = terminal.as<std::uint32_t>("terminal");
    network->goal_roles = copied<std::uint32_t>(goal_roles);
    network->goal_values = copied<std::int32_t>(goal_values);
    network->goals = copied<Literal>(goals);
    network->next = copied<Literal>(next);
    network->sees = copied<Literal>(sees);
    network->initial = copied<std::uint8_t>(initial);
    if (loops.size() % 2) throw std::invalid_argument("not a circuit: loops are pairs of gates");
    for (std::size_t at = 0; at < loops.size(); at += 2)
        network->loops.emplace_back(loops.data()[at], loops.data()[at + 1]);
    network->check();
    network->set_weights(weights ? copied<std::uint32_t>(*weights) : std::vector<std::uint32_t>{});
    return network;
}

}  // namespace

void bind_network(nb::module_ &m) {
    nb::class_<Network>(m, "Network", "A circuit taken over from arrays and checked; Lanes and Single run it.")
        .def(nb::new_(&make_network), nb::kw_only(), nb::arg("fluents"), nb::arg("moves_of_roles"),
             nb::arg("gate_offsets"), nb::arg("gate_literals"), nb::arg("legal"), nb::arg("terminal"),
             nb::arg("goal_roles"), nb::arg("goal_values"), nb::arg("goals"), nb::arg("next"), nb::arg("sees"),
             nb::arg("initial"), nb::arg("loops"), nb::arg("weights") = nb::none())
        .def_prop_ro("fluents", [](const Network &self) { return self.fluents; })
        .def_prop_ro("moves", [](const Network &self) { return self.moves; })
        .def_prop_ro("roles", &Network::roles)
        .def_prop_ro("percepts", [](const Network &self) { return self.sees.size(); })
        .def_prop_ro("gates", &Network::gates)
        .def_prop_ro("literals", [](const Network &self) { return self.gate_literals.size(); });
}

}  // namespace ludorum
