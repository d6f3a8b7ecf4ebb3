// Random numbers for all lanes, a part of the lane kernels: lanes/kernel_body.hpp includes this file in its struct.

    // As many shift registers as there are lanes, with four taps (Ziff 1998). The polynomial t^257 + t^176 + t^123 + t^55
    // + 1 is primitive: any 257 bits of a register that follow each other are independent, and the period is 2^257 - 1.
    // A vector of bits costs three operations, where each plane of a generator of words costs twelve.
    struct Random {
        static constexpr int LENGTH = RANDOM_PLANES, FIRST = RANDOM_TAPS[0], SECOND = RANDOM_TAPS[1], THIRD = RANDOM_TAPS[2];
        V used[K];  // how many vectors have been taken, in the first word
        V planes[LENGTH * K];

        // So many vectors that were not used before.
        const V *take(int count) {
            std::uint64_t &taken = reinterpret_cast<std::uint64_t *>(used)[0];
            if (taken + static_cast<std::uint64_t>(count) > LENGTH * K) renew(), taken = 0;
            const V *found = planes + taken;
            taken += static_cast<std::uint64_t>(count);
            return found;
        }

      private:
        void renew() {
            shift(0, LENGTH - THIRD, FIRST, SECOND, THIRD);
            shift(LENGTH - THIRD, LENGTH - SECOND, FIRST, SECOND, THIRD - LENGTH);
            shift(LENGTH - SECOND, LENGTH - FIRST, FIRST, SECOND - LENGTH, THIRD - LENGTH);
            shift(LENGTH - FIRST, LENGTH, FIRST - LENGTH, SECOND - LENGTH, THIRD - LENGTH);
        }
        void shift(int begin, int end, int a, int b, int c) {
            for (V *plane = planes + begin * K; plane < planes + end * K; plane += K)
#pragma GCC unroll 8
                for (int k = 0; k < K; ++k) plane[k] ^= plane[a * K + k] ^ plane[b * K + k] ^ plane[c * K + k];
        }
    };

    // Numbers are planes, the lowest bits first; the columns of a plane stand side by side. W is how many planes there
    // are, 0: as many as `width` says.

    // What may be drawn in one column: numbers up to the last one in the lanes of `wanted`, 0 in others.
    template <int W>
    struct Bounds {
        static constexpr int MOST = W ? W : 32;
        V last[MOST], mask[MOST];  // mask: the bits that last and all that is less may have
        int size;

        Bounds(const V *lasts, int step, V wanted, int width) : size(W ? W : width) {
            V seen = V{};
#pragma GCC unroll 8
            for (int i = 1; i <= size; ++i) {
                last[size - i] = lasts[(size - i) * step] & wanted;
                mask[size - i] = seen |= last[size - i];
            }
        }

        // Random bits as far as they may be become the number where `open` holds; every `step` vectors there is another
        // plane of them. Returns the lanes where they are too large.
        inline V attempt(const V *bits, int step, V open, V *number) const {
            V larger = V{};
#pragma GCC unroll 8
            for (int j = 0; j < size; ++j) {
                const V drawn = bits[j * step] & mask[j];
                larger = choose(drawn ^ last[j], drawn, larger);
                number[j] = choose(open, drawn, number[j]);
            }
            return larger & open;
        }
        // The same twice, for lanes that have no number.
        inline V attempt_twice(const V *bits, int step, V *number) const {
            V larger = V{};
#pragma GCC unroll 8
            for (int j = 0; j < size; ++j) {
                number[j] = bits[j * step] & mask[j];
                larger = choose(number[j] ^ last[j], number[j], larger);
            }
            return attempt(bits + size * step, step, larger, number);
        }
    };

    // More open lanes than one in so many are better served in all columns at once.
    static constexpr std::uint32_t CROWD = 8;

    // Uniform numbers up to the last one in the lanes that want some, 0 in the others: drawn again in the lanes where
    // they are too large, so that there is no bias.
    template <int W>
    static void draw_width(const V *last, const V *wanted, V *number, Random &random, int width) {
        V open[K];
        draw_columns<W, false>(last, wanted, open, number, random, width);
        while (const std::uint64_t left = count(open, false, open)) {
            if (K > 1 && left * CROWD < SLOT * 8)
                draw_few<W>(last, open, number, random, width);
            else
                draw_columns<W, true>(last, open, open, number, random, width);
        }
    }

    // Two attempts in every column; lanes that want nothing have 0 or, with AGAIN, what they had.
    template <int W, bool AGAIN>
    static inline void draw_columns(const V *last, const V *wanted, V *open, V *number, Random &random, int width) {
        const V *bits = random.take(2 * width * K);
        for (int k = 0; k < K; ++k) {
            const Bounds<W> bounds(last + k, K, wanted[k], width);
            V own[Bounds<W>::MOST];
            const V left = bounds.attempt_twice(bits + k, K, own);
#pragma GCC unroll 8
            for (int j = 0; j < bounds.size; ++j)
                number[j * K + k] = AGAIN ? choose(wanted[k], own[j], number[j * K + k]) : own[j];
            open[k] = left;
        }
    }

    // Open lanes share one column, as far as no two of them stand in the same place, and have some attempts between two
    // looks.
    static constexpr int AT_ONCE = 3;

    template <int W>
    static void draw_few(const V *last, V *open, V *number, Random &random, int width) {
        const int size = W ? W : width;
        V chosen[K], sum[Bounds<W>::MOST], own[Bounds<W>::MOST], left = V{};
        for (int k = 0; k < K; ++k) {
            chosen[k] = open[k] & ~left;
            left |= open[k];
            open[k] &= ~chosen[k];
        }
#pragma GCC unroll 8
        for (int j = 0; j < size; ++j) {
            sum[j] = own[j] = V{};
            for (int k = 0; k < K; ++k) sum[j] |= last[j * K + k] & chosen[k];
        }
        const Bounds<W> bounds(sum, 1, left, width);
        do {
            const V *bits = random.take(AT_ONCE * width);
#pragma GCC unroll 8
            for (int i = 0; i < AT_ONCE; ++i) left = bounds.attempt(bits + i, AT_ONCE, left, own);
        } while (any(left));
#pragma GCC unroll 8
        for (int j = 0; j < size; ++j)
            for (int k = 0; k < K; ++k) number[j * K + k] = choose(chosen[k], own[j], number[j * K + k]);
    }

    // Planes that no number reaches are left out.
    static void draw_numbers(const V *last, const V *wanted, V *number, Random &random, int width) {
        for (; width > 0; --width) {
            V some = V{};
            for (int k = 0; k < K; ++k) some |= last[(width - 1) * K + k] & wanted[k];
            if (any(some)) break;
            for (int k = 0; k < K; ++k) number[(width - 1) * K + k] = V{};
        }
        switch (width) {
            case 0: return;
            case 1: return draw_width<1>(last, wanted, number, random, 1);
            case 2: return draw_width<2>(last, wanted, number, random, 2);
            case 3: return draw_width<3>(last, wanted, number, random, 3);
            case 4: return draw_width<4>(last, wanted, number, random, 4);
            case 5: return draw_width<5>(last, wanted, number, random, 5);
            case 6: return draw_width<6>(last, wanted, number, random, 6);
            case 7: return draw_width<7>(last, wanted, number, random, 7);
            default: return draw_width<0>(last, wanted, number, random, width);
        }
    }
