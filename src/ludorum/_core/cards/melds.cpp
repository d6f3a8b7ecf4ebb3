// Sets and runs; see cards/language/melds.py.

#include "cards/melds.hpp"

#include <algorithm>
#include <vector>

#include "cards/program.hpp"

namespace ludorum::cards {

namespace {

// A meld is a set of places in a hand of at most 64 cards, with the points that it takes away.
struct Meld {
    std::uint64_t places;
    std::int64_t points;
};

std::int64_t most_saved(const std::vector<Meld> &melds, std::uint64_t free, std::size_t start) {
    std::int64_t best = 0;
    for (std::size_t at = start; at < melds.size(); ++at)
        if ((melds[at].places & ~free) == 0)
            best = std::max(best, melds[at].points + most_saved(melds, free & ~melds[at].places, at + 1));
    return best;
}

void add_sets(const MeldCard *cards, std::size_t count, std::size_t a, std::vector<Meld> &melds) {
    for (std::size_t b = a + 1; b < count; ++b) {
        if (cards[a].rank != cards[b].rank) continue;
        for (std::size_t c = b + 1; c < count; ++c) {
            if (cards[a].rank != cards[c].rank) continue;
            const Meld three{1ull << a | 1ull << b | 1ull << c, cards[a].points + cards[b].points + cards[c].points};
            melds.push_back(three);
            for (std::size_t d = c + 1; d < count; ++d)
                if (cards[a].rank == cards[d].rank) melds.push_back({three.places | 1ull << d, three.points + cards[d].points});
        }
    }
}

// Runs that begin with a card; of equal cards the last is taken, as in melds.py.
void add_runs(const MeldCard *cards, std::size_t count, std::size_t a, std::vector<Meld> &melds) {
    Meld run{1ull << a, cards[a].points};
    for (std::int32_t low = cards[a].low + 1, length = 2;; ++low, ++length) {
        std::size_t next = count;
        for (std::size_t b = 0; b < count; ++b)
            if (cards[b].suit == cards[a].suit && cards[b].low == low) next = b;
        if (next == count) return;
        run.places |= 1ull << next;
        run.points += cards[next].points;
        if (length >= 3) melds.push_back(run);
    }
}

}  // namespace

std::int64_t deadwood(const MeldCard *cards, std::size_t count) {
    thread_local std::vector<Meld> melds;  // asked for millions of times
    melds.clear();
    std::int64_t sum = 0;
    for (std::size_t a = 0; a < count; ++a) {
        sum += cards[a].points;
        add_sets(cards, count, a, melds);
        add_runs(cards, count, a, melds);
    }
    return sum - most_saved(melds, ~0ull, 0);
}

std::int32_t Table::deadwood(std::size_t place) const {
    std::vector<MeldCard> cards;
    for (std::uint32_t card = 0; card < program_.cards && cards.size() < 64; ++card) {
        if (!holds(place, card)) continue;
        const auto kind = static_cast<std::size_t>(program_.kind_of[card]);
        cards.push_back({program_.rank_of[kind], program_.suit_of[kind], program_.low_values[kind], points_of(card)});
    }
    return static_cast<std::int32_t>(cards::deadwood(cards.data(), cards.size()));
}

}  // namespace ludorum::cards
