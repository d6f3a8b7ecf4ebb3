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

#include "bind.hpp"
#include "mcts_board.hpp"
#include "mcts_worker.hpp"

namespace nb = nanobind;

namespace ludorum::mcts {

namespace {

using Clock = std::chrono::steady_clock;

// How often Python is asked whether to stop.
constexpr auto POLL = std::chrono::milliseconds(10);

class MctsTree {
  public:
    MctsTree(std::shared_ptr<EvaluatorSource> source, int chance, const std::vector<std::int16_t> &highest,
             int constant_sum, bool observe, std::uint64_t seed, std::size_t memory_bytes, const Settings &settings,
             std::shared_ptr<const Network> foresight)
        : source_(std::move(source)),
          settings_(settings),
          chance_(chance),
          highest_(highest),
          constant_sum_(constant_sum),
          observe_(observe),
          seed_(seed),
          tree_(*source_->network, memory_bytes, settings.needs_extras()) {
        if (foresight && (foresight->fluents != source_->network->fluents ||
                          foresight->role_ends != source_->network->role_ends))
            throw std::invalid_argument("the circuit of the playouts is that of another game");
        if (highest.size() != source_->network->roles()) throw std::invalid_argument("one highest goal a role");
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
        forget();
    }

    const Settings &settings() const { return settings_; }

    void forget() {
        tree_.clear();
        proof_ = std::make_unique<Proof>(tree_, chance_, highest_, constant_sum_, observe_);
        workers_.clear();
    }

    nb::tuple search(const nb::bytes &state, std::uint32_t role, std::optional<double> seconds,
                     std::optional<std::uint64_t> playouts, std::optional<std::uint64_t> nodes, std::uint32_t threads,
                     const nb::object &stopped) {
        const auto now = Clock::now();
        if (settings_.needs_extras()) threads = 1;  // what edges keep on the side is not shared
        const std::uint8_t *packed = check(state);
        if (role >= tree_.roles()) throw std::invalid_argument("there is no such role");
        Progress progress;
        if (playouts) progress.most_playouts = *playouts;
        if (nodes) progress.most_nodes = *nodes;
        if (seconds)
            progress.deadline = now + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(std::clamp(*seconds, 0.0, 1e8)));
        make_workers(std::max(threads, 1u));
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
    const std::uint8_t *check(const nb::bytes &state) const {
        if (state.size() != tree_.state_bytes())
            throw std::invalid_argument("a state has " + std::to_string(tree_.state_bytes()) + " bytes");
        return reinterpret_cast<const std::uint8_t *>(state.c_str());
    }

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

    // Everybody works until the limits are reached; this thread also asks Python whether to stop.
    std::exception_ptr run(Node *root, std::uint32_t role, Progress &progress, std::uint32_t threads,
                           const nb::object &stopped) {
        std::exception_ptr error;
        std::mutex error_mutex;
        auto work = [&](Worker &worker) {
            try {
                worker.run(root, role, progress, threads > 1);
            } catch (...) {
                std::lock_guard lock(error_mutex);
                if (!error) error = std::current_exception();
                progress.stop = true;
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
            std::vector<std::thread> others;
            for (std::uint32_t at = 1; at < threads; ++at)
                others.emplace_back([&, at] { work(*workers_[at]); });
            work(*workers_[0]);
            for (std::thread &one : others) one.join();
            if (progress.broken) proof_->drop();
        } while (progress.broken && !progress.is_up() && !error);
        return error;
    }

    std::shared_ptr<EvaluatorSource> source_;
    Settings settings_;
    int chance_;
    std::vector<std::int16_t> highest_;
    int constant_sum_;
    bool observe_;
    std::uint64_t seed_;
    std::shared_ptr<const LaneProgram> program_, playouts_;
    Tree tree_;
    std::unique_ptr<Proof> proof_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

}  // namespace ludorum::mcts

namespace ludorum {

void bind_mcts(nb::module_ &m) {
    using mcts::MctsTree;
    using mcts::Settings;
    nb::class_<Settings>(m, "MctsSettings", "The numbers of a search; see MctsConfig for what they mean.")
        .def(nb::init<>())
        .def_prop_rw(
            "exploration", [](const Settings &self) { return self.select.exploration; },
            [](Settings &self, double value) { self.select.exploration = value; })
        .def_prop_rw(
            "virtual_loss", [](const Settings &self) { return self.select.virtual_loss; },
            [](Settings &self, double value) { self.select.virtual_loss = value; })
        .def_prop_rw(
            "first_play", [](const Settings &self) { return self.select.first_play; },
            [](Settings &self, double value) { self.select.first_play = value; })
        .def_rw("batch", &Settings::batch)
        .def_rw("playouts_per_leaf", &Settings::playouts_per_leaf)
        .def_rw("max_steps", &Settings::max_steps)
        .def_rw("max_depth", &Settings::max_depth)
        .def_rw("decisive", &Settings::decisive)
        .def_rw("decisive_at_once", &Settings::decisive_at_once)
        .def_rw("decisive_width", &Settings::decisive_width)
        .def_rw("solver", &Settings::solver)
        .def_rw("rave", &Settings::rave)
        .def_rw("rave_constant", &Settings::rave_constant)
        .def_rw("rave_visits", &Settings::rave_visits)
        .def_rw("policy", &Settings::policy)
        .def_rw("policy_heat", &Settings::policy_heat)
        .def_rw("regret", &Settings::regret)
        .def_rw("regret_exploration", &Settings::regret_exploration);
    nb::class_<MctsTree>(m, "MctsTree", "A tree of Monte Carlo search over a circuit.")
        .def(nb::init<std::shared_ptr<EvaluatorSource>, int, const std::vector<std::int16_t> &, int, bool,
                      std::uint64_t, std::size_t, const Settings &, std::shared_ptr<const Network>>(),
             nb::arg("evaluators"), nb::kw_only(), nb::arg("chance"), nb::arg("highest"), nb::arg("constant_sum"),
             nb::arg("observe"), nb::arg("seed"), nb::arg("memory_bytes"), nb::arg("settings"),
             nb::arg("foresight") = nb::none())
        .def("search", &MctsTree::search, nb::arg("state"), nb::arg("role"), nb::kw_only(),
             nb::arg("seconds") = nb::none(), nb::arg("playouts") = nb::none(), nb::arg("nodes") = nb::none(),
             nb::arg("threads") = 1, nb::arg("stopped") = nb::none(),
             "Grow the tree from a state; nodes made, playouts and depth.")
        .def("look", &MctsTree::look, nb::arg("state"),
             "By role (move, visits, points, proven or -1, share of the average strategy) of each move; exact values or -1; visits; points.")
        .def("forget", &MctsTree::forget, "Drop the tree and begin again with the seed.")
        .def_prop_ro("settings", [](const MctsTree &self) { return self.settings(); }, "What is used, with what was left to choose.")
        .def_prop_ro("nodes", &MctsTree::nodes)
        .def_prop_ro("bytes", &MctsTree::bytes, "Memory of nodes and edges.");
}

}  // namespace ludorum
