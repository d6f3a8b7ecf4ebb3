// Instructions of 64-bit x86 machines, as far as gates need them: with 256 bits (AVX2) or 512 (AVX-512).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ludorum {

// What both have in common: a function that gets its slots in rdi and goes through the columns of vectors up to rsi, with a
// frame that is aligned for vectors, and operations that have the same numbers. `Vectors` writes what comes before the number.
template <class Vectors>
class X86_64 {
  public:
    static constexpr std::uint32_t SLOT_BYTES = 1u << 30;
    static constexpr std::uint32_t STACK_BYTES = 1u << 16;

    std::vector<std::uint8_t> bytes;

    void load_slot(std::uint32_t to, std::uint32_t offset) { memory(0x6F, to, SLOTS, offset); }
    void store_slot(std::uint32_t from, std::uint32_t offset) { memory(0x7F, from, SLOTS, offset); }
    void load_stack(std::uint32_t to, std::uint32_t offset) { memory(0x6F, to, STACK, offset); }
    void store_stack(std::uint32_t from, std::uint32_t offset) { memory(0x7F, from, STACK, offset); }

    void both(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0xDB, to, a, b); }
    void without(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0xDF, to, b, a); }  // a, not b
    void either(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0xEB, to, a, b); }
    void unequal(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(0xEF, to, a, b); }

    // So many bytes again, for the next column.
    void repeat(std::uint32_t, std::size_t body_bytes) {
        const std::size_t begin = bytes.size() - body_bytes;
        add({0x48, 0x83, 0xC7, Vectors::VECTOR_BYTES});  // add rdi, ...
        add({0x48, 0x39, 0xF7, 0x0F, 0x85});             // cmp rdi, rsi; jne ...
        add_word(0u - static_cast<std::uint32_t>(bytes.size() + 4 - begin));
    }
    void leave(std::uint32_t) { add({0xC5, 0xF8, 0x77, 0xC9, 0xC3}); }  // vzeroupper; leave; ret

  protected:
    static constexpr std::uint32_t SLOTS = 7, STACK = 4;  // rdi, rsp

    void add(std::initializer_list<std::uint32_t> some) {
        for (std::uint32_t byte : some) bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    void add_word(std::uint32_t word) { add({word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24}); }
    void enter_frame(std::uint32_t stack_bytes, std::uint32_t vector_bytes) {
        add({0x55, 0x48, 0x89, 0xE5});                      // push rbp; mov rbp, rsp
        add({0x48, 0x83, 0xE4, 256 - vector_bytes});        // and rsp, -vector_bytes
        add({0x48, 0x81, 0xEC});                            // sub rsp, ...
        add_word(stack_bytes);
    }
    void logical(std::uint32_t operation, std::uint32_t to, std::uint32_t a, std::uint32_t b) {
        static_cast<Vectors *>(this)->prefix(to, a, b, operation);
        add({0xC0 | (to & 7) << 3 | (b & 7)});
    }

  private:
    void memory(std::uint32_t operation, std::uint32_t vector, std::uint32_t base, std::uint32_t offset) {
        static_cast<Vectors *>(this)->prefix(vector, 0, 0, operation);
        add({0x80 | (vector & 7) << 3 | base});
        if (base == STACK) add({0x24});
        add_word(offset);
    }
};

class Avx2 : public X86_64<Avx2> {
  public:
    static constexpr std::uint32_t REGISTERS = 15;  // the last one holds all bits
    static constexpr std::uint32_t VECTOR_BYTES = 32;
    static constexpr bool CHOOSES = false;

    void opposite(std::uint32_t to, std::uint32_t from) { unequal(to, from, REGISTERS); }

    void enter(std::uint32_t, std::uint32_t stack_bytes) {
        enter_frame(stack_bytes, VECTOR_BYTES);
        logical(0x76, REGISTERS, REGISTERS, REGISTERS);  // equal to itself: all bits
    }

  private:
    friend X86_64;
    void prefix(std::uint32_t vector, std::uint32_t a, std::uint32_t b, std::uint32_t operation) {
        add({0xC4, (vector < 8) << 7 | 1u << 6 | (b < 8) << 5 | 1u, (~a & 15) << 3 | 1u << 2 | 1u, operation});
    }
};

class Avx512 : public X86_64<Avx512> {
  public:
    static constexpr std::uint32_t REGISTERS = 32;
    static constexpr std::uint32_t VECTOR_BYTES = 64;
    static constexpr bool CHOOSES = true;

    void opposite(std::uint32_t to, std::uint32_t from) { by_table(to, from, from, 0x55); }
    // a where the condition holds, else b; the result takes the place of one of the three.
    void choose_in_condition(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(c, a, b, 0xCA); }
    void choose_in_second(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(b, a, c, 0xD8); }
    void choose_in_first(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(a, b, c, 0xE4); }

    void enter(std::uint32_t, std::uint32_t stack_bytes) { enter_frame(stack_bytes, VECTOR_BYTES); }

  private:
    friend X86_64;
    void prefix(std::uint32_t vector, std::uint32_t a, std::uint32_t b, std::uint32_t operation, std::uint32_t map = 1) {
        add({0x62,
             (~vector >> 3 & 1) << 7 | (~b >> 4 & 1) << 6 | (~b >> 3 & 1) << 5 | (~vector >> 4 & 1) << 4 | map,
             (~a & 15) << 3 | 1u << 2 | 1u, 2u << 5 | (~a >> 4 & 1) << 3, operation});
    }
    // The bit of the table that the old value, a and b count.
    void by_table(std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t table) {
        prefix(to, a, b, 0x25, 3);
        add({0xC0 | (to & 7) << 3 | (b & 7), table});
    }
};

}  // namespace ludorum
