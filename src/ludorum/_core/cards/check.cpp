// See cards/check.hpp.

#include "cards/check.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace ludorum::cards {

namespace {

constexpr std::int32_t MOST_NUMBER = 1 << 27;  // as cards/run.cpp bounds what it computes
constexpr std::int32_t MOST_CODE = 1 << 20;    // of ranks and suits, which have arrays
constexpr std::uint32_t MOST_PROGRAM_PLACES = 4096, MOST_TEMPLATES = 1 << 16;
constexpr std::size_t MOST_SLOTS = 1 << 20;
constexpr std::size_t MOST_DEEP = 64;  // values on the stack

void refuse(bool wrong, const char *what) {
    if (wrong) throw std::invalid_argument(std::string("not a program of a card game: ") + what);
}

bool is_value(const Program &program, std::int32_t value) {
    if (value == UNSET) return true;
    const std::int32_t index = value >> 3;
    if ((value & 7) == CARD) return index >= 0 && static_cast<std::size_t>(index) < program.rank_of.size();
    return (value & 7) != NUMBER || (index > -MOST_NUMBER && index < MOST_NUMBER);
}

bool is_place(const Program &program, std::int32_t value) {
    return value >= 0 && static_cast<std::uint32_t>(value) < program.places;
}

// The type of an entry of the stack: whether it may be used as a value, and as a place.
struct Known {
    bool value = true, place = false;
    bool operator==(const Known &) const = default;
};

struct Stacks {
    std::vector<Known> values;
    std::size_t masks = 0;
};

// Follows code, with the types of the stacks at each address.
class Follow {
  public:
    explicit Follow(const Program &program) : program_(program), known_(program.code.size()) {}

    void from(std::int32_t pc) {
        arrive(pc, {});
        while (!todo_.empty()) {
            const std::int32_t next = todo_.back();
            todo_.pop_back();
            pc_ = next;
            stacks_ = *known_[static_cast<std::size_t>(next)];
            step();
        }
    }

    bool may_enter(std::int32_t pc) const {
        const auto &known = known_[static_cast<std::size_t>(pc)];
        return known && known->values.empty() && known->masks == 0;
    }

  private:
    std::int32_t code(std::int32_t offset) const {
        const auto at = static_cast<std::size_t>(pc_) + static_cast<std::size_t>(offset);
        refuse(at >= program_.code.size(), "the code ends in the middle of an operation");
        return program_.code[at];
    }

    Known pop() {
        refuse(stacks_.values.empty(), "an operation lacks a value");
        const Known top = stacks_.values.back();
        stacks_.values.pop_back();
        return top;
    }
    void pop_value() { refuse(!pop().value, "a place serves as a value"); }
    void pop_place() { refuse(!pop().place, "a value serves as a place"); }
    void pop_mask() { refuse(stacks_.masks-- == 0, "an operation lacks a set of cards"); }
    void push(Known known = {}) {
        stacks_.values.push_back(known);
        refuse(stacks_.values.size() > MOST_DEEP, "an expression is too deep");
    }
    void push_mask() {
        ++stacks_.masks;
        refuse(stacks_.masks > MOST_DEEP, "too many sets of cards");
    }

    // So many slots from one on; a size of 0 stands for one without an index.
    void check_range(std::int32_t first, std::int32_t size, std::size_t end, const char *what) const {
        refuse(first < 0 || size < 0 || static_cast<std::size_t>(first) + static_cast<std::size_t>(std::max(size, 1)) > end, what);
    }
    void check_slots(std::int32_t first, std::int32_t size) const {
        check_range(first, size, program_.initial.size(), "a slot that is not there");
    }
    void check_templates(std::int32_t first, std::int32_t size) const {
        check_range(first, size, program_.templates, "a template that is not there");
    }

    // The stacks at an address are the same on every way that leads there.
    void arrive(std::int32_t pc, const Stacks &stacks) {
        refuse(pc < 0 || static_cast<std::size_t>(pc) >= program_.code.size(), "an address that is not there");
        std::optional<Stacks> &known = known_[static_cast<std::size_t>(pc)];
        if (!known) {
            known = stacks;
            todo_.push_back(pc);
            return;
        }
        refuse(known->values.size() != stacks.values.size() || known->masks != stacks.masks,
               "two ways to an address leave different values behind");
        bool is_new = false;
        for (std::size_t at = 0; at < stacks.values.size(); ++at) {
            const Known both{known->values[at].value && stacks.values[at].value,
                             known->values[at].place && stacks.values[at].place};
            is_new |= !(both == known->values[at]);
            known->values[at] = both;
        }
        if (is_new) todo_.push_back(pc);
    }
    void go_on(std::int32_t length) { arrive(pc_ + length, stacks_); }
    // Jumps back lead to nodes, which count their visits.
    void jump(std::int32_t target) {
        refuse(target <= pc_ && (target < 0 || program_.code[static_cast<std::size_t>(target)] != NODE),
               "a way back that leads to no node");
        arrive(target, stacks_);
    }

    void step();

    const Program &program_;
    std::vector<std::optional<Stacks>> known_;
    std::vector<std::int32_t> todo_;
    std::int32_t pc_ = 0;
    Stacks stacks_;
};

void Follow::step() {
    switch (code(0)) {
    case NODE:
        code(1);
        refuse(!stacks_.values.empty() || stacks_.masks, "a node begins with values left over");
        return go_on(2);
    case PUSH:
        push({is_value(program_, code(1)), is_place(program_, code(1))});
        return go_on(2);
    case LOAD:
        check_slots(code(1), 0);
        push();
        return go_on(2);
    case LOAD_AT:
        check_slots(code(1), code(2));
        pop_value();
        push();
        return go_on(3);
    case STORE:
        check_slots(code(1), 0);
        pop_value();
        return go_on(2);
    case STORE_AT:
        check_slots(code(1), code(2));
        pop_value();
        pop_value();
        return go_on(3);
    case ADD: case SUBTRACT: case MULTIPLY: case DIVIDE: case MODULO: case EQUAL: case LESS: case GREATER: case MIN:
    case MAX: case MAKE_CARD:
        pop_value();
        [[fallthrough]];
    case NEG: case TO_PLAYER: case PLAYER_NUMBER: case NEXT_PLAYER: case SUIT: case RANK: case RANK_VALUE:
    case POINT_VALUE: case RANDOM: case ABS:
        pop_value();
        push();
        return go_on(1);
    case JUMP:
        return jump(code(1));
    case JUMP_FALSE:
        pop_value();
        jump(code(1));
        return go_on(2);
    case SET_RANK_VALUE: case SET_POINT_VALUE:
        pop_value();
        pop_value();
        return go_on(1);
    case MASK_CARD:
        pop_value();
        pop_value();
        push_mask();
        return go_on(1);
    case MASK_OR:
        pop_mask();
        pop_mask();
        push_mask();
        return go_on(1);
    case MASK_LOAD:
        check_templates(code(1), code(2));
        if (code(2)) pop_value();
        push_mask();
        return go_on(3);
    case MASK_STORE:
        check_templates(code(1), code(2));
        if (code(2)) pop_value();
        pop_mask();
        return go_on(3);
    case MASK_OF_CARD:
        pop_value();
        push_mask();
        return go_on(1);
    case HAS_CARD: case CARD_FITS:
        pop_value();
        pop_mask();
        push();
        return go_on(1);
    case COUNT: case HAS_ANY:
        pop_place();
        pop_mask();
        push();
        return go_on(1);
    case DEADWOOD: case CARDS: case TOP: case TOTAL: case SAME_RANK: case RUN_LENGTH:
        pop_place();
        push();
        return go_on(1);
    case COPY_OPTION: {
        const Known top = pop();
        push(top);
        push(top);
        return go_on(1);
    }
    case PLACE_HAND:
        pop_value();
        push({false, true});
        return go_on(1);
    case PLACE_PILE:
        check_range(code(1), static_cast<std::int32_t>(program_.players), program_.places, "a pile that is not there");
        pop_value();
        push({false, true});
        return go_on(2);
    case PLACE_AMONG: {
        const std::int32_t names = code(1), rows = code(2);
        refuse(names < 1 || names > 2 || rows < 0 || static_cast<std::size_t>(rows) > program_.code.size(),
               "a list of places that is none");
        for (std::int32_t name = 0; name < names; ++name) pop_value();
        for (std::int32_t row = 0; row < rows; ++row)
            refuse(!is_place(program_, code(3 + row * (names + 1) + names)), "a value serves as a place");
        push({false, true});
        return go_on(3 + rows * (names + 1));
    }
    case ASK_CARD:
        pop_place();
        pop_place();
        pop_value();
        pop_mask();
        code(2);
        return arrive(pc_ + 3, {});  // the question clears the stacks
    case ASK_CHOICE:
        check_slots(code(1), code(2));
        if (code(2)) pop_value();
        pop_value();
        return arrive(pc_ + 3, {});
    case OPTION_RANGE:
        pop_value();
        if (code(1)) pop_value();
        return go_on(2);
    case SHUFFLE: case STACK_EMPTY:
        return go_on(1);
    case DEAL:
        pop_value();
        return go_on(1);
    case PICK_UP:
        pop_value();
        pop_value();
        return go_on(1);
    case MOVE:
        pop_value();
        pop_place();
        pop_place();
        return go_on(1);
    case MOVE_ALL:
        pop_place();
        pop_place();
        pop_mask();
        return go_on(1);
    case END:
        return;
    case VALUE:
        return pop_value();
    default:
        refuse(true, "an operation that is none");
    }
}

void check_group(const Program &program, std::int32_t first, std::size_t count) {
    refuse(first < 0 || static_cast<std::size_t>(first) + count > program.initial.size(), "a variable beside the slots");
}

}  // namespace

void check_parts(const Program &program) {
    const std::size_t kinds = program.rank_of.size();
    refuse(program.code.empty() || program.code.size() > MOST_SLOTS, "its code has no length that fits");
    refuse(program.players == 0 || program.players > MOST_PLAYERS, "too many cards or players");
    refuse(program.places < program.players || program.places > MOST_PROGRAM_PLACES, "it has no places that fit");
    refuse(program.templates > MOST_TEMPLATES || program.initial.size() > MOST_SLOTS, "it has too many slots");
    refuse(program.suit_of.size() != kinds || program.points.size() != kinds || program.low_values.size() != kinds,
           "something is missing for some kinds of cards");
    refuse(program.rank_values.size() != program.rank_codes.size(), "ranks and their values differ in number");
    for (std::int32_t code : program.rank_codes) refuse(code < 0 || code > MOST_CODE, "a rank that is none");
    for (std::int32_t code : program.suit_of) refuse(code < 0 || code > MOST_CODE, "a suit that is none");
    for (std::int32_t code : program.rank_of)
        refuse(std::find(program.rank_codes.begin(), program.rank_codes.end(), code) == program.rank_codes.end(),
               "a card of a rank that is none");
    std::vector<char> met(kinds, 0);
    for (std::int32_t kind : program.kind_of) {
        refuse(kind < 0 || static_cast<std::size_t>(kind) >= kinds, "a card of a kind that is none");
        met[static_cast<std::size_t>(kind)] = 1;
    }
    refuse(std::find(met.begin(), met.end(), 0) != met.end(), "a kind without a card");
    for (const auto *values : {&program.points, &program.low_values})
        for (std::int32_t value : *values) refuse(std::abs(std::int64_t{value}) > MOST_CODE, "points out of range");
    for (const auto *values : {&program.initial, &program.rank_values, &program.rank_of, &program.suit_of, &program.suits})
        for (std::int32_t value : *values) refuse(!is_value(program, value), "a value that is none");
    const auto is_pile = [&](std::int32_t place) {
        return is_place(program, place) && static_cast<std::uint32_t>(place) >= program.players;
    };
    refuse(!is_pile(program.stack) || !is_pile(program.discard) || !is_pile(program.pack), "stack, discard or pack is no pile");
    refuse(program.stack == program.discard || program.stack == program.pack || program.discard == program.pack,
           "stack, discard and pack are one");
    refuse(program.bottom != -1 && (!is_pile(program.bottom) || program.bottom == program.discard || program.bottom == program.pack),
           "what goes below the pack goes nowhere");
    if (program.recycle_slot != -1) check_group(program, program.recycle_slot, 1);
    for (std::int32_t first : {program.score, program.remaining, program.middle, program.passed, program.team})
        check_group(program, first, program.players);
    for (std::int32_t first : {program.dealt, program.index}) check_group(program, first, 1);
}

void check_code(Program &program) {
    Follow follow(program);
    follow.from(0);
    for (std::size_t pc = 0; pc < program.code.size(); ++pc)
        program.entries.push_back(follow.may_enter(static_cast<std::int32_t>(pc)));
}

bool is_entry(const Program &program, std::int32_t pc) {
    return pc >= 0 && static_cast<std::size_t>(pc) < program.entries.size() && program.entries[static_cast<std::size_t>(pc)];
}

void check_expression(const Program &program, std::int32_t pc) { Follow(program).from(pc); }

void check_valuation(const Program &program, const Valuation &valuation) {
    constexpr std::size_t MOST_SYMBOLS = 64;  // the search for their cards is nested as deeply
    for (std::int32_t slot : valuation.seats) check_group(program, slot, 1);
    for (std::int32_t pc : valuation.properties) check_expression(program, pc);
    refuse(valuation.role_mismatch < IGNORE || valuation.role_mismatch > EXCLUDE, "a role mismatch that is none");
    refuse(!(std::abs(valuation.decided) <= 1e9), "what a game is worth is no number");
    for (const Heuristic &heuristic : valuation.heuristics) {
        refuse(heuristic.symbols.size() > MOST_SYMBOLS, "a heuristic of more than 64 cards");
        for (const Symbol &symbol : heuristic.symbols) {
            check_group(program, symbol.slot, 1);
            refuse(symbol.seat < 0, "a seat that is none");
        }
        for (const auto &conditions : heuristic.conditions)
            for (const Condition &condition : conditions) {
                refuse(condition.kind < PLAIN || condition.kind > ABSENT, "a condition that is none");
                check_expression(program, condition.pc);
            }
    }
}

namespace {

void refuse_table(bool wrong, const char *what) {
    if (wrong) throw std::invalid_argument(std::string("this is no table of this game: ") + what);
}

void check_heads(const Program &program, const Table &table) {
    const auto is_player = [&](std::int32_t who) { return who >= 0 && static_cast<std::uint32_t>(who) < program.players; };
    constexpr std::int32_t MANY = 1 << 30;
    for (Table::Head head : {Table::STEPS, Table::ALONE, Table::DECISIONS, Table::FAULT})
        refuse_table(table.head(head) < 0 || table.head(head) > MANY, "a count that is none");
    refuse_table(table.status() < RUNNING || table.status() > STOPPED, "its status is none");
    refuse_table(!is_entry(program, table.head(Table::PC)), "it stands at an address that is none");
    refuse_table(!is_player(table.head(Table::WHO)), "nobody is asked");
    refuse_table(!is_place(program, table.head(Table::FROM)) || !is_place(program, table.head(Table::TO)),
                 "cards go to no place");
    refuse_table(table.head(Table::SLOT) < 0 || static_cast<std::size_t>(table.head(Table::SLOT)) >= program.initial.size(),
                 "an answer has no slot");
    refuse_table(table.head(Table::CHOICES) < 0 || table.head(Table::CHOICES) > static_cast<std::int32_t>(MOST_CHOICES),
                 "too many choices");
    for (std::int32_t at = 0; at < table.head(Table::CHOICES); ++at)
        refuse_table(!is_value(program, table.choices()[at]), "a choice that is none");
    refuse_table(table.is_asked() && table.count_options() == 0, "a question without an answer");
}

void check_cards(const Program &program, const Table &table) {
    Mask met;
    for (std::size_t place = 0; place < program.places; ++place) {
        for (std::uint32_t word = 0; word < program.words; ++word) {
            const std::uint64_t here = table.mask(place)[word];
            refuse_table(here & ~program.all.words[word] || here & met.words[word], "a card that is nowhere, or twice");
            met.words[word] |= here;
        }
        refuse_table(table.length(place) != table.count(place), "a place of another size");
        if (program.order_at[place] < 0) continue;
        Mask listed;
        for (std::uint16_t at = 0; at < table.length(place); ++at) {
            const std::uint8_t card = table.order(place)[at];
            refuse_table(card >= program.cards || !table.holds(place, card) || listed.words[card / 64] >> (card & 63) & 1,
                         "a pile of other cards");
            listed.words[card / 64] |= 1ull << (card & 63);
        }
    }
    if (table.status() != ASKED_CARD) return;
    for (std::uint32_t word = 0; word < program.words; ++word)
        refuse_table(table.options()[word] & ~table.mask(static_cast<std::size_t>(table.head(Table::FROM)))[word],
                     "a card is offered that is not there");
}

}  // namespace

void check_hidden(const Program &program, const Dealing &dealing) {
    const Table table(program, const_cast<std::uint8_t *>(dealing.table.data()));
    const auto wrong = [](bool is_wrong) {
        if (is_wrong) throw std::invalid_argument("this dealing does not fit the game: hidden cards are where they are not");
    };
    Mask met;
    std::vector<char> owns(program.places, 0);
    for (std::int32_t owner : dealing.owners) {
        wrong(!is_place(program, owner) || program.order_at[static_cast<std::size_t>(owner)] >= 0 ||
              owns[static_cast<std::size_t>(owner)] || owner == program.pack);
        owns[static_cast<std::size_t>(owner)] = 1;
    }
    owns[static_cast<std::size_t>(program.pack)] = 1;
    for (const std::vector<std::int32_t> &kind : dealing.kinds)
        for (std::int32_t card : kind) {
            wrong(card < 0 || static_cast<std::uint32_t>(card) >= program.cards || met.words[card / 64] >> (card & 63) & 1);
            met.words[card / 64] |= 1ull << (card & 63);
            bool held = false;
            for (std::size_t place = 0; place < program.places; ++place)
                held |= owns[place] && table.holds(place, static_cast<std::uint32_t>(card));
            wrong(!held);
        }
}

void check_table(const Program &program, const std::uint8_t *memory) {
    const Table table(program, const_cast<std::uint8_t *>(memory));
    check_heads(program, table);
    for (std::size_t at = 0; at < program.initial.size(); ++at)
        refuse_table(!is_value(program, table.slot(at)), "a value that is none");
    check_cards(program, table);
}

}  // namespace ludorum::cards
