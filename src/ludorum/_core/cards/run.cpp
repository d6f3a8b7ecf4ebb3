// The machine for card games: the same as cards/machine/machine.py, for programs.

#include <algorithm>

#include "cards/program.hpp"

namespace ludorum::cards {

namespace {

constexpr std::int32_t MOST_ALONE = 100'000;  // nodes without a decision
constexpr std::uint16_t MOST_MELDED = 20;  // cards, as in melds.py: ways to meld them grow fast
constexpr std::size_t DEEP = 64;              // values that wait in an expression

}  // namespace

void Table::run(SplitMix64 &random, std::int32_t stop_at, bool leave) {
    const std::int32_t pc = walk(head(PC), random, stop_at, leave);
    if (status() != FAILED) head(PC) = pc;
}

std::int32_t Table::evaluate(std::int32_t pc) const {
    const std::int32_t before = status(), fault = head(FAULT);
    head(STATUS) = RUNNING;
    SplitMix64 none(0);  // expressions of the analysis draw nothing
    const std::int32_t found = const_cast<Table *>(this)->walk(pc, none, -1);
    const bool failed = status() != RUNNING;
    head(STATUS) = before;
    head(FAULT) = fault;
    return failed ? UNSET : found;
}

// Runs from an address; the address where it stopped, or the value of an expression.
std::int32_t Table::walk(std::int32_t pc, SplitMix64 &random, std::int32_t stop_at, bool leave) {
    const std::int32_t *code = program_.code.data();
    const std::int32_t players = static_cast<std::int32_t>(program_.players);
    const std::uint32_t words = program_.words;
    std::array<std::int32_t, DEEP> values;
    std::array<Mask, 8> masks;
    std::size_t top = 0, masked = 0;

    auto failed = [&](Fault fault) {
        fail(fault);
        return pc;
    };
    auto pop = [&] { return values[--top]; };
    auto push = [&](std::int32_t value) { values[top++] = value; };
    auto is_number = [&](std::int32_t value) { return (value & 7) == NUMBER; };
    auto player_of = [&](std::int32_t value) -> std::int32_t {
        if ((value & 7) != PLAYER || value >> 3 < 0 || value >> 3 >= players) {
            fail(NOT_A_PLAYER);
            return 0;
        }
        return value >> 3;
    };
    auto index_of = [&](std::int32_t value, std::int32_t size) -> std::int32_t {
        std::int32_t at = value >> 3;
        if (size == ANYTHING && (value & 7) != NUMBER) {
            const std::int32_t first = (value & 7) == PLAYER ? FIRST_PLAYER : FIRST_NAME;
            at = (value & 7) == CARD || at < 0 ? -1 : at + first;
        } else if ((value & 7) > PLAYER || (size == ANYTHING && at >= FIRST_PLAYER)) {
            at = -1;
        }
        if (at < 0 || at >= size) {
            fail(OUT_OF_RANGE);
            return 0;
        }
        return at;
    };
    auto rank_of = [&](std::int32_t value) -> std::int32_t {
        return (value & 7) == CARD ? program_.rank_of[static_cast<std::size_t>(value >> 3)] : value;
    };
    auto rank_index = [&](std::int32_t rank) -> std::int32_t {
        return rank >= 0 && rank < static_cast<std::int32_t>(program_.rank_index.size())
                   ? program_.rank_index[static_cast<std::size_t>(rank)]
                   : -1;
    };
    auto suit_index = [&](std::int32_t suit) -> std::int32_t {
        return suit >= 0 && suit < static_cast<std::int32_t>(program_.suit_index.size())
                   ? program_.suit_index[static_cast<std::size_t>(suit)]
                   : -1;
    };

    while (status() == RUNNING) {
        if (top + 4 > DEEP || masked + 2 > masks.size()) return failed(TOO_DEEP);
        switch (code[pc]) {
        case NODE:
            head(AT_NODE) = code[pc + 1];
            if (code[pc + 1] == stop_at && !leave) {
                head(STATUS) = STOPPED;
                return pc;
            }
            leave = false;
            ++head(STEPS);
            if (++head(ALONE) > MOST_ALONE) fail(IN_CIRCLES);
            pc += 2;
            break;
        case PUSH:
            push(code[pc + 1]);
            pc += 2;
            break;
        case LOAD:
            push(slot(static_cast<std::size_t>(code[pc + 1])));
            pc += 2;
            break;
        case LOAD_AT: {
            const std::int32_t found = slot(static_cast<std::size_t>(code[pc + 1] + index_of(pop(), code[pc + 2])));
            if (found == UNSET) fail(NO_VALUE);
            push(found);
            pc += 3;
            break;
        }
        case STORE:
            slot(static_cast<std::size_t>(code[pc + 1])) = pop();
            pc += 2;
            break;
        case STORE_AT: {
            const std::int32_t at = index_of(pop(), code[pc + 2]);
            slot(static_cast<std::size_t>(code[pc + 1] + at)) = pop();
            pc += 3;
            break;
        }
        case ADD:
        case SUBTRACT:
        case MULTIPLY:
        case DIVIDE:
        case MODULO:
        case LESS:
        case GREATER:
        case MIN:
        case MAX: {
            const std::int32_t right = pop(), left = pop();
            if (!is_number(left) || !is_number(right)) return failed(NOT_A_NUMBER);
            const std::int64_t a = left >> 3, b = right >> 3;
            switch (code[pc]) {
            case ADD: push(of_number(a + b)); break;
            case SUBTRACT: push(of_number(a - b)); break;
            case MULTIPLY:
                if (std::abs(a * b) >= 1 << 27) return failed(OUT_OF_RANGE);
                push(of_number(a * b));
                break;
            case LESS: push(of_truth(a < b)); break;
            case GREATER: push(of_truth(a > b)); break;
            case MIN: push(of_number(std::min(a, b))); break;
            case MAX: push(of_number(std::max(a, b))); break;
            default: {
                if (b == 0) return failed(BY_ZERO);
                std::int64_t quotient = a / b, rest = a % b;  // rounded down, as in Python
                if (rest != 0 && (rest < 0) != (b < 0)) {
                    --quotient;
                    rest += b;
                }
                push(of_number(code[pc] == DIVIDE ? quotient : rest));
            }
            }
            if (std::abs(values[top - 1] >> 3) >= 1 << 27) return failed(OUT_OF_RANGE);
            ++pc;
            break;
        }
        case EQUAL: {
            const std::int32_t right = pop(), left = pop();
            push(of_truth(left == right));
            ++pc;
            break;
        }
        case NEG: {
            const std::int32_t value = pop();
            if (value != TRUE_CODE && value != FALSE_CODE) fail(NOT_TRUE_OR_FALSE);
            push(of_truth(value != TRUE_CODE));
            ++pc;
            break;
        }
        case JUMP:
            pc = code[pc + 1];
            break;
        case JUMP_FALSE: {
            const std::int32_t value = pop();
            if (value != TRUE_CODE && value != FALSE_CODE) fail(NOT_TRUE_OR_FALSE);
            pc = value == TRUE_CODE ? pc + 2 : code[pc + 1];
            break;
        }
        case TO_PLAYER: {
            const std::int32_t value = pop();
            if (!is_number(value)) return failed(NOT_A_NUMBER);
            push((value >> 3) * 8 + PLAYER);
            ++pc;
            break;
        }
        case PLAYER_NUMBER:
            push(of_number(player_of(pop())));
            ++pc;
            break;
        case NEXT_PLAYER:
            push((player_of(pop()) + 1) % players * 8 + PLAYER);
            ++pc;
            break;
        case SUIT: {
            const std::int32_t value = pop();
            if ((value & 7) == CARD)
                push(program_.suit_of[static_cast<std::size_t>(value >> 3)]);
            else if (is_number(value) && value >= 0 && value >> 3 < static_cast<std::int32_t>(program_.suits.size()))
                push(program_.suits[static_cast<std::size_t>(value >> 3)]);
            else
                return failed(NOT_A_CARD);
            ++pc;
            break;
        }
        case RANK: {
            const std::int32_t value = pop();
            if ((value & 7) != CARD) return failed(NOT_A_CARD);
            push(rank_of(value));
            ++pc;
            break;
        }
        case RANK_VALUE: {
            const std::int32_t value = pop(), rank = rank_of(value), at = rank_index(rank);
            if (value == EMPTY_CODE) return failed(NOT_A_CARD);
            std::int32_t found = at < 0 ? UNSET : slot(program_.rank_value_at + static_cast<std::uint32_t>(at));
            if (found == UNSET && is_number(rank)) found = rank;
            if (found == UNSET) return failed(NO_VALUE);
            push(found);
            ++pc;
            break;
        }
        case SET_RANK_VALUE: {
            const std::int32_t at = rank_index(pop()), value = pop();
            if (at < 0) return failed(NOT_IN_PACK);
            slot(program_.rank_value_at + static_cast<std::uint32_t>(at)) = value;
            ++pc;
            break;
        }
        case POINT_VALUE: {
            const std::int32_t value = pop();
            if ((value & 7) != CARD) return failed(NOT_A_CARD);
            for (std::uint32_t card = 0; card < program_.cards; ++card)
                if (program_.kind_of[card] == value >> 3) {
                    push(of_number(points_of(card)));  // every kind has a card: see cards/check.cpp
                    break;
                }
            ++pc;
            break;
        }
        case SET_POINT_VALUE: {
            const std::int32_t what = pop(), value = pop();
            const auto kinds = static_cast<std::uint32_t>(program_.rank_of.size());
            const auto ranks = static_cast<std::uint32_t>(program_.rank_codes.size());
            std::uint32_t at = 0;
            if ((what & 7) == CARD)
                at = static_cast<std::uint32_t>(what >> 3);
            else if (rank_index(what) >= 0)
                at = kinds + static_cast<std::uint32_t>(rank_index(what));
            else if (suit_index(what) >= 0)
                at = kinds + ranks + static_cast<std::uint32_t>(suit_index(what));
            else
                return failed(NOT_IN_PACK);
            slot(program_.point_value_at + at) = value;
            ++pc;
            break;
        }
        case MAKE_CARD: {
            const std::int32_t suit = pop(), rank = pop();
            std::int32_t found = -1;
            for (std::size_t kind = 0; kind < program_.rank_of.size(); ++kind)
                if (program_.rank_of[kind] == rank && program_.suit_of[kind] == suit)
                    found = static_cast<std::int32_t>(kind);
            if (found < 0) return failed(NOT_IN_PACK);
            push(found << 3 | CARD);
            ++pc;
            break;
        }
        case MASK_CARD: {
            const std::int32_t suit = pop(), rank = pop();
            Mask &made = masks[masked++];
            made = program_.all;
            if (rank != ANY_CODE) {
                const std::int32_t at = rank_index(rank);
                for (std::uint32_t word = 0; word < words; ++word)
                    made.words[word] &= at < 0 ? 0 : program_.rank_masks[static_cast<std::size_t>(at)].words[word];
            }
            if (suit != ANY_CODE) {
                const std::int32_t at = suit_index(suit);
                for (std::uint32_t word = 0; word < words; ++word)
                    made.words[word] &= at < 0 ? 0 : program_.suit_masks[static_cast<std::size_t>(at)].words[word];
            }
            ++pc;
            break;
        }
        case MASK_OR:
            --masked;
            for (std::uint32_t word = 0; word < words; ++word) masks[masked - 1].words[word] |= masks[masked].words[word];
            ++pc;
            break;
        case MASK_LOAD: {
            std::int32_t at = code[pc + 1];
            if (code[pc + 2]) at += index_of(pop(), code[pc + 2]);
            std::copy_n(held_template(static_cast<std::size_t>(at)), words, masks[masked++].words.begin());
            pc += 3;
            break;
        }
        case MASK_STORE: {
            std::int32_t at = code[pc + 1];
            if (code[pc + 2]) at += index_of(pop(), code[pc + 2]);
            std::copy_n(masks[--masked].words.begin(), words, held_template(static_cast<std::size_t>(at)));
            pc += 3;
            break;
        }
        case MASK_OF_CARD: {
            const std::int32_t value = pop();
            if ((value & 7) != CARD) return failed(NOT_A_CARD);
            masks[masked++] = program_.kind_masks[static_cast<std::size_t>(value >> 3)];
            ++pc;
            break;
        }
        case DEADWOOD: {
            const auto place = static_cast<std::size_t>(pop());
            if (length(place) > MOST_MELDED) return failed(OUT_OF_RANGE);
            push(of_number(deadwood(place)));
            ++pc;
            break;
        }
        case HAS_CARD:
        case COUNT:
        case HAS_ANY: {
            const std::int32_t value = pop();
            const auto place = static_cast<std::size_t>(code[pc] == HAS_CARD ? player_of(value) : value);
            const Mask &wanted = masks[--masked];
            std::int32_t found = 0;
            for (std::uint32_t word = 0; word < words; ++word)
                found += __builtin_popcountll(mask(place)[word] & wanted.words[word]);
            push(code[pc] == COUNT ? of_number(found) : of_truth(found > 0));
            ++pc;
            break;
        }
        case CARD_FITS: {
            const std::int32_t value = pop();
            const Mask &wanted = masks[--masked];
            bool fits = false;
            if ((value & 7) == CARD)
                for (std::uint32_t word = 0; word < words; ++word)
                    fits |= (program_.kind_masks[static_cast<std::size_t>(value >> 3)].words[word] & wanted.words[word]) != 0;
            push(of_truth(fits));
            ++pc;
            break;
        }
        case RANDOM: {
            const std::int32_t value = pop();
            if (!is_number(value) || value <= 0) return failed(NOT_A_NUMBER);
            push(of_number(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(value >> 3)))));
            ++pc;
            break;
        }
        case COPY_OPTION:
            push(values[top - 1]);
            ++pc;
            break;
        case PLACE_HAND:
            push(player_of(pop()));
            ++pc;
            break;
        case PLACE_PILE:
            push(code[pc + 1] + player_of(pop()));
            pc += 2;
            break;
        case PLACE_AMONG: {  // how many names, how many rows, and rows of names and the place they mean
            const std::int32_t names = code[pc + 1], rows = code[pc + 2];
            const std::int32_t second = names == 2 ? pop() : 0, first = pop();
            const std::int32_t *row = code + pc + 3, *const end = row + rows * (names + 1);
            while (row < end && (row[0] != first || (names == 2 && row[1] != second))) row += names + 1;
            if (row == end) return failed(OUT_OF_RANGE);
            push(row[names]);
            pc = static_cast<std::int32_t>(end - code);
            break;
        }
        case ASK_CARD: {
            const std::int32_t to = pop(), from = pop(), who = player_of(pop());
            --masked;
            if (status() == RUNNING)
                ask_for_card(masks[masked].words.data(), who, from, to, code[pc + 1] != 0, code[pc + 2] != 0);
            pc += 3;
            break;
        }
        case OPTION_RANGE: {
            const std::int32_t last = pop(), first = code[pc + 1] ? pop() : last;
            if (code[pc + 1] && (!is_number(first) || !is_number(last))) return failed(NOT_A_NUMBER);
            std::int32_t &count = head(CHOICES);
            if (head(SIZE) == 0) count = 0;  // the first of a list
            head(SIZE) = 1;
            for (std::int32_t value = first; value <= last; value += 8) {
                if (count >= static_cast<std::int32_t>(MOST_CHOICES)) return failed(OUT_OF_RANGE);
                if (std::find(choices(), choices() + count, value) == choices() + count) choices()[count++] = value;
            }
            pc += 2;
            break;
        }
        case ASK_CHOICE: {
            std::int32_t at = code[pc + 1];
            if (code[pc + 2]) at += index_of(pop(), code[pc + 2]);
            const std::int32_t who = player_of(pop());
            head(SIZE) = 0;
            if (head(CHOICES) == 0) return failed(NO_OPTION);
            if (status() == RUNNING) head(STATUS) = ASKED_CHOICE;
            head(SLOT) = at;
            head(WHO) = who;
            pc += 3;
            break;
        }
        case SHUFFLE: {
            const auto pack = static_cast<std::size_t>(program_.pack);
            for (std::size_t place = 0; place < program_.places; ++place) clear(place);
            std::copy_n(program_.all.words.begin(), words, mask(pack));
            length(pack) = static_cast<std::uint16_t>(program_.cards);
            for (std::int32_t player = 0; player < players; ++player) slot(static_cast<std::size_t>(program_.middle + player)) = EMPTY_CODE;
            slot(static_cast<std::size_t>(program_.index)) = 0;
            ++pc;
            break;
        }
        case DEAL: {
            const std::int32_t each = pop();
            if (!is_number(each) || each < 0) return failed(NOT_A_NUMBER);
            const auto count = static_cast<std::uint32_t>(each >> 3);
            if (static_cast<std::uint64_t>(count) * program_.players > pack_size()) return failed(NO_CARDS);
            if (program_.bottom < 0)  // all cards are equally likely, so the order of the deal does not matter
                for (std::int32_t player = 0; player < players; ++player) draw(random, player, count);
            else
                for (std::uint32_t at = 0; at < count; ++at)
                    for (std::int32_t player = 0; player < players; ++player) draw(random, player, 1);
            slot(static_cast<std::size_t>(program_.dealt)) = each;
            ++pc;
            break;
        }
        case PICK_UP: {
            const std::int32_t wanted = pop(), who = player_of(pop());
            if (!is_number(wanted) || wanted < 0) return failed(NOT_A_NUMBER);
            if (status() == RUNNING) draw(random, who, static_cast<std::uint32_t>(wanted >> 3));
            ++pc;
            break;
        }
        case STACK_EMPTY: {
            const auto stack = static_cast<std::size_t>(program_.stack), discard = static_cast<std::size_t>(program_.discard);
            for (std::uint32_t word = 0; word < words; ++word) mask(discard)[word] |= mask(stack)[word];
            length(discard) = static_cast<std::uint16_t>(length(discard) + length(stack));
            clear(stack);
            for (std::int32_t player = 0; player < players; ++player) slot(static_cast<std::size_t>(program_.middle + player)) = EMPTY_CODE;
            ++pc;
            break;
        }
        case CARDS: {
            const std::int32_t place = pop();
            push(of_number(place == program_.pack ? pack_size() : length(static_cast<std::size_t>(place))));
            ++pc;
            break;
        }
        case TOP: {
            const auto place = static_cast<std::size_t>(pop());
            const std::uint16_t count = length(place);
            push(count == 0 ? EMPTY_CODE : program_.kind_of[topmost(place)] << 3 | CARD);
            ++pc;
            break;
        }
        case TOTAL: {
            const auto place = static_cast<std::size_t>(pop());
            std::int64_t sum = 0;
            for (std::uint32_t card = 0; card < program_.cards; ++card)
                if (holds(place, card)) sum += points_of(card);
            if (std::abs(sum) >= 1 << 27) return failed(OUT_OF_RANGE);
            push(of_number(sum));
            ++pc;
            break;
        }
        case SAME_RANK:
        case RUN_LENGTH: {
            const auto place = static_cast<std::size_t>(pop());
            if (program_.order_at[place] < 0) return failed(NO_VALUE);
            push(of_number(code[pc] == SAME_RANK ? same_rank(place) : run_length(place)));
            ++pc;
            break;
        }
        case MOVE: {
            const std::int32_t wanted = pop(), to = pop(), from = pop();
            if (!is_number(wanted)) return failed(NOT_A_NUMBER);
            if (from == program_.pack) {
                draw(random, to, static_cast<std::uint32_t>(std::max(0, wanted >> 3)));
            } else {
                for (std::int32_t left = wanted >> 3; left > 0 && length(static_cast<std::size_t>(from)); --left)
                    carry(topmost(static_cast<std::size_t>(from)), from, to);
            }
            ++pc;
            break;
        }
        case MOVE_ALL: {
            const std::int32_t to = pop(), from = pop();
            const Mask wanted = masks[--masked];
            if (from == program_.pack) {
                draw(random, to, pack_size());
            } else if (program_.order_at[static_cast<std::size_t>(from)] >= 0) {
                std::array<std::uint8_t, MOST_CARDS> moved;
                const std::uint16_t count = length(static_cast<std::size_t>(from));
                std::copy_n(order(static_cast<std::size_t>(from)), count, moved.begin());
                for (std::uint16_t at = 0; at < count; ++at)
                    if (wanted.words[moved[at] / 64] >> (moved[at] & 63) & 1) carry(moved[at], from, to);
            } else {
                for (std::uint32_t card = 0; card < program_.cards; ++card)
                    if (holds(static_cast<std::size_t>(from), card) && (wanted.words[card / 64] >> (card & 63) & 1))
                        carry(card, from, to);
            }
            ++pc;
            break;
        }
        case ABS: {
            const std::int32_t value = pop();
            if (!is_number(value)) return failed(NOT_A_NUMBER);
            push(of_number(std::abs(value >> 3)));
            ++pc;
            break;
        }
        case END:
            head(STATUS) = FINISHED;
            break;
        case VALUE:
            return pop();
        default:
            return failed(OUT_OF_RANGE);
        }
    }
    return pc;
}

}  // namespace ludorum::cards
