// The usual announcements of players by kind of hand, as cards/mind/habits.py has learnt them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cards/program.hpp"

namespace ludorum::cards {

// The sum of what the cards of a set are worth.
inline std::int64_t sum_of(const Program &program, const std::uint64_t *cards, const std::vector<std::int32_t> &worth) {
    std::int64_t found = 0;
    for (std::uint32_t word = 0; word < program.words; ++word)
        for (std::uint64_t bits = cards[word]; bits; bits &= bits - 1)
            found += worth[64 * word + static_cast<std::uint32_t>(__builtin_ctzll(bits))];
    return found;
}

// The kind of a hand: limits are the greatest sums of every kind but the last.
inline std::size_t kind_of_sum(const std::vector<std::int32_t> &limits, std::int64_t sum) {
    return static_cast<std::size_t>(std::lower_bound(limits.begin(), limits.end(), sum) - limits.begin());
}

// A choice that is no card: how likely the player would make it with each kind of hand.
struct Saying {
    std::uint32_t owner = 0;          // place in Dealing::owners
    std::vector<std::int32_t> worth;  // by physical card
    std::int64_t left = 0;            // the worth of the player's cards that were seen leaving since
    std::vector<std::int32_t> limits; // for a hand of that size
    std::vector<double> likely;       // by kind
};

// What a player says at a node, by kind of hand.
struct Habit {
    std::int32_t player = 0, node = 0;
    std::vector<std::int32_t> options;          // codes, in the order of the chart
    std::vector<double> trust;                  // by kind: how often the player follows the habit
    std::vector<std::vector<double>> chances;   // by kind and option
};

struct Habits {
    std::vector<std::int32_t> worth;
    std::vector<std::vector<std::int32_t>> limits;  // by the size of a hand
    std::vector<Habit> rows;

    // The habit of the player that is asked, for a choice that is no card; null where none is known.
    const Habit *find(const Table &table) const {
        if (table.status() != ASKED_CHOICE) return nullptr;
        const std::int32_t who = table.head(Table::WHO), node = table.head(Table::AT_NODE);
        for (const Habit &row : rows) {
            if (row.player != who || row.node != node) continue;
            const auto count = static_cast<std::size_t>(table.head(Table::CHOICES));
            if (count == row.options.size() && std::equal(row.options.begin(), row.options.end(), table.choices()))
                return &row;
        }
        return nullptr;
    }
    // The number of the option that the habit of the player draws in this position; -1 where it does not decide.
    std::int32_t say(const Table &table, SplitMix64 &random) const {
        const Habit *habit = find(table);
        if (!habit) return -1;
        const auto hand = static_cast<std::size_t>(table.head(Table::WHO));
        const std::size_t size = table.count(hand);
        if (size >= limits.size()) return -1;
        const std::size_t kind = kind_of_sum(limits[size], sum_of(table.program(), table.mask(hand), worth));
        auto lot = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
        if (lot() >= habit->trust[kind]) return -1;
        double left = lot();
        const std::vector<double> &chances = habit->chances[kind];
        for (std::size_t at = 0; at + 1 < chances.size(); ++at) {
            left -= chances[at];
            if (left < 0) return static_cast<std::int32_t>(at);
        }
        return static_cast<std::int32_t>(chances.size() - 1);
    }
};

}  // namespace ludorum::cards
