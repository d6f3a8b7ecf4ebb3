// Random games in a block of lanes, each lane refilled as soon as its game is over.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "lanes/program.hpp"
#include "common/random.hpp"

namespace ludorum {

using Clock = std::chrono::steady_clock;

struct Tally {
    std::uint64_t steps = 0;
    std::uint64_t rounds = 0;  // steps of the block, however many lanes were playing
    std::uint64_t playouts = 0;
    std::uint64_t stuck = 0;       // games that ended because some role had no move
    std::uint64_t capped = 0;      // games that ended because they were too long
    std::uint64_t unfinished = 0;  // games given up when the time was over
    // Gate inputs read, each for all lanes of the block: those of loops once a step, and those of later rounds of
    // loops; and the legal literals among which moves were chosen, once a step.
    std::uint64_t literals = 0, loop_literals = 0, legal_literals = 0;
    std::vector<std::uint64_t> goals;  // how often each goal was its role's only one at the end

    void add(const Tally &other);
};

// What to play. Games begin in the initial state, or in given states, each of them `repeats` times.
struct Task {
    std::uint64_t seed = 0;
    std::uint64_t games = UINT64_MAX;
    std::uint32_t longest = 0;  // steps of a game, 0: any number
    Clock::time_point deadline = Clock::time_point::max();  // no new games after this ...
    Clock::time_point give_up = Clock::time_point::max();   // ... and none finished after this
    int mode = -1;  // in which all games of this task begin, -1: they may begin anywhere in a cycle
    const std::uint8_t *starts = nullptr;
    std::uint64_t repeats = 1;
    double *sums = nullptr;         // goal values by start and role
    std::uint32_t *finished = nullptr;  // games that came to an end, by start
    // Of each game in the order in which they begin, in the initial state: goal values by role, -1 where there is not
    // one number, and steps. Both or neither.
    std::int32_t *goals = nullptr, *lengths = nullptr;
    const float *weights = nullptr;  // of each move; null: all moves of a role are as likely
    // Shown every step before it is played: its mode, lanes without a game, lanes whose game ends here; false: stop.
    std::function<bool(const Block &, int, const std::uint64_t *, const std::uint64_t *)> observe;
};

class Playouts {
  public:
    // `interrupted` is asked every few steps whether to stop at once.
    Playouts(Block &block, const Task &task, const std::function<bool()> &interrupted);
    Tally run();

  private:
    void begin();
    void evaluate(const LanePhase &phase, bool all = false);
    void count_read(const LanePhase &phase, std::uint64_t in_loops);
    const LaneCode &code() const { return program_.code(mode_, loaded_); }
    // Whether steps of this mode are machine code from beginning to end; which moves are made is not visible then.
    bool in_native_steps(const LaneCode &code) const { return code.step && !task_.weights && !task_.observe; }
    void find_over(const LaneCode &code);
    bool observe();
    // Lanes that are not waiting for their turn.
    std::uint64_t active(std::uint32_t word) const { return waits_ ? block_.active.words()[word] : ~0ull; }
    void choose(const LaneCode &code);
    void choose_by_weight(const LaneCode &code);
    void choose_apart(const LaneCode &code, std::uint32_t role);
    void finish(const LaneCode &code, const Ended &ended);
    bool count_goals(const Aligned &slots, const GoalCounts &counted, const std::uint64_t *ended, std::uint64_t games);
    void count_single_goals(const Aligned &slots, const std::vector<Place> &goals, const std::uint64_t *ended);
    void tally(const Aligned &slots, const std::vector<Place> &goals, const GoalCounts &counted,
               const std::uint64_t *ended, std::uint64_t games, const std::vector<std::uint64_t> &owners);
    void flush();
    void advance(const LaneCode &code, bool native);
    void refill();
    void load_starts();
    void number_games(std::uint32_t word, std::uint64_t lanes, std::uint64_t first);
    std::int32_t length_of(std::uint32_t lane) const;
    bool out_of_time();
    // How many of some lanes are among others.
    std::uint64_t population(const std::uint64_t *lanes, const std::uint64_t *among) const;

    Block &block_;
    const LaneProgram &program_;
    const Task &task_;
    const std::function<bool()> &interrupted_;
    std::uint32_t words_;
    Tally tally_;
    std::uint64_t quota_;  // games to be played
    int start_mode_;  // the mode in which games begin
    int mode_;        // of the step being played
    bool waits_;      // whether lanes wait for their turn
    std::uint64_t started_ = 0;
    std::uint64_t playing_ = 0;          // lanes whose games count
    std::uint64_t idle_ = 0;                   // lanes without a game, while there are games left to play
    std::uint64_t waited_ = 0, patience_ = 0;  // the same summed up over steps; and how many may be
    Aligned counted_;  // those lanes as bits
    Aligned ended_counted_;
    bool loaded_ = false;  // whether some lanes have taken a state from elsewhere for this step
    Aligned waiting_;  // lanes whose game is over, until the cycle allows to begin again
    Aligned capped_, pending_;
    std::vector<std::uint64_t> counts_, by_place_;  // of each goal, and of each place by its number
    std::uint64_t valued_ = 0;  // roles that have goals at all
    bool odd_ = false;  // whether some end had not one goal for each role
    Aligned any_, single_;  // by role, the lanes with a goal, and with not more than one
    std::vector<std::uint64_t> owners_, pending_owners_;  // the start each lane plays from, or its game
    std::vector<std::uint64_t> begun_;  // the round in which each lane began its game
    std::vector<std::uint64_t> length_;  // bit-sliced counters that overflow when a game is too long
    std::uint32_t longest_;  // steps of a game, 0: any number, and steps are not counted
    std::uint32_t length_planes_ = 0;
    std::uint64_t length_start_ = 0;
    SplitMix64 chooser_;
    std::vector<double> weight_left_;
    std::vector<std::uint64_t> rank_left_;  // by lane
};

}  // namespace ludorum
