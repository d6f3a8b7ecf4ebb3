// Single: one state of a game at a time, for Python and for comparison with the lanes.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "bits.hpp"
#include "full_state.hpp"
#include "random.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Time this thread has run: on a busy machine the wall clock would let the other side win.
double processor_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

struct Counts {
    std::uint64_t steps = 0, playouts = 0, stuck = 0, capped = 0;
    std::vector<std::uint64_t> goals;
};

// The gates with the values of one state; used by one thread at a time.
struct Evaluator {
    explicit Evaluator(const std::shared_ptr<const Network> &network, bool with_incremental)
        : full(network), incremental(with_incremental ? make_incremental(*network) : nullptr) {}

    SingleState &chosen() { return incremental ? *incremental : static_cast<SingleState &>(full); }

    // What serves a state, with the state in it.
    SingleState &look_at(const Words &state) {
        if (chosen().state() == state || chosen().set_state(state)) return chosen();
        if (full.state() != state) full.set_state(state);
        return full;
    }

    FullState full;
    std::unique_ptr<SingleState> incremental;
};

// Questions may come from several threads: each takes an evaluator nobody uses, and none waits for another.
class Single {
  public:
    Single(std::shared_ptr<const Network> network, const std::string &mode) : network_(std::move(network)) {
        if (mode != "auto" && mode != "full" && mode != "incremental")
            throw std::invalid_argument("mode must be auto, full or incremental");
        incremental_ = mode != "full";
        auto first = std::make_unique<Evaluator>(network_, incremental_);
        initial_ = first->full.state();
        if (mode == "auto" && !incremental_is_faster(*first)) {
            incremental_ = false;
            first->incremental.reset();
        }
        spare_.push_back(std::move(first));
    }

    std::string mode() const { return incremental_ ? "incremental" : "full"; }

    std::vector<std::int32_t> legal(nb::bytes state, std::uint32_t role) {
        if (role >= network_->roles()) throw std::invalid_argument("there is no such role");
        const Loan evaluator(*this);
        const std::uint64_t *legal = evaluator->look_at(unpacked(state)).legal();
        std::vector<std::int32_t> moves;
        for (std::uint32_t move = network_->role_begin(role); move < network_->role_ends[role]; ++move)
            if (legal[move / 64] >> (move & 63) & 1) moves.push_back(static_cast<std::int32_t>(move));
        return moves;
    }

    // The first role whose move is not legal, or -1.
    int first_illegal(nb::bytes state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        const Loan evaluator(*this);
        const std::uint64_t *legal = evaluator->look_at(unpacked(state)).legal();
        for (std::size_t role = 0; role < moves.size(); ++role) {
            if (moves[role] < 0) return static_cast<int>(role);
            const auto move = static_cast<std::uint32_t>(moves[role]);
            if (!(legal[move / 64] >> (move & 63) & 1)) return static_cast<int>(role);
        }
        return -1;
    }

    bool terminal(nb::bytes state) {
        const Loan evaluator(*this);
        return evaluator->look_at(unpacked(state)).terminal();
    }

    std::vector<std::uint32_t> goals(nb::bytes state) {
        const Loan evaluator(*this);
        std::vector<std::uint32_t> held;
        evaluator->full.goals(unpacked(state), held);
        return held;
    }

    nb::bytes successor(nb::bytes state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        const Loan evaluator(*this);
        SingleState &now = evaluator->look_at(unpacked(state));
        now.step(moves.data());
        return packed(now.state());
    }

    std::vector<std::uint32_t> percepts(nb::bytes state, const std::vector<std::int32_t> &moves) {
        check_moves(moves);
        std::vector<std::uint32_t> held;
        if (network_->sees.empty()) return held;
        const Loan evaluator(*this);
        FullState &full = evaluator->full;
        const Words words = unpacked(state);
        if (full.state() != words) full.set_state(words);
        full.percepts(moves.data(), held);
        return held;
    }

    nb::dict playouts(std::optional<std::uint64_t> count, std::optional<double> seconds, std::uint64_t seed,
                      std::uint32_t longest) {
        if (!count && !seconds) throw std::invalid_argument("playouts needs count or seconds");
        Counts counts;
        const auto start = Clock::now();
        {
            const Loan evaluator(*this);
            nb::gil_scoped_release release;
            SplitMix64 random(seed);
            auto asked = Clock::now();
            const std::function<bool()> stop = [&] {
                const auto now = Clock::now();
                if (seconds && std::chrono::duration<double>(now - start).count() >= *seconds) return true;
                if (now - asked < std::chrono::milliseconds(50)) return false;
                asked = now;
                nb::gil_scoped_acquire gil;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                return false;
            };
            play(evaluator->chosen(), evaluator->full, random, count.value_or(UINT64_MAX), longest, stop, counts);
        }
        return result(counts, seconds_since(start));
    }

  private:
    class Loan {
      public:
        explicit Loan(Single &owner) : owner_(owner), evaluator_(owner.borrow()) {}
        ~Loan() { owner_.give_back(std::move(evaluator_)); }
        Loan(const Loan &) = delete;
        Loan &operator=(const Loan &) = delete;
        Evaluator *operator->() const { return evaluator_.get(); }

      private:
        Single &owner_;
        std::unique_ptr<Evaluator> evaluator_;
    };

    // The one that came back last: with one thread it is always the same, and knows the state asked about.
    std::unique_ptr<Evaluator> borrow() {
        {
            std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                auto evaluator = std::move(spare_.back());
                spare_.pop_back();
                return evaluator;
            }
        }
        return std::make_unique<Evaluator>(network_, incremental_);
    }

    void give_back(std::unique_ptr<Evaluator> evaluator) {
        std::lock_guard lock(mutex_);
        spare_.push_back(std::move(evaluator));
    }

    // Games one after the other; what is counted is the same for both ways of evaluating.
    void play(SingleState &state, FullState &full, SplitMix64 &random, std::uint64_t games, std::uint32_t longest,
              const std::function<bool()> &stop, Counts &counts) {
        std::vector<std::int32_t> moves(network_->roles());
        std::vector<std::uint32_t> held;
        counts.goals.assign(network_->goals.size(), 0);
        std::uint32_t until_clock = 64;
        for (; counts.playouts < games; ++counts.playouts) {
            state.set_state(initial_);
            for (std::uint32_t length = 0; !state.terminal(); ++length) {
                if (longest && length >= longest) {
                    ++counts.capped;
                    break;
                }
                if (!choose_moves(*network_, state, random, moves)) {
                    ++counts.stuck;
                    break;
                }
                state.step(moves.data());
                ++counts.steps;
                if (--until_clock == 0) {
                    until_clock = 64;
                    if (stop()) return;
                }
            }
            full.goals(state.state(), held);
            for (std::uint32_t goal : held) ++counts.goals[goal];
            // Games that are over at the start have no steps to count.
            if (--until_clock == 0) {
                until_clock = 64;
                if (stop()) {
                    ++counts.playouts;
                    return;
                }
            }
        }
    }

    // A short race on the game itself; what is chosen changes the speed and nothing else.
    bool incremental_is_faster(Evaluator &evaluator) {
        double best[2] = {0, 0};
        for (int round = 0; round < 2; ++round) {
            best[0] = std::max(best[0], steps_a_second(evaluator.full, evaluator.full));
            best[1] = std::max(best[1], steps_a_second(*evaluator.incremental, evaluator.full));
        }
        return best[1] > best[0];
    }

    double steps_a_second(SingleState &state, FullState &full) {
        constexpr double LONG_ENOUGH = 0.0015;
        Counts counts;
        SplitMix64 random(1);
        const double start = processor_seconds();
        play(state, full, random, UINT64_MAX, 0, [&] { return processor_seconds() - start > LONG_ENOUGH; }, counts);
        return static_cast<double>(counts.steps) / (processor_seconds() - start);
    }

    Words unpacked(const nb::bytes &state) const {
        const std::size_t bytes = packed_bytes(network_->fluents);
        if (state.size() != bytes)
            throw std::invalid_argument("a state has " + std::to_string(bytes) + " bytes");
        Words words(initial_.size(), 0);
        for (std::size_t chunk = 0; chunk < words.size(); ++chunk)
            words[chunk] = load_chunk(reinterpret_cast<const std::uint8_t *>(state.c_str()), bytes, chunk);
        if (network_->fluents & 63) words.back() &= ~(~0ull << (network_->fluents & 63));
        return words;
    }

    nb::bytes packed(const Words &words) const {
        std::vector<std::uint8_t> bytes(packed_bytes(network_->fluents));
        for (std::size_t chunk = 0; chunk < words.size(); ++chunk)
            store_chunk(bytes.data(), bytes.size(), chunk, words[chunk]);
        return nb::bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size());
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

    nb::dict result(const Counts &counts, double seconds) const {
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
    Words initial_;
    bool incremental_ = false;
    std::mutex mutex_;  // of the spare ones
    std::vector<std::unique_ptr<Evaluator>> spare_;
};

}  // namespace

void bind_single(nb::module_ &m) {
    nb::class_<Single>(m, "Single", "One state of a game at a time; states are packed bits, moves are numbers.")
        .def(nb::init<std::shared_ptr<const Network>, const std::string &>(), nb::arg("network"),
             nb::arg("mode") = "auto")
        .def_prop_ro("mode", &Single::mode, "How states are evaluated: full or incremental.")
        .def("legal", &Single::legal, nb::arg("state"), nb::arg("role"), "The numbers of a role's legal moves.")
        .def("first_illegal", &Single::first_illegal, nb::arg("state"), nb::arg("moves"),
             "The first role whose move is not legal, or -1.")
        .def("terminal", &Single::terminal, nb::arg("state"))
        .def("goals", &Single::goals, nb::arg("state"), "The numbers of the goals that hold.")
        .def("successor", &Single::successor, nb::arg("state"), nb::arg("moves"),
             "The state after a joint move (-1: a role does nothing).")
        .def("percepts", &Single::percepts, nb::arg("state"), nb::arg("moves"),
             "The numbers of the percepts that follow from a joint move.")
        .def("playouts", &Single::playouts, nb::arg("count") = nb::none(), nb::kw_only(),
             nb::arg("seconds") = nb::none(), nb::arg("seed") = 0, nb::arg("max_steps") = 0,
             "Random games, one after the other.");
}

}  // namespace ludorum
