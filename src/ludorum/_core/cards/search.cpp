// Random games; see cards/search.hpp.

#include "cards/search.hpp"

namespace ludorum::cards {

bool Games::finish(Table &table, Tally &tally, const std::function<bool()> &stop) {
    table.run(random_);
    while (table.is_asked()) {
        if (tally.decisions % DECISIONS_A_LOOK == DECISIONS_A_LOOK - 1 && stop()) return false;
        const std::uint32_t count = table.count_options();
        ++tally.decisions;
        tally.options += count;
        table.answer(table.option(count == 1 ? 0 : static_cast<std::uint32_t>(random_.below(count))));
        table.run(random_);
    }
    return true;
}

void Games::add(Table &table, Tally &tally) const {
    ++tally.games;
    tally.steps += static_cast<std::uint64_t>(table.head(Table::STEPS));
    if (table.status() == FAILED) {
        ++tally.failed;
        tally.fault = table.head(Table::FAULT);
        tally.fault_node = table.head(Table::AT_NODE);
        return;
    }
    tally.broken_off += table.head(Table::BROKEN_OFF) != 0;
    std::array<std::int32_t, MOST_PLAYERS> goals{};
    table.goals(goals.data());
    for (std::uint32_t player = 0; player < program_.players; ++player) {
        tally.goals[player] += goals[player];
        tally.squares[player] += static_cast<double>(goals[player]) * goals[player];
        tally.scores[player] += table.score(player);
    }
}

bool Games::play(const std::uint8_t *from, Tally &tally, const std::function<bool()> &stop) {
    Table here = table();
    std::memcpy(here.memory(), from, program_.bytes);
    if (!finish(here, tally, stop)) return false;
    add(here, tally);
    return here.status() == FINISHED;
}

void Games::play_from_start(std::uint64_t count, Tally &tally, const std::function<bool()> &stop) {
    for (std::uint64_t game = 0; game < count; ++game) {
        if ((game & 255) == 255 && stop()) return;
        Table here = table();
        here.start();
        if (!finish(here, tally, stop)) return;
        add(here, tally);
    }
}

}  // namespace ludorum::cards
