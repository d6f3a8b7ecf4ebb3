// Instructions of 64-bit x86 machines, as far as gates need them: with 256 bits (AVX2) or 512 (AVX-512).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ludorum {

// What an instruction reads last: a register, or a vector in memory, among the slots or on the stack.
struct VectorSource {
    enum Kind : std::uint8_t { REGISTER, SLOT, SPILL };
    Kind kind;
    std::uint32_t at;  // the number of the register, or the offset
};

// What both have in common: a function that gets its slots in rdi and goes through the columns of vectors up to rsi, with a
// frame that is aligned for vectors, and operations that have the same numbers. `Vectors` writes what comes before the number.
template <class Vectors>
class X86_64 {
  public:
    static constexpr std::uint32_t SLOT_BYTES = 1u << 30;

    std::vector<std::uint8_t> bytes;

    void load_slot(std::uint32_t to, std::uint32_t offset) { memory(0x6F, to, SLOTS, offset); }
    void store_slot(std::uint32_t from, std::uint32_t offset) { memory(0x7F, from, SLOTS, offset); }
    void load_stack(std::uint32_t to, std::uint32_t offset) { memory(0x6F, to, STACK, offset); }
    void store_stack(std::uint32_t from, std::uint32_t offset) { memory(0x7F, from, STACK, offset); }

    void both(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(AND, to, a, b); }
    void without(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(AND_NOT, to, b, a); }  // a, not b
    void either(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(OR, to, a, b); }
    void unequal(std::uint32_t to, std::uint32_t a, std::uint32_t b) { logical(XOR, to, a, b); }

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
    static constexpr std::uint32_t AND = 0xDB, AND_NOT = 0xDF, OR = 0xEB, XOR = 0xEF;

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

    // The last bytes of an instruction that reads or writes memory. Short distances of AVX-512 are counted in vectors.
    void address(std::uint32_t vector, std::uint32_t base, std::uint32_t offset) {
        const bool near = Vectors::SHORT_DISTANCES && offset % Vectors::VECTOR_BYTES == 0 && offset < 128 * Vectors::VECTOR_BYTES;
        add({(near ? 0x40u : 0x80u) | (vector & 7) << 3 | base});
        if (base == STACK) add({0x24});
        if (near)
            add({offset / Vectors::VECTOR_BYTES});
        else
            add_word(offset);
    }

  private:
    void memory(std::uint32_t operation, std::uint32_t vector, std::uint32_t base, std::uint32_t offset) {
        static_cast<Vectors *>(this)->prefix(vector, 0, 0, operation);
        address(vector, base, offset);
    }
};

class Avx2 : public X86_64<Avx2> {
  public:
    static constexpr std::uint32_t REGISTERS = 15;  // the last one holds all bits
    static constexpr std::uint32_t VECTOR_BYTES = 32;
    static constexpr std::uint32_t STACK_BYTES = 1u << 16;
    static constexpr bool CHOOSES = false;
    static constexpr bool READS_MEMORY = false;  // whether logical instructions take terms from memory, and three at once
    static constexpr bool SHORT_DISTANCES = false;

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
    static constexpr std::uint32_t STACK_BYTES = 1u << 18;  // as many vectors as ARM has: chess needs more than 1024
    static constexpr bool CHOOSES = true;
    static constexpr bool READS_MEMORY = true;
    static constexpr bool SHORT_DISTANCES = true;

    void opposite(std::uint32_t to, std::uint32_t from) { by_table(to, from, from, 0x55); }
    // a where the condition holds, else b; the result takes the place of one of the three.
    void choose_in_condition(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(c, a, b, 0xCA); }
    void choose_in_second(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(b, a, c, 0xD8); }
    void choose_in_first(std::uint32_t c, std::uint32_t a, std::uint32_t b) { by_table(a, b, c, 0xE4); }

    void enter(std::uint32_t, std::uint32_t stack_bytes) { enter_frame(stack_bytes, VECTOR_BYTES); }

    // Where both terms hold; either of them may be an opposite. Whether the result is one.
    bool join(std::uint32_t to, std::uint32_t a, bool not_a, const VectorSource &b, bool not_b) {
        if (not_a)
            from_source(not_b ? OR : AND_NOT, to, a, b);
        else if (not_b)
            by_table(to, a, b, 0x44);  // whatever the old value is
        else
            from_source(AND, to, a, b);
        return not_a && not_b;
    }
    // Where the old value of a register and two other terms hold, or their opposites do.
    void join_three(std::uint32_t to, bool not_to, std::uint32_t a, bool not_a, const VectorSource &b, bool not_b) {
        by_table(to, a, b, 1u << (4 * !not_to + 2 * !not_a + !not_b));
    }
    void unequal_to(std::uint32_t to, std::uint32_t a, const VectorSource &b) { from_source(XOR, to, a, b); }

  private:
    friend X86_64;
    void prefix(std::uint32_t vector, std::uint32_t a, std::uint32_t b, std::uint32_t operation, std::uint32_t map = 1) {
        add({0x62,
             (~vector >> 3 & 1) << 7 | (~b >> 4 & 1) << 6 | (~b >> 3 & 1) << 5 | (~vector >> 4 & 1) << 4 | map,
             (~a & 15) << 3 | 1u << 2 | 1u, 2u << 5 | (~a >> 4 & 1) << 3, operation});
    }
    void from_source(std::uint32_t operation, std::uint32_t to, std::uint32_t a, const VectorSource &b, std::uint32_t map = 1) {
        prefix(to, a, b.kind == VectorSource::REGISTER ? b.at : 0, operation, map);
        if (b.kind == VectorSource::REGISTER)
            add({0xC0 | (to & 7) << 3 | (b.at & 7)});
        else
            address(to, b.kind == VectorSource::SLOT ? SLOTS : STACK, b.at);
    }
    // The bit of the table that the old value, a and b count.
    void by_table(std::uint32_t to, std::uint32_t a, const VectorSource &b, std::uint32_t table) {
        from_source(0x25, to, a, b, 3);
        add({table});
    }
    void by_table(std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t table) {
        by_table(to, a, {VectorSource::REGISTER, b}, table);
    }
};

}  // namespace ludorum
