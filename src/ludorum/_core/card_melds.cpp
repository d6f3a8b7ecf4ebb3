// Sets and runs; see cards/melds.py.

#include <algorithm>

#include "card_program.hpp"

namespace ludorum::cards {

namespace {

// A meld is a set of places in a hand of at most 64 cards.
struct Melds {
    std::vector<std::uint64_t> found;
    std::vector<std::int32_t> points;

    std::int32_t least(std::uint64_t free, std::size_t start) const {
        std::int32_t best = 0;
        for (std::uint64_t rest = free; rest; rest &= rest - 1) best += points[static_cast<std::size_t>(__builtin_ctzll(rest))];
        for (std::size_t at = start; at < found.size(); ++at)
            if ((found[at] & ~free) == 0) best = std::min(best, least(free & ~found[at], at + 1));
        return best;
    }
};

}  // namespace

std::int32_t Table::deadwood(std::size_t place) const {
    std::vector<std::uint32_t> cards;
    for (std::uint32_t card = 0; card < program_.cards && cards.size() < 64; ++card)
        if (holds(place, card)) cards.push_back(card);
    Melds melds;
    const std::size_t count = cards.size();
    auto kind = [&](std::size_t at) { return static_cast<std::size_t>(program_.kind_of[cards[at]]); };
    for (std::uint32_t card : cards) melds.points.push_back(points_of(card));
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            if (program_.rank_of[kind(a)] != program_.rank_of[kind(b)]) continue;
            for (std::size_t c = b + 1; c < count; ++c) {
                if (program_.rank_of[kind(a)] != program_.rank_of[kind(c)]) continue;
                const std::uint64_t three = 1ull << a | 1ull << b | 1ull << c;
                melds.found.push_back(three);
                for (std::size_t d = c + 1; d < count; ++d)
                    if (program_.rank_of[kind(a)] == program_.rank_of[kind(d)]) melds.found.push_back(three | 1ull << d);
            }
        }
        // Runs that begin with this card; of equal cards the last is taken, as in melds.py.
        std::uint64_t run = 1ull << a;
        for (std::int32_t low = program_.low_values[kind(a)] + 1, length = 2;; ++low, ++length) {
            std::size_t next = count;
            for (std::size_t b = 0; b < count; ++b)
                if (program_.suit_of[kind(b)] == program_.suit_of[kind(a)] && program_.low_values[kind(b)] == low) next = b;
            if (next == count) break;
            run |= 1ull << next;
            if (length >= 3) melds.found.push_back(run);
        }
    }
    return melds.least(count == 64 ? ~0ull : (1ull << count) - 1, 0);
}

}  // namespace ludorum::cards
