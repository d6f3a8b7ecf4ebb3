// AlphaBetaKernel: alpha-beta over the states of a circuit, for Python.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "alphabeta/search.hpp"
#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "common/one_user.hpp"
#include "evaluation/spread.hpp"
#include "evaluation/state_values.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class AlphaBetaKernel {
  public:
    AlphaBetaKernel(const EvaluatorSource &evaluators, const Whole &table_bytes)
        : network_(evaluators.network),
          evaluator_(evaluators.make()),
          search_(*evaluator_, table_bytes.in<std::size_t>("table_bytes", 0, MOST_TABLE_BYTES)),
          root_((network_->fluents + 63) / 64) {}

    nb::dict search(const nb::bytes &state, const Whole &given_role, const Whole &first_depth, const Whole &deepening,
                    const Whole &max_depth, double window, const Whole &extensions, bool every_value, bool any_win,
                    const std::optional<Whole> &nodes, std::optional<double> seconds,
                    std::optional<nb::callable> stop, std::optional<nb::callable> evaluate,
                    std::optional<nb::callable> is_quiet, std::optional<Weights> given_weights, double bias,
                    const Whole &given_playouts, const Whole &given_seed, const Whole &given_longest,
                    StateValues *values, const Spread *spread) {
        AlphaBetaTask task;
        task.role = checked_role(given_role, network_->roles());
        task.first_depth = first_depth.in<std::int32_t>("depths must fit: first_depth", 1, DEEPEST);
        task.deepening = deepening.in<std::int32_t>("depths must fit: deepening", 1, DEEPEST);
        task.max_depth = max_depth.in<std::int32_t>("depths must fit: max_depth", 0, DEEPEST);
        number_in(window, "window", 0, std::numeric_limits<double>::infinity());
        task.window = window > 100 ? INFINITE : static_cast<Score>(window * UNIT);
        task.extensions = extensions.in<std::int32_t>("extensions", 0, DEEPEST);
        if (!is_quiet) task.extensions = 0;
        if (nodes) task.nodes = nodes->as<std::uint64_t>("nodes");
        const std::vector<double> weights = check_weights(given_weights);
        number_in(bias, "bias");
        const auto playouts = given_playouts.as<std::uint64_t>("playouts");
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const auto longest = given_longest.as<std::uint32_t>("longest");
        if (values) check_values(*values, task.role);
        const OneUser::Hold hold = user_.hold(REFUSAL);
        put_root(state);
        task.every_value = every_value;
        task.any_win = any_win;
        AskToStop stopped(checked_seconds(seconds), stop);
        task.stop = [&] { return stopped(); };
        std::optional<StateValues::Loan> evaluator;
        if (values) {
            evaluator.emplace(*values);
            task.evaluate = [&](const Words &words) {
                const double found = evaluator->value(words, task.role);
                return spread ? spread->place(found) : found;
            };
        } else if (evaluate) {
            task.evaluate = [&](const Words &words) {
                nb::gil_scoped_acquire gil;
                return number_in(nb::cast<double>((*evaluate)(packed(words))), "what evaluate returns", -INFINITY, INFINITY);
            };
        } else if (given_weights) {
            task.evaluate = [&](const Words &words) { return weighed(words, weights.data(), bias); };
        } else if (playouts) {
            task.evaluate = [&](const Words &words) { return played(words, task, playouts, seed, longest); };
        }
        if (is_quiet) {
            task.is_quiet = [&](const Words &words) {
                nb::gil_scoped_acquire gil;
                return nb::cast<bool>((*is_quiet)(packed(words)));
            };
        }
        AlphaBetaAnswer answer;
        {
            nb::gil_scoped_release release;
            answer = search_.search(root_, task);
        }
        return result(answer);
    }

    void forget() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        search_.forget();
    }
    std::size_t table_bytes() const { return search_.table_bytes(); }

  private:
    static constexpr const char *REFUSAL = "one search at a time";
    static constexpr std::int32_t DEEPEST = 1000;  // steps: more would overflow the stack and fade values away

    // A copy: Python could change the array while the search runs, after it was checked.
    std::vector<double> check_weights(const std::optional<Weights> &weights) const {
        if (!weights) return {};
        if (weights->size() != network_->fluents) throw std::invalid_argument("fluents need one weight each");
        std::vector<double> kept(weights->data(), weights->data() + weights->size());
        for (double weight : kept) number_in(weight, "a weight", -1e300, 1e300);
        return kept;
    }

    void check_values(const StateValues &values, std::uint32_t role) const {
        if (values.program().network->fluents != network_->fluents || role >= values.program().goals.size())
            throw std::invalid_argument("values must be those of states of this game");
    }

    void put_root(const nb::bytes &state) {
        const std::size_t bytes = packed_bytes(network_->fluents);
        if (state.size() != bytes) throw std::invalid_argument("a state has " + std::to_string(bytes) + " bytes");
        const auto *row = reinterpret_cast<const std::uint8_t *>(state.c_str());
        for (std::size_t chunk = 0; chunk < root_.size(); ++chunk) root_[chunk] = load_chunk(row, bytes, chunk);
        if (network_->fluents & 63) root_.back() &= ~(~0ull << (network_->fluents & 63));
    }

    nb::bytes packed(const Words &words) const {
        std::string row(packed_bytes(network_->fluents), '\0');
        evaluator_->pack(words, reinterpret_cast<std::uint8_t *>(row.data()));
        return nb::bytes(row.data(), row.size());
    }

    static double weighed(const Words &words, const double *weights, double bias) {
        double sum = bias;
        for (std::size_t word = 0; word < words.size(); ++word)
            for (std::uint64_t left = words[word]; left; left &= left - 1)
                sum += weights[64 * word + static_cast<std::size_t>(__builtin_ctzll(left))];
        return sum;
    }

    // The mean of random games: the same seed in every state, so that a value does not depend on the way to it.
    double played(const Words &words, const AlphaBetaTask &task, std::uint64_t games, std::uint64_t seed,
                  std::uint32_t longest) {
        row_.resize(packed_bytes(network_->fluents));
        evaluator_->pack(words, row_.data());
        SplitMix64 random(seed);
        SingleCounts counts;
        evaluator_->play(row_.data(), random, {games, longest, task.stop}, counts);
        double sum = 0;
        for (std::size_t goal = 0; goal < counts.goals.size(); ++goal)
            if (network_->goal_roles[goal] == task.role && network_->goal_values[goal] > 0)
                sum += static_cast<double>(network_->goal_values[goal]) * static_cast<double>(counts.goals[goal]);
        return sum / static_cast<double>(std::max<std::uint64_t>(counts.playouts, 1));  // none: the time is over
    }

    nb::dict result(const AlphaBetaAnswer &answer) const {
        nb::list choices, line;
        for (const RootChoice &choice : answer.choices)
            choices.append(nb::make_tuple(choice.move, choice.score, choice.exact, choice.solved, choice.nodes));
        for (std::size_t at = 0; at < answer.line.size(); at += network_->roles()) {
            nb::list joint;
            for (std::uint32_t role = 0; role < network_->roles(); ++role) joint.append(answer.line[at + role]);
            line.append(joint);
        }
        nb::dict found;
        found["choices"] = choices;
        found["depth"] = answer.depth;
        found["solved"] = answer.solved;
        found["nodes"] = answer.nodes;
        found["line"] = line;
        return found;
    }

    std::shared_ptr<const Network> network_;
    std::unique_ptr<SingleEvaluator> evaluator_;
    AlphaBetaSearch search_;
    Words root_;
    std::vector<std::uint8_t> row_;
    OneUser user_;
};

}  // namespace

void bind_alphabeta(nb::module_ &m) {
    nb::class_<AlphaBetaKernel>(m, "AlphaBetaKernel", "Alpha-beta search; states are packed bits, moves are numbers.")
        .def(nb::init<const EvaluatorSource &, const Whole &>(), nb::arg("evaluators"), nb::arg("table_bytes"))
        .def("search", &AlphaBetaKernel::search, nb::arg("state"), nb::arg("role"), nb::kw_only(),
             nb::arg("first_depth") = 1, nb::arg("deepening") = 1, nb::arg("max_depth") = 1, nb::arg("window") = 1000.0,
             nb::arg("extensions") = 0, nb::arg("every_value") = false, nb::arg("any_win") = false, nb::arg("nodes") = nb::none(),
             nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(), nb::arg("evaluate") = nb::none(),
             nb::arg("is_quiet") = nb::none(), nb::arg("weights") = nb::none(), nb::arg("bias") = 0.0,
             nb::arg("playouts") = 0, nb::arg("seed") = 0, nb::arg("longest") = 0, nb::arg("values") = nb::none(),
             nb::arg("spread") = nb::none(),
             "The moves of a role, best first, as (move, score, exact, solved, nodes), and what it cost to say so.")
        .def("forget", &AlphaBetaKernel::forget, "Empties the table.")
        .def_prop_ro("table_bytes", &AlphaBetaKernel::table_bytes, "Memory of the table.");
}

}  // namespace ludorum
