// MctsTree: Monte Carlo tree search over a circuit, for Python.

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "mcts/board.hpp"
#include "mcts/worker.hpp"
#include "common/one_user.hpp"
#include "common/together.hpp"

namespace nb = nanobind;

namespace ludorum::mcts {

namespace {

using Clock = std::chrono::steady_clock;

// How often Python is asked whether to stop.
constexpr auto POLL = std::chrono::milliseconds(10);

class MctsTree {
  public:
    MctsTree(std::shared_ptr<EvaluatorSource> source, const std::vector<Whole> &chance, const std::vector<std::int16_t> &highest,
             const Whole &constant_sum, bool observe, const Whole &seed, const Whole &memory_bytes,
             const Settings &settings, std::shared_ptr<const Network> foresight)
        : source_(std::move(source)),
          settings_(settings),
          chance_(flags_of("chance", chance, source_->network->roles())),
          highest_(highest),
          constant_sum_(constant_sum.in<int>("constant_sum", -1, 2 * MOST_GOAL)),
          observe_(observe),
          seed_(seed.as<std::uint64_t>("seed")),
          tree_(*source_->network, memory_bytes.in<std::size_t>("memory_bytes", 0, MOST_TABLE_BYTES),
                settings.needs_extras()) {
        if (foresight && (foresight->fluents != source_->network->fluents ||
                          foresight->role_ends != source_->network->role_ends))
            throw std::invalid_argument("the circuit of the playouts is that of another game");
        for (std::int32_t value : source_->network->goal_values)
            if (value > MOST_GOAL) throw std::invalid_argument("trees keep goal values up to 32767");
        if (highest.size() != source_->network->roles()) throw std::invalid_argument("one highest goal a role");
        if (settings_.rave && settings_.batch != 1)
            throw std::invalid_argument("rave needs batch=1: lanes do not tell which moves they play");
        if (settings_.batch != 1) {
            nb::gil_scoped_release release;
            program_ = make_lane_program(source_->network);
            playouts_ = foresight ? make_lane_program(std::move(foresight)) : program_;
            const std::uint32_t lanes = playouts_->kernels.lanes;
            std::uint32_t &games = settings_.playouts_per_leaf;
            if (!games) games = settings_.batch ? std::max(1u, lanes / settings_.batch) : suited_playouts(*playouts_);
            if (!settings_.batch) settings_.batch = std::max(2u, lanes / games);
        }
        settings_.playouts_per_leaf = std::max(1u, settings_.playouts_per_leaf);
        begin_again();
    }

    const Settings &settings() const { return settings_; }

    void forget() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        begin_again();
    }

    nb::tuple search(const nb::bytes &state, const Whole &given_role, std::optional<double> given_seconds,
                     const std::optional<Whole> &playouts, const std::optional<Whole> &nodes,
                     const Whole &given_threads, const nb::object &stopped, StateValues *values,
                     const std::vector<std::shared_ptr<Spread>> &spreads) {
        const auto now = Clock::now();
        auto threads = given_threads.in<std::uint32_t>("threads", 0, MOST_THREADS);
        if (settings_.needs_extras()) threads = 1;  // what edges keep on the side is not shared
        const std::uint8_t *packed = check(state);
        const std::uint32_t role = checked_role(given_role, tree_.roles());
        Progress progress;
        progress.most_playouts = in<std::uint64_t>(playouts, "playouts", 0, UINT64_MAX).value_or(UINT64_MAX);
        progress.most_nodes = in<std::uint64_t>(nodes, "nodes", 0, UINT64_MAX).value_or(UINT64_MAX);
        if (const std::optional<double> seconds = checked_seconds(given_seconds))
            progress.deadline =
                now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
        if (!stopped.is_none() && !PyCallable_Check(stopped.ptr()))
            throw std::invalid_argument("stopped must be None or something to call");
        if (values) check_values(*values, spreads);
        LeafValues leaf_values{values, {}};
        for (const auto &spread : spreads) leaf_values.spreads.push_back(spread.get());
        const OneUser::Hold hold = user_.hold(REFUSAL);
        make_workers(std::max(threads, 1u));
        const Lent lent(workers_, values ? &leaf_values : nullptr);
        std::exception_ptr error;
        {
            nb::gil_scoped_release release;
            if (Node *known = tree_.find(packed))
                tree_.keep(known, std::max(threads, 1u));
            else
                tree_.clear();
            Node *root = workers_[0]->make_root(packed);
            error = run(root, role, progress, std::max(threads, 1u), stopped);
        }
        if (error) std::rethrow_exception(error);
        return nb::make_tuple(get(progress.nodes), get(progress.playouts), get(progress.depth));
    }

    // Moves, visits, points and proven values by role; exact values; visits; points. None: not expanded.
    nb::object look(const nb::bytes &state) {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        Node *node = tree_.find(check(state));
        Expansion *expansion = node ? node->expansion.load() : nullptr;
        if (!expansion) return nb::none();
        nb::list stats, values, points;
        for (std::uint32_t role = 0; role < tree_.roles(); ++role) {
            nb::list own;
            for (std::uint32_t place = 0; place < expansion->ranges()[role].count; ++place) {
                const std::uint32_t at = expansion->ranges()[role].begin + place;
                const Edge &edge = tree_.edges(expansion)[at];
                const double share = expansion->extra ? expansion->extra[at].strategy : 0.0;
                own.append(nb::make_tuple(edge.move, get(edge.visits), get(edge.points), get(edge.proven), share));
            }
            stats.append(own);
            values.append(proof_->known(node, role));
            points.append(get(tree_.points(node)[role]));
        }
        return nb::make_tuple(stats, values, get(node->visits), points);
    }

    std::size_t nodes() const { return tree_.nodes(); }
    std::size_t bytes() const { return tree_.bytes(); }

  private:
    static constexpr const char *REFUSAL = "this tree is being searched: one user at a time";
    static constexpr int MOST_GOAL = INT16_MAX;  // of one role, as nodes keep them

    void begin_again() {
        tree_.clear();
        proof_ = std::make_unique<Proof>(tree_, chance_, highest_, constant_sum_, observe_);
        workers_.clear();
    }

    const std::uint8_t *check(const nb::bytes &state) const {
        if (state.size() != tree_.state_bytes())
            throw std::invalid_argument("a state has " + std::to_string(tree_.state_bytes()) + " bytes");
        return reinterpret_cast<const std::uint8_t *>(state.c_str());
    }

    void check_values(const StateValues &values, const std::vector<std::shared_ptr<Spread>> &spreads) const {
        if (settings_.batch != 1) throw std::invalid_argument("values need batch=1: leaves are valued one by one");
        if (values.program().network->fluents != source_->network->fluents ||
            values.program().goals.size() != tree_.roles())
            throw std::invalid_argument("values must be those of states of this game");
        if (spreads.size() != tree_.roles() ||
            std::any_of(spreads.begin(), spreads.end(), [](const auto &spread) { return !spread; }))
            throw std::invalid_argument("spreads must be as many as roles");
    }

    // Values that workers have during one search.
    class Lent {
      public:
        Lent(const std::vector<std::unique_ptr<Worker>> &workers, const LeafValues *values) : workers_(workers) {
            for (const auto &worker : workers_) worker->value_by(values);
        }
        ~Lent() {
            for (const auto &worker : workers_) worker->value_by(nullptr);
        }
        Lent(const Lent &) = delete;
        Lent &operator=(const Lent &) = delete;

      private:
        const std::vector<std::unique_ptr<Worker>> &workers_;
    };

    void make_workers(std::uint32_t threads) {
        nb::gil_scoped_release release;
        const Network &network = *source_->network;
        while (workers_.size() < threads) {
            const std::uint64_t seed = seed_ + workers_.size();
            Room &room = tree_.room(workers_.size());
            workers_.push_back(
                settings_.batch > 1
                    ? make_batch(network, settings_, tree_, room, *proof_, source_->make(), seed, program_, playouts_)
                    : make_sequential(network, settings_, tree_, room, *proof_, source_->make(), seed));
        }
    }

    // All threads work until the limits are reached; this thread also asks Python whether to stop.
    std::exception_ptr run(Node *root, std::uint32_t role, Progress &progress, std::uint32_t threads,
                           const nb::object &stopped) {
        std::exception_ptr error;
        std::mutex error_mutex;
        const auto fail = [&] {
            const std::lock_guard lock(error_mutex);
            if (!error) error = std::current_exception();
            progress.stop = true;
        };
        const auto work = [&](std::uint32_t at) {
            try {
                workers_[at]->run(root, role, progress, threads > 1);
            } catch (...) {
                fail();
            }
        };
        const auto wait = [&] {
            try {
                progress.poll();
            } catch (...) {
                fail();
            }
        };
        progress.poll = [&, last = Clock::now()]() mutable {
            if (Clock::now() - last < POLL) return;
            nb::gil_scoped_acquire gil;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!stopped.is_none() && nb::cast<bool>(stopped())) progress.stop = true;
            last = Clock::now();
        };
        progress.caller = std::this_thread::get_id();
        do {
            progress.broken = false;
            work_together(threads, work, wait);
            if (progress.broken) proof_->drop();
        } while (progress.broken && !progress.is_up() && !error);
        return error;
    }

    std::shared_ptr<EvaluatorSource> source_;
    Settings settings_;
    std::vector<char> chance_;
    std::vector<std::int16_t> highest_;
    int constant_sum_;
    bool observe_;
    std::uint64_t seed_;
    std::shared_ptr<const LaneProgram> program_, playouts_;
    Tree tree_;
    std::unique_ptr<Proof> proof_;
    std::vector<std::unique_ptr<Worker>> workers_;
    OneUser user_;
};

// A setting that is a whole number, from `least` to `most`.
template <class T>
void bind_whole(nb::class_<Settings> &bound, const char *name, T Settings::*setting, T least, T most) {
    bound.def_prop_rw(
        name, [setting](const Settings &self) { return self.*setting; },
        [=](Settings &self, const Whole &value) { self.*setting = value.in<T>(name, least, most); });
}

// A setting that is a number, from `least` to `most`; found by `place`.
template <class Place>
void bind_number(nb::class_<Settings> &bound, const char *name, Place place, double least, double most) {
    bound.def_prop_rw(
        name, [place](Settings &self) { return place(self); },
        [=](Settings &self, double value) { place(self) = number_in(value, name, least, most); });
}

}  // namespace

}  // namespace ludorum::mcts

namespace ludorum {

void bind_mcts(nb::module_ &m) {
    using mcts::bind_number;
    using mcts::bind_whole;
    using mcts::MctsTree;
    using mcts::Settings;
    // Games of one leaf, and of all leaves that are under way, are counted in 32 bits.
    constexpr std::uint32_t MOST_LEAVES = 1 << 12, MOST_GAMES = 1 << 16, MOST_DEEP = 1 << 20;
    constexpr double MUCH = 1e9, INFINITE = std::numeric_limits<double>::infinity();
    auto settings =
        nb::class_<Settings>(m, "MctsSettings", "The numbers of a search; see MctsConfig for what they mean.")
            .def(nb::init<>())
            .def_rw("decisive", &Settings::decisive)
            .def_rw("solver", &Settings::solver)
            .def_rw("regret", &Settings::regret);
    bind_number(settings, "exploration", [](Settings &self) -> double & { return self.select.exploration; }, 0, MUCH);
    bind_number(settings, "virtual_loss", [](Settings &self) -> double & { return self.select.virtual_loss; }, 0, MUCH);
    bind_number(settings, "first_play", [](Settings &self) -> double & { return self.select.first_play; }, -MUCH, INFINITE);
    bind_number(settings, "rave_constant", [](Settings &self) -> double & { return self.rave_constant; }, 1e-9, MUCH);
    bind_number(settings, "policy_heat", [](Settings &self) -> double & { return self.policy_heat; }, 0.02, MUCH);
    bind_number(settings, "regret_exploration", [](Settings &self) -> double & { return self.regret_exploration; }, 0, 1);
    bind_whole(settings, "batch", &Settings::batch, 0u, MOST_LEAVES);
    bind_whole(settings, "playouts_per_leaf", &Settings::playouts_per_leaf, 0u, MOST_GAMES);
    bind_whole(settings, "max_steps", &Settings::max_steps, 1u, UINT32_MAX);
    bind_whole(settings, "cutoff", &Settings::cutoff, 0u, UINT32_MAX);
    bind_whole(settings, "max_depth", &Settings::max_depth, 1u, MOST_DEEP);
    bind_whole(settings, "decisive_at_once", &Settings::decisive_at_once, 0u, UINT32_MAX);
    bind_whole(settings, "decisive_width", &Settings::decisive_width, 0u, UINT32_MAX);
    bind_whole(settings, "rave", &Settings::rave, 0, 2);
    bind_whole(settings, "rave_visits", &Settings::rave_visits, 0u, UINT32_MAX);
    bind_whole(settings, "policy", &Settings::policy, static_cast<int>(mcts::Policy::UNIFORM), static_cast<int>(mcts::Policy::NST));
    nb::class_<MctsTree>(m, "MctsTree", "A tree of Monte Carlo search over a circuit.")
        .def(nb::init<std::shared_ptr<EvaluatorSource>, const std::vector<Whole> &,
                      const std::vector<std::int16_t> &, const Whole &, bool,
                      const Whole &, const Whole &, const Settings &, std::shared_ptr<const Network>>(),
             nb::arg("evaluators"), nb::kw_only(), nb::arg("chance"), nb::arg("highest"), nb::arg("constant_sum"),
             nb::arg("observe"), nb::arg("seed"), nb::arg("memory_bytes"), nb::arg("settings"),
             nb::arg("foresight") = nb::none())
        .def("search", &MctsTree::search, nb::arg("state"), nb::arg("role"), nb::kw_only(),
             nb::arg("seconds") = nb::none(), nb::arg("playouts") = nb::none(), nb::arg("nodes") = nb::none(),
             nb::arg("threads") = 1, nb::arg("stopped") = nb::none(), nb::arg("values") = nb::none(),
             nb::arg("spreads") = std::vector<std::shared_ptr<Spread>>{},
             "Grow the tree from a state; nodes made, playouts and depth.")
        .def("look", &MctsTree::look, nb::arg("state"),
             "By role (move, visits, points, proven or -1, share of the average strategy) of each move; exact values or -1; visits; points.")
        .def("forget", &MctsTree::forget, "Drop the tree and begin again with the seed.")
        .def_prop_ro("settings", [](const MctsTree &self) { return self.settings(); }, "What is used, with what was left to choose.")
        .def_prop_ro("nodes", &MctsTree::nodes)
        .def_prop_ro("bytes", &MctsTree::bytes, "Memory of nodes and edges.");
}

}  // namespace ludorum
