// Rows of packed bits turned into planes and back: 64 rows of 64 bits at a time.
#pragma once

#include <cstdint>
#include <cstring>

namespace ludorum {

// Bit j of row i becomes bit i of row j (Warren, "Hacker's Delight", 7-3).
inline void transpose64(std::uint64_t rows[64]) {
    std::uint64_t mask = 0x00000000FFFFFFFFull;
    for (int width = 32; width; width >>= 1, mask ^= mask << width)
        for (int i = 0; i < 64; i = ((i | width) + 1) & ~width) {
            const std::uint64_t moved = ((rows[i] >> width) ^ rows[i | width]) & mask;
            rows[i] ^= moved << width;
            rows[i | width] ^= moved;
        }
}

// Bits 64 * chunk ... of a packed row of so many bytes; little-endian, as numpy.packbits(bitorder="little").
inline std::uint64_t load_chunk(const std::uint8_t *row, std::size_t bytes, std::size_t chunk) {
    const std::size_t begin = 8 * chunk;
    if (begin + 8 <= bytes) {
        std::uint64_t word;
        std::memcpy(&word, row + begin, 8);
        if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
        return word;
    }
    std::uint64_t word = 0;
    for (std::size_t at = begin; at < bytes; ++at) word |= static_cast<std::uint64_t>(row[at]) << (8 * (at - begin));
    return word;
}

inline void store_chunk(std::uint8_t *row, std::size_t bytes, std::size_t chunk, std::uint64_t word) {
    const std::size_t begin = 8 * chunk;
    for (std::size_t at = begin; at < bytes && at < begin + 8; ++at)
        row[at] = static_cast<std::uint8_t>(word >> (8 * (at - begin)));
}

inline std::size_t packed_bytes(std::size_t bits) { return (bits + 7) / 8; }

}  // namespace ludorum
