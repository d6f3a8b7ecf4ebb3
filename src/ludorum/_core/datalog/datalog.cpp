// The lifted evaluator as Python sees it: numbers in, numbers out.

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "datalog/machine.hpp"

namespace nb = nanobind;
using namespace ludorum::datalog;
using ludorum::AskToStop;
using ludorum::checked_seconds;
using ludorum::Whole;

namespace {

struct LimitError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct CircleError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct UnsafeError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::span<const Id> ids(const nb::bytes &data) {
    if (data.size() % sizeof(Id)) throw nb::value_error("not a row of 32-bit numbers");
    return {reinterpret_cast<const Id *>(data.c_str()), data.size() / sizeof(Id)};
}

nb::bytes as_bytes(const std::vector<Id> &row) { return nb::bytes(row.data(), row.size() * sizeof(Id)); }

// Uses the machine while no other thread does. No thread may wait for the machine with the interpreter lock: the thread
// that uses it may be busy for long, and all others would stand still.
template <typename Work>
auto alone(Machine &machine, Work work) {
    nb::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> lock(machine.mutex);
    return work();
}

// As long as it lives, Ctrl-C interrupts the machine.
class Hearing {
  public:
    explicit Hearing(Machine &machine) : machine_(machine) {
        machine_.poll = [this] { heard_(); };
    }
    ~Hearing() { machine_.poll = nullptr; }
    Hearing(const Hearing &) = delete;
    Hearing &operator=(const Hearing &) = delete;

  private:
    Machine &machine_;
    AskToStop heard_;
};

// Asks alone and without the interpreter lock; failures become exceptions with a text, and Ctrl-C interrupts.
template <typename Question>
auto answer(Machine &machine, Question question) {
    try {
        return alone(machine, [&] {
            if (!machine.started()) throw std::invalid_argument("start() comes before questions");
            const Hearing hearing(machine);
            return question();
        });
    } catch (const LimitReached &limit) {
        throw LimitError(limit.what);
    } catch (const NegativeCircle &) {
        throw CircleError("negation runs in a circle");
    } catch (const UnsafeRule &) {
        throw UnsafeError("a rule has a variable that nothing binds");
    }
}

nb::dict as_dict(const PlayoutReport &report) {
    nb::dict made;
    made["steps"] = report.steps;
    made["playouts"] = report.playouts;
    made["cut"] = report.cut;
    made["stuck"] = report.stuck;
    made["valued"] = report.valued;
    made["seconds"] = report.seconds;
    made["cpu_seconds"] = report.cpu_seconds;
    made["tuning_seconds"] = report.tuning_seconds;
    made["goal_sums"] = report.goal_sums;
    if (report.each) {
        made["goals"] = as_bytes(report.goals);
        made["lengths"] = as_bytes(report.lengths);
    }
    return made;
}

// For each relation and choice of given arguments: what it cost so far and in which order conditions are met.
nb::list profile(Machine &machine) {
    using Row = std::tuple<int, std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::vector<int>>>;
    const auto rows = alone(machine, [&] {
        std::vector<Row> made;
        if (!machine.started()) return made;
        for (const auto &predicate : machine.predicates()) {
            std::string given;
            for (char one : predicate->bound) given += one ? 'b' : 'f';
            std::vector<std::vector<int>> orders;
            for (const Code &code : predicate->rules) orders.push_back(code.order);
            made.emplace_back(predicate->relation, given, predicate->asked, predicate->found, predicate->steps, orders);
        }
        return made;
    });
    nb::list found;
    for (const Row &row : rows) found.append(nb::cast(row));
    return found;
}

nb::tuple term_parts(Machine &machine, const Whole &given) {
    const std::vector<Id> found = alone(machine, [&] {
        if (!machine.terms.size()) throw std::invalid_argument("there is no term");
        const Id term = given.in<Id>("term", 0, machine.terms.size() - 1);
        std::vector<Id> parts{machine.terms.functor(term)};
        for (int i = 0; i < machine.terms.arity(term); ++i) parts.push_back(machine.terms.arg(term, i));
        return parts;
    });
    nb::list parts;
    for (Id part : found) parts.append(part);
    return nb::tuple(parts);
}

Id make_term(Machine &machine, const Whole &given, const std::vector<Id> &args) {
    return alone(machine, [&] {
        const Id functor = given.as<Id>("functor");
        if (args.size() > MOST_ARGUMENTS) throw std::invalid_argument("a functor has from 0 to 1000 arguments");
        machine.use_functor(functor, static_cast<int>(args.size()));
        for (Id arg : args)
            if (arg < 0 || arg >= machine.terms.size()) throw std::invalid_argument("no such term");
        return machine.terms.make(functor, args.data(), static_cast<int>(args.size()));
    });
}

void start(Machine &machine, const std::vector<int> &questions, std::vector<Id> roles, std::vector<Id> initial) {
    if (questions.size() != 7) throw nb::value_error("seven relations are asked for");
    alone(machine, [&] {
        machine.start({questions[0], questions[1], questions[2], questions[3], questions[4], questions[5],
                       questions[6]},
                      std::move(roles), std::move(initial));
    });
}

}  // namespace

void ludorum::bind_datalog(nb::module_ &m) {
    nb::exception<LimitError>(m, "LimitError");
    nb::exception<CircleError>(m, "CircleError");
    nb::exception<UnsafeError>(m, "UnsafeError");

    nb::class_<Machine>(m, "Datalog", "Rules of one game, evaluated top-down with a memory of answers.")
        .def(nb::init<>())
        .def("make_term", &make_term, nb::arg("functor"), nb::arg("args"),
             "The id of a functor (a number for name and arity) applied to terms.")
        .def("term", &term_parts, nb::arg("term"), "A term's functor and arguments.")
        .def("add_relation",
             [](Machine &machine, const Whole &arity, bool stored, bool unwrapped, const Whole &functor,
                const Whole &lifetime, const Whole &component, bool reached) {
                 return alone(machine, [&] {
                     return machine.add_relation(arity.as<int>("arity"), stored, unwrapped, functor.as<Id>("functor"),
                                                 lifetime.as<int>("lifetime"), component.as<int>("component"), reached);
                 });
             },
             nb::arg("arity"), nb::arg("stored"), nb::arg("unwrapped"),
             nb::arg("functor"), nb::arg("lifetime"), nb::arg("component"), nb::arg("reached"))
        .def("add_facts",
             [](Machine &machine, const Whole &relation, const std::vector<Id> &atoms) {
                 alone(machine, [&] { machine.add_facts(relation.as<int>("relation"), atoms); });
             },
             nb::arg("relation"), nb::arg("atoms"))
        .def("add_rule",
             [](Machine &machine, const Whole &relation, const Whole &variables, const std::vector<int> &code) {
                 alone(machine, [&] { machine.add_rule(relation.as<int>("relation"), variables.as<int>("variables"), code); });
             },
             nb::arg("relation"), nb::arg("variables"), nb::arg("code"))
        .def("set_number",
             [](Machine &machine, const Whole &term, const Whole &number) {
                 alone(machine, [&] { machine.set_number(term.as<Id>("term"), number.as<int>("number")); });
             },
             nb::arg("term"), nb::arg("number"))
        .def("set_weight_place",
             [](Machine &machine, const Whole &functor, const Whole &place) {
                 alone(machine, [&] { machine.set_weight_place(functor.as<Id>("functor"), place.as<int>("place")); });
             },
             nb::arg("functor"), nb::arg("place"), "Moves of this form tell their weight at this place.")
        .def("set_limits",
             [](Machine &machine, double seconds, const Whole &rows, const Whole &terms, const Whole &bytes,
                const Whole &depth, const Whole &steps) {
                 alone(machine, [&] {
                     machine.limits = {*checked_seconds(seconds), rows.as<std::size_t>("rows"), terms.as<Id>("terms"),
                                       bytes.as<std::size_t>("bytes"), depth.as<std::uint16_t>("depth"),
                                       steps.in<std::int64_t>("steps", 0, INT64_MAX)};
                 });
             },
             nb::arg("seconds"), nb::arg("rows"), nb::arg("terms"), nb::arg("bytes"), nb::arg("depth"),
             nb::arg("steps") = std::numeric_limits<std::int64_t>::max())
        .def("start", &start, nb::arg("questions"), nb::arg("roles"), nb::arg("initial"),
             "Begin to answer. questions: the relations true, does, legal, next, sees, goal, terminal.")
        .def("materialise",
             [](Machine &machine, const std::vector<int> &relations) {
                 answer(machine, [&] { machine.materialise(relations); });
             },
             nb::arg("relations"), "Write down relations that never change, lowest first, where that is cheap.")
        .def("rows",
             [](Machine &machine, const Whole &relation, const nb::bytes &facts, const nb::bytes &does) {
                 const auto state = ids(facts), moves = ids(does);
                 return answer(machine, [&] { return machine.rows(relation.as<int>("relation"), state, moves); });
             },
             nb::arg("relation"), nb::arg("facts"), nb::arg("does") = nb::bytes("", 0),
             "The rows of a relation, one after the other (a 0 for each row of no values).")
        .def("next",
             [](Machine &machine, const nb::bytes &facts, const nb::bytes &does) {
                 const auto state = ids(facts), moves = ids(does);
                 return as_bytes(answer(machine, [&] { return machine.next(state, moves); }));
             },
             nb::arg("facts"), nb::arg("does"), "The facts after some moves, as sorted 32-bit ids.")
        .def("playouts",
             [](Machine &machine, const Whole &count, double given_seconds, const Whole &seed, const Whole &longest,
                std::optional<nb::bytes> facts, bool each) {
                 const double seconds = *checked_seconds(given_seconds);
                 const std::span<const Id> start = facts ? ids(*facts) : std::span<const Id>();
                 return as_dict(answer(machine, [&] {
                     return machine.playouts(facts ? start : machine.initial(), count.as<std::uint64_t>("count"), seconds,
                                             seed.as<std::uint64_t>("seed"), longest.in<int>("longest", -1, INT32_MAX), each);
                 }));
             },
             nb::arg("count"), nb::arg("seconds"), nb::arg("seed"), nb::arg("longest"),
             nb::arg("facts") = nb::none(), nb::arg("each") = false,
             "Random games from some facts, or from the start; with `each`, results of every game as 32-bit numbers.")
        .def("profile", &profile,
             "For each predicate: relation, given arguments, questions, rows, steps, orders of conditions.")
        .def_prop_ro("bytes", [](Machine &machine) { return alone(machine, [&] { return machine.bytes(); }); },
                     "Memory of terms, answers and indexes, as it was counted last.")
        .def_prop_ro("steps", [](Machine &machine) { return alone(machine, [&] { return machine.steps(); }); },
                     "Joins tried for all questions so far, those for the choice of plans left out.")
        .def_prop_ro("term_count",
                     [](Machine &machine) { return alone(machine, [&] { return machine.terms.size(); }); })
        .def_prop_ro("deepest",
                     [](Machine &machine) { return alone(machine, [&] { return machine.terms.deepest(); }); },
                     "How many terms, one in the other, the deepest has.");
}
