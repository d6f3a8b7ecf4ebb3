// Cards on a table: their places, the options of players, and the result.

#include <algorithm>

#include "cards/program.hpp"

namespace ludorum::cards {

namespace {

std::size_t round_up(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

// The place of the n-th bit that is set.
std::uint32_t nth_card(const std::uint64_t *set, std::uint32_t n) {
    for (std::uint32_t word = 0;; ++word) {
        const auto here = static_cast<std::uint32_t>(__builtin_popcountll(set[word]));
        if (n >= here) {
            n -= here;
            continue;
        }
        std::uint64_t bits = set[word];
        while (n--) bits &= bits - 1;
        return 64 * word + static_cast<std::uint32_t>(__builtin_ctzll(bits));
    }
}

}  // namespace

void Program::prepare() {
    cards = static_cast<std::uint32_t>(kind_of.size());
    words = (cards + 63) / 64;
    if (cards == 0 || words > MOST_WORDS || players > MOST_PLAYERS || players == 0)
        throw std::invalid_argument("too many cards or players");
    std::int32_t largest = 0;
    for (std::int32_t code : rank_codes) largest = std::max(largest, code);
    for (std::int32_t code : suit_of) largest = std::max(largest, code);
    rank_index.assign(static_cast<std::size_t>(largest) + 1, -1);
    suit_index.assign(static_cast<std::size_t>(largest) + 1, -1);
    for (std::size_t at = 0; at < rank_codes.size(); ++at) rank_index[static_cast<std::size_t>(rank_codes[at])] = static_cast<std::int32_t>(at);
    for (std::int32_t code : suit_of)
        if (suit_index[static_cast<std::size_t>(code)] < 0) {
            suit_index[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(suit_codes.size());
            suit_codes.push_back(code);
        }
    rank_masks.assign(rank_codes.size(), Mask{});
    suit_masks.assign(suit_codes.size(), Mask{});
    kind_masks.assign(rank_of.size(), Mask{});
    for (std::uint32_t card = 0; card < cards; ++card) {
        const auto kind = static_cast<std::size_t>(kind_of[card]);
        const std::uint64_t bit = 1ull << (card & 63);
        rank_masks[static_cast<std::size_t>(rank_index[static_cast<std::size_t>(rank_of[kind])])].words[card / 64] |= bit;
        suit_masks[static_cast<std::size_t>(suit_index[static_cast<std::size_t>(suit_of[kind])])].words[card / 64] |= bit;
        kind_masks[kind].words[card / 64] |= bit;
        all.words[card / 64] |= bit;
    }
    order_at.assign(places, -1);
    std::int32_t ordered = 0;
    for (std::int32_t place = static_cast<std::int32_t>(players); place < static_cast<std::int32_t>(places); ++place)
        if (place != discard && place != pack) order_at[static_cast<std::size_t>(place)] = ordered++;
    rank_value_at = static_cast<std::uint32_t>(initial.size());
    initial.insert(initial.end(), rank_values.begin(), rank_values.end());
    point_value_at = static_cast<std::uint32_t>(initial.size());
    initial.insert(initial.end(), rank_of.size() + rank_codes.size() + suit_codes.size(), UNSET);
    slots_at = Table::HEADS * sizeof(std::int32_t);
    masks_at = round_up(slots_at + initial.size() * sizeof(std::int32_t));
    choices_at = masks_at + (places + 1 + templates) * words * 8;
    lengths_at = choices_at + MOST_CHOICES * sizeof(std::int32_t);
    orders_at = lengths_at + places * sizeof(std::uint16_t);
    bytes = round_up(orders_at + static_cast<std::size_t>(ordered) * cards);
}

void Table::put(std::size_t place, std::uint32_t card) {
    mask(place)[card / 64] |= 1ull << (card & 63);
    if (program_.order_at[place] >= 0) order(place)[length(place)] = static_cast<std::uint8_t>(card);
    ++length(place);
    recount(place);
}

void Table::take(std::size_t place, std::uint32_t card) {
    mask(place)[card / 64] &= ~(1ull << (card & 63));
    const std::uint16_t count = length(place)--;
    if (program_.order_at[place] >= 0) {
        std::uint8_t *cards = order(place);
        std::uint16_t at = count;
        while (at-- > 0 && cards[at] != card) {
        }
        std::copy(cards + at + 1, cards + count, cards + at);
    }
    recount(place);
}

void Table::start() {
    std::memset(memory_, 0, program_.bytes);
    std::copy(program_.initial.begin(), program_.initial.end(), &slot(0));
}

void Table::goals(std::int32_t *values) const {
    const std::uint32_t players = program_.players;
    std::array<std::int64_t, MOST_PLAYERS> totals{};
    std::array<std::int32_t, MOST_PLAYERS> teams{};
    std::uint32_t count = 0;
    std::array<std::uint32_t, MOST_PLAYERS> own{};
    for (std::uint32_t player = 0; player < players; ++player) {
        const std::int32_t team = slot(program_.team + player);
        std::uint32_t at = 0;
        while (at < count && teams[at] != team) ++at;
        if (at == count) teams[count++] = team;
        own[player] = at;
        totals[at] += score(player);
    }
    for (std::uint32_t player = 0; player < players; ++player) {
        if (count == 1) {
            values[player] = 50;
            continue;
        }
        std::int32_t points = 0;
        for (std::uint32_t at = 0; at < count; ++at)
            if (at != own[player])
                points += 2 * (totals[own[player]] > totals[at]) + (totals[own[player]] == totals[at]);
        values[player] = 100 * points / (2 * static_cast<std::int32_t>(count - 1));
    }
}

std::uint32_t Table::count_options() const {
    if (status() == ASKED_CHOICE) return static_cast<std::uint32_t>(head(CHOICES));
    std::uint32_t found = head(MAY_PASS) ? 1 : 0;
    for (std::uint32_t word = 0; word < program_.words; ++word)
        found += static_cast<std::uint32_t>(__builtin_popcountll(options()[word]));
    return found;
}

std::int32_t Table::option(std::uint32_t number) const {
    if (status() == ASKED_CHOICE) return static_cast<std::int32_t>(number);
    if (head(MAY_PASS) && number + 1 == count_options()) return -1;
    return static_cast<std::int32_t>(nth_card(options(), number));
}

// Of equal cards one is offered.
void Table::ask_for_card(const std::uint64_t *wanted, std::int32_t who, std::int32_t from, std::int32_t to,
                         bool may_pass, bool is_play) {
    const std::uint64_t *here = mask(static_cast<std::size_t>(from));
    bool any = may_pass;
    for (std::uint32_t word = 0; word < program_.words; ++word) {
        options()[word] = here[word] & wanted[word];
        any |= options()[word] != 0;
    }
    if (!any) return fail(NO_OPTION);
    if (program_.rank_of.size() < program_.cards) {
        for (const Mask &kind : program_.kind_masks) {
            bool seen = false;
            for (std::uint32_t word = 0; word < program_.words; ++word) {
                std::uint64_t equal = options()[word] & kind.words[word];
                if (!equal) continue;
                const std::uint64_t keep = seen ? 0 : equal & (~equal + 1);
                options()[word] = (options()[word] & ~kind.words[word]) | keep;
                seen = true;
            }
        }
    }
    head(WHO) = who;
    head(FROM) = from;
    head(TO) = to;
    head(MAY_PASS) = may_pass;
    head(IS_PLAY) = is_play;
    head(STATUS) = ASKED_CARD;
}

void Table::answer(std::int32_t option) {
    const std::int32_t who = head(WHO);
    if (status() == ASKED_CHOICE) {
        slot(static_cast<std::size_t>(head(SLOT))) = choices()[option];
    } else {
        slot(program_.passed + who) = of_truth(option < 0);
        if (option >= 0) {
            const auto card = static_cast<std::uint32_t>(option);
            carry(card, head(FROM), head(TO));
            if (head(IS_PLAY)) slot(program_.middle + who) = program_.kind_of[card] << 3 | CARD;
        }
    }
    ++head(DECISIONS);
    head(ALONE) = 0;
    head(STATUS) = RUNNING;
    if (head(DECISIONS) >= program_.most_decisions) {
        head(STATUS) = FINISHED;
        head(BROKEN_OFF) = 1;
    }
}

void Table::carry(std::uint32_t card, std::int32_t from, std::int32_t to) {
    take(static_cast<std::size_t>(from), card);
    put(static_cast<std::size_t>(to), card);
    if (from != program_.stack) return;
    const std::int32_t code = program_.kind_of[card] << 3 | CARD;
    for (std::uint32_t player = 0; player < program_.players; ++player)
        if (slot(program_.middle + player) == code) slot(program_.middle + player) = EMPTY_CODE;
}

bool Table::recycles() const {
    if (program_.recycle_slot < 0) return program_.recycle;
    const auto at = static_cast<std::size_t>(program_.recycle_slot);
    return slot(at) == program_.initial[at] ? program_.recycle : slot(at) == TRUE_CODE;  // a name that means itself
}

// A new pack of all played cards but the last of each player that still lies in the middle, and the topmost of the
// stack: those stay as they lie.
bool Table::refill() {
    const auto stack = static_cast<std::size_t>(program_.stack), discard = static_cast<std::size_t>(program_.discard),
               pack = static_cast<std::size_t>(program_.pack);
    std::array<std::uint8_t, MOST_CARDS> kept{};
    std::size_t keeps = 0;
    Mask stays;
    const auto stay = [&](std::uint8_t card) { stays.words[card / 64] |= 1ull << (card & 63); };
    const auto is_staying = [&](std::uint8_t card) { return (stays.words[card / 64] >> (card & 63) & 1) != 0; };
    if (length(stack)) stay(order(stack)[length(stack) - 1]);
    // Of equal cards the topmost stay, as many as lie in the middle.
    for (std::size_t kind = 0; kind < program_.rank_of.size(); ++kind) {
        std::uint32_t wanted = 0;
        for (std::uint32_t player = 0; player < program_.players; ++player)
            wanted += slot(program_.middle + player) == (static_cast<std::int32_t>(kind) << 3 | CARD);
        for (std::uint16_t at = length(stack); wanted > 0 && at-- > 0;)
            if (program_.kind_of[order(stack)[at]] == static_cast<std::int32_t>(kind)) {
                stay(order(stack)[at]);
                --wanted;
            }
    }
    for (std::uint16_t at = 0; at < length(stack); ++at)
        if (is_staying(order(stack)[at])) kept[keeps++] = order(stack)[at];
    const std::size_t played = length(stack) + length(discard);
    if (played == keeps) return false;
    for (std::uint32_t word = 0; word < program_.words; ++word) mask(pack)[word] = mask(stack)[word] | mask(discard)[word];
    clear(stack);
    clear(discard);
    for (std::size_t at = 0; at < keeps; ++at) {
        mask(pack)[kept[at] / 64] &= ~(1ull << (kept[at] & 63));
        put(stack, kept[at]);
    }
    length(pack) = static_cast<std::uint16_t>(count(pack));
    slot(program_.index) = of_number(0);
    return true;
}

// A random card of the pack; where only cards are left that went back below it, the first of these.
std::uint32_t Table::draw_one(SplitMix64 &random) {
    const auto pack = static_cast<std::size_t>(program_.pack);
    const bool shuffled = length(pack) > 0;
    const std::size_t from = shuffled ? pack : static_cast<std::size_t>(program_.bottom);
    const std::uint32_t card =
        shuffled ? nth_card(mask(pack), static_cast<std::uint32_t>(random.below(length(pack)))) : order(from)[0];
    take(from, card);
    return card;
}

// Cards from the pack to a place; fewer where there are no more.
void Table::draw(SplitMix64 &random, std::int32_t to, std::uint32_t wanted) {
    for (; wanted > 0; --wanted) {
        if (pack_size() == 0 && (!recycles() || !refill())) return;
        const std::uint32_t card = draw_one(random);
        put(static_cast<std::size_t>(to), card);
        slot(program_.index) += 8;
    }
}

std::int32_t Table::points_of(std::uint32_t card) const {
    const auto kind = static_cast<std::size_t>(program_.kind_of[card]);
    const std::size_t kinds = program_.rank_of.size(), ranks = program_.rank_codes.size();
    const auto rank = static_cast<std::size_t>(program_.rank_index[static_cast<std::size_t>(program_.rank_of[kind])]);
    const auto suit = static_cast<std::size_t>(program_.suit_index[static_cast<std::size_t>(program_.suit_of[kind])]);
    for (std::size_t at : {kind, kinds + rank, kinds + ranks + suit})
        if (const std::int32_t found = slot(program_.point_value_at + at); found != UNSET) return found >> 3;
    return program_.points[kind];
}

std::uint32_t Table::topmost(std::size_t place) const {
    if (program_.order_at[place] >= 0) return order(place)[length(place) - 1];
    for (std::uint32_t word = program_.words; word-- > 0;)
        if (const std::uint64_t bits = mask(place)[word])
            return 64 * word + 63 - static_cast<std::uint32_t>(__builtin_clzll(bits));
    return 0;
}

std::int32_t Table::same_rank(std::size_t place) const {
    std::int32_t found = 0;
    const std::uint8_t *cards = order(place);
    for (std::uint16_t at = length(place); at-- > 0; ++found)
        if (program_.rank_of[static_cast<std::size_t>(program_.kind_of[cards[at]])] !=
            program_.rank_of[static_cast<std::size_t>(program_.kind_of[cards[length(place) - 1]])])
            break;
    return found;
}

std::int32_t Table::run_length(std::size_t place) const {
    std::int32_t best = 0;
    std::array<std::int32_t, MOST_CARDS> values{};
    const std::uint16_t count = length(place);
    for (std::uint16_t size = 3; size <= count; ++size) {
        for (std::uint16_t at = 0; at < size; ++at)
            values[at] = program_.low_values[static_cast<std::size_t>(program_.kind_of[order(place)[count - 1 - at]])];
        std::sort(values.begin(), values.begin() + size);
        bool run = true;
        for (std::uint16_t at = 1; at < size; ++at) run &= values[at] == values[at - 1] + 1;
        if (run) best = size;
    }
    return best;
}

}  // namespace ludorum::cards
