// Lanes: many states of one game at once, bit-sliced, for Python.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "lanes/choose_timetable.hpp"
#include "lanes/choose_turns.hpp"
#include "lanes/playouts.hpp"
#include "common/together.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using MoveRows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T> &&values, std::initializer_list<std::size_t> shape) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *data) noexcept { delete static_cast<std::vector<T> *>(data); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

// Games of one job of a counted run: enough that the wait for the last lanes is short beside the whole.
constexpr std::uint64_t GAMES_A_LANE = 16;
// The most games of one call: sums over them are exact, and no count overflows.
constexpr std::uint64_t MOST_GAMES = std::uint64_t{1} << 52;
// Goal values and lengths of games that one call may return: sixteen gigabytes.
constexpr std::uint64_t MOST_RESULTS = std::uint64_t{1} << 32;
// Bytes of states that a walk may keep.
constexpr std::size_t MOST_WALKED = std::size_t{1} << 34;

std::uint32_t checked_threads(const Whole &threads) { return threads.in<std::uint32_t>("threads", 0, MOST_THREADS); }

class Lanes {
  public:
    Lanes(std::shared_ptr<const Network> network, const Whole &wanted, const std::string &instruction_set,
          const std::string &plan, bool native) {
        const auto lanes = wanted.as<std::uint32_t>("lanes");
        if (plan != "" && plan != "cycle" && plan != "timetable" && plan != "turns")
            throw std::invalid_argument("the plan must be cycle, turns or timetable, or empty for the fastest one");
        const LaneKernels *kernels = find_kernels(lanes, instruction_set, native);
        if (!kernels && instruction_set.empty())
            throw std::invalid_argument("lanes must be 512, 256 or 128, or 0 for what suits this machine");
        if (!kernels) throw std::invalid_argument("this machine has no such instruction set for so many lanes");
        nb::gil_scoped_release release;
        program_ = lanes == 0 ? compile_lanes(network, *kernels, PLAYOUT_LIMIT)
                              : std::make_unique<LaneProgram>(network, *kernels);
        if (plan == "" || plan == "timetable") choose_timetable(program_, plan == "timetable");
        if (plan == "" || plan == "turns") choose_turns(program_, plan == "turns");
    }

    const LaneProgram &program() const { return *program_; }

    nb::dict playouts(const std::optional<Whole> &wanted, std::optional<double> seconds, const Whole &given_seed,
                      const Whole &given_threads, const Whole &max_steps, const std::optional<Weights> &weights,
                      bool each) {
        if (!wanted && !seconds) throw std::invalid_argument("playouts needs count or seconds");
        if (seconds && !(*seconds >= 0)) throw std::invalid_argument("seconds must be a number and not negative");
        if (each && (!wanted || seconds)) throw std::invalid_argument("results of each game need count, and no seconds");
        const std::size_t roles = program_->network->roles();
        const std::uint64_t most = each ? MOST_RESULTS / (roles + 1) : MOST_GAMES;
        const std::optional<std::uint64_t> count = in<std::uint64_t>(wanted, "count", 0, most);
        std::vector<std::int32_t> goals(each ? *count * roles : 0, -1), lengths(each ? *count : 0, 0);
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const std::uint32_t threads = checked_threads(given_threads);
        const auto longest = max_steps.as<std::uint32_t>("max_steps");
        const std::vector<float> kept = check_weights(weights);
        const float *table = weights ? kept.data() : nullptr;
        std::vector<Task> tasks;
        // The jobs of a counted run do not depend on the number of threads, so that its results do not either.
        const std::uint64_t games = count.value_or(UINT64_MAX);
        const std::uint64_t jobs =
            seconds ? std::max(threads, 1u)
                    : std::clamp<std::uint64_t>(games / (GAMES_A_LANE * program_->kernels.lanes), 1, 64);
        SplitMix64 seeds(seed);
        std::uint64_t before = 0;
        const auto now = Clock::now();
        for (std::uint64_t job = 0; job < jobs; ++job) {
            Task task;
            task.seed = seeds.next();
            task.mode = program_->first_mode();
            if (count) task.games = games / jobs + (job < games % jobs);
            task.longest = longest;
            task.weights = table;
            if (each) {
                task.goals = goals.data() + before * roles;
                task.lengths = lengths.data() + before;
                before += task.games;
            }
            if (seconds) {
                const auto limit = std::chrono::duration<double>(std::min(*seconds, 1e8));
                task.deadline = now + std::chrono::duration_cast<Clock::duration>(limit);
                task.give_up = task.deadline + std::chrono::duration_cast<Clock::duration>(
                                                   std::max(limit / 2, std::chrono::duration<double>(0.5)));
            }
            tasks.push_back(task);
        }
        const Tally total = run(tasks, threads);
        nb::dict found = result(total, std::chrono::duration<double>(Clock::now() - now).count());
        if (each) {
            found["goals"] = owned(std::move(goals), {*count, roles});
            found["lengths"] = owned(std::move(lengths), {*count});
        }
        return found;
    }

    nb::dict playouts_from(Rows states, const Whole &wanted, const Whole &given_seed, const Whole &given_threads,
                           const Whole &max_steps, const std::optional<Weights> &weights) {
        check_states(states);
        const std::size_t count = states.shape(0), roles = program_->network->roles();
        const auto per_state =
            wanted.in<std::uint64_t>("per_state", 1, MOST_GAMES / std::max<std::size_t>(count, 1));
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const std::uint32_t threads = checked_threads(given_threads);
        const auto longest = max_steps.as<std::uint32_t>("max_steps");
        const std::size_t bytes = packed_bytes(program_->network->fluents);
        const std::vector<float> kept = check_weights(weights);
        const float *table = weights ? kept.data() : nullptr;
        // States of one mode are played together; where there are several, rows are put in their order.
        const std::vector<std::vector<std::size_t>> by_mode = sort_by_mode(states.data(), count, per_state);
        std::vector<std::uint8_t> rows(count * bytes);
        std::vector<double> ordered(count * roles, 0.0), sums(count * roles, 0.0);
        std::vector<std::size_t> order;
        std::vector<Task> tasks;
        SplitMix64 seeds(seed);
        const auto now = Clock::now();
        for (std::size_t mode = 0; mode < by_mode.size(); ++mode) {
            const std::vector<std::size_t> &own = by_mode[mode];
            const std::size_t begin = order.size();
            for (std::size_t row : own) {
                std::copy_n(states.data() + row * bytes, bytes, rows.data() + order.size() * bytes);
                order.push_back(row);
            }
            const std::size_t enough = std::max<std::size_t>(1, 4 * program_->kernels.lanes / per_state);
            const std::size_t jobs = std::clamp<std::size_t>(own.size() / enough, 1, 64);
            for (std::size_t job = 0; job < jobs && !own.empty(); ++job) {
                const std::size_t first = own.size() * job / jobs, end = own.size() * (job + 1) / jobs;
                Task task;
                task.seed = seeds.next();
                task.games = (end - first) * per_state;
                task.longest = longest;
                task.mode = static_cast<int>(mode) - 1;
                task.starts = rows.data() + (begin + first) * bytes;
                task.repeats = per_state;
                task.sums = ordered.data() + (begin + first) * roles;
                task.weights = table;
                tasks.push_back(task);
            }
        }
        const Tally total = run(tasks, threads);
        for (std::size_t at = 0; at < count; ++at)
            std::copy_n(ordered.data() + at * roles, roles, sums.data() + order[at] * roles);
        nb::dict found = result(total, std::chrono::duration<double>(Clock::now() - now).count());
        found["sums"] = owned(std::move(sums), {count, roles});
        return found;
    }

    nb::tuple expand(Rows states, const Whole &given_threads) {
        check_states(states);
        const std::uint32_t threads = checked_threads(given_threads);
        const Network &network = *program_->network;
        const std::size_t count = states.shape(0), moves = packed_bytes(network.moves);
        std::vector<std::uint8_t> legal(count * moves), terminal(count);
        std::vector<std::int32_t> goals(count * network.roles(), -1);
        each_block(count, threads, [&](Block &block, std::size_t first, std::size_t size) {
            block.load(states.data() + first * packed_bytes(network.fluents), size);
            block.evaluate(program_->general.legal_phase);
            block.store(program_->general.legal, legal.data() + first * moves, size);
            block.store({program_->general.terminal}, terminal.data() + first, size);
            block.evaluate(program_->general.goal_phase);
            store_goals(block, goals.data() + first * network.roles(), size);
        });
        return nb::make_tuple(owned(std::move(legal), {count, moves}), owned(std::move(terminal), {count}),
                              owned(std::move(goals), {count, static_cast<std::size_t>(network.roles())}));
    }

    nb::ndarray<nb::numpy, std::uint8_t> step(Rows states, MoveRows moves, const Whole &threads, bool check) {
        return after_moves(states, moves, threads, check, program_->general.next_phase, program_->general.next);
    }

    nb::ndarray<nb::numpy, std::uint8_t> sees(Rows states, MoveRows moves, const Whole &threads, bool check) {
        return after_moves(states, moves, threads, check, program_->general.sees_phase, program_->general.sees);
    }

    // A record of random play: the states of all lanes for some steps, and whether each lane plays, waits or ends.
    nb::tuple walk(const Whole &wanted, const Whole &given_seed) {
        const std::size_t lanes = program_->kernels.lanes, bytes = packed_bytes(program_->network->fluents);
        const auto steps = wanted.in<std::size_t>("steps", 0, MOST_WALKED / (lanes * (bytes + 1)));
        const auto seed = given_seed.as<std::uint64_t>("seed");
        std::vector<std::uint8_t> states(steps * lanes * bytes), status(steps * lanes);
        std::size_t step = 0;
        Task task;
        task.seed = seed;
        task.mode = program_->first_mode();
        task.observe = [&](const Block &block, int mode, const std::uint64_t *idle, const std::uint64_t *ended) {
            if (step == steps) return false;
            block.store(program_->fluent_places(mode), states.data() + step * lanes * bytes, lanes);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                status[step * lanes + lane] = idle[lane / 64] >> (lane & 63) & 1    ? 2
                                              : ended[lane / 64] >> (lane & 63) & 1 ? 1
                                                                                    : 0;
            ++step;
            return true;
        };
        run({task}, 1);
        return nb::make_tuple(owned(std::move(states), {steps, lanes, bytes}), owned(std::move(status), {steps, lanes}));
    }

  private:
    // Rows by mode, from -1 on. Few states of one step of a timetable leave most of its lanes empty: they are
    // better played with others, in step with the cycle or in no step at all.
    std::vector<std::vector<std::size_t>> sort_by_mode(const std::uint8_t *states, std::size_t count,
                                                       std::uint64_t per_state) const {
        const std::size_t bytes = packed_bytes(program_->network->fluents);
        std::vector<std::vector<std::size_t>> rows(program_->modes.size() + 1);
        for (std::size_t row = 0; row < count; ++row)
            rows[static_cast<std::size_t>(program_->mode_of(states + row * bytes) + 1)].push_back(row);
        for (auto timed = static_cast<std::size_t>(program_->first_timed() + 1); timed < rows.size(); ++timed) {
            if (2 * rows[timed].size() * per_state >= program_->kernels.lanes) continue;
            for (std::size_t row : rows[timed])
                rows[static_cast<std::size_t>(program_->cycle.mode_of(states + row * bytes) + 1)].push_back(row);
            rows[timed].clear();
        }
        return rows;
    }

    nb::ndarray<nb::numpy, std::uint8_t> after_moves(Rows states, MoveRows given, const Whole &given_threads, bool check,
                                                     const LanePhase &phase, const std::vector<Place> &places) {
        check_states(states);
        const std::uint32_t threads = checked_threads(given_threads);
        const Network &network = *program_->network;
        const std::size_t count = states.shape(0), bytes = packed_bytes(places.size()), roles = network.roles();
        if (given.shape(0) != count || given.shape(1) != roles)
            throw std::invalid_argument("moves must have a row for each state and a column for each role");
        // A copy: Python could change the array after it was checked.
        const std::vector<std::int32_t> moves(given.data(), given.data() + count * roles);
        for (std::size_t at = 0; at < count * roles; ++at) {
            const std::int32_t move = moves[at];
            const auto role = static_cast<std::uint32_t>(at % roles);
            const bool own = move >= static_cast<std::int32_t>(network.role_begin(role)) &&
                             move < static_cast<std::int32_t>(network.role_ends[role]);
            if (move != -1 && !own) throw std::invalid_argument("a move that is not one of its role");
        }
        std::vector<std::uint8_t> after(count * bytes);
        each_block(count, threads, [&](Block &block, std::size_t first, std::size_t size) {
            block.clear_moves();
            block.load(states.data() + first * packed_bytes(network.fluents), size);
            for (std::size_t lane = 0; lane < size; ++lane)
                for (std::size_t role = 0; role < roles; ++role) {
                    const std::int32_t move = moves[(first + lane) * roles + role];
                    if (move < 0) continue;
                    const std::uint32_t offset = program_->general.does[static_cast<std::size_t>(move)];
                    block.slot(offset)[lane / 64] |= 1ull << (lane & 63);
                }
            block.evaluate(program_->general.legal_phase);
            if (check) check_legal(block, moves, first, size);
            block.evaluate(phase);
            block.store(places, after.data() + first * bytes, size);
            block.clear_moves();
        });
        return owned(std::move(after), {count, bytes});
    }

    // Circuits rely on one legal move a role: the next state after any other move would be meaningless.
    void check_legal(Block &block, const std::vector<std::int32_t> &moves, std::size_t first, std::size_t size) const {
        const std::size_t roles = program_->network->roles();
        for (std::size_t at = 0; at < size * roles; ++at) {
            const std::size_t lane = at / roles;
            const std::int32_t move = moves[first * roles + at];
            if (move >= 0) {
                const Place &place = program_->general.legal[static_cast<std::size_t>(move)];
                const bool held = block.slot(place.offset)[lane / 64] >> (lane & 63) & 1;
                if (held != place.negated) continue;
            }
            block.clear_moves();
            throw std::invalid_argument("row " + std::to_string(first + lane) + ": role " +
                                        std::to_string(at % roles) +
                                        (move < 0 ? " has no move" : " may not do move " + std::to_string(move)));
        }
    }

    void store_goals(const Block &block, std::int32_t *goals, std::size_t count) const {
        const Network &network = *program_->network;
        std::vector<std::uint8_t> found(count * network.roles(), 0);
        for (std::size_t goal = 0; goal < network.goals.size(); ++goal) {
            const Place &place = program_->general.goals[goal];
            const std::uint64_t *plane = block.slot(place.offset);
            for (std::size_t lane = 0; lane < count; ++lane) {
                if ((plane[lane / 64] >> (lane & 63) & 1) == (place.negated ? 1u : 0u)) continue;
                const std::size_t at = lane * network.roles() + network.goal_roles[goal];
                goals[at] = found[at]++ ? -1 : network.goal_values[goal];  // several values: none
            }
        }
    }

    void check_states(const Rows &states) const {
        if (states.shape(1) != packed_bytes(program_->network->fluents))
            throw std::invalid_argument("states must be rows of " +
                                        std::to_string(packed_bytes(program_->network->fluents)) + " bytes");
    }

    // A copy, for the same reason as that of moves.
    std::vector<float> check_weights(const std::optional<Weights> &weights) const {
        if (!weights) return {};
        if (weights->shape(0) != program_->network->moves)
            throw std::invalid_argument("weights must have an entry for each move");
        std::vector<float> kept(weights->data(), weights->data() + weights->shape(0));
        for (float weight : kept)
            if (!(weight >= 0 && weight <= MOST_WEIGHT))
                throw std::invalid_argument("weights must not be negative, and at most 1e30");
        return kept;
    }

    static constexpr float MOST_WEIGHT = 1e30f;  // sums over all moves are numbers as well

    std::unique_ptr<Block> borrow() {
        {
            std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                auto block = std::move(spare_.back());
                spare_.pop_back();
                return block;
            }
        }
        return std::make_unique<Block>(*program_);
    }

    std::unique_ptr<Block> borrow_if_possible() {
        try {
            return borrow();
        } catch (const std::bad_alloc &) {
            return nullptr;
        }
    }

    void give_back(std::unique_ptr<Block> block) {
        std::lock_guard lock(mutex_);
        spare_.push_back(std::move(block));
    }

    // Runs `work(block, number)` for the numbers below `jobs` on some threads, this one among them. The GIL is
    // free meanwhile; Ctrl-C and errors stop all threads.
    void share(std::size_t jobs, std::uint32_t threads,
               const std::function<void(Block &, std::size_t, const std::function<bool()> &)> &work) {
        std::atomic<std::size_t> next{0};
        std::atomic<bool> stop{false};
        std::exception_ptr error;
        std::mutex error_mutex;
        const std::thread::id caller = std::this_thread::get_id();
        auto asked = Clock::now();
        const std::function<bool()> interrupted = [&] {
            if (stop.load(std::memory_order_relaxed)) return true;
            if (std::this_thread::get_id() != caller || Clock::now() - asked < std::chrono::milliseconds(50))
                return false;
            asked = Clock::now();
            nb::gil_scoped_acquire gil;
            if (PyErr_CheckSignals() == 0) return false;
            stop = true;
            throw nb::python_error();
        };
        const auto fail = [&] {
            const std::lock_guard lock(error_mutex);
            if (!error) error = std::current_exception();
            stop = true;
        };
        // A thread without memory for its block leaves the work to the others.
        auto worker = [&](std::unique_ptr<Block> block) {
            try {
                for (std::size_t job; block && !stop && (job = next++) < jobs;) work(*block, job, interrupted);
                if (block) give_back(std::move(block));
            } catch (...) {
                fail();
            }
        };
        {
            nb::gil_scoped_release release;
            std::unique_ptr<Block> first = borrow();
            const auto wait = [&] {
                try {
                    interrupted();
                } catch (...) {
                    fail();
                }
            };
            work_together(static_cast<std::uint32_t>(std::min<std::size_t>(threads, jobs)),
                          [&](std::uint32_t number) { worker(number ? borrow_if_possible() : std::move(first)); }, wait);
        }
        if (error) std::rethrow_exception(error);
    }

    Tally run(const std::vector<Task> &tasks, std::uint32_t threads) {
        std::vector<Tally> tallies(tasks.size());
        share(tasks.size(), threads, [&](Block &block, std::size_t job, const std::function<bool()> &interrupted) {
            tallies[job] = Playouts(block, tasks[job], interrupted).run();
        });
        Tally total;
        total.goals.assign(program_->network->goals.size(), 0);
        for (const Tally &one : tallies) total.add(one);
        return total;
    }

    void each_block(std::size_t count, std::uint32_t threads,
                    const std::function<void(Block &, std::size_t, std::size_t)> &work) {
        const std::size_t lanes = program_->kernels.lanes;
        share((count + lanes - 1) / lanes, threads,
              [&](Block &block, std::size_t job, const std::function<bool()> &interrupted) {
                  if (!interrupted()) work(block, job * lanes, std::min(lanes, count - job * lanes));
              });
    }

    nb::dict result(const Tally &total, double seconds) const {
        const Network &network = *program_->network;
        std::vector<double> sums(network.roles(), 0.0);
        std::vector<std::uint64_t> counts = total.goals;
        for (std::size_t goal = 0; goal < counts.size(); ++goal)
            if (network.goal_values[goal] > 0)
                sums[network.goal_roles[goal]] += static_cast<double>(network.goal_values[goal]) *
                                                  static_cast<double>(counts[goal]);
        nb::dict found;
        found["steps"] = total.steps;
        found["playouts"] = total.playouts;
        found["stuck"] = total.stuck;
        found["capped"] = total.capped;
        found["unfinished"] = total.unfinished;
        found["literals"] = total.literals;
        found["loop_literals"] = total.loop_literals;
        found["legal_literals"] = total.legal_literals;
        found["seconds"] = seconds;
        const std::size_t goals = counts.size();
        found["goal_counts"] = owned(std::move(counts), {goals});
        found["goal_sums"] = owned(std::move(sums), {static_cast<std::size_t>(network.roles())});
        return found;
    }

    std::unique_ptr<LaneProgram> program_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Block>> spare_;
};

}  // namespace

// Nanoseconds to read 64 bytes from a piece of memory of this size, again and again: what no evaluation beats.
double load_nanoseconds(const Whole &given) {
    const auto bytes = given.in<std::size_t>("bytes", 4096, std::size_t{1} << 30);
    const LaneKernels &kernels = *find_kernels(0);
    Aligned memory(bytes);
    double best = 1e9;
    std::uint64_t sink = 0;
    for (int round = 0; round < 5; ++round) {
        const std::size_t times = std::max<std::size_t>(1, (std::size_t{1} << 24) / bytes);
        const auto start = Clock::now();
        for (std::size_t time = 0; time < times; ++time) sink += kernels.stream(memory.bytes(), bytes);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best = std::min(best, seconds * 1e9 / (static_cast<double>(times) * static_cast<double>(bytes) / 64));
    }
    return sink == 1 ? 0.0 : best;  // the sum is always 0; asking keeps the compiler from dropping the loop
}

void bind_lanes(nb::module_ &m) {
    m.def("load_nanoseconds", &load_nanoseconds, nb::arg("bytes"),
          "Nanoseconds to read 64 bytes from a piece of memory of this size: the limit of evaluation.");
    nb::class_<Lanes>(m, "Lanes", "Many states of one game at once, bit-sliced: playouts, expansion, steps.")
        .def(nb::init<std::shared_ptr<const Network>, const Whole &, const std::string &, const std::string &, bool>(),
             nb::arg("network"), nb::arg("lanes") = 0, nb::arg("instruction_set") = "", nb::arg("plan") = "",
             nb::arg("native") = true)
        .def_prop_ro("lanes", [](const Lanes &self) { return self.program().kernels.lanes; }, "Lanes of a block.")
        .def_prop_ro("instruction_set", [](const Lanes &self) { return self.program().kernels.name; })
        .def_prop_ro(
            "block_bytes",
            [](const Lanes &self) {
                return static_cast<std::size_t>(self.program().slots + self.program().final_slots) *
                       self.program().slot_bytes;
            },
            "Memory of one block of lanes.")
        .def_prop_ro("native", [](const Lanes &self) { return self.program().kernels.native; },
                     "Whether gates become machine code, as far as that is possible.")
        .def_prop_ro("code_bytes", [](const Lanes &self) { return self.program().code_bytes(); },
                     "Bytes of machine code.")
        .def_prop_ro_static(
            "random_polynomial",
            [](nb::handle) {
                std::vector<std::uint32_t> exponents{0};
                exponents.insert(exponents.end(), std::begin(RANDOM_TAPS), std::end(RANDOM_TAPS));
                exponents.push_back(RANDOM_PLANES);
                return exponents;
            },
            "The exponents of the polynomial over GF(2) that the random bits of every lane follow.")
        .def_prop_ro(
            "native_steps",
            [](const Lanes &self) {
                const LaneProgram &program = self.program();
                return static_cast<bool>(program.code(program.first_mode()).step);
            },
            "Whether steps of random play are machine code from beginning to end.")
        .def_prop_ro(
            "phase_literals",
            [](const Lanes &self) {
                const LaneProgram &program = self.program();
                nb::list phases;
                auto add = [&](const LaneCode &code) {
                    phases.append(nb::make_tuple(code.legal_phase.literals, code.goal_phase.literals,
                                                 code.next_phase.literals));
                };
                for (const LaneCode &code : program.modes) add(code);
                if (program.modes.empty()) add(program.general);
                return phases;
            },
            "Gate inputs read for legality, goals and the next state, in each mode of the game.")
        .def_prop_ro(
            "takes_turns", [](const Lanes &self) { return !self.program().cycle.in_turn; },
            "Whether lanes wait for the code of the player on turn.")
        .def_prop_ro(
            "timetable", [](const Lanes &self) { return self.program().timetable.length(); },
            "Steps that have code of their own because games count them; 0: none.")
        .def_prop_ro(
            "collects_goals", [](const Lanes &self) { return self.program().collect_goals; },
            "Whether finished games are valued together.")
        .def("playouts", &Lanes::playouts, nb::arg("count") = nb::none(), nb::kw_only(),
             nb::arg("seconds") = nb::none(), nb::arg("seed") = 0, nb::arg("threads") = 1,
             nb::arg("max_steps") = 0, nb::arg("weights") = nb::none(), nb::arg("each") = false,
             "Play so many random games, or for so many seconds; with `each`, the results of every game.")
        .def("playouts_from", &Lanes::playouts_from, nb::arg("states"), nb::arg("per_state") = 1, nb::kw_only(),
             nb::arg("seed") = 0, nb::arg("threads") = 1, nb::arg("max_steps") = 0,
             nb::arg("weights") = nb::none(), "Random games from given states; `sums` holds goal sums by state and role.")
        .def("expand", &Lanes::expand, nb::arg("states"), nb::arg("threads") = 1,
             "Packed legal masks, terminal flags (0 or 1) and goal values (-1: none) of some states.")
        .def("step", &Lanes::step, nb::arg("states"), nb::arg("moves"), nb::arg("threads") = 1,
             nb::arg("check") = false,
             "The states after joint moves, given as move numbers by role (-1: no move); with `check` they must be legal.")
        .def("walk", &Lanes::walk, nb::arg("steps"), nb::arg("seed") = 0,
             "Random play watched: packed states by step and lane, and 0 playing, 1 ended here, 2 no game.")
        .def("sees", &Lanes::sees, nb::arg("states"), nb::arg("moves"), nb::arg("threads") = 1,
             nb::arg("check") = false, "Packed percepts after joint moves.");
}

}  // namespace ludorum
