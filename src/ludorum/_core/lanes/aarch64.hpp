// Instructions of 64-bit ARM machines, as far as gates need them.
#pragma once

#include <cstdint>
#include <vector>

namespace ludorum {

class Aarch64 {
  public:
    static constexpr std::uint32_t REGISTERS = 32;
    static constexpr std::uint32_t VECTOR_BYTES = 16;

    static constexpr bool CHOOSES = true;
    static constexpr bool READS_MEMORY = false;

    std::vector<std::uint8_t> bytes;

    // Slots by their offset from the argument of the function, and places on the stack.
    static constexpr std::uint32_t SLOT_BYTES = 1u << 20;
    static constexpr std::uint32_t STACK_BYTES = 1u << 16;
    void load_slot(std::uint32_t to, std::uint32_t offset) { memory(LOAD, to, offset / REACH, offset % REACH); }
    void store_slot(std::uint32_t from, std::uint32_t offset) { memory(STORE, from, offset / REACH, offset % REACH); }
    void load_stack(std::uint32_t to, std::uint32_t offset) { memory(LOAD, to, STACK, offset); }
    void store_stack(std::uint32_t from, std::uint32_t offset) { memory(STORE, from, STACK, offset); }

    void both(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0x4E201C00, to, a, b); }
    void without(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0x4E601C00, to, a, b); }  // a, not b
    void either(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0x4EA01C00, to, a, b); }
    void unequal(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0x6E201C00, to, a, b); }
    void opposite(std::uint32_t to, std::uint32_t from) { add(0x6E205800 | from << 5 | to); }
    // a where the condition holds, else b; the result takes the place of one of the three.
    void choose_in_condition(std::uint32_t c, std::uint32_t a, std::uint32_t b) { logical(0x6E601C00, c, a, b); }
    void choose_in_second(std::uint32_t c, std::uint32_t a, std::uint32_t b) { logical(0x6EA01C00, b, a, c); }
    void choose_in_first(std::uint32_t c, std::uint32_t a, std::uint32_t b) { logical(0x6EE01C00, a, b, c); }

    // A function that is given slots, of which it uses those before an offset, and their end: it goes through the columns
    // of vectors up to there. It keeps what its caller may expect: the lower halves of v8 to v15.
    void enter(std::uint32_t slot_bytes, std::uint32_t stack_bytes) {
        move(SUBTRACT, STACK, STACK, SAVED);
        for (std::uint32_t pair = 0; pair < 4; ++pair) save(0x6D000000, pair);
        move(SUBTRACT | PAGES, STACK, STACK, stack_bytes / PAGE);
        move(SUBTRACT, STACK, STACK, stack_bytes % PAGE);
        add(0xAA0103E0 | END);  // what x1 holds
        for (std::uint32_t base = 1; base * REACH < slot_bytes; ++base) move(ADD | PAGES, base, 0, base * (REACH / PAGE));
    }
    // So many bytes again, for the next column.
    void repeat(std::uint32_t slot_bytes, std::size_t body_bytes) {
        const std::size_t begin = bytes.size() - body_bytes;
        for (std::uint32_t base = 0; base == 0 || base * REACH < slot_bytes; ++base) move(ADD, base, base, VECTOR_BYTES);
        add(0xEB00001F | END << 16);  // compare x0
        add(0x54000040);              // equal: leave out the next instruction
        const auto back = static_cast<std::uint32_t>((bytes.size() - begin) / 4);
        add(0x14000000 | (-back & 0x3FFFFFF));
    }
    void leave(std::uint32_t stack_bytes) {
        move(ADD | PAGES, STACK, STACK, stack_bytes / PAGE);
        move(ADD, STACK, STACK, stack_bytes % PAGE);
        for (std::uint32_t pair = 0; pair < 4; ++pair) save(0x6D400000, pair);
        move(ADD, STACK, STACK, SAVED);
        add(0xD65F03C0);  // return
    }

  private:
    // A load reaches so far from a register; x0 to x15 point to the beginnings of such pieces.
    static constexpr std::uint32_t REACH = 1u << 16;
    static constexpr std::uint32_t PAGE = 1u << 12;
    static constexpr std::uint32_t STACK = 31, END = 16;
    static constexpr std::uint32_t SAVED = 64;
    static constexpr std::uint32_t LOAD = 0x3DC00000, STORE = 0x3D800000;
    static constexpr std::uint32_t ADD = 0x91000000, SUBTRACT = 0xD1000000, PAGES = 1u << 22;

    void add(std::uint32_t word) {
        for (int shift : {0, 8, 16, 24}) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
    void memory(std::uint32_t code, std::uint32_t vector, std::uint32_t base, std::uint32_t offset) {
        add(code | (offset / VECTOR_BYTES) << 10 | base << 5 | vector);
    }
    void logical(std::uint32_t code, std::uint32_t to, std::uint32_t a, std::uint32_t b) {
        add(code | b << 16 | a << 5 | to);
    }
    void move(std::uint32_t code, std::uint32_t to, std::uint32_t from, std::uint32_t amount) {
        if (amount) add(code | amount << 10 | from << 5 | to);
    }
    void save(std::uint32_t code, std::uint32_t pair) {
        add(code | (2 * pair) << 15 | (9 + 2 * pair) << 10 | STACK << 5 | (8 + 2 * pair));
    }
};

}  // namespace ludorum
