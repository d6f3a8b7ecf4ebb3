// Counting and choosing in planes of bits.

#include "lane_choice.hpp"

#include <algorithm>

namespace ludorum {

namespace {

struct Sum {
    Term sum, carry;
};

Sum add_bits(Stretch &stretch, Term a, Term b, Term c) {
    const Term half = stretch.unequal(a, b);
    if (c == NO_LANE) return {half, stretch.both(a, b)};
    return {stretch.unequal(half, c), stretch.choose(half, c, a)};
}

Term bit(const Planes &number, std::size_t j) { return j < number.size() ? number[j] : NO_LANE; }

void trim(Planes &number) {
    while (!number.empty() && number.back() == NO_LANE) number.pop_back();
}

Planes add_numbers(Stretch &stretch, const Planes &a, const Planes &b) {
    Planes sum;
    Term carry = NO_LANE;
    for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
        const Sum found = add_bits(stretch, bit(a, j), bit(b, j), carry);
        sum.push_back(found.sum);
        carry = found.carry;
    }
    sum.push_back(carry);
    trim(sum);
    return sum;
}

// How many of some terms hold: three of one weight make one of it and one of the next.
Planes count_terms(Stretch &stretch, std::vector<Term> terms) {
    terms.erase(std::remove(terms.begin(), terms.end(), NO_LANE), terms.end());
    Planes count;
    while (!terms.empty()) {
        std::vector<Term> carries;
        while (terms.size() > 1) {
            const Term a = terms.back(), b = terms[terms.size() - 2];
            terms.resize(terms.size() - 2);
            Term c = NO_LANE;
            if (!terms.empty()) {
                c = terms.back();
                terms.pop_back();
            }
            const Sum found = add_bits(stretch, a, b, c);
            terms.insert(terms.begin(), found.sum);
            if (found.carry != NO_LANE) carries.push_back(found.carry);
        }
        count.push_back(terms.front());
        terms = std::move(carries);
    }
    return count;
}

// Where the rank is not below the count; there it is lowered by as much.
Term pass_by(Stretch &stretch, Planes &rank, const Planes &count) {
    Planes difference;
    Term borrow = NO_LANE;
    for (std::size_t j = 0; j < rank.size(); ++j) {
        const Term unequal = stretch.unequal(rank[j], bit(count, j));
        difference.push_back(stretch.unequal(unequal, borrow));
        borrow = stretch.choose(unequal, bit(count, j), borrow);
    }
    // A count may be longer than any rank, and is larger then.
    for (std::size_t j = rank.size(); j < count.size(); ++j) borrow = stretch.either(borrow, count[j]);
    for (std::size_t j = 0; j < rank.size(); ++j) rank[j] = stretch.choose(borrow, rank[j], difference[j]);
    return opposite(borrow);
}

Term one_of(Stretch &stretch, const std::vector<Term> &lanes, const std::vector<Term> &terms) {
    Term found = NO_LANE;
    for (std::size_t i = 0; i < lanes.size(); ++i) found = stretch.either(found, stretch.both(lanes[i], terms[i]));
    return found;
}

// From nodes of one level, given by the lanes that are there, to those of the level below.
std::vector<Term> descend(Stretch &stretch, const std::vector<Planes> &below, const std::vector<Term> &lanes,
                          Planes &rank) {
    std::size_t width = 0;
    for (std::size_t node = 0; 2 * node + 1 < below.size(); ++node) width = std::max(width, below[2 * node].size());
    Planes count;
    for (std::size_t j = 0; j < width; ++j) {
        std::vector<Term> parents, bits;
        for (std::size_t node = 0; 2 * node + 1 < below.size(); ++node) {
            parents.push_back(lanes[node]);
            bits.push_back(bit(below[2 * node], j));
        }
        count.push_back(one_of(stretch, parents, bits));
    }
    const Term right = pass_by(stretch, rank, count);
    std::vector<Term> following;
    for (std::size_t node = 0; node < below.size(); ++node) {
        const bool alone = node % 2 == 0 && node + 1 == below.size();
        following.push_back(alone ? lanes[node / 2]
                                  : stretch.both(lanes[node / 2], node % 2 ? right : opposite(right)));
    }
    return following;
}

// Which of eight moves is the one with so many legal ones before it.
EightMoves choose_of_eight(Stretch &stretch, const EightMoves &legal, Planes rank) {
    const Planes first = count_terms(stretch, {legal[0], legal[1]}), third = count_terms(stretch, {legal[4], legal[5]});
    const Planes half = add_numbers(stretch, first, count_terms(stretch, {legal[2], legal[3]}));
    auto none = [&](std::size_t begin, std::size_t end) {
        return std::all_of(legal.begin() + begin, legal.begin() + end, [](Term term) { return term == NO_LANE; });
    };
    const Term upper = none(4, 8) ? NO_LANE : pass_by(stretch, rank, half);
    Planes pair;
    for (std::size_t j = 0; j < std::max(first.size(), third.size()); ++j)
        pair.push_back(stretch.choose(upper, bit(third, j), bit(first, j)));
    rank.resize(std::min<std::size_t>(rank.size(), 2));
    const Term second = none(2, 4) && none(6, 8) ? NO_LANE : pass_by(stretch, rank, pair);
    const Term even = stretch.choose(upper, stretch.choose(second, legal[6], legal[4]),
                                     stretch.choose(second, legal[2], legal[0]));
    const Term odd = stretch.either(bit(rank, 0), opposite(even));  // the even one is not legal, or not the last
    EightMoves chosen;
    for (std::size_t i = 0; i < 8; ++i) {
        const Term quarter = stretch.both(i & 4 ? upper : opposite(upper), i & 2 ? second : opposite(second));
        chosen[i] = legal[i] == NO_LANE ? NO_LANE : stretch.both(quarter, i & 1 ? odd : opposite(odd));
    }
    return chosen;
}

}  // namespace

CountTree count_moves(Stretch &stretch, const std::vector<EightMoves> &groups) {
    CountTree tree(1);
    for (const EightMoves &group : groups)
        tree[0].push_back(count_terms(stretch, std::vector<Term>(group.begin(), group.end())));
    if (groups.empty()) tree[0].emplace_back();  // never a move
    while (tree.back().size() > 1) {
        const std::vector<Planes> &below = tree.back();
        std::vector<Planes> above;
        for (std::size_t node = 0; node < below.size(); node += 2)
            above.push_back(node + 1 < below.size() ? add_numbers(stretch, below[node], below[node + 1]) : below[node]);
        tree.push_back(std::move(above));
    }
    return tree;
}

std::vector<EightMoves> choose_moves(Stretch &stretch, const std::vector<EightMoves> &groups, const CountTree &tree,
                                     Planes rank, Term playing) {
    if (groups.empty()) return {};
    std::vector<Term> lanes{playing};
    for (std::size_t level = tree.size(); level-- > 0;) {
        if (level + 1 < tree.size()) lanes = descend(stretch, tree[level], lanes, rank);
        rank.resize(std::min(rank.size(), 3 + level));  // a node of this level has so many moves
    }
    EightMoves seen;
    for (std::size_t i = 0; i < 8; ++i) {
        std::vector<Term> legal;
        for (const EightMoves &group : groups) legal.push_back(group[i]);
        seen[i] = groups.size() == 1 ? legal[0] : one_of(stretch, lanes, legal);
    }
    const EightMoves chosen = choose_of_eight(stretch, seen, rank);
    std::vector<EightMoves> done(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (std::size_t i = 0; i < 8; ++i)
            done[group][i] = groups[group][i] == NO_LANE ? NO_LANE : stretch.both(lanes[group], chosen[i]);
    return done;
}

}  // namespace ludorum
