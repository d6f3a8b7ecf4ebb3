// RegretKernel: regret minimisation over game trees, for Python.

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "common/one_user.hpp"
#include "equilibrium/regrets.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Made = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

constexpr std::size_t MOST_PLAYERS = 1000;  // for each of them all others are listed at every end
constexpr std::uint64_t MOST_ITERATIONS = std::uint64_t{1} << 53;  // which are counted in doubles, too

Made copied(const std::vector<double> &values) {
    auto *copy = new std::vector<double>(values);
    nb::capsule owner(copy, [](void *data) noexcept { delete static_cast<std::vector<double> *>(data); });
    return Made(copy->data(), {copy->size()}, owner);
}

std::vector<std::int32_t> ints(const Ints &given) { return {given.data(), given.data() + given.size()}; }

class RegretKernel {
  public:
    RegretKernel(const Ints &player, const Ints &first_edge, const Ints &child, const Longs &weight,
                 const Ints &information_set, const Ints &set_offsets, const Table &values, const Whole &seed) {
        TreeArrays arrays;
        if (values.shape(1) > MOST_PLAYERS) throw std::invalid_argument("values must be of 1000 players at most");
        arrays.players = static_cast<std::uint32_t>(values.shape(1));
        arrays.player = ints(player);
        arrays.first_edge = ints(first_edge);
        arrays.child = ints(child);
        arrays.weight.assign(weight.data(), weight.data() + weight.size());
        arrays.information_set = ints(information_set);
        arrays.set_offsets = ints(set_offsets);
        arrays.values.assign(values.data(), values.data() + values.size());
        regrets_ = std::make_unique<Regrets>(make_decision_tree(std::move(arrays)), seed.as<std::uint64_t>("seed"));
    }

    std::uint64_t run_full(const Whole &iterations, bool plus, bool simultaneous, std::optional<nb::callable> stop) {
        return run(iterations, stop, [&](std::uint64_t count, const StopAsking &ask) {
            regrets_->run_full(count, {plus, simultaneous}, ask);
        });
    }

    std::uint64_t run_external(const Whole &iterations, std::optional<nb::callable> stop) {
        return run(iterations, stop,
                   [&](std::uint64_t count, const StopAsking &ask) { regrets_->run_external(count, ask); });
    }

    std::uint64_t run_outcome(const Whole &iterations, double exploration, std::optional<nb::callable> stop) {
        const double checked = number_in(exploration, "exploration", 1e-6, 1);
        return run(iterations, stop,
                   [&](std::uint64_t count, const StopAsking &ask) { regrets_->run_outcome(count, checked, ask); });
    }

    nb::tuple worth(const Reals &profile) {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        const std::vector<double> given(profile.data(), profile.data() + profile.size());
        if (given.size() != regrets_->regrets().size())
            throw std::invalid_argument("profile must have one number for each slot");
        for (double chance : given) number_in(chance, "profile", 0, 1);
        const std::uint32_t players = regrets_->tree().arrays.players;
        std::vector<double> own(players), best(players);
        {
            nb::gil_scoped_release release;
            for (std::uint32_t player = 0; player < players; ++player) {
                const Regrets::Worth found = regrets_->worth(given, player);
                own[player] = found.own;
                best[player] = found.best;
            }
        }
        return nb::make_tuple(copied(own), copied(best));
    }

    Made regrets() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        return copied(regrets_->regrets());
    }
    Made weights() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        return copied(regrets_->weights());
    }
    std::uint64_t iterations() const { return regrets_->iterations(); }
    std::uint64_t random_state() const { return regrets_->random_state(); }

  private:
    static constexpr const char *REFUSAL = "these regrets are in use: one user at a time";

    template <class Run>
    std::uint64_t run(const Whole &iterations, const std::optional<nb::callable> &stop, Run run) {
        const auto count = iterations.in<std::uint64_t>("iterations", 0, MOST_ITERATIONS);
        const OneUser::Hold hold = user_.hold(REFUSAL);
        const std::uint64_t before = regrets_->iterations();
        AskToStop ask(std::nullopt, stop);
        nb::gil_scoped_release release;
        run(count, [&ask] { return ask(); });
        return regrets_->iterations() - before;
    }

    std::unique_ptr<Regrets> regrets_;
    OneUser user_;
};

}  // namespace

void bind_equilibrium(nb::module_ &m) {
    nb::class_<RegretKernel>(m, "RegretKernel", "Regrets and average strategies of all players of a tree in arrays.")
        .def(nb::init<const Ints &, const Ints &, const Ints &, const Longs &, const Ints &, const Ints &,
                      const Table &, const Whole &>(),
             nb::kw_only(), nb::arg("player"), nb::arg("first_edge"), nb::arg("child"), nb::arg("weight"),
             nb::arg("information_set"),
             nb::arg("set_offsets"), nb::arg("values"), nb::arg("seed") = 0)
        .def("run_full", &RegretKernel::run_full, nb::arg("iterations"), nb::kw_only(), nb::arg("plus") = false,
             nb::arg("simultaneous") = false, nb::arg("stop") = nb::none(),
             "Go through the whole tree so many times, or until asked to stop; how many times that was.")
        .def("run_external", &RegretKernel::run_external, nb::arg("iterations"), nb::kw_only(),
             nb::arg("stop") = nb::none(), "The same with samples of nature and of the other players.")
        .def("run_outcome", &RegretKernel::run_outcome, nb::arg("iterations"), nb::kw_only(),
             nb::arg("exploration") = 0.6, nb::arg("stop") = nb::none(), "The same with one game for each player.")
        .def("worth", &RegretKernel::worth, nb::arg("profile"),
             "What each player gets by a profile, and by its best response to the others.")
        .def_prop_ro("regrets", &RegretKernel::regrets, nb::rv_policy::automatic, "By slot.")
        .def_prop_ro("weights", &RegretKernel::weights, nb::rv_policy::automatic,
                     "By slot: in proportion to the average strategies.")
        .def_prop_ro("iterations", &RegretKernel::iterations, "So far.")
        .def_prop_ro("random_state", &RegretKernel::random_state, "The state of the random numbers.");
}

}  // namespace ludorum
