// Single: one state of a game at a time, for Python and for comparison with the lanes.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "single/single_evaluator.hpp"
#include "single/step_program.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Clock = std::chrono::steady_clock;
using Hashes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Counting wins by far in all but small networks; there a race costs less than it can gain.
constexpr std::uint32_t RACE_GATES = 5'000;

// Questions may come from several threads: each takes an unused evaluator, and none waits for another.
class Single {
  public:
    Single(std::shared_ptr<const Network> network, const std::string &mode)
        : network_(std::move(network)), goals_(*network_), state_bytes_((network_->fluents + 7) / 8) {
        if (mode != "auto" && mode != "full" && mode != "incremental")
            throw std::invalid_argument("mode must be auto, full or incremental");
        if (mode != "full") steps_ = compile_steps(network_);
        auto first = std::make_unique<SingleEvaluator>(network_, steps_, goals_);
        if (mode == "auto" && network_->gates() <= RACE_GATES) {
            auto other = std::make_unique<SingleEvaluator>(network_, nullptr, goals_);
            if (!steps_are_faster(*first, *other)) {
                steps_.reset();
                first = std::move(other);
            }
        }
        spare_.push_back(std::move(first));
    }

    std::string mode() const { return steps_ ? "incremental" : "full"; }

    std::shared_ptr<EvaluatorSource> evaluators() const {
        return std::make_shared<EvaluatorSource>(EvaluatorSource{network_, goals_, steps_});
    }

    std::size_t modes() const { return steps_ ? steps_->modes.size() : 0; }

    // A callable that gives the names of moves, and numbers from which the hash of a state is made, one for each fluent.
    void set_names(nb::callable name, Hashes hashes) {
        if (hashes.size() != network_->fluents) throw std::invalid_argument("fluents need one hash each");
        name_ = std::move(name);
        names_.assign(network_->moves, nb::object());
        hashes_.assign(hashes.data(), hashes.data() + hashes.size());
    }

    std::vector<std::int32_t> legal(const nb::bytes &state, const Whole &role) {
        const Loan evaluator(*this);
        std::vector<std::int32_t> moves;
        each_legal(*evaluator, state, role, [&](std::uint32_t move) { moves.push_back(static_cast<std::int32_t>(move)); });
        return moves;
    }

    nb::object legal_names(const nb::bytes &state, const Whole &role) {
        const Loan evaluator(*this);
        if (!name_.is_valid()) throw std::invalid_argument("moves have no names");
        std::size_t count = 0;
        each_legal(*evaluator, state, role, [&](std::uint32_t move) {
            ++count;
            if (names_[move].is_valid()) return;
            const nb::object name = name_;  // what is called may set other names
            nb::object found = name(move);
            names_[move] = std::move(found);
        });
        nb::object found = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
        if (!found.is_valid()) throw nb::python_error();
        Py_ssize_t at = 0;
        each_legal(*evaluator, state, role, [&](std::uint32_t move) {
            if (!names_[move].is_valid()) throw std::runtime_error("names of moves were set while they were asked for");
            PyTuple_SET_ITEM(found.ptr(), at++, nb::object(names_[move]).release().ptr());
        });
        return found;
    }

    // The first role whose move is not legal, or -1.
    int first_illegal(const nb::bytes &state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        const Loan evaluator(*this);
        return first_illegal(evaluator->look_at(packed(state)).legal(), moves);
    }

    bool terminal(const nb::bytes &state) {
        const Loan evaluator(*this);
        return evaluator->look_at(packed(state)).terminal();
    }

    std::vector<std::uint32_t> goals(const nb::bytes &state) {
        const Loan evaluator(*this);
        return evaluator->goals(packed(state));
    }

    // By role: its goal value, or None where it has none, several, or one that is no number.
    nb::tuple goal_values(const nb::bytes &state) {
        const Loan evaluator(*this);
        std::vector<std::int64_t> values(network_->roles(), NOTHING);
        for (std::uint32_t goal : evaluator->goals(packed(state))) {
            std::int64_t &value = values[network_->goal_roles[goal]];
            value = value == NOTHING ? network_->goal_values[goal] : -1;
        }
        nb::list found;
        for (std::int64_t value : values) found.append(value < 0 ? nb::none() : nb::object(nb::int_(value)));
        return nb::tuple(found);
    }

    nb::bytes successor(const nb::bytes &state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        const Loan evaluator(*this);
        return after(*evaluator, evaluator->look_at(packed(state)), moves);
    }

    // The successor where all moves are legal, else nothing.
    std::optional<nb::bytes> play(const nb::bytes &state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        const Loan evaluator(*this);
        SingleState &now = evaluator->look_at(packed(state));
        if (first_illegal(now.legal(), moves) >= 0) return std::nullopt;
        return after(*evaluator, now, moves);
    }

    std::vector<std::uint32_t> percepts(const nb::bytes &state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        std::vector<std::uint32_t> held;
        if (network_->sees.empty()) return held;
        const Loan evaluator(*this);
        evaluator->percepts(packed(state), moves.data(), held);
        return held;
    }

    std::int64_t hash(const nb::bytes &state) const {
        if (hashes_.size() != network_->fluents) throw std::invalid_argument("fluents have no hashes");
        const std::uint8_t *bytes = packed(state);
        std::int64_t found = 0;
        for (std::uint32_t at = 0; at < state_bytes_; ++at)
            for (std::uint32_t left = bytes[at]; left; left &= left - 1) {
                const std::uint32_t fluent = 8 * at + static_cast<std::uint32_t>(__builtin_ctz(left));
                if (fluent < network_->fluents) found ^= hashes_[fluent];
            }
        return found;
    }

    nb::dict playouts(const std::optional<Whole> &wanted, std::optional<double> given_seconds, const Whole &given_seed,
                      const Whole &max_steps, std::optional<nb::bytes> from) {
        if (!wanted && !given_seconds) throw std::invalid_argument("playouts needs count or seconds");
        const std::optional<std::uint64_t> count = in<std::uint64_t>(wanted, "count", 0, UINT64_MAX);
        const std::optional<double> seconds = checked_seconds(given_seconds);
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const auto longest = max_steps.as<std::uint32_t>("max_steps");
        const std::uint8_t *start = from ? packed(*from) : nullptr;
        SingleCounts counts;
        const auto began = Clock::now();
        {
            const Loan evaluator(*this);
            nb::gil_scoped_release release;
            std::vector<std::uint8_t> initial(state_bytes_);
            if (!start) {
                evaluator->pack(initial_state(*network_), initial.data());
                start = initial.data();
            }
            SplitMix64 random(seed);
            auto asked = began;
            const std::function<bool()> stop = [&] {
                const auto now = Clock::now();
                if (seconds && std::chrono::duration<double>(now - began).count() >= *seconds) return true;
                if (now - asked < std::chrono::milliseconds(50)) return false;
                asked = now;
                nb::gil_scoped_acquire gil;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                return false;
            };
            evaluator->play(start, random, {count.value_or(UINT64_MAX), longest, stop}, counts);
        }
        return result(counts, std::chrono::duration<double>(Clock::now() - began).count());
    }

  private:
    static constexpr std::int64_t NOTHING = -2;

    class Loan {
      public:
        explicit Loan(Single &owner) : owner_(owner), evaluator_(owner.borrow()) {}
        ~Loan() { owner_.give_back(std::move(evaluator_)); }
        Loan(const Loan &) = delete;
        Loan &operator=(const Loan &) = delete;
        SingleEvaluator *operator->() const { return evaluator_.get(); }
        SingleEvaluator &operator*() const { return *evaluator_; }

      private:
        Single &owner_;
        std::unique_ptr<SingleEvaluator> evaluator_;
    };

    // The one that came back last: with one thread it is always the same, and knows the state asked about.
    std::unique_ptr<SingleEvaluator> borrow() {
        {
            std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                auto evaluator = std::move(spare_.back());
                spare_.pop_back();
                return evaluator;
            }
        }
        return std::make_unique<SingleEvaluator>(network_, steps_, goals_);
    }

    void give_back(std::unique_ptr<SingleEvaluator> evaluator) {
        std::lock_guard lock(mutex_);
        spare_.push_back(std::move(evaluator));
    }

    const std::uint8_t *packed(const nb::bytes &state) const {
        if (state.size() != state_bytes_)
            throw std::invalid_argument("a state has " + std::to_string(state_bytes_) + " bytes");
        return reinterpret_cast<const std::uint8_t *>(state.c_str());
    }

    template <class Visit>
    void each_legal(SingleEvaluator &evaluator, const nb::bytes &state, const Whole &given_role, Visit visit) const {
        const std::uint32_t role = checked_role(given_role, network_->roles());
        const std::uint64_t *legal = evaluator.look_at(packed(state)).legal();
        const std::uint32_t begin = network_->role_begin(role), end = network_->role_ends[role];
        for (std::uint32_t word = begin / 64; 64 * word < end; ++word) {
            std::uint64_t left = legal[word];
            if (word == begin / 64) left &= ~0ull << (begin & 63);
            for (; left; left &= left - 1) {
                const std::uint32_t move = 64 * word + static_cast<std::uint32_t>(__builtin_ctzll(left));
                if (move >= end) break;
                visit(move);
            }
        }
    }

    static int first_illegal(const std::uint64_t *legal, const std::vector<std::int32_t> &moves) {
        for (std::size_t role = 0; role < moves.size(); ++role) {
            if (moves[role] < 0) return static_cast<int>(role);
            const auto move = static_cast<std::uint32_t>(moves[role]);
            if (!(legal[move / 64] >> (move & 63) & 1)) return static_cast<int>(role);
        }
        return -1;
    }

    nb::bytes after(SingleEvaluator &evaluator, SingleState &now, const std::vector<std::int32_t> &moves) const {
        now.next(moves.data(), evaluator.after);
        PyObject *found = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(state_bytes_));
        if (!found) throw nb::python_error();
        evaluator.pack(evaluator.after, reinterpret_cast<std::uint8_t *>(PyBytes_AS_STRING(found)));
        return nb::steal<nb::bytes>(found);
    }

    void check_moves(const std::vector<std::int32_t> &moves) const {
        if (moves.size() != network_->roles()) throw std::invalid_argument("a joint move has one move a role");
        for (std::uint32_t role = 0; role < moves.size(); ++role) {
            const auto begin = static_cast<std::int32_t>(network_->role_begin(role));
            const auto end = static_cast<std::int32_t>(network_->role_ends[role]);
            if (moves[role] != -1 && (moves[role] < begin || moves[role] >= end))
                throw std::invalid_argument("a move that is not one of its role");
        }
    }

    nb::dict result(const SingleCounts &counts, double seconds) const {
        std::vector<double> sums(network_->roles(), 0.0);
        for (std::size_t goal = 0; goal < counts.goals.size(); ++goal)
            if (network_->goal_values[goal] > 0)
                sums[network_->goal_roles[goal]] += static_cast<double>(network_->goal_values[goal]) *
                                                    static_cast<double>(counts.goals[goal]);
        nb::dict found;
        found["steps"] = counts.steps;
        found["playouts"] = counts.playouts;
        found["stuck"] = counts.stuck;
        found["capped"] = counts.capped;
        found["seconds"] = seconds;
        found["goal_counts"] = counts.goals;
        found["goal_sums"] = sums;
        return found;
    }

    std::shared_ptr<const Network> network_;
    GoalGates goals_;
    std::size_t state_bytes_;
    std::shared_ptr<const StepProgram> steps_;  // none: full evaluation
    nb::object name_;
    std::vector<nb::object> names_;  // of moves that were asked for
    std::vector<std::int64_t> hashes_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<SingleEvaluator>> spare_;
};

}  // namespace

void bind_single(nb::module_ &m) {
    nb::class_<EvaluatorSource>(m, "Evaluators", "What other kernels make evaluators of single states from.");
    nb::class_<Single>(m, "Single", "One state of a game at a time; states are packed bits, moves are numbers.")
        .def(nb::init<std::shared_ptr<const Network>, const std::string &>(), nb::arg("network"),
             nb::arg("mode") = "auto")
        .def_prop_ro("mode", &Single::mode, "How states are evaluated: full or incremental.")
        .def_prop_ro("modes", &Single::modes, "Into how many modes incremental evaluation has split the game.")
        .def_prop_ro("evaluators", &Single::evaluators, "For other kernels, which evaluate states as this one does.")
        .def("set_names", &Single::set_names, nb::arg("name"), nb::arg("hashes"),
             "Who says what the move of a number is called, and numbers of the fluents that hashes are made of.")
        .def("legal", &Single::legal, nb::arg("state"), nb::arg("role"), "The numbers of a role's legal moves.")
        .def("legal_names", &Single::legal_names, nb::arg("state"), nb::arg("role"),
             "What a role's legal moves are called, in the order of their numbers.")
        .def("first_illegal",
             nb::overload_cast<const nb::bytes &, const std::vector<std::int32_t> &>(&Single::first_illegal),
             nb::arg("state"), nb::arg("moves"), "The first role whose move is not legal, or -1.")
        .def("terminal", &Single::terminal, nb::arg("state"))
        .def("goals", &Single::goals, nb::arg("state"), "The numbers of the goals that hold.")
        .def("goal_values", &Single::goal_values, nb::arg("state"),
             "The goal value of each role; None where it has none, several, or one that is no number.")
        .def("successor", &Single::successor, nb::arg("state"), nb::arg("moves"),
             "The state after a joint move (-1: a role does nothing).")
        .def("play", &Single::play, nb::arg("state"), nb::arg("moves"),
             "The state after a joint move; None where some move of it is not legal.")
        .def("percepts", &Single::percepts, nb::arg("state"), nb::arg("moves"),
             "The numbers of the percepts that follow from a joint move.")
        .def("hash", &Single::hash, nb::arg("state"), "The numbers of the fluents that hold, added without carry.")
        .def("playouts", &Single::playouts, nb::arg("count") = nb::none(), nb::kw_only(),
             nb::arg("seconds") = nb::none(), nb::arg("seed") = 0, nb::arg("max_steps") = 0,
             nb::arg("state") = nb::none(), "Random games from a state or from the start, one after the other.");
}

}  // namespace ludorum
