// The choice is made by counting, not by the clock: the same seed must give the same games on every machine.

#include "lanes/choose_turns.hpp"

#include "common/ask_to_stop.hpp"
#include "lanes/playouts.hpp"
#include "circuit/turns.hpp"

namespace ludorum {

namespace {

// Below so many gate inputs a step there is little to gain, and every round costs something besides.
constexpr std::size_t SMALL_STEP = 2000;
constexpr std::uint64_t TRIAL_ROUNDS = 128;
constexpr std::uint64_t ROUNDS_SEED = 1;
constexpr double GAIN_OF_TURNS = 1.15;

// Gate inputs, two for each move that may be chosen, and three for each fluent that waiting lanes must not change.
std::size_t work(const LaneCode &code, bool waits) {
    return code.literals() + 2 * 8 * code.groups.size() + (waits ? 3 * code.copies.size() : 0);
}

}  // namespace

void choose_turns(std::unique_ptr<LaneProgram> &chosen, bool always) {
    const LaneProgram &program = *chosen;
    if (program.cycle.length() || program.timetable.length() || program.network->roles() < 2) return;
    if (!always && work(program.general, false) < SMALL_STEP) return;
    const Cycle turns = find_turns(*program.network);
    if (!turns.length()) return;
    auto split = std::make_unique<LaneProgram>(program.network, program.kernels, program.lasting, &turns);
    if (always) {
        chosen = std::move(split);
        return;
    }
    Block block(*split);
    Task task;
    task.seed = ROUNDS_SEED;
    task.mode = split->first_mode();
    std::uint64_t rounds = 0;
    task.observe = [&](const Block &, int, const std::uint64_t *, const std::uint64_t *) {
        return ++rounds <= TRIAL_ROUNDS;
    };
    AskToStop stop;
    const std::function<bool()> interrupted = [&] { return stop(); };
    const Tally tally = Playouts(block, task, interrupted).run();
    std::size_t sum = 0;
    for (const LaneCode &code : split->modes) sum += work(code, true);
    const double usual = static_cast<double>(work(program.general, false) * tally.steps);
    const double with_turns = static_cast<double>(sum / split->modes.size()) *
                              static_cast<double>(tally.rounds * program.kernels.lanes);
    if (GAIN_OF_TURNS * with_turns < usual) chosen = std::move(split);
}

}  // namespace ludorum
