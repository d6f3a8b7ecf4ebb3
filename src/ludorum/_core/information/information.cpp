// InformationTree: Monte Carlo tree search over information sets, for Python.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "common/one_user.hpp"
#include "information/search.hpp"
#include "mcts/board.hpp"

namespace nb = nanobind;

namespace ludorum::information {

namespace {

using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Views = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::uint32_t MOST_BATCH = 1 << 12, MOST_GAMES = 1 << 16;  // games of a batch are counted in 32 bits
constexpr std::uint64_t MOST_TRUST = std::uint64_t{1} << 32;
constexpr double MUCH = 1e9;

class InformationTree {
  public:
    InformationTree(std::shared_ptr<EvaluatorSource> source, const std::vector<Whole> &given_chance,
                    const Ints &sees_roles,
                    bool everyone, double exploration, double random_others, const Whole &max_steps,
                    const Whole &games_a_leaf, const Whole &given_batch, const Whole &memory_bytes) {
        const std::shared_ptr<const Network> network = source->network;
        const std::vector<char> chance = flags_of("chance", given_chance, network->roles());
        Settings settings;
        settings.exploration = number_in(exploration, "exploration", 0, MUCH);
        settings.random_others = number_in(random_others, "random_others", 0, 1);
        settings.max_steps = max_steps.in<std::uint32_t>("max_steps", 1, UINT32_MAX);
        settings.games_a_leaf = games_a_leaf.in<std::uint32_t>("games_a_leaf", 1, MOST_GAMES);
        settings.everyone = everyone;
        auto batch = given_batch.in<std::uint32_t>("batch", 0, MOST_BATCH);
        const auto bytes = memory_bytes.in<std::size_t>("memory_bytes", 0, MOST_TABLE_BYTES);
        std::vector<std::uint32_t> owners = checked_owners(*network, sees_roles);
        nb::gil_scoped_release release;
        std::unique_ptr<Positions> positions;
        if (batch == 1) {
            positions = make_single_positions(*source);
        } else {
            std::shared_ptr<const LaneProgram> program = mcts::make_lane_program(network);
            if (!batch) batch = std::max(2u, program->kernels.lanes / settings.games_a_leaf);
            positions = make_lane_positions(std::move(program), batch);
        }
        chance_ = chance;
        search_ = std::make_unique<Search>(network, chance, std::move(owners), settings, bytes, std::move(positions));
        batch_ = batch;
    }

    void begin(const Whole &given_role, const Rows &states, const Reals &weights, const Views &views, const Whole &given_seed) {
        const Network &network = search_->network();
        const std::uint32_t role = checked_role(given_role, network.roles());
        if (chance_[role]) throw std::invalid_argument("role must not be the one of chance");
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const std::size_t count = states.shape(0);
        if (states.shape(1) != packed_bytes(network.fluents))
            throw std::invalid_argument("states must be rows of " + std::to_string(packed_bytes(network.fluents)) + " bytes");
        if (!count) throw std::invalid_argument("states must have one row at least");
        if (weights.size() != count) throw std::invalid_argument("weights must have one number for each state");
        if (views.shape(0) != count || (views.shape(1) != 0 && views.shape(1) != network.roles()))
            throw std::invalid_argument("views must have a row for each state, and a column for each role or none");
        // Copies: Python could change the arrays after they were checked.
        Worlds worlds{{states.data(), states.data() + states.size()},
                      {weights.data(), weights.data() + count},
                      {views.data(), views.data() + views.size()}};
        double sum = 0;
        for (double weight : worlds.weights) sum += number_in(weight, "weights", 0, 1e300 / static_cast<double>(count));
        if (!(sum > 0)) throw std::invalid_argument("weights must not all be 0");
        const OneUser::Hold hold = user_.hold(REFUSAL);
        nb::gil_scoped_release release;
        search_->begin(role, std::move(worlds), seed);
    }

    void trust(const Ints &given, const Reals &values, const Whole &given_visits) {
        const Network &network = search_->network();
        const auto visits = given_visits.in<std::uint64_t>("visits", 1, MOST_TRUST);
        const std::vector<std::int32_t> moves(given.data(), given.data() + given.size());
        const std::vector<double> kept(values.data(), values.data() + values.size());
        if (kept.size() != moves.size()) throw std::invalid_argument("values must have one number for each move");
        for (double value : kept) number_in(value, "values", 0, MUCH);
        const OneUser::Hold hold = user_.hold(REFUSAL);
        check_begun();
        const auto first = static_cast<std::int32_t>(network.role_begin(search_->role()));
        const auto end = static_cast<std::int32_t>(network.role_ends[search_->role()]);
        std::vector<std::int32_t> sorted = moves;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw std::invalid_argument("moves must be different ones");
        if (!sorted.empty() && (sorted.front() < first || sorted.back() >= end))
            throw std::invalid_argument("moves must be those of the role");
        search_->trust(moves, kept, visits);
    }

    nb::tuple grow(const std::optional<Whole> &descents, const std::optional<Whole> &nodes,
                   std::optional<double> seconds, const std::optional<nb::callable> &stop) {
        const std::uint64_t most = in<std::uint64_t>(descents, "descents", 0, UINT64_MAX).value_or(UINT64_MAX);
        const std::uint64_t most_nodes = in<std::uint64_t>(nodes, "nodes", 0, UINT64_MAX).value_or(UINT64_MAX);
        AskToStop ask(checked_seconds(seconds), stop);
        const OneUser::Hold hold = user_.hold(REFUSAL);
        check_begun();
        std::pair<std::uint64_t, std::uint64_t> found;
        {
            nb::gil_scoped_release release;
            const std::function<bool()> asked = [&ask] { return ask(); };
            found = search_->run({most, most_nodes, asked});
        }
        return nb::make_tuple(found.first, found.second);
    }

    // None: no descent has been there.
    nb::object look(const std::optional<Whole> &given_role, const Whole &view, Search::Past past) {
        for (auto &step : past) std::sort(step.second.begin(), step.second.end());
        const OneUser::Hold hold = user_.hold(REFUSAL);
        check_begun();
        const std::uint32_t role =
            given_role ? checked_role(*given_role, search_->network().roles()) : search_->role();
        const Edges *edges = search_->look(role, view.as<std::uint64_t>("view"), past);
        if (!edges) return nb::none();
        nb::list found;
        for (const Edge &edge : *edges)
            found.append(nb::make_tuple(edge.move, edge.visits, edge.available, edge.total));
        return found;
    }

    std::uint32_t batch() const { return batch_; }
    std::size_t nodes() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        return search_->nodes();
    }
    std::size_t bytes() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        return search_->bytes();
    }

  private:
    static constexpr const char *REFUSAL = "this tree is being searched: one user at a time";

    void check_begun() const {
        if (!search_->has_begun()) throw std::invalid_argument("begin must be called first: there are no worlds");
    }

    static std::vector<std::uint32_t> checked_owners(const Network &network, const Ints &sees_roles) {
        if (sees_roles.size() != network.sees.size())
            throw std::invalid_argument("sees_roles must have one role for each percept");
        std::vector<std::uint32_t> owners;
        for (std::size_t at = 0; at < sees_roles.size(); ++at)
            owners.push_back(checked_role(Whole(sees_roles.data()[at]), network.roles()));
        return owners;
    }

    std::unique_ptr<Search> search_;
    std::vector<char> chance_;
    std::uint32_t batch_ = 1;
    OneUser user_;
};

}  // namespace

}  // namespace ludorum::information

namespace ludorum {

void bind_information(nb::module_ &m) {
    using information::InformationTree;
    nb::class_<InformationTree>(m, "InformationTree", "Trees of information sets over a circuit.")
        .def(nb::init<std::shared_ptr<EvaluatorSource>, const std::vector<Whole> &,
                      const information::Ints &, bool, double, double,
                      const Whole &, const Whole &, const Whole &, const Whole &>(),
             nb::arg("evaluators"), nb::kw_only(), nb::arg("chance"), nb::arg("sees_roles"), nb::arg("everyone") = false,
             nb::arg("exploration") = 0.7, nb::arg("random_others") = 0.0, nb::arg("max_steps") = 2000,
             nb::arg("games_a_leaf") = 1, nb::arg("batch") = 0, nb::arg("memory_bytes") = std::size_t{1} << 28)
        .def("begin", &InformationTree::begin, nb::arg("role"), nb::kw_only(), nb::arg("states"), nb::arg("weights"),
             nb::arg("views"), nb::arg("seed") = 0, "Drop the trees, and begin in worlds that a role considers possible.")
        .def("trust", &InformationTree::trust, nb::arg("moves"), nb::arg("values"), nb::arg("visits"),
             "Count goal values as so many visits of the searching role's moves.")
        .def("grow", &InformationTree::grow, nb::kw_only(), nb::arg("descents") = nb::none(),
             nb::arg("nodes") = nb::none(), nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(),
             "Make descents, one at least, until a limit is reached; new nodes with the root, and descents.")
        .def("look", &InformationTree::look, nb::arg("role") = nb::none(), nb::arg("view") = 0,
             nb::arg("past") = information::Search::Past(),
             "(move, visits, times available, sum of rewards) of a role's moves in a node; None where it is not there.")
        .def_prop_ro("batch", &InformationTree::batch, "Descents that are made at once.")
        .def_prop_ro("nodes", &InformationTree::nodes, "Of all trees.")
        .def_prop_ro("bytes", &InformationTree::bytes, "Memory of nodes and moves.");
}

}  // namespace ludorum
