// The choice is made by counting, not by the clock: the same seed must give the same games on every machine.

#include "lanes/choose_timetable.hpp"

#include "common/ask_to_stop.hpp"
#include "lanes/playouts.hpp"

namespace ludorum {

namespace {

// Where steps have fewer gate inputs than these, a program is made for the timetable and tried, if it is a short one.
constexpr std::uint64_t SMALL = 2000;
constexpr std::uint32_t SHORT = 16;
constexpr std::uint64_t TRIAL_SEED = 1, TRIAL_GAMES = 8;
constexpr std::uint32_t TRIAL_LONGEST = 512;
// In step, each step's code is read once a game only, so that it must be much smaller.
constexpr double GAIN_OF_TIMETABLE = 1.4;

// What each move adds for being chosen.
std::uint64_t choice_work(const LaneProgram &program) { return 2 * program.network->moves; }

// The gate inputs of an average step in the cycle, with its choice.
std::uint64_t usual_work(const LaneProgram &program) {
    if (program.modes.empty()) return program.general.literals() + choice_work(program);
    std::uint64_t sum = 0;
    for (const LaneCode &code : program.modes) sum += code.literals();
    return sum / program.modes.size() + choice_work(program);
}

// So many games in every lane.
Tally play(const LaneProgram &program, std::uint64_t games, std::uint32_t longest) {
    Block block(program);
    Task task;
    task.seed = TRIAL_SEED;
    task.games = games * program.kernels.lanes;
    task.longest = longest;
    task.mode = program.first_mode();
    AskToStop stop;
    const std::function<bool()> interrupted = [&] { return stop(); };
    return Playouts(block, task, interrupted).run();
}

// Lanes that are out of step wait for each other, and their games begin one by one: all of that shows in rounds.
std::uint64_t trial_work(const LaneProgram &program) {
    const Tally tally = play(program, TRIAL_GAMES, TRIAL_LONGEST);
    const std::uint64_t begins = program.timetable.length() ? 0 : program.network->fluents / 2;
    return tally.literals + tally.rounds * (choice_work(program) + begins);
}

}  // namespace

void choose_timetable(std::unique_ptr<LaneProgram> &chosen, bool always) {
    LaneProgram &program = *chosen;
    FoundTimetable found = find_timetable(*program.network);
    const std::uint32_t length = found.timetable.length();
    if (!length) return;
    if (always) return program.follow(std::move(found.timetable));
    const std::uint64_t usual = usual_work(program);
    if (usual < SMALL && length > SHORT) return;
    if (usual < SMALL) {
        auto timed = std::make_unique<LaneProgram>(program.network, program.kernels, program.lasting);
        timed->follow(std::move(found.timetable));
        if (trial_work(*timed) < trial_work(program)) chosen = std::move(timed);
        return;
    }
    auto work = [&](std::uint64_t step) {
        if (step >= length) step = found.timetable.again;
        return found.literals[step] + choice_work(program);
    };
    std::uint64_t sum = 0;
    for (std::uint32_t step = 0; step < length; ++step) sum += work(step);
    if (GAIN_OF_TIMETABLE * static_cast<double>(sum) > static_cast<double>(usual * length)) return;

    // One game in every lane: its rounds are the length of the longest.
    const Tally tally = play(program, 1, 2 * length);
    std::uint64_t in_step = 0;
    for (std::uint64_t step = 0; step < tally.rounds; ++step) in_step += work(step);
    if (GAIN_OF_TIMETABLE * static_cast<double>(in_step * tally.playouts) <= static_cast<double>(usual * tally.steps))
        program.follow(std::move(found.timetable));
}

}  // namespace ludorum
