// The choice is made by counting, not by the clock: the same seed must give the same games on every machine.

#include "choose_timetable.hpp"

#include "playouts.hpp"

namespace ludorum {

namespace {

// Below so many gate inputs a step there is little to gain.
constexpr std::uint64_t SMALL = 2000;
// In step, each step's code is read once a game only, so that it must be much smaller.
constexpr double GAIN = 1.4;
constexpr std::uint64_t TRIAL_SEED = 1;

// The gate inputs of an average step in the cycle, and what each move adds for being chosen.
std::uint64_t usual_work(const LaneProgram &program) {
    if (program.modes.empty()) return program.general.literals() + 2 * program.network->moves;
    std::uint64_t sum = 0;
    for (const LaneCode &code : program.modes) sum += code.literals();
    return sum / program.modes.size() + 2 * program.network->moves;
}

}  // namespace

void choose_timetable(LaneProgram &program, bool always) {
    const std::uint64_t usual = usual_work(program);
    if (!always && usual < SMALL) return;
    FoundTimetable found = find_timetable(*program.network);
    const std::uint32_t length = found.timetable.length();
    if (!length) return;
    if (always) return program.follow(std::move(found.timetable));
    auto work = [&](std::uint64_t step) {
        if (step >= length) step = found.timetable.again;
        return found.literals[step] + 2 * program.network->moves;
    };
    std::uint64_t sum = 0;
    for (std::uint32_t step = 0; step < length; ++step) sum += work(step);
    if (GAIN * static_cast<double>(sum) > static_cast<double>(usual * length)) return;

    // One game in every lane: its rounds are the length of the longest.
    Block block(program);
    Task task;
    task.seed = TRIAL_SEED;
    task.games = program.kernels.lanes;
    task.longest = 2 * length;
    task.mode = program.first_mode();
    const std::function<bool()> interrupted = [] { return false; };
    const Tally tally = Playouts(block, task, interrupted).run();
    std::uint64_t in_step = 0;
    for (std::uint64_t step = 0; step < tally.rounds; ++step) in_step += work(step);
    if (GAIN * static_cast<double>(in_step * tally.playouts) <= static_cast<double>(usual * tally.steps))
        program.follow(std::move(found.timetable));
}

}  // namespace ludorum
