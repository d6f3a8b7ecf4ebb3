// Card games as bytecode: what `cards/compiled/bytecode.py` makes of a flow chart.
//
// Values are numbers whose lowest three bits say what they are (see codes.py). A table is one block of memory, so that
// copying a position is copying bytes: some numbers, the slots of the variables, a set of cards for every place, and
// for every place but hands, the discard and the pack the cards in their order.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/random.hpp"

namespace ludorum::cards {

// As OPERATIONS in bytecode.py.
enum Operation : std::int32_t {
    PUSH, LOAD, LOAD_AT, STORE, STORE_AT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO, EQUAL, LESS, GREATER, NEG, JUMP,
    JUMP_FALSE, TO_PLAYER, PLAYER_NUMBER, NEXT_PLAYER, SUIT, RANK, RANK_VALUE, MAKE_CARD, MASK_CARD, MASK_OR, HAS_CARD,
    CARD_FITS, RANDOM, ASK_CARD, ASK_CHOICE, SHUFFLE, DEAL, PICK_UP, STACK_EMPTY, END, NODE, PLACE_HAND, PLACE_PILE,
    CARDS, COUNT, TOP, TOTAL, SAME_RANK, RUN_LENGTH, MOVE, MOVE_ALL, POINT_VALUE, SET_RANK_VALUE, SET_POINT_VALUE, ABS,
    MIN, MAX, COPY_OPTION, OPTION_RANGE, HAS_ANY, MASK_LOAD, MASK_STORE, MASK_OF_CARD, DEADWOOD, VALUE, PLACE_AMONG,
    OPERATIONS
};

enum Kind : std::int32_t { NUMBER = 0, PLAYER = 1, CARD = 2, NAME = 4 };

constexpr std::int32_t UNSET = INT32_MIN;
// Variables whose argument may be anything have so many slots: numbers from 0, then players, then names (codes.py).
constexpr std::int32_t ANYTHING = 160, FIRST_PLAYER = 64, FIRST_NAME = 70;
constexpr std::int32_t FALSE_CODE = 0 << 3 | NAME, TRUE_CODE = 1 << 3 | NAME, EMPTY_CODE = 2 << 3 | NAME,
                       ANY_CODE = 3 << 3 | NAME;
constexpr std::uint32_t MOST_WORDS = 4, MOST_CARDS = 64 * MOST_WORDS, MOST_PLAYERS = 6, MOST_CHOICES = 128;

inline std::int32_t of_number(std::int64_t value) { return static_cast<std::int32_t>(value * 8); }
inline std::int32_t of_truth(bool holds) { return holds ? TRUE_CODE : FALSE_CODE; }

// A set of physical cards.
struct Mask {
    std::array<std::uint64_t, MOST_WORDS> words{};
};

enum Status : std::int32_t { RUNNING, ASKED_CARD, ASKED_CHOICE, FINISHED, FAILED, STOPPED };

// The texts of these faults are in bytecode.py.
enum Fault : std::int32_t {
    NO_FAULT, NO_VALUE, NOT_A_NUMBER, NOT_A_PLAYER, NOT_A_CARD, OUT_OF_RANGE, NO_OPTION, NO_CARDS, BY_ZERO, IN_CIRCLES,
    NOT_TRUE_OR_FALSE, TOO_DEEP, NOT_IN_PACK
};

struct Program {
    std::vector<std::int32_t> code;
    std::vector<std::int32_t> initial;     // slots
    std::uint32_t players = 2, places = 0, words = 1, cards = 0, templates = 0;
    std::int32_t stack = 0, discard = 0, pack = 0;              // places
    std::int32_t bottom = -1;  // place of cards that went back below the pack, in their order; -1: none ever do
    std::int32_t score = 0, remaining = 0, middle = 0, passed = 0, team = 0, dealt = 0, index = 0;  // slots
    bool recycle = true;
    std::int32_t recycle_slot = -1;  // the variable that overrides it; -1: the chart has none
    std::int32_t most_decisions = 1000;
    std::vector<std::int32_t> kind_of;               // by physical card
    std::vector<std::int32_t> rank_of, suit_of;      // codes, by kind
    std::vector<std::int32_t> suits;                 // codes of suit(0) to suit(3)
    std::vector<std::int32_t> rank_codes, rank_values;  // of ranks; values as codes
    std::vector<std::int32_t> points;                // by kind, plain numbers
    std::vector<std::int32_t> low_values;            // by kind: ace 1 to king 13

    // Worked out by `prepare`.
    std::vector<std::int32_t> rank_index, suit_index;  // by code; -1: no such rank, no such suit
    std::vector<Mask> rank_masks, suit_masks;        // by rank index, by suit
    std::vector<std::int32_t> suit_codes;
    std::vector<Mask> kind_masks;
    Mask all;
    std::vector<std::int32_t> order_at;              // by place; -1: its order does not matter
    std::size_t slots_at = 0, masks_at = 0, lengths_at = 0, orders_at = 0, choices_at = 0, bytes = 0;
    std::vector<char> entries;  // by address: whether the code may be entered there; by `check_code`
    std::uint32_t rank_value_at = 0, point_value_at = 0;  // slots: by rank index; by kind, rank index, suit index

    void prepare();
};

// A position of a game, somewhere in memory.
class Table {
  public:
    Table(const Program &program, std::uint8_t *memory) : program_(program), memory_(memory) {}

    enum Head { PC, AT_NODE, STEPS, ALONE, DECISIONS, STATUS, FAULT, BROKEN_OFF, WHO, MAY_PASS, IS_PLAY, FROM, TO, SLOT,
                SIZE, CHOICES, HEADS };
    std::int32_t &head(Head which) const { return reinterpret_cast<std::int32_t *>(memory_)[which]; }
    std::int32_t &slot(std::size_t at) const {
        return reinterpret_cast<std::int32_t *>(memory_ + program_.slots_at)[at];
    }
    std::uint64_t *mask(std::size_t place) const {
        return reinterpret_cast<std::uint64_t *>(memory_ + program_.masks_at) + place * program_.words;
    }
    // Cards a player may choose; the place after all others. Then come the templates that variables hold.
    std::uint64_t *options() const { return mask(program_.places); }
    std::uint64_t *held_template(std::size_t at) const { return mask(program_.places + 1 + at); }
    std::int32_t *choices() const { return reinterpret_cast<std::int32_t *>(memory_ + program_.choices_at); }
    std::uint16_t &length(std::size_t place) const {
        return reinterpret_cast<std::uint16_t *>(memory_ + program_.lengths_at)[place];
    }
    std::uint8_t *order(std::size_t place) const {
        return memory_ + program_.orders_at + static_cast<std::size_t>(program_.order_at[place]) * program_.cards;
    }
    std::uint8_t *memory() const { return memory_; }
    const Program &program() const { return program_; }

    std::uint32_t count(std::size_t place) const {
        std::uint32_t found = 0;
        const std::uint64_t *set = mask(place);
        for (std::uint32_t word = 0; word < program_.words; ++word)
            found += static_cast<std::uint32_t>(__builtin_popcountll(set[word]));
        return found;
    }
    // The pack, with the cards that went back below it.
    std::uint32_t pack_size() const {
        return length(static_cast<std::size_t>(program_.pack)) +
               (program_.bottom < 0 ? 0u : length(static_cast<std::size_t>(program_.bottom)));
    }
    bool holds(std::size_t place, std::uint32_t card) const { return mask(place)[card / 64] >> (card & 63) & 1; }
    void put(std::size_t place, std::uint32_t card);
    void take(std::size_t place, std::uint32_t card);
    void clear(std::size_t place) {
        std::memset(mask(place), 0, 8 * program_.words);
        length(place) = 0;
        recount(place);
    }
    void recount(std::size_t place) const {
        if (place < program_.players) slot(program_.remaining + place) = of_number(count(place));
    }

    void start();
    // Until a player is asked or the game is over, or before the node `stop_at` (not the one it leaves where `leave`
    // says so). `random` draws numbers and cards.
    void run(SplitMix64 &random, std::int32_t stop_at = -1, bool leave = false);
    // The value of the expression at an address; UNSET where it has none. The table does not change.
    std::int32_t evaluate(std::int32_t pc) const;
    // Answers the question: a physical card or -1 for a pass; a place in the list of choices.
    void answer(std::int32_t option);
    // The number of options of the player that is asked, and each by its number (see `answer`).
    std::uint32_t count_options() const;
    std::int32_t option(std::uint32_t number) const;

    std::int32_t status() const { return head(STATUS); }
    bool is_asked() const { return status() == ASKED_CARD || status() == ASKED_CHOICE; }
    std::int32_t score(std::uint32_t player) const { return slot(program_.score + player) >> 3; }
    // Goal values as in outcome.py.
    void goals(std::int32_t *values) const;

  private:
    std::int32_t walk(std::int32_t pc, SplitMix64 &random, std::int32_t stop_at, bool leave = false);
    void ask_for_card(const std::uint64_t *wanted, std::int32_t who, std::int32_t from, std::int32_t to, bool may_pass,
                      bool is_play);
    void draw(SplitMix64 &random, std::int32_t to, std::uint32_t wanted);
    std::uint32_t draw_one(SplitMix64 &random);
    bool recycles() const;
    bool refill();
    void carry(std::uint32_t card, std::int32_t from, std::int32_t to);
    void fail(Fault fault) const {
        head(STATUS) = FAILED;
        head(FAULT) = fault;
    }
    std::int32_t points_of(std::uint32_t card) const;
    // The topmost card of a place; hands are held in the order of their cards.
    std::uint32_t topmost(std::size_t place) const;
    std::int32_t deadwood(std::size_t place) const;
    std::int32_t same_rank(std::size_t place) const;
    std::int32_t run_length(std::size_t place) const;

    const Program &program_;
    std::uint8_t *memory_;
};

}  // namespace ludorum::cards
