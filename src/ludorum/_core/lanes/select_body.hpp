// The choice of random moves, a part of the lane kernels: lanes/kernel_body.hpp includes this file in its struct.
// Moves are counted in groups of eight and in a tree above them; a random rank then goes down the tree.

    // The legal moves of one role counted by groups of eight, and by pairs of groups upwards. A node has one count
    // for each column, the planes of a count one after the other.
    struct Tree {
        V *levels[32];
        std::uint32_t sizes[32];
        std::uint32_t *active;
        std::uint32_t negated;  // the first of the active groups whose slots hold the opposite
        int top;  // level of the root, -1 where no lane has a move
        int width() const { return 4 + top; }
        const V *total(int k) const { return levels[top] + k * width(); }
    };

    static inline void full_add(V a, V b, V c, V &sum, V &carry) {
#if VECTOR_BYTES == 64
        const V odd = TABLE_512(a, b, c, 0x96);
        carry = TABLE_512(a, b, c, 0xE8);
        sum = odd;
#else
        const V half = a ^ b;
        sum = half ^ c;
        carry = choose(half, c, a);
#endif
    }
    // The difference of two bits; what is borrowed of the next ones takes the place of what was borrowed of these.
    static inline V subtract(V a, V b, V &borrow) {
#if VECTOR_BYTES == 64
        const V difference = TABLE_512(a, b, borrow, 0x96);
        borrow = TABLE_512(a, b, borrow, 0x8E);
#else
        const V unequal = a ^ b, difference = unequal ^ borrow;
        borrow = choose(unequal, b, borrow);
#endif
        return difference;
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

    // What `live` says of a group: nothing of it is done, something was done before, or is chosen now.
    static constexpr std::uint8_t IDLE = 0, DONE = 1, CHOSEN = 2;

    // With one column, a group that is chosen again is written as a whole, and need not be cleared.
    static constexpr bool CLEARS_LATER = K == 1;

    // Nothing is done any more of the groups of a role that something was done of, but for those that are chosen now.
    // `numbers` is scratch, an entry for each of its groups.
    static void clear_moves(const Selection &s, const RoleGroups &role, std::uint32_t *numbers) {
        std::uint32_t size = 0;
        for (std::uint32_t group = role.first; group < role.end; ++group) {
            numbers[size] = group;
            size += s.live[group] == DONE;
            s.live[group] = s.live[group] == CHOSEN ? DONE : IDLE;
        }
        for (std::uint32_t i = 0; i < size; ++i) {
            V *does = moves_of(s, numbers[i], 0);
            for (int j = 0; j < 8 * K; ++j) does[j] = V{};
        }
    }

    // Beyond so many groups most of them are chosen in no lane of a column, and many have no legal move.
    static constexpr std::uint32_t MANY_GROUPS = 4 * VECTOR_BYTES;

    // How many moves of a group are legal, and the lanes that have some.
    static inline V count_group(char *slots, const MoveGroup &group, V *counts) {
        return group.negated ? count_group<true>(slots, group, counts) : count_group<false>(slots, group, counts);
    }

    template <bool NEGATED>
    static inline V count_group(char *slots, const MoveGroup &group, V *counts) {
        V some = V{};
        const V *legal[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) legal[i] = at(slots, group.legal[i]);
#pragma GCC unroll 8
        for (int k = 0; k < K; ++k) {
            V x[8], count[4];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) x[i] = NEGATED ? ~legal[i][k] : legal[i][k];
            count_eight(x, count);
            some |= (count[0] | count[1]) | (count[2] | count[3]);
#pragma GCC unroll 8
            for (int j = 0; j < 4; ++j) counts[4 * k + j] = count[j];
        }
        return some;
    }

    // All groups, where they are few: to leave some out would cost more than it saves.
    static V *count_few(const Selection &s, const RoleGroups &role, Tree &tree, V *free) {
        char *slots = s.slots;
        const MoveGroup *groups = s.groups;
        std::uint32_t *active = tree.active;
        std::uint32_t negated = 0;
        for (std::uint32_t g = role.first; g < role.end; ++g, free += 4 * K) {
            count_group(slots, groups[g], free);
            *active++ = g;
            negated += !groups[g].negated;
        }
        tree.negated = negated;
        tree.sizes[0] = role.end - role.first;
        return free;
    }

    // Those with a legal move in some lane. Which they are cannot be foreseen, so that there is no branch on it.
    static V *count_many(const Selection &s, const RoleGroups &role, Tree &tree, V *free) {
        char *slots = s.slots;
        const MoveGroup *groups = s.groups;
        std::uint32_t *active = tree.active;
        std::uint32_t size = 0, negated = 0;
        for (std::uint32_t g = role.first; g < role.end; ++g) {
            const V some = count_group(slots, groups[g], free);
            const std::uint32_t found = any(some);
            active[size] = g;
            size += found;
            negated += found & !groups[g].negated;
            free += found * 4 * K;
        }
        tree.negated = negated;
        tree.sizes[0] = size;
        return free;
    }

    static V *count_moves(const Selection &s, const RoleGroups &role, Tree &tree, V *free) {
        tree.active = s.active + role.first;
        tree.levels[0] = free;
        if (role.end - role.first > MANY_GROUPS) {
            if (!CLEARS_LATER) clear_moves(s, role, tree.active);
            free = count_many(s, role, tree, free);
        } else {
            free = count_few(s, role, tree, free);
        }
        std::uint32_t size = tree.sizes[0];
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

    // Where r >= count: true, and r -= count.
    template <int WIDTH>
    static inline V pass_by(V *r, const V *count, int any_width) {
        const int width = WIDTH ? WIDTH : any_width;
        V difference[WIDTH ? WIDTH : 32];
        V borrow = V{};
#pragma GCC unroll 8
        for (int j = 0; j < width; ++j) difference[j] = subtract(r[j], count[j], borrow);
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
            const V lanes = now[number];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) seen[i] |= lanes & x[i];
        }
        choose_of_eight(seen, r, hit);
        for (std::uint32_t number = 0; number < size; ++number) {
            const std::uint32_t group = tree.active[nodes[number]];
            V *does = moves_of(s, group, k);
            const V lanes = now[number];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) does[i * K] = lanes & hit[i];
            s.live[group] = CLEARS_LATER ? CHOSEN : DONE;
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
        // Groups that hold the opposite come last.
        see_moves<false>(s, tree, 0, tree.negated, first, now, most, seen);
        see_moves<true>(s, tree, tree.negated, tree.sizes[0], first, now, most, seen);
        for (int c = 0; c < ABREAST; ++c) choose_of_eight(seen[c], r[c], hit[c]);
        for (std::uint32_t number = 0; number < tree.sizes[0]; ++number) {
            V *does = moves_of(s, tree.active[number], first);
            V lanes[ABREAST];
            for (int c = 0; c < ABREAST; ++c) lanes[c] = now[c * most + number];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i)
#pragma GCC unroll 8
                for (int c = 0; c < ABREAST; ++c) does[i * K + c] = lanes[c] & hit[c][i];
        }
    }

    // The legal moves of the group that each lane has chosen.
    template <bool NEGATED>
    static inline void see_moves(const Selection &s, const Tree &tree, std::uint32_t begin, std::uint32_t end, int first,
                                 const V *chosen, std::uint32_t most, V (*seen)[8]) {
        for (std::uint32_t number = begin; number < end; ++number) {
            const MoveGroup &group = s.groups[tree.active[number]];
            V lanes[ABREAST];
            for (int c = 0; c < ABREAST; ++c) lanes[c] = chosen[c * most + number];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) {
                const V *legal = at(s.slots, group.legal[i]) + first;
#pragma GCC unroll 8
                for (int c = 0; c < ABREAST; ++c) seen[c][i] |= lanes[c] & (NEGATED ? ~legal[c] : legal[c]);
            }
        }
    }

    static void choose_move(const Selection &s, const RoleGroups &role, const Tree &tree, const V *rank, const V *wanted,
                            V *masks) {
        const bool many = tree.sizes[0] > MANY_GROUPS, clears = CLEARS_LATER && role.end - role.first > MANY_GROUPS;
        for (std::uint32_t number = 0; !many && number < tree.sizes[0]; ++number)
            s.live[tree.active[number]] = clears ? CHOSEN : DONE;
        for (int first = 0; first < K; first += ABREAST) {
            V r[ABREAST][32];
            for (int j = 0; j < tree.width(); ++j)
                for (int c = 0; c < ABREAST; ++c) r[c][j] = rank[j * K + first + c];
            if (!many) choose_of_few(s, tree, first, r, wanted + first, masks);
            for (int c = 0; many && c < ABREAST; ++c) choose_of_many(s, tree, first + c, r[c], wanted[first + c], masks);
        }
        if (clears) clear_moves(s, role, tree.active);
    }

    // Numbers of each role, as trees or slots hold them: the rank of its last legal move, and the rank that is drawn.
    struct TreeNumbers {
        static constexpr int PLANES = 65;  // for each role: the lanes in which it has a move, and two numbers
        const Tree *trees;
        V *planes;
        int width(std::uint32_t role) const { return trees[role].top < 0 ? 0 : trees[role].width(); }
        V *able(std::uint32_t role) const { return planes + role * PLANES * K; }
        V *last(std::uint32_t role) const { return able(role) + K; }
        V *rank(std::uint32_t role) const { return last(role) + 32 * K; }

        // One less than the total.
        void set_last(std::uint32_t role) const {
            for (int k = 0; k < K; ++k) {
                V borrow = all_ones();
                for (int j = 0; j < width(role); ++j) {
                    const V total = trees[role].total(k)[j];
                    last(role)[j * K + k] = total ^ borrow;
                    borrow &= ~total;
                }
                able(role)[k] = ~borrow;
            }
        }
    };
    struct SlotNumbers {
        char *slots;
        const RolePlanes *roles;
        int width(std::uint32_t role) const { return static_cast<int>(roles[role].width); }
        V *able(std::uint32_t role) const { return at(slots, roles[role].able); }
        V *last(std::uint32_t role) const { return at(slots, roles[role].last); }
        V *rank(std::uint32_t role) const { return at(slots, roles[role].ranks); }
    };

    // Draws the ranks of all roles; `playing` are the lanes in which a move is made.
    template <class Numbers>
    static void draw_ranks(const Numbers &numbers, std::uint32_t role_count, const V *over, V *playing, Random &random) {
        for (int k = 0; k < K; ++k) {
            V all = ~over[k];
            for (std::uint32_t role = 0; role < role_count; ++role) all &= numbers.able(role)[k];
            playing[k] = all;
        }
        if (role_count > 1 && draw_together(numbers, role_count, playing, random)) return;
        for (std::uint32_t role = 0; role < role_count; ++role)
            draw_numbers(numbers.last(role), playing, numbers.rank(role), random, numbers.width(role));
    }

    // Lanes that play and in which a role has two moves or more.
    template <class Numbers>
    static inline V has_choice(const Numbers &numbers, std::uint32_t role, const V *playing, int k) {
        V more = V{};
        for (int j = 0; j < numbers.width(role); ++j) more |= numbers.last(role)[j * K + k];
        return more & playing[k];
    }

    // Where at most one role of each lane has a choice, as in all games with turns, one draw serves all.
    template <class Numbers>
    static bool draw_together(const Numbers &numbers, std::uint32_t role_count, const V *playing, Random &random) {
        V choosing[K], last[32 * K], rank[32 * K], twice = V{};
        for (int k = 0; k < K; ++k) choosing[k] = V{};
        for (int j = 0; j < 32 * K; ++j) last[j] = V{};
        int width = 0;
        for (std::uint32_t role = 0; role < role_count; ++role) {
            const int own = numbers.width(role);
            for (int k = 0; k < K; ++k) {
                const V more = has_choice(numbers, role, playing, k);
                twice |= choosing[k] & more;
                choosing[k] |= more;
                for (int j = 0; j < own; ++j) last[j * K + k] |= numbers.last(role)[j * K + k] & more;
            }
            if (own > width) width = own;
        }
        if (any(twice)) return false;
        draw_numbers(last, choosing, rank, random, width);
        for (std::uint32_t role = 0; role < role_count; ++role)
            for (int k = 0; k < K; ++k) {
                const V more = has_choice(numbers, role, playing, k);
                for (int j = 0; j < numbers.width(role); ++j) numbers.rank(role)[j * K + k] = rank[j * K + k] & more;
            }
        return true;
    }

    static void select(const Selection &s) {
        V *free = static_cast<V *>(s.scratch);
        Tree *trees = reinterpret_cast<Tree *>(free);
        free += (s.role_count * sizeof(Tree) + VECTOR_BYTES - 1) / VECTOR_BYTES;
        const TreeNumbers numbers{trees, free};
        free += s.role_count * TreeNumbers::PLANES * K;
        for (std::uint32_t role = 0; role < s.role_count; ++role) {
            free = count_moves(s, s.roles[role], trees[role], free);
            numbers.set_last(role);
        }
        V *playing = static_cast<V *>(s.playing);
        draw_ranks(numbers, s.role_count, static_cast<const V *>(s.over), playing, *static_cast<Random *>(s.random));
        for (std::uint32_t role = 0; role < s.role_count; ++role)
            if (numbers.width(role)) choose_move(s, s.roles[role], trees[role], numbers.rank(role), playing, free);
    }

    static void draw(const Drawing &d) {
        draw_ranks(SlotNumbers{d.slots, d.roles}, d.role_count, static_cast<const V *>(d.over),
                   static_cast<V *>(d.playing), *static_cast<Random *>(d.random));
    }
