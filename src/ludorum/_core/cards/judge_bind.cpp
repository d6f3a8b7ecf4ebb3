// Judges of card games for Python.

#include <functional>
#include <optional>

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "common/bind.hpp"
#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "cards/bind.hpp"
#include "cards/check.hpp"
#include "cards/judge.hpp"

namespace nb = nanobind;

namespace ludorum::cards {

namespace {

using Numbers = std::vector<std::int32_t>;

Heuristic read_heuristic(const nb::dict &parts) {
    Heuristic found;
    found.weight = nb::cast<std::int32_t>(parts["weight"]);
    for (nb::handle one : nb::cast<nb::list>(parts["symbols"]))
        found.symbols.push_back({nb::cast<std::int32_t>(one[0]), nb::cast<std::int32_t>(one[1])});
    found.conditions.resize(found.symbols.size() + 1);
    for (nb::handle one : nb::cast<nb::list>(parts["conditions"]))
        found.conditions.at(nb::cast<std::size_t>(one[0]))
            .push_back({nb::cast<std::int32_t>(one[1]), nb::cast<std::int32_t>(one[2])});
    if (found.symbols.empty()) throw std::invalid_argument("a heuristic belongs to a card");
    return found;
}

class CardJudge {
  public:
    CardJudge(const nb::dict &program, const nb::dict &parts) : program_(read_program(program)) {
        for (nb::handle one : nb::cast<nb::list>(parts["heuristics"]))
            valuation_.heuristics.push_back(read_heuristic(nb::cast<nb::dict>(one)));
        valuation_.seats = nb::cast<Numbers>(parts["seats"]);
        valuation_.properties = nb::cast<Numbers>(parts["properties"]);
        valuation_.signs = nb::cast<Numbers>(parts["signs"]);
        valuation_.role_mismatch = static_cast<RoleMismatch>(nb::cast<std::int32_t>(parts["role_mismatch"]));
        valuation_.active_only = nb::cast<bool>(parts["active_only"]);
        valuation_.decided = nb::cast<double>(parts["decided"]);
        valuation_.header = nb::cast<std::int32_t>(parts["header"]);
        valuation_.passes = nb::cast<std::uint32_t>(parts["passes"]);
        valuation_.most_states = nb::cast<std::uint64_t>(parts["most_states"]);
        valuation_.most_tries = nb::cast<std::uint64_t>(parts["most_tries"]);
        if (valuation_.properties.size() != valuation_.signs.size()) throw std::invalid_argument("a sign is missing");
        check_valuation(program_, valuation_);
    }

    double value(const nb::bytes &state, const Whole &me) const {
        std::vector<std::uint8_t> memory = copy_table(program_, state);
        Table table(program_, memory.data());
        Judge judge = this->judge(me);
        return judge.value(table);
    }

    nb::list instances(const nb::bytes &state, const Whole &me) const {
        std::vector<std::uint8_t> memory = copy_table(program_, state);
        Table table(program_, memory.data());
        nb::list found;
        Judge judge = this->judge(me);
        for (const Instance &one : judge.instances(table))
            found.append(nb::make_tuple(one.heuristic, one.count, one.cards));
        return found;
    }

    nb::list outcomes(const nb::bytes &state, const Whole &me, const Whole &given_seed, bool keep_states) const {
        Judge judge = this->judge(me);
        const auto seed = given_seed.as<std::uint64_t>("seed");
        std::vector<std::uint8_t> memory = copy_table(program_, state);
        Table table(program_, memory.data());
        SplitMix64 random(seed);
        table.run(random);
        if (!table.is_asked() || table.head(Table::WHO) != me.as<std::int32_t>("me"))
            throw std::invalid_argument("this player is not asked");
        std::vector<Outcome> all;
        {
            nb::gil_scoped_release release;
            AskToStop heard;
            const std::function<void()> poll = [&] { heard(); };
            judge.poll = &poll;
            all = judge.outcomes(table, seed, keep_states);
        }
        nb::list found;
        for (const Outcome &one : all)
            found.append(nb::make_tuple(one.option, one.value, one.states,
                                        nb::bytes(reinterpret_cast<const char *>(one.state.data()), one.state.size())));
        return found;
    }

    const Program &program() const { return program_; }
    const Valuation &valuation() const { return valuation_; }

  private:
    Judge judge(const Whole &me) const {
        return {program_, valuation_, me.in<std::uint32_t>("there is no such player: me", 0, program_.players - 1)};
    }

    Program program_;
    Valuation valuation_;
};

}  // namespace

const Valuation &valuation_of(nb::handle judge, const Program &program) {
    const auto &found = nb::cast<const CardJudge &>(judge);
    if (found.program().bytes != program.bytes || found.program().code != program.code)
        throw std::invalid_argument("this judge knows another program");
    return found.valuation();
}

}  // namespace ludorum::cards

namespace ludorum {

void bind_card_judge(nb::module_ &m) {
    using cards::CardJudge;
    nb::class_<CardJudge>(m, "CardJudge", "What positions of a card game are worth, by pseudo-heuristics.")
        .def(nb::init<const nb::dict &, const nb::dict &>(), nb::arg("program"), nb::arg("valuation"))
        .def("value", &CardJudge::value, nb::arg("state"), nb::arg("me"))
        .def("instances", &CardJudge::instances, nb::arg("state"), nb::arg("me"))
        .def("outcomes", &CardJudge::outcomes, nb::arg("state"), nb::arg("me"), nb::arg("seed"),
             nb::arg("keep_states") = false);
}

}  // namespace ludorum
