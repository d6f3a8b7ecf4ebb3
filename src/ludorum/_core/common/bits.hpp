// Rows of packed bits turned into planes and back: 64 rows of 64 bits at a time.
#pragma once

#include <cstdint>
#include <cstring>

namespace ludorum {

// Swaps the off-diagonal squares of all blocks on the diagonal; neighbouring rows go through one vector.
template <int WIDTH>
inline void swap_squares(std::uint64_t rows[64], std::uint64_t mask) {
    for (int block = 0; block < 64; block += 2 * WIDTH)
        for (int i = block; i < block + WIDTH; ++i) {
            const std::uint64_t moved = ((rows[i] >> WIDTH) ^ rows[i + WIDTH]) & mask;
            rows[i] ^= moved << WIDTH;
            rows[i + WIDTH] ^= moved;
        }
}

// Bit j of row i becomes bit i of row j (Warren, "Hacker's Delight", 7-3).
inline void transpose64(std::uint64_t rows[64]) {
    swap_squares<32>(rows, 0x00000000FFFFFFFFull);
    swap_squares<16>(rows, 0x0000FFFF0000FFFFull);
    swap_squares<8>(rows, 0x00FF00FF00FF00FFull);
    swap_squares<4>(rows, 0x0F0F0F0F0F0F0F0Full);
    swap_squares<2>(rows, 0x3333333333333333ull);
    swap_squares<1>(rows, 0x5555555555555555ull);
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
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && begin + 8 <= bytes) {
        std::memcpy(row + begin, &word, 8);
        return;
    }
    for (std::size_t at = begin; at < bytes && at < begin + 8; ++at)
        row[at] = static_cast<std::uint8_t>(word >> (8 * (at - begin)));
}

inline std::size_t packed_bytes(std::size_t bits) { return (bits + 7) / 8; }

}  // namespace ludorum
