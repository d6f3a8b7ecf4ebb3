// Sets and runs, as cards/language/melds.py has them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludorum::cards {

struct MeldCard {
    std::int32_t rank = 0, suit = 0, low = 0;  // low: the place in a run, ace 1 to king 13
    std::int64_t points = 0;
};

// The least points of cards in no meld, over all ways to meld the rest; of 64 cards at most.
std::int64_t deadwood(const MeldCard *cards, std::size_t count);

}  // namespace ludorum::cards
