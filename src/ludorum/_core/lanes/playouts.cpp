// The loop of random play: legality, choice, goals of what has ended, next state, refill.

#include "lanes/playouts.hpp"

#include <algorithm>
#include <set>

#include "common/bits.hpp"

namespace ludorum {

namespace {

template <class Visit>
void each_bit(const std::uint64_t *lanes, std::uint32_t words, Visit visit) {
    for (std::uint32_t word = 0; word < words; ++word)
        for (std::uint64_t left = lanes[word]; left; left &= left - 1)
            visit(64 * word + static_cast<std::uint32_t>(__builtin_ctzll(left)));
}

// How many steps pass between two looks at the clock.
constexpr std::uint32_t CLOCK_STEPS = 32;
// With so many gate inputs in a step, reading the clock costs nothing beside it.
constexpr std::uint64_t LARGE_STEP = 20'000;
// More steps than any game has.
constexpr std::uint32_t ENDLESS = INT32_MAX - 1;

// The cost of a refill in idle steps of a lane: a fluent is read and written in all lanes, which costs as much as one
// and a half gate inputs. Where lanes meet in a cycle, they have waited for all steps of it; a timetable without a
// repeated tail has a cycle of length 0 (a division by zero, which x86 answers with SIGFPE).
std::uint64_t patience(const LaneProgram &program, int mode) {
    const LaneCode &code = program.code(mode);
    const std::uint64_t work = code.literals() + 2 * code.choices + 1;
    const bool meet = program.cycle.in_turn && program.cycle.length() && mode >= 0;
    const std::uint64_t steps = meet ? program.cycle.length() : 1;
    return 3 * program.network->fluents * program.kernels.lanes / (2 * work * steps) + 1;
}

}  // namespace

void Tally::add(const Tally &other) {
    steps += other.steps;
    rounds += other.rounds;
    playouts += other.playouts;
    stuck += other.stuck;
    capped += other.capped;
    unfinished += other.unfinished;
    literals += other.literals;
    loop_literals += other.loop_literals;
    legal_literals += other.legal_literals;
    goals.resize(std::max(goals.size(), other.goals.size()));
    for (std::size_t i = 0; i < other.goals.size(); ++i) goals[i] += other.goals[i];
}

Playouts::Playouts(Block &block, const Task &task, const std::function<bool()> &interrupted)
    : block_(block),
      program_(block.program),
      task_(task),
      interrupted_(interrupted),
      words_(block.program.words),
      quota_(task.games),
      start_mode_(task.mode),
      mode_(start_mode_),
      waits_(program_.waits(start_mode_)),
      counted_(block.program.slot_bytes),
      ended_counted_(block.program.slot_bytes),
      waiting_(block.program.slot_bytes),
      capped_(block.program.slot_bytes),
      pending_(block.program.slot_bytes),
      any_(static_cast<std::size_t>(block.program.network->roles()) * block.program.slot_bytes),
      single_(static_cast<std::size_t>(block.program.network->roles()) * block.program.slot_bytes),
      chooser_(SplitMix64(task.seed).next()) {
    tally_.goals.assign(program_.network->goals.size(), 0);
    counts_.assign(program_.network->goals.size(), 0);
    by_place_.assign(program_.network->goals.size() + 1, 0);
    const auto &roles = program_.network->goal_roles;
    valued_ = std::set<std::uint32_t>(roles.begin(), roles.end()).size();
    // Lanes that wait for their turn make fewer steps than the block: theirs are counted one by one.
    longest_ = task.longest ? task.longest : task.lengths && waits_ ? ENDLESS : 0;
    if (longest_) {
        while (length_planes_ < 63 && (1ull << length_planes_) <= longest_) ++length_planes_;
        length_start_ = (1ull << length_planes_) - longest_ - 1;
        length_.assign(static_cast<std::size_t>(length_planes_) * words_, 0);
    }
    if (task.weights) weight_left_.resize(program_.kernels.lanes);
    patience_ = patience(program_, start_mode_);
    owners_.assign(program_.kernels.lanes, 0);
    pending_owners_.assign(program_.kernels.lanes, 0);
    begun_.assign(program_.kernels.lanes, 0);
}

std::uint64_t Playouts::population(const std::uint64_t *lanes, const std::uint64_t *among) const {
    static constexpr Place FIRST{0, false};
    std::uint64_t count;
    program_.kernels.count(reinterpret_cast<const char *>(lanes), &FIRST, 1, among, &count);
    return count;
}

Tally Playouts::run() {
    begin();
    std::uint32_t until_clock = 1;
    while (playing_ || started_ < quota_) {
        const LaneCode &code = this->code();
        const bool native = in_native_steps(code);
        if (native) {
            block_.evaluate_step(code);
            count_read(code.legal_phase, 0);
        } else {
            evaluate(code.legal_phase, loaded_);
        }
        if (waits_) block_.find_active(mode_);
        find_over(code);
        if (task_.weights)
            choose_by_weight(code);
        else if (native)
            block_.draw(code);
        else
            choose(code);
        const char *playing = native ? block_.slots.bytes() + code.step.playing : block_.playing.bytes();
        const Ended ended = program_.kernels.end({block_.over.bytes(), playing, waits_ ? block_.active.bytes() : nullptr,
                                                  waiting_.bytes(), counted_.bytes(), block_.ended.bytes(),
                                                  ended_counted_.bytes()});
        if (task_.observe && !observe()) break;
        if (ended.games) finish(code, ended);
        tally_.steps += waits_ ? population(block_.active.words(), counted_.words()) : playing_;
        tally_.legal_literals += code.choices;
        ++tally_.rounds;
        advance(code, native);
        if (--until_clock == 0) {
            until_clock = code.literals() > LARGE_STEP ? 1 : CLOCK_STEPS;
            if (out_of_time()) break;
        }
    }
    flush();
    tally_.unfinished = playing_;
    return tally_;
}

void Playouts::evaluate(const LanePhase &phase, bool all) { count_read(phase, block_.evaluate(phase, all)); }

void Playouts::count_read(const LanePhase &phase, std::uint64_t in_loops) {
    tally_.literals += phase.literals;
    tally_.loop_literals += in_loops - phase.loop_literals;
}

// The next step, and new games where they may begin: in step with the cycle, or when all of a timetable are over.
void Playouts::advance(const LaneCode &code, bool native) {
    const bool timed = program_.timed(mode_);
    if (timed && !playing_) {
        if (!native) {
            block_.clear_done(code, task_.weights);
            block_.clear_drawn(code);
        }
        std::fill_n(waiting_.words(), words_, ~0ull);
        mode_ = start_mode_;
        refill();
        return;
    }
    if (native) {
        block_.advance_step(code);
        count_read(code.next_phase, 0);
    } else {
        evaluate(code.next_phase);
        block_.advance(code, waits_);
        block_.clear_drawn(code);
    }
    if (timed && !native) block_.clear_done(code, task_.weights);
    mode_ = code.after;
    loaded_ = false;
    if (timed || (mode_ != start_mode_ && !waits_)) return;
    // Lanes wait until their idle steps have cost as much as a refill.
    waited_ += started_ < quota_ ? idle_ : population(waiting_.words(), waiting_.words());
    if (waited_ >= patience_ || (!playing_ && started_ < quota_)) refill();
}

bool Playouts::out_of_time() {
    if (interrupted_()) return true;
    if (task_.deadline == Clock::time_point::max()) return false;
    const auto now = Clock::now();
    if (now >= task_.deadline) quota_ = std::min(quota_, started_);
    return now >= task_.give_up;
}

void Playouts::begin() {
    block_.seed(task_.seed);
    block_.clear_moves();
    std::fill_n(waiting_.words(), words_, ~0ull);
    refill();
}

// Lanes that wait for their turn are shown as lanes without a game: nothing happens in them.
bool Playouts::observe() {
    std::vector<std::uint64_t> idle(words_);
    for (std::uint32_t word = 0; word < words_; ++word)
        idle[word] = (waiting_.words()[word] & ~block_.ended.words()[word]) | ~active(word);
    return task_.observe(block_, mode_, idle.data(), block_.ended.words());
}

void Playouts::find_over(const LaneCode &code) {
    const std::uint64_t flip = code.terminal.negated ? ~0ull : 0ull;
    const std::uint64_t *terminal = block_.slot(code.terminal.offset);
    std::uint64_t *over = block_.over.words();
    for (std::uint32_t word = 0; word < words_; ++word)
        over[word] = (terminal[word] ^ flip) | waiting_.words()[word] | ~active(word);
    if (!longest_) return;
    for (std::uint32_t word = 0; word < words_; ++word) {
        std::uint64_t carry = active(word);
        for (std::uint32_t plane = 0; carry && plane < length_planes_; ++plane) {
            std::uint64_t &bits = length_[plane * words_ + word];
            const std::uint64_t both = bits & carry;
            bits ^= carry;
            carry = both;
        }
        capped_.words()[word] = carry & ~over[word];
        over[word] |= carry;
    }
}

// Moves of all roles, those with large weights last.
void Playouts::choose(const LaneCode &code) {
    block_.select(code);
    for (std::uint32_t role : code.apart) choose_apart(code, role);
}

// A draw for each lane by whole numbers, for a role that is playing; lanes without a legal move do not go on.
void Playouts::choose_apart(const LaneCode &code, std::uint32_t role) {
    const Network &network = *program_.network;
    std::uint64_t *playing = block_.playing.words();
    std::vector<std::uint64_t> lanes(words_), open(words_, 0);
    const auto each_legal = [&](const std::uint64_t *among, auto visit) {
        for (std::uint32_t move = network.role_begin(role); move < network.role_ends[role]; ++move) {
            const Place &place = code.legal[move];
            const std::uint64_t *plane = block_.slot(place.offset), flip = place.negated ? ~0ull : 0ull;
            for (std::uint32_t word = 0; word < words_; ++word) lanes[word] = (plane[word] ^ flip) & among[word];
            visit(network.weights[move], block_.slot(code.does[move]));
        }
    };
    rank_left_.assign(program_.kernels.lanes, 0);
    each_legal(playing, [&](std::uint32_t weight, std::uint64_t *does) {
        std::fill_n(does, words_, 0);
        for (std::uint32_t word = 0; word < words_; ++word) open[word] |= lanes[word];
        each_bit(lanes.data(), words_, [&](std::uint32_t lane) { rank_left_[lane] += weight; });
    });
    for (std::uint32_t word = 0; word < words_; ++word) playing[word] &= open[word];
    each_bit(open.data(), words_, [&](std::uint32_t lane) { rank_left_[lane] = chooser_.below(rank_left_[lane]); });
    each_legal(open.data(), [&](std::uint32_t weight, std::uint64_t *does) {
        each_bit(lanes.data(), words_, [&](std::uint32_t lane) {
            if (rank_left_[lane] >= weight) {
                rank_left_[lane] -= weight;
                return;
            }
            does[lane / 64] |= 1ull << (lane & 63);
            open[lane / 64] &= ~(1ull << (lane & 63));
        });
    });
}

// Counting what is legal, then a weighted draw for each lane: slower than the uniform choice by far.
void Playouts::choose_by_weight(const LaneCode &code) {
    std::uint64_t *playing = block_.playing.words();
    for (std::uint32_t word = 0; word < words_; ++word) playing[word] = ~block_.over.words()[word];
    const Network &network = *program_.network;
    std::vector<std::uint64_t> open(words_), none(words_), lanes(words_);
    for (std::uint32_t role = 0; role < network.roles(); ++role) {
        if (network.weighted[role]) continue;
        auto each_legal = [&](auto visit) {
            for (std::uint32_t move = network.role_begin(role); move < network.role_ends[role]; ++move) {
                const Place &place = code.legal[move];
                const std::uint64_t *plane = block_.slot(place.offset);
                const std::uint64_t flip = place.negated ? ~0ull : 0ull;
                for (std::uint32_t word = 0; word < words_; ++word)
                    lanes[word] = (plane[word] ^ flip) & ~block_.over.words()[word];
                visit(move, block_.slot(code.does[move]));
            }
        };
        std::fill(weight_left_.begin(), weight_left_.end(), 0.0);
        std::fill(none.begin(), none.end(), ~0ull);
        each_legal([&](std::uint32_t move, std::uint64_t *does) {
            std::fill_n(does, words_, 0);
            for (std::uint32_t word = 0; word < words_; ++word) none[word] &= ~lanes[word];
            each_bit(lanes.data(), words_, [&](std::uint32_t lane) { weight_left_[lane] += task_.weights[move]; });
        });
        for (std::uint32_t word = 0; word < words_; ++word) {
            open[word] = ~none[word];
            playing[word] &= ~none[word];
        }
        // Lanes in which only weightless moves are legal choose among all of them.
        std::vector<std::uint32_t> counts(program_.kernels.lanes, 0);
        each_legal([&](std::uint32_t, std::uint64_t *) {
            each_bit(lanes.data(), words_, [&](std::uint32_t lane) { counts[lane] += weight_left_[lane] <= 0; });
        });
        std::vector<char> flat(program_.kernels.lanes, 0);
        each_bit(open.data(), words_, [&](std::uint32_t lane) {
            const double drawn = static_cast<double>(chooser_.next() >> 11) * 0x1.0p-53;
            flat[lane] = counts[lane] > 0;
            weight_left_[lane] = drawn * (flat[lane] ? counts[lane] : weight_left_[lane]);
        });
        std::vector<std::uint64_t *> last(program_.kernels.lanes, nullptr);
        each_legal([&](std::uint32_t move, std::uint64_t *does) {
            for (std::uint32_t word = 0; word < words_; ++word) lanes[word] &= open[word];
            each_bit(lanes.data(), words_, [&](std::uint32_t lane) {
                const double weight = flat[lane] ? 1.0 : task_.weights[move];
                if (weight <= 0) return;
                last[lane] = does;
                weight_left_[lane] -= weight;
                if (weight_left_[lane] >= 0) return;
                does[lane / 64] |= 1ull << (lane & 63);
                open[lane / 64] &= ~(1ull << (lane & 63));
            });
        });
        // Rounding may leave a lane without a choice: then it is the last move that has any weight.
        each_bit(open.data(), words_, [&](std::uint32_t lane) {
            if (last[lane]) last[lane][lane / 64] |= 1ull << (lane & 63);
        });
    }
    for (std::uint32_t role = 0; role < network.roles(); ++role)
        if (network.weighted[role]) choose_apart(code, role);
}

void Playouts::finish(const LaneCode &code, const Ended &ended) {
    tally_.playouts += ended.games;
    playing_ -= ended.games;
    idle_ += ended.games;
    if (ended.stuck) tally_.stuck += ended.games - population(block_.over.words(), ended_counted_.words());
    if (longest_) tally_.capped += population(capped_.words(), ended_counted_.words());
    if (task_.finished)
        each_bit(ended_counted_.words(), words_, [&](std::uint32_t lane) { ++task_.finished[owners_[lane]]; });
    if (task_.lengths)
        each_bit(ended_counted_.words(), words_,
                 [&](std::uint32_t lane) { task_.lengths[owners_[lane]] = length_of(lane); });
    if (!program_.collect_goals || program_.timed(mode_)) {
        evaluate(code.goal_phase);
        tally(block_.slots, code.goals, code.goal_counts, ended_counted_.words(), ended.games, owners_);
        return;
    }
    std::uint64_t conflict = 0;
    for (std::uint32_t word = 0; word < words_; ++word) conflict |= pending_.words()[word] & ended_counted_.words()[word];
    if (conflict) flush();
    program_.kernels.take(program_.final_fluents.data(), static_cast<std::uint32_t>(program_.final_fluents.size()),
                          block_.finals.bytes(), block_.slots.bytes(), ended_counted_.bytes());
    for (std::uint32_t word = 0; word < words_; ++word) pending_.words()[word] |= ended_counted_.words()[word];
    if (task_.sums || task_.goals)
        each_bit(ended_counted_.words(), words_, [&](std::uint32_t lane) { pending_owners_[lane] = owners_[lane]; });
}

void Playouts::flush() {
    const std::uint64_t games = population(pending_.words(), pending_.words());
    if (!program_.collect_goals || !games) return;
    count_read(program_.final_phase, block_.evaluate_finals());
    tally(block_.finals, program_.final_goals, program_.final_counts, pending_.words(), games, pending_owners_);
    std::fill_n(pending_.words(), words_, 0);
}

void Playouts::tally(const Aligned &slots, const std::vector<Place> &goals, const GoalCounts &counted,
                     const std::uint64_t *ended, std::uint64_t games, const std::vector<std::uint64_t> &owners) {
    const Network &network = *program_.network;
    const bool several = count_goals(slots, counted, ended, games);
    if (several) count_single_goals(slots, goals, ended);
    for (std::size_t goal = 0; goal < goals.size(); ++goal) tally_.goals[goal] += counts_[goal];
    if (!task_.sums && !task_.goals) return;
    for (std::size_t goal = 0; goal < goals.size(); ++goal) {
        const std::uint64_t count = counts_[goal];
        const std::int32_t value = network.goal_values[goal];
        if (!count || (!task_.goals && value <= 0)) continue;
        const std::uint32_t role = network.goal_roles[goal];
        const std::uint64_t *lanes = several ? single_.words() + role * words_ : ended;
        const auto *plane = reinterpret_cast<const std::uint64_t *>(slots.bytes() + goals[goal].offset);
        const std::uint64_t flip = goals[goal].negated ? ~0ull : 0ull;
        for (std::uint32_t word = 0; word < words_; ++word) {
            const std::uint64_t held = (plane[word] ^ flip) & lanes[word];
            each_bit(&held, 1, [&](std::uint32_t lane) {
                const std::uint64_t at = owners[64 * word + lane] * network.roles() + role;
                if (task_.sums) task_.sums[at] += value;
                if (task_.goals) task_.goals[at] = value;
            });
        }
    }
}

// Counts how often each goal holds, and notes a fault of the rules: an end that has not exactly one goal for each role
// with goals. A fault that was seen once stays noted: in a single count several goals of one role and none of another
// might cancel out.
bool Playouts::count_goals(const Aligned &slots, const GoalCounts &counted, const std::uint64_t *ended,
                           std::uint64_t games) {
    program_.kernels.count(slots.bytes(), counted.places.data(), counted.places.size(), ended, by_place_.data() + 1);
    std::uint64_t found = 0;
    for (std::size_t goal = 0; goal < counts_.size(); ++goal) found += counts_[goal] = by_place_[counted.numbers[goal]];
    return odd_ = odd_ || found != games * valued_;
}

// As often as each goal is the only one of its role: several values are none.
void Playouts::count_single_goals(const Aligned &slots, const std::vector<Place> &goals, const std::uint64_t *ended) {
    const Network &network = *program_.network;
    std::fill_n(any_.words(), network.roles() * words_, 0);
    for (std::size_t role = 0; role < network.roles(); ++role)
        std::copy_n(ended, words_, single_.words() + role * words_);
    for (std::size_t goal = 0; goal < goals.size(); ++goal) {
        const auto *plane = reinterpret_cast<const std::uint64_t *>(slots.bytes() + goals[goal].offset);
        const std::uint64_t flip = goals[goal].negated ? ~0ull : 0ull;
        std::uint64_t *any = any_.words() + network.goal_roles[goal] * words_;
        std::uint64_t *single = single_.words() + network.goal_roles[goal] * words_;
        for (std::uint32_t word = 0; word < words_; ++word) {
            single[word] &= ~(any[word] & (plane[word] ^ flip));
            any[word] |= plane[word] ^ flip;
        }
    }
    for (std::size_t goal = 0; goal < goals.size(); ++goal)
        program_.kernels.count(slots.bytes(), &goals[goal], 1, single_.words() + network.goal_roles[goal] * words_,
                               &counts_[goal]);
}

// Every lane that waits begins again; it counts as long as there are games left to play.
void Playouts::refill() {
    std::uint64_t *waiting = waiting_.words();
    std::uint64_t left = quota_ - started_;
    for (std::uint32_t word = 0; word < words_; ++word) {
        std::uint64_t fresh = waiting[word];
        const auto count = static_cast<std::uint64_t>(__builtin_popcountll(fresh));
        if (count > left) {
            std::uint64_t some = 0;
            for (std::uint64_t number = 0; number < left; ++number, fresh &= fresh - 1) some |= fresh & -fresh;
            fresh = some;
        }
        if (task_.goals) number_games(word, fresh, quota_ - left);
        const std::uint64_t taken = std::min(left, count);
        left -= taken;
        playing_ += taken;
        counted_.words()[word] |= fresh;
        for (std::uint32_t plane = 0; plane < length_planes_; ++plane) {
            std::uint64_t &bits = length_[plane * words_ + word];
            bits = length_start_ >> plane & 1 ? bits | waiting[word] : bits & ~waiting[word];
        }
    }
    waited_ = idle_ = 0;
    loaded_ = task_.starts;
    if (task_.starts)
        load_starts();
    else if (!program_.timed(mode_))  // of the initial state a timetable knows everything
        block_.reset(waiting);
    if (start_mode_ < 0)
        block_.forget(-1, waiting);
    else
        for (int mode = 0; mode < program_.first_timed(); ++mode) block_.forget(mode, waiting);
    started_ = quota_ - left;
    std::fill_n(waiting, words_, 0);
}

// Which games begin in these lanes, and when.
void Playouts::number_games(std::uint32_t word, std::uint64_t lanes, std::uint64_t first) {
    each_bit(&lanes, 1, [&](std::uint32_t lane) {
        owners_[64 * word + lane] = first++;
        begun_[64 * word + lane] = tally_.rounds;
    });
}

// Steps of the game that ends in a lane.
std::int32_t Playouts::length_of(std::uint32_t lane) const {
    if (!waits_) return static_cast<std::int32_t>(tally_.rounds - begun_[lane]);
    std::uint64_t counted = 0;
    for (std::uint32_t plane = 0; plane < length_planes_; ++plane)
        counted |= (length_[plane * words_ + lane / 64] >> (lane & 63) & 1) << plane;
    // The end was counted as a step, too, before it was noticed; a game that is too long has made the counter overflow.
    return static_cast<std::int32_t>((counted - length_start_ - 1) & ((1ull << length_planes_) - 1));
}

void Playouts::load_starts() {
    const std::uint64_t *waiting = waiting_.words();
    for (std::uint32_t fluent = 0; fluent < program_.network->fluents; ++fluent) {
        std::uint64_t *plane = block_.slot(fluent * program_.slot_bytes);
        for (std::uint32_t word = 0; word < words_; ++word) plane[word] &= ~waiting[word];
    }
    const std::size_t bytes = packed_bytes(program_.network->fluents);
    std::uint64_t number = started_;
    for (std::uint32_t word = 0; word < words_; ++word) {
        std::uint64_t fresh = waiting[word] & counted_.words()[word];
        while (fresh) {  // the games of one start at once
            const std::uint64_t start = number / task_.repeats;
            std::uint64_t lanes = 0;
            for (; fresh && number / task_.repeats == start; ++number, fresh &= fresh - 1) {
                lanes |= fresh & -fresh;
                owners_[64 * word + static_cast<std::uint32_t>(__builtin_ctzll(fresh))] = start;
            }
            block_.load_lanes(word, lanes, task_.starts + start * bytes);
        }
    }
}

}  // namespace ludorum
