// The lane kernels, written once; lanes/kernels.cpp includes this file for each instruction set, each time in
// another namespace with VECTOR_BYTES set. Nothing of the standard library may be used here: its inline
// functions would be compiled for the wrong instruction set and shared with all others.

typedef std::uint64_t V __attribute__((vector_size(VECTOR_BYTES), aligned(VECTOR_BYTES), may_alias));

static inline bool any(V v) {
#if VECTOR_BYTES == 16
    return ANY_128(v);
#elif VECTOR_BYTES == 32
    return !__builtin_ia32_ptestz256((Quads)v, (Quads)v);
#else
    return ANY_512(v);
#endif
}

// For each bit: a where the condition holds, else b.
static inline V choose(V condition, V a, V b) {
#if VECTOR_BYTES == 16 && defined(__aarch64__)
    return (V)vbslq_u64((uint64x2_t)condition, (uint64x2_t)a, (uint64x2_t)b);  // else the compiler takes it to pieces
#elif VECTOR_BYTES == 64
    return TABLE_512(condition, a, b, 0xCA);  // compilers find only some of these
#else
    return ((a ^ b) & condition) ^ b;
#endif
}

static inline V all_ones() { return ~V{}; }

template <int K>
struct Kernel {
    static constexpr std::uint32_t SLOT = K * VECTOR_BYTES;

    static inline V *at(char *slots, std::uint32_t offset) { return reinterpret_cast<V *>(slots + offset); }
    static inline const V *at(const char *slots, std::uint32_t offset) {
        return reinterpret_cast<const V *>(slots + offset);
    }

    // The address of a slot of which all columns are needed. The compiler must not see how it came about: else it
    // reads the first column by base and offset, and only the others by pairs.
    template <class Slot>
    static inline Slot *whole(Slot *slot) {
#if defined(__aarch64__)
        if constexpr (K > 1) asm("" : "+r"(slot));
#endif
        return slot;
    }

    // ---- gates ------------------------------------------------------------------------------------------

    // A loop of its own for each small shape: the compiler unrolls it and keeps everything in registers.
    template <int P, int N, bool FLIP>
    static void run_shape(const LaneRun &run, const std::uint32_t *in, char *slots) {
        for (std::uint32_t left = run.count; left; --left, in += P + N + 1) {
            const V *from[P + N];
#pragma GCC unroll 8
            for (int i = 0; i < P + N; ++i) from[i] = whole(at(slots, in[i]));
            V *to = whole(at(slots, in[P + N]));  // here: the compiler must think that a result may change the stream
            V value[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) {
                V all = all_ones(), none = V{};
#pragma GCC unroll 8
                for (int i = 0; i < P; ++i) all = i ? all & from[i][k] : from[i][k];
#pragma GCC unroll 8
                for (int i = 0; i < N; ++i) none = i ? none | from[P + i][k] : from[P + i][k];
                value[k] = P == 0 ? (FLIP ? none : ~none) : N == 0 ? all : all & ~none;
            }
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) to[k] = value[k];
        }
    }

    static void run_any(const LaneRun &run, const std::uint32_t *in, char *slots) {
        const V flip = run.flip ? all_ones() : V{};
        for (std::uint32_t left = run.count; left; --left, ++in) {
            V all[K], none[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) all[k] = all_ones(), none[k] = V{};
            in = join<true>(in, run.positive, slots, all);
            in = join<false>(in, run.negative, slots, none);
            V *to = at(slots, *in);
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) to[k] = (all[k] & ~none[k]) ^ flip;
        }
    }

    // Many inputs by AND or by OR, four at a time: one by one each would wait for the one before it.
    template <bool AND>
    static inline const std::uint32_t *join(const std::uint32_t *in, std::uint32_t count, const char *slots, V *value) {
        auto both = [](V a, V b) { return AND ? a & b : a | b; };
        for (; count >= 4; count -= 4, in += 4) {
            const V *a = at(slots, in[0]), *b = at(slots, in[1]), *c = at(slots, in[2]), *d = at(slots, in[3]);
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) value[k] = both(value[k], both(both(a[k], b[k]), both(c[k], d[k])));
        }
        for (; count; --count, ++in)
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) value[k] = both(value[k], at(slots, *in)[k]);
        return in;
    }

    typedef void (*RunShape)(const LaneRun &, const std::uint32_t *, char *);
    static constexpr int SHAPES = 7;

    template <int P, int N>
    static constexpr RunShape shape() {
        if constexpr (P + N == 0 || P + N > 6)
            return &run_any;
        else
            return &run_shape<P, N, false>;
    }

#define ROW(p) {shape<p, 0>(), shape<p, 1>(), shape<p, 2>(), shape<p, 3>(), shape<p, 4>(), shape<p, 5>(), shape<p, 6>()}
    static constexpr RunShape TABLE[SHAPES][SHAPES] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6)};
#undef ROW
    // Stored negated: a fluent that holds where one of some inputs does. Others are rare.
    static constexpr RunShape ONE_OF[SHAPES] = {&run_any,
                                                &run_shape<0, 1, true>,
                                                &run_shape<0, 2, true>,
                                                &run_shape<0, 3, true>,
                                                &run_shape<0, 4, true>,
                                                &run_shape<0, 5, true>,
                                                &run_shape<0, 6, true>};

    static void run_all(const PhaseCode &code, std::uint32_t first, std::uint32_t end, char *slots) {
        for (std::uint32_t number = first; number < end; ++number) {
            const LaneRun &run = code.runs[number];
            const std::uint32_t *in = code.inputs + run.first_input;
            if (run.flip)
                (run.positive == 0 && run.negative < SHAPES ? ONE_OF[run.negative] : &run_any)(run, in, slots);
            else if (run.positive < SHAPES && run.negative < SHAPES)
                TABLE[run.positive][run.negative](run, in, slots);
            else
                run_any(run, in, slots);
        }
    }

    static inline void run_native(const PhaseCode &code, std::size_t entry, std::uint32_t first, std::uint32_t end,
                                  char *slots) {
        if (code.entries && code.entries[entry])
            code.entries[entry](slots, slots + SLOT);
        else
            run_all(code, first, end, slots);
    }

    static std::uint64_t evaluate(const PhaseCode &code, char *slots, void *saved) {
        std::uint64_t read = 0;
        for (std::uint32_t number = 0; number < code.segment_count; ++number) {
            const Segment &segment = code.segments[number];
            if (!segment.is_loop())
                run_native(code, number, segment.first_run, segment.end_run, slots);
            else if (!segment.settled || code.all)
                read += run_loop(code, segment, slots, static_cast<V *>(saved));
        }
        return read;
    }

    // From false upwards, or from where a step before has ended, until what travels back inside the loop stays
    // as it is. Parts are gone through to and fro, but for those that read nothing new. Returns the gate inputs read.
    static std::uint64_t run_loop(const PhaseCode &code, const Segment &segment, char *slots, V *saved) {
        const std::uint32_t count = segment.end_carried - segment.first_carried;
        const std::uint32_t *carried = code.carried + segment.first_carried;
        if (!segment.warm)
            for (std::uint32_t i = 0; i < count; ++i)
                for (int k = 0; k < K; ++k) at(slots, carried[i])[k] = V{};
        for (std::uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < K; ++k) saved[i * K + k] = at(slots, carried[i])[k];
        const LoopPart *parts = code.parts + segment.first_part;
        const std::uint32_t size = segment.end_part - segment.first_part;
        std::uint8_t *waiting = reinterpret_cast<std::uint8_t *>(saved + count * K);
        for (std::uint32_t i = 0; i < size; ++i) waiting[i] = 1;
        std::uint64_t read = 0;
        auto visit = [&](std::uint32_t number) -> std::uint32_t {
            if (!waiting[number]) return 0;
            waiting[number] = 0;
            const LoopPart &part = parts[number];
            read += part.literals;
            if (!run_part(code, part, slots, saved + (part.first_carried - segment.first_carried) * K)) return 0;
            for (std::uint32_t user = part.first_user; user < part.end_user; ++user) waiting[code.users[user]] = 1;
            return 1;
        };
        for (;;) {
            std::uint32_t changed = 0;
            for (std::uint32_t number = 0; number < size; ++number) changed |= visit(number);
            if (!changed) return read;
            changed = 0;
            for (std::uint32_t number = size; number-- > 0;) changed |= visit(number);
            if (!changed) return read;
        }
    }

    // Whether something changed. What has been carried is kept: lanes without a game might go round in circles.
    static bool run_part(const PhaseCode &code, const LoopPart &part, char *slots, V *saved) {
        const std::size_t entry = code.segment_count + static_cast<std::size_t>(&part - code.parts);
        run_native(code, entry, part.first_run, part.end_run, slots);
        V changed = V{};
        for (std::uint32_t i = part.first_carried; i < part.end_carried; ++i, saved += K) {
            V *slot = at(slots, code.carried[i]);
            V now[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) {
                now[k] = slot[k] | saved[k];
                changed |= now[k] ^ saved[k];
            }
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) slot[k] = saved[k] = now[k];
        }
        return any(changed);
    }

    // ---- random moves -----------------------------------------------------------------------------------

#include "lanes/draw_body.hpp"
#include "lanes/select_body.hpp"

    // ---- moving planes ----------------------------------------------------------------------------------

    // The first `save_first` copies read slots that others write: they are saved before anything is written.
    static void copy(const Copy *copies, std::uint32_t count, char *slots, void *saved, std::uint32_t save_first,
                     const void *which) {
        V *kept = static_cast<V *>(saved);
        const V *lanes = static_cast<const V *>(which);
        for (std::uint32_t i = 0; i < save_first; ++i)
            for (int k = 0; k < K; ++k) kept[i * K + k] = at(slots, copies[i].from)[k];
        for (std::uint32_t i = save_first; i < count; ++i)
            copy_slot(at(slots, copies[i].to), at(slots, copies[i].from), copies[i].negated, lanes);
        for (std::uint32_t i = 0; i < save_first; ++i)
            copy_slot(at(slots, copies[i].to), kept + i * K, copies[i].negated, lanes);
    }

    static inline void copy_slot(V *to, const V *from, std::uint32_t negated, const V *lanes) {
        const V flip = negated ? all_ones() : V{};
        if (lanes)
            for (int k = 0; k < K; ++k) to[k] = choose(lanes[k], from[k] ^ flip, to[k]);
        else
            for (int k = 0; k < K; ++k) to[k] = from[k] ^ flip;
    }

    // Lanes as a value: slots that are written cannot change it.
    struct Which {
        V lanes[K];
        explicit Which(const void *which) {
            for (int k = 0; k < K; ++k) lanes[k] = static_cast<const V *>(which)[k];
        }
    };

    static void reset(const std::uint64_t *initial, std::uint32_t fluents, char *slots, const void *which) {
        const Which own(which);
        for (std::uint32_t i = 0; i < fluents; ++i) {
            const V start = V{} | initial[i];
            V *slot = whole(at(slots, i * SLOT));
            V value[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) value[k] = choose(own.lanes[k], start, slot[k]);
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) slot[k] = value[k];
        }
    }

    static void clear(const std::uint32_t *offsets, std::uint32_t count, char *slots, const void *which) {
        const Which own(which);
        for (std::uint32_t i = 0; i < count; ++i) {
            V *slot = at(slots, offsets[i]);
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) slot[k] &= ~own.lanes[k];
        }
    }

    static void take(const std::uint32_t *offsets, std::uint32_t count, char *to, const char *from,
                     const void *which) {
        const Which own(which);
        for (std::uint32_t i = 0; i < count; ++i) {
            V *slot = at(to, offsets[i]);
            const V *other = at(from, offsets[i]);
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) slot[k] = choose(own.lanes[k], other[k], slot[k]);
        }
    }

    // Here and not in the plain code: there a bit count would be a call on machines before SSE 4.2.
    static inline std::uint64_t count(const V *slot, bool negated, const V *lanes) {
#if VECTOR_BYTES == 16 && defined(__aarch64__)
        const V flip = negated ? all_ones() : V{};
        uint8x16_t bytes = vdupq_n_u8(0);
        for (int k = 0; k < K; ++k) bytes = vaddq_u8(bytes, vcntq_u8((uint8x16_t)((slot[k] ^ flip) & lanes[k])));
        return vaddlvq_u8(bytes);
#else
        const std::uint64_t *bits = reinterpret_cast<const std::uint64_t *>(slot);
        const std::uint64_t *words = reinterpret_cast<const std::uint64_t *>(lanes);
        const std::uint64_t flip = negated ? ~0ull : 0ull;
        std::uint64_t total = 0;
        for (std::uint32_t word = 0; word < SLOT / 8; ++word)
            total += static_cast<std::uint64_t>(__builtin_popcountll((bits[word] ^ flip) & words[word]));
        return total;
#endif
    }

    static Ended end(const StepEnds &e) {
        const V *over = static_cast<const V *>(e.over), *playing = static_cast<const V *>(e.playing);
        const V *active = static_cast<const V *>(e.active);
        V *waiting = static_cast<V *>(e.waiting), *counted = static_cast<V *>(e.counted);
        V *ended = static_cast<V *>(e.ended), *ended_counted = static_cast<V *>(e.ended_counted);
        V stuck = V{};
#pragma GCC unroll 8
        for (int k = 0; k < K; ++k) {
            V lanes = ~(playing[k] | waiting[k]);
            if (active) lanes &= active[k];
            stuck |= lanes & ~over[k];
            ended[k] = lanes;
            waiting[k] |= lanes;
            ended_counted[k] = lanes & counted[k];
            counted[k] &= ~lanes;
        }
        return {count(ended_counted, false, ended_counted), any(stuck)};
    }

    static void count_all(const char *slots, const Place *places, std::size_t size, const void *which,
                          std::uint64_t *counts) {
        const V *lanes = static_cast<const V *>(which);
        for (std::size_t i = 0; i < size; ++i) counts[i] = count(at(slots, places[i].offset), places[i].negated, lanes);
    }

    static std::uint64_t stream(const char *memory, std::size_t bytes) {
        V sums[4] = {V{}, V{}, V{}, V{}};
        const V *vectors = reinterpret_cast<const V *>(memory);
        for (std::size_t at = 0; at + 4 <= bytes / VECTOR_BYTES; at += 4)
            for (int i = 0; i < 4; ++i) sums[i] ^= vectors[at + i];
        return ((sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3]))[0];
    }

    static LaneKernels table(const char *name, bool native) {
        return {name,  SLOT * 8, VECTOR_BYTES, native, &evaluate, &select,    &draw,
                &copy, &reset,   &clear,       &take,  &end,      &count_all, &stream};
    }
};
