// Random numbers for all lanes, a part of the lane kernels: lane_kernel_body.hpp includes this file in its struct.

    // xoshiro256++ (Blackman, Vigna 2021), one generator for each 64 lanes; every lane sees a stream of bits.
    struct Random {
        V a, b, c, d;
        inline V next() {
            const V sum = a + d;
            const V result = rotate<23>(sum) + a;
            const V shifted = b << 17;
            c ^= a;
            d ^= b;
            b ^= c;
            a ^= d;
            c ^= shifted;
            d = rotate<45>(d);
            return result;
        }
    };

    // Uniform numbers below the totals of all lanes that want one, 0 in the others. Random bits as long as total - 1
    // is, drawn again in the lanes where they are too large: without any bias, and free where there is no choice.
    // The planes of C columns stand side by side: a generator is one long chain of operations, so that several at
    // once cost little more than one.
    template <int C>
    struct Draw {
        V last[32][C], mask[32][C], r[32][C];
        V open[C];   // lanes that have no number yet
        int length;  // planes of the largest last number

        void begin(int width) {
            V seen[C];
            for (int k = 0; k < C; ++k) seen[k] = V{};
            length = 0;
            for (int j = width; j-- > 0;) {
                V some = V{};
                for (int k = 0; k < C; ++k) {
                    mask[j][k] = seen[k] |= last[j][k];
                    some |= seen[k];
                    r[j][k] = V{};
                }
                if (length == 0 && any(some)) length = j + 1;
            }
            for (int k = 0; k < C; ++k) open[k] = seen[k];
        }

        bool done() const {
            V some = open[0];
            for (int k = 1; k < C; ++k) some |= open[k];
            return !any(some);
        }

        // What was drawn stands where a lane is open; it is drawn again there where it is too large.
        template <bool FIRST>
        void attempt(Random *random) {
            V larger[C];
            Random own[C];  // in registers
#pragma GCC unroll 8
            for (int k = 0; k < C; ++k) larger[k] = V{}, own[k] = random[k];
            for (int j = 0; j < length; ++j)
#pragma GCC unroll 8
                for (int k = 0; k < C; ++k) {
                    const V bits = own[k].next() & mask[j][k];
                    larger[k] = choose(bits ^ last[j][k], bits, larger[k]);
                    r[j][k] = FIRST ? bits : choose(open[k], bits, r[j][k]);
                }
#pragma GCC unroll 8
            for (int k = 0; k < C; ++k) random[k] = own[k], open[k] &= larger[k];
        }
    };

    // Attempts for all columns; then the few lanes that are left share one column, as far as no two of them stand
    // in the same place.
    static constexpr int FULL_ATTEMPTS = 2;

    static void draw_all(Draw<K> &draw, int width, Random *random) {
        draw.begin(width);
        if constexpr (K > 1) {
            draw.template attempt<true>(random);
            for (int attempt = 1; attempt < FULL_ATTEMPTS && !draw.done(); ++attempt) draw.template attempt<false>(random);
            while (!draw.done()) {
                Draw<1> few;
                V chosen[K], before = V{};
                for (int k = 0; k < K; ++k) chosen[k] = draw.open[k] & ~before, before |= draw.open[k];
                for (int j = 0; j < draw.length; ++j) {
                    V last = V{};
                    for (int k = 0; k < K; ++k) last |= draw.last[j][k] & chosen[k];
                    few.last[j][0] = last;
                }
                few.begin(draw.length);
                few.template attempt<true>(random);
                while (!few.done()) few.template attempt<false>(random);
                for (int j = 0; j < draw.length; ++j)
                    for (int k = 0; k < K; ++k) draw.r[j][k] = choose(chosen[k], few.r[j][0], draw.r[j][k]);
                for (int k = 0; k < K; ++k) draw.open[k] &= ~chosen[k];
            }
        } else {
            draw.template attempt<true>(random);
            while (!draw.done()) draw.template attempt<false>(random);
        }
    }
