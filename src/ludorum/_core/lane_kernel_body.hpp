// The lane kernels, written once; lane_kernels.cpp includes this file for each instruction set, each time in
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
static inline V choose(V condition, V a, V b) { return ((a ^ b) & condition) ^ b; }

static inline V all_ones() { return ~V{}; }

template <int K>
struct Kernel {
    static constexpr std::uint32_t SLOT = K * VECTOR_BYTES;

    static inline V *at(char *slots, std::uint32_t offset) { return reinterpret_cast<V *>(slots + offset); }
    static inline const V *at(const char *slots, std::uint32_t offset) {
        return reinterpret_cast<const V *>(slots + offset);
    }

    // ---- gates ------------------------------------------------------------------------------------------

    // A loop of its own for each small shape: the compiler unrolls it and keeps everything in registers.
    template <int P, int N, bool FLIP>
    static void run_shape(const LaneRun &run, const std::uint32_t *in, char *slots) {
        for (std::uint32_t left = run.count; left; --left, in += P + N + 1) {
            V value[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) {
                V all = all_ones(), none = V{};
#pragma GCC unroll 8
                for (int i = 0; i < P; ++i) all = i ? all & at(slots, in[i])[k] : at(slots, in[i])[k];
#pragma GCC unroll 8
                for (int i = 0; i < N; ++i) none = i ? none | at(slots, in[P + i])[k] : at(slots, in[P + i])[k];
                value[k] = P == 0 ? (FLIP ? none : ~none) : N == 0 ? all : all & ~none;
            }
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) at(slots, in[P + N])[k] = value[k];
        }
    }

    static void run_any(const LaneRun &run, const std::uint32_t *in, char *slots) {
        const V flip = run.flip ? all_ones() : V{};
        for (std::uint32_t left = run.count; left; --left, ++in) {
            V all[K], none[K];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) all[k] = all_ones(), none[k] = V{};
            for (std::uint32_t i = 0; i < run.positive; ++i, ++in)
#pragma GCC unroll 8
                for (int k = 0; k < K; ++k) all[k] &= at(slots, *in)[k];
            for (std::uint32_t i = 0; i < run.negative; ++i, ++in)
#pragma GCC unroll 8
                for (int k = 0; k < K; ++k) none[k] |= at(slots, *in)[k];
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) at(slots, *in)[k] = (all[k] & ~none[k]) ^ flip;
        }
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

    static void evaluate(const PhaseCode &code, char *slots, void *saved) {
        for (std::uint32_t number = 0; number < code.segment_count; ++number) {
            const Segment &segment = code.segments[number];
            if (segment.first_carried == segment.end_carried)
                run_all(code, segment.first_run, segment.end_run, slots);
            else if (!segment.settled || code.all)
                run_loop(code, segment, slots, static_cast<V *>(saved));
        }
    }

    // From false upwards, or from where a step before has ended, until what travels back inside the loop stays
    // as it is. Parts are gone through to and fro, but for those that read nothing new.
    static void run_loop(const PhaseCode &code, const Segment &segment, char *slots, V *saved) {
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
        auto visit = [&](std::uint32_t number) -> std::uint32_t {
            if (!waiting[number]) return 0;
            waiting[number] = 0;
            const LoopPart &part = parts[number];
            if (!run_part(code, part, slots, saved + (part.first_carried - segment.first_carried) * K)) return 0;
            for (std::uint32_t user = part.first_user; user < part.end_user; ++user) waiting[code.users[user]] = 1;
            return 1;
        };
        for (;;) {
            std::uint32_t changed = 0;
            for (std::uint32_t number = 0; number < size; ++number) changed |= visit(number);
            if (!changed) return;
            changed = 0;
            for (std::uint32_t number = size; number-- > 0;) changed |= visit(number);
            if (!changed) return;
        }
    }

    // Whether something changed. What has been carried is kept: lanes without a game might go round in circles.
    static bool run_part(const PhaseCode &code, const LoopPart &part, char *slots, V *saved) {
        run_all(code, part.first_run, part.end_run, slots);
        V changed = V{};
        for (std::uint32_t i = part.first_carried; i < part.end_carried; ++i)
            for (int k = 0; k < K; ++k, ++saved) {
                V &slot = at(slots, code.carried[i])[k];
                const V now = slot | *saved;
                changed |= now ^ *saved;
                slot = *saved = now;
            }
        return any(changed);
    }

    // ---- random moves -----------------------------------------------------------------------------------

    // xoshiro256++ (Blackman, Vigna 2021), one generator for each 64 lanes; every lane sees a stream of bits.
    struct Random {
        V a, b, c, d;
        inline V next() {
            const V sum = a + d;
            const V result = ((sum << 23) | (sum >> 41)) + a;
            const V shifted = b << 17;
            c ^= a;
            d ^= b;
            b ^= c;
            a ^= d;
            c ^= shifted;
            d = (d << 45) | (d >> 19);
            return result;
        }
    };

    // The legal moves of one role counted by groups of eight, and by pairs of groups upwards. A node has one count
    // for each column, the planes of a count one after the other.
    struct Tree {
        V *levels[32];
        std::uint32_t sizes[32];
        std::uint32_t *active;
        int top;  // level of the root, -1 where no lane has a move
        int width() const { return 4 + top; }
        const V *total(int k) const { return levels[top] + k * width(); }
        // Lanes in which the role has two moves or more.
        V has_choice(int k) const {
            V more = V{};
            for (int j = 1; j < width(); ++j) more |= total(k)[j];
            return more;
        }
    };

    static inline void full_add(V a, V b, V c, V &sum, V &carry) {
        const V half = a ^ b;
        sum = half ^ c;
        carry = choose(half, c, a);
    }
    static inline void half_add(V a, V b, V &sum, V &carry) {
        sum = a ^ b;
        carry = a & b;
    }

    static inline void count_eight(const V *x, V *count) {
        V s0, s1, s2, c0, c1, c2, c3, t, d0, d1;
        full_add(x[0], x[1], x[2], s0, c0);
        full_add(x[3], x[4], x[5], s1, c1);
        half_add(x[6], x[7], s2, c2);
        full_add(s0, s1, s2, count[0], c3);
        full_add(c0, c1, c2, t, d0);
        half_add(t, c3, count[1], d1);
        half_add(d0, d1, count[2], count[3]);
    }

    static inline void load_legal(const Selection &s, const MoveGroup &group, int k, V *x) {
        if (group.negated)
            for (int i = 0; i < 8; ++i) x[i] = ~at(s.slots, group.legal[i])[k];
        else
            for (int i = 0; i < 8; ++i) x[i] = at(s.slots, group.legal[i])[k];
    }

    static inline V *moves_of(const Selection &s, std::uint32_t group, int k) {
        return at(s.does, 0) + static_cast<std::size_t>(group) * 8 * K + k;
    }

    static void clear_moves(const Selection &s, std::uint32_t group) {
        V *does = moves_of(s, group, 0);
        for (int i = 0; i < 8 * K; ++i) does[i] = V{};
        s.live[group] = 0;
    }

    static V *count_moves(const Selection &s, const RoleGroups &role, Tree &tree, V *free) {
        tree.active = s.active + role.first;
        tree.levels[0] = free;
        std::uint32_t size = 0;
        for (std::uint32_t g = role.first; g < role.end; ++g) {
            V x[K][8], some = V{};
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) {
                load_legal(s, s.groups[g], k, x[k]);
                some |= ((x[k][0] | x[k][1]) | (x[k][2] | x[k][3])) | ((x[k][4] | x[k][5]) | (x[k][6] | x[k][7]));
            }
            if (!any(some)) {
                if (s.live[g]) clear_moves(s, g);
                continue;
            }
#pragma GCC unroll 8
            for (int k = 0; k < K; ++k) count_eight(x[k], free + 4 * k);
            free += 4 * K;
            tree.active[size++] = g;
        }
        tree.sizes[0] = size;
        tree.top = size ? 0 : -1;
        while (size > 1) {
            const V *below = tree.levels[tree.top];
            V *above = free;
            switch (tree.top) {
                case 0: free = add_pairs<4>(below, size, free, 4); break;
                case 1: free = add_pairs<5>(below, size, free, 5); break;
                case 2: free = add_pairs<6>(below, size, free, 6); break;
                case 3: free = add_pairs<7>(below, size, free, 7); break;
                default: free = add_pairs<0>(below, size, free, 4 + tree.top);
            }
            size = (size + 1) / 2;
            tree.levels[++tree.top] = above;
            tree.sizes[tree.top] = size;
        }
        return free;
    }

    // Sums of pairs of counts, one plane wider; an odd one is taken over. WIDTH 0: as wide as `any_width`.
    template <int WIDTH>
    static V *add_pairs(const V *below, std::uint32_t size, V *free, int any_width) {
        const int width = WIDTH ? WIDTH : any_width;
        for (std::uint32_t i = 0; i + 1 < size; i += 2, below += K * width)
            for (int k = 0; k < K; ++k, below += width, free += width + 1) {
                const V *right = below + K * width;
                V carry;
                half_add(below[0], right[0], free[0], carry);
#pragma GCC unroll 8
                for (int j = 1; j < width; ++j) {
                    V following;
                    full_add(below[j], right[j], carry, free[j], following);
                    carry = following;
                }
                free[width] = carry;
            }
        if (size & 1)
            for (int k = 0; k < K; ++k, below += width, free += width + 1) {
                for (int j = 0; j < width; ++j) free[j] = below[j];
                free[width] = V{};
            }
        return free;
    }

    // One level down in one column: lanes go to the left child or past it to the right one; r becomes their rank
    // in it.
    template <int WIDTH>
    static void descend(const V *children, std::uint32_t below, const V *now, V *following, std::uint32_t size, V *r,
                        int any_width) {
        const int width = WIDTH ? WIDTH : any_width;
        V count[WIDTH ? WIDTH : 32];
#pragma GCC unroll 8
        for (int j = 0; j < width; ++j) count[j] = now[0] & children[j];
        for (std::uint32_t i = 1; i < size; ++i)
#pragma GCC unroll 8
            for (int j = 0; j < width; ++j) count[j] |= now[i] & children[2 * i * K * width + j];
        const V right = pass_by<WIDTH>(r, count, width);
        for (std::uint32_t i = 0; i + 1 < size; ++i) {
            following[2 * i] = now[i] & ~right;
            following[2 * i + 1] = now[i] & right;
        }
        following[2 * size - 2] = now[size - 1] & ~right;
        if (2 * size == below) following[2 * size - 1] = now[size - 1] & right;
    }

    // The same where most nodes have no lane: only those that have one are visited. Nodes are numbers and masks.
    template <int WIDTH>
    static std::uint32_t descend_few(const V *children, const std::uint32_t *nodes, const V *now, std::uint32_t size,
                                     std::uint32_t *nodes_below, V *following, V *r, int any_width) {
        const int width = WIDTH ? WIDTH : any_width;
        V count[WIDTH ? WIDTH : 32];
#pragma GCC unroll 8
        for (int j = 0; j < width; ++j) count[j] = V{};
        for (std::uint32_t i = 0; i < size; ++i)
#pragma GCC unroll 8
            for (int j = 0; j < width; ++j)
                count[j] |= now[i] & children[2 * static_cast<std::size_t>(nodes[i]) * K * width + j];
        const V right = pass_by<WIDTH>(r, count, width);
        std::uint32_t found = 0;
        for (std::uint32_t i = 0; i < size; ++i) {
            const V lefts = now[i] & ~right, rights = now[i] & right;
            nodes_below[found] = 2 * nodes[i];
            following[found] = lefts;
            found += any(lefts);
            nodes_below[found] = 2 * nodes[i] + 1;
            following[found] = rights;
            found += any(rights);
        }
        return found;
    }

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

        void attempt(Random *random) {
            V drawn[32][C], larger[C];
            Random own[C];  // in registers
#pragma GCC unroll 8
            for (int k = 0; k < C; ++k) larger[k] = V{}, own[k] = random[k];
            for (int j = 0; j < length; ++j)
#pragma GCC unroll 8
                for (int k = 0; k < C; ++k) {
                    const V bits = own[k].next() & mask[j][k];
                    larger[k] = choose(bits ^ last[j][k], bits, larger[k]);
                    drawn[j][k] = bits;
                }
#pragma GCC unroll 8
            for (int k = 0; k < C; ++k) random[k] = own[k];
            V accepted[C];
#pragma GCC unroll 8
            for (int k = 0; k < C; ++k) accepted[k] = open[k] & ~larger[k], open[k] &= larger[k];
            for (int j = 0; j < length; ++j)
#pragma GCC unroll 8
                for (int k = 0; k < C; ++k) r[j][k] |= drawn[j][k] & accepted[k];
        }
    };

    // Attempts for all columns; then the few lanes that are left share one column, as far as no two of them stand
    // in the same place.
    static constexpr int FULL_ATTEMPTS = 2;

    static void draw_all(Draw<K> &draw, int width, Random *random) {
        draw.begin(width);
        if constexpr (K > 1) {
            for (int attempt = 0; attempt < FULL_ATTEMPTS && !draw.done(); ++attempt) draw.attempt(random);
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
                while (!few.done()) few.attempt(random);
                for (int j = 0; j < draw.length; ++j)
                    for (int k = 0; k < K; ++k) draw.r[j][k] |= few.r[j][0] & chosen[k];
                for (int k = 0; k < K; ++k) draw.open[k] &= ~chosen[k];
            }
        } else {
            while (!draw.done()) draw.attempt(random);
        }
    }

    // Where r >= count: true, and r -= count.
    template <int WIDTH>
    static inline V pass_by(V *r, const V *count, int any_width) {
        const int width = WIDTH ? WIDTH : any_width;
        V difference[WIDTH ? WIDTH : 32];
        V borrow = V{};
#pragma GCC unroll 8
        for (int j = 0; j < width; ++j) {
            const V unequal = r[j] ^ count[j];
            difference[j] = unequal ^ borrow;
            borrow = choose(unequal, count[j], borrow);
        }
#pragma GCC unroll 8
        for (int j = 0; j < width; ++j) r[j] = choose(borrow, r[j], difference[j]);
        return ~borrow;
    }

    // One-hot: which of eight moves is the one with r legal moves before it.
    static inline void choose_of_eight(const V *x, V *r, V *hit) {
        V pair[4][2], left[3];
        for (int i = 0; i < 4; ++i) half_add(x[2 * i], x[2 * i + 1], pair[i][0], pair[i][1]);
        V carry;
        half_add(pair[0][0], pair[1][0], left[0], carry);
        full_add(pair[0][1], pair[1][1], carry, left[1], left[2]);
        const V upper = pass_by<3>(r, left, 3);
        V first_pair[2];
        for (int j = 0; j < 2; ++j) first_pair[j] = choose(upper, pair[2][j], pair[0][j]);
        const V second = pass_by<2>(r, first_pair, 2);
        const V even = choose(upper, choose(second, x[6], x[4]), choose(second, x[2], x[0]));
        const V odd = r[0] | ~even;  // the even one is skipped where it is not legal or not the last
        const V low = ~upper & ~second, low_two = ~upper & second, high = upper & ~second, high_two = upper & second;
        hit[0] = low & ~odd, hit[1] = low & odd;
        hit[2] = low_two & ~odd, hit[3] = low_two & odd;
        hit[4] = high & ~odd, hit[5] = high & odd;
        hit[6] = high_two & ~odd, hit[7] = high_two & odd;
    }

    // Beyond so many groups with legal moves most of them are chosen in no lane of a column.
    static constexpr std::uint32_t MANY_GROUPS = 4 * VECTOR_BYTES;

    // In one column; nothing is done of these groups as yet.
    static void choose_of_many(const Selection &s, const Tree &tree, int k, V *r, V wanted, V *masks) {
        const std::uint32_t most = tree.sizes[0] + 2;
        V *now = masks, *following = masks + most;
        std::uint32_t *nodes = reinterpret_cast<std::uint32_t *>(masks + 2 * most), *nodes_below = nodes + most;
        std::uint32_t size = any(wanted);
        nodes[0] = 0;
        now[0] = wanted;
        for (int level = tree.top; level > 0; --level) {
            const V *children = tree.levels[level - 1] + k * (3 + level);
            switch (level) {
                case 1: size = descend_few<4>(children, nodes, now, size, nodes_below, following, r, 4); break;
                case 2: size = descend_few<5>(children, nodes, now, size, nodes_below, following, r, 5); break;
                case 3: size = descend_few<6>(children, nodes, now, size, nodes_below, following, r, 6); break;
                case 4: size = descend_few<7>(children, nodes, now, size, nodes_below, following, r, 7); break;
                default: size = descend_few<0>(children, nodes, now, size, nodes_below, following, r, 3 + level);
            }
            V *swapped = now;
            now = following;
            following = swapped;
            std::uint32_t *others = nodes;
            nodes = nodes_below;
            nodes_below = others;
        }
        V seen[8], hit[8];
        for (int i = 0; i < 8; ++i) seen[i] = V{};
        for (std::uint32_t number = 0; number < size; ++number) {
            V x[8];
            load_legal(s, s.groups[tree.active[nodes[number]]], k, x);
            for (int i = 0; i < 8; ++i) seen[i] |= now[number] & x[i];
        }
        choose_of_eight(seen, r, hit);
        for (std::uint32_t number = 0; number < size; ++number) {
            const std::uint32_t group = tree.active[nodes[number]];
            V *does = moves_of(s, group, k);
            for (int i = 0; i < 8; ++i) does[i * K] = now[number] & hit[i];
            s.live[group] = 1;
        }
    }

    // In so many columns at once that they share what is read of the groups, and no more than registers allow.
    static constexpr int ABREAST = K < 2 ? K : 2;

    static void choose_of_few(const Selection &s, const Tree &tree, int first, V (*r)[32], const V *wanted, V *masks) {
        const std::uint32_t most = tree.sizes[0] + 2;
        V *now = masks, *following = masks + ABREAST * most;
        for (int c = 0; c < ABREAST; ++c) now[c * most] = wanted[c];
        for (int level = tree.top; level > 0; --level) {
            const std::uint32_t size = tree.sizes[level], below = tree.sizes[level - 1];
            for (int c = 0; c < ABREAST; ++c) {
                const V *children = tree.levels[level - 1] + (first + c) * (3 + level);
                const V *from = now + c * most;
                V *to = following + c * most;
                switch (level) {
                    case 1: descend<4>(children, below, from, to, size, r[c], 4); break;
                    case 2: descend<5>(children, below, from, to, size, r[c], 5); break;
                    case 3: descend<6>(children, below, from, to, size, r[c], 6); break;
                    case 4: descend<7>(children, below, from, to, size, r[c], 7); break;
                    default: descend<0>(children, below, from, to, size, r[c], 3 + level);
                }
            }
            V *swapped = now;
            now = following;
            following = swapped;
        }
        V seen[ABREAST][8], hit[ABREAST][8];
        for (int c = 0; c < ABREAST; ++c)
            for (int i = 0; i < 8; ++i) seen[c][i] = V{};
        for (std::uint32_t number = 0; number < tree.sizes[0]; ++number) {
            const MoveGroup &group = s.groups[tree.active[number]];
            V lanes[ABREAST];
            for (int c = 0; c < ABREAST; ++c) lanes[c] = now[c * most + number];
            if (group.negated) {
#pragma GCC unroll 8
                for (int i = 0; i < 8; ++i)
#pragma GCC unroll 8
                    for (int c = 0; c < ABREAST; ++c)
                        seen[c][i] |= lanes[c] & ~at(s.slots, group.legal[i])[first + c];
            } else {
#pragma GCC unroll 8
                for (int i = 0; i < 8; ++i)
#pragma GCC unroll 8
                    for (int c = 0; c < ABREAST; ++c)
                        seen[c][i] |= lanes[c] & at(s.slots, group.legal[i])[first + c];
            }
        }
        for (int c = 0; c < ABREAST; ++c) choose_of_eight(seen[c], r[c], hit[c]);
        for (std::uint32_t number = 0; number < tree.sizes[0]; ++number) {
            V *does = moves_of(s, tree.active[number], first);
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i)
#pragma GCC unroll 8
                for (int c = 0; c < ABREAST; ++c) does[i * K + c] = now[c * most + number] & hit[c][i];
        }
    }

    static void choose_move(const Selection &s, const Tree &tree, const Draw<K> &draw, const V *lanes, const V *wanted,
                            V *masks) {
        const bool many = tree.sizes[0] > MANY_GROUPS;
        for (std::uint32_t number = 0; number < tree.sizes[0]; ++number) {
            const std::uint32_t group = tree.active[number];
            if (!many)
                s.live[group] = 1;
            else if (s.live[group])
                clear_moves(s, group);
        }
        for (int first = 0; first < K; first += ABREAST) {
            V r[ABREAST][32];
            for (int j = 0; j < tree.width(); ++j)
                for (int c = 0; c < ABREAST; ++c) r[c][j] = draw.r[j][first + c] & lanes[first + c];
            if (!many) choose_of_few(s, tree, first, r, wanted + first, masks);
            for (int c = 0; many && c < ABREAST; ++c) choose_of_many(s, tree, first + c, r[c], wanted[first + c], masks);
        }
    }

    static void select(const Selection &s) {
        V *free = static_cast<V *>(s.scratch);
        Random *random = static_cast<Random *>(s.random);
        Tree *trees = reinterpret_cast<Tree *>(free);
        free += (s.role_count * sizeof(Tree) + VECTOR_BYTES - 1) / VECTOR_BYTES;
        const V *over = static_cast<const V *>(s.over);
        V playing[K], choosing[K], shared[K];
        for (int k = 0; k < K; ++k) playing[k] = ~over[k], choosing[k] = shared[k] = V{};
        int width = 0;
        for (std::uint32_t role = 0; role < s.role_count; ++role) {
            Tree &tree = trees[role];
            free = count_moves(s, s.roles[role], tree, free);
            for (int k = 0; k < K; ++k) {
                const V more = tree.top < 0 ? V{} : tree.has_choice(k);
                playing[k] &= tree.top < 0 ? V{} : more | tree.total(k)[0];
                shared[k] |= choosing[k] & more;
                choosing[k] |= more;
            }
            if (tree.top >= 0 && tree.width() > width) width = tree.width();
        }
        V twice = V{};
        for (int k = 0; k < K; ++k) {
            static_cast<V *>(s.stuck)[k] = ~playing[k] & ~over[k];
            twice |= shared[k] & playing[k];
        }
        // Where at most one role of each lane has a choice, as in all games with turns, one draw serves all.
        const bool once = !any(twice);
        Draw<K> draw;
        if (once) {
            for (int j = 0; j < width; ++j)
                for (int k = 0; k < K; ++k) draw.last[j][k] = V{};
            for (std::uint32_t role = 0; role < s.role_count; ++role)
                if (trees[role].top >= 0) add_last(trees[role], playing, draw);
            draw_all(draw, width, random);
        }
        for (std::uint32_t role = 0; role < s.role_count; ++role) {
            const Tree &tree = trees[role];
            if (tree.top < 0) continue;
            if (!once) {
                for (int j = 0; j < tree.width(); ++j)
                    for (int k = 0; k < K; ++k) draw.last[j][k] = V{};
                add_last(tree, playing, draw);
                draw_all(draw, tree.width(), random);
            }
            V lanes[K];
            for (int k = 0; k < K; ++k) lanes[k] = tree.has_choice(k);
            choose_move(s, tree, draw, lanes, playing, free);
        }
    }

    // The largest number that may be drawn, in the lanes where this role has a choice.
    static void add_last(const Tree &tree, const V *playing, Draw<K> &draw) {
        for (int k = 0; k < K; ++k) {
            const V *total = tree.total(k), wanted = playing[k] & tree.has_choice(k);
            V borrow = wanted;
            for (int j = 0; j < tree.width(); ++j) {
                draw.last[j][k] |= (total[j] & wanted) ^ borrow;
                borrow &= ~total[j];
            }
        }
    }

    // ---- moving planes ----------------------------------------------------------------------------------

    // The first `save_first` copies read slots that others write: they are saved before anything is written.
    static void copy(const Copy *copies, std::uint32_t count, char *slots, void *saved, std::uint32_t save_first) {
        V *kept = static_cast<V *>(saved);
        for (std::uint32_t i = 0; i < save_first; ++i)
            for (int k = 0; k < K; ++k) kept[i * K + k] = at(slots, copies[i].from)[k];
        for (std::uint32_t i = save_first; i < count; ++i) {
            const V flip = copies[i].negated ? all_ones() : V{};
            for (int k = 0; k < K; ++k) at(slots, copies[i].to)[k] = at(slots, copies[i].from)[k] ^ flip;
        }
        for (std::uint32_t i = 0; i < save_first; ++i) {
            const V flip = copies[i].negated ? all_ones() : V{};
            for (int k = 0; k < K; ++k) at(slots, copies[i].to)[k] = kept[i * K + k] ^ flip;
        }
    }

    static void reset(const std::uint64_t *initial, std::uint32_t fluents, char *slots, const void *which) {
        const V *lanes = static_cast<const V *>(which);
        for (std::uint32_t i = 0; i < fluents; ++i) {
            const V start = V{} | initial[i];
            V *slot = at(slots, i * SLOT);
            for (int k = 0; k < K; ++k) slot[k] = choose(lanes[k], start, slot[k]);
        }
    }

    static void take(const std::uint32_t *offsets, std::uint32_t count, char *to, const char *from,
                     const void *which) {
        const V *lanes = static_cast<const V *>(which);
        for (std::uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < K; ++k)
                at(to, offsets[i])[k] = choose(lanes[k], at(from, offsets[i])[k], at(to, offsets[i])[k]);
    }

    // Here and not in the plain code: there a bit count would be a call on machines before SSE 4.2.
    static std::uint64_t count(const char *slot, bool negated, const void *which) {
        const std::uint64_t *bits = reinterpret_cast<const std::uint64_t *>(slot);
        const std::uint64_t *lanes = static_cast<const std::uint64_t *>(which);
        const std::uint64_t flip = negated ? ~0ull : 0ull;
        std::uint64_t total = 0;
        for (std::uint32_t word = 0; word < SLOT / 8; ++word)
            total += static_cast<std::uint64_t>(__builtin_popcountll((bits[word] ^ flip) & lanes[word]));
        return total;
    }

    static std::uint64_t stream(const char *memory, std::size_t bytes) {
        V sums[4] = {V{}, V{}, V{}, V{}};
        const V *vectors = reinterpret_cast<const V *>(memory);
        for (std::size_t at = 0; at + 4 <= bytes / VECTOR_BYTES; at += 4)
            for (int i = 0; i < 4; ++i) sums[i] ^= vectors[at + i];
        return ((sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3]))[0];
    }

    static LaneKernels table(const char *name) {
        return {name, SLOT * 8, VECTOR_BYTES, &evaluate, &select, &copy, &reset, &take, &count, &stream};
    }
};
