// Counting and choosing in planes of bits.

#include "lanes/choice.hpp"

#include <algorithm>
#include <utility>

namespace ludorum {

namespace {

struct Sum {
    Term sum, carry;
};

Sum add_bits(BasicBlock &block, Term a, Term b, Term c) {
    const Term half = block.unequal(a, b);
    if (c == NO_LANE) return {half, block.both(a, b)};
    return {block.unequal(half, c), block.choose(half, c, a)};
}

Term bit(const Planes &number, std::size_t j) { return j < number.size() ? number[j] : NO_LANE; }

void trim(Planes &number) {
    while (!number.empty() && number.back() == NO_LANE) number.pop_back();
}

Planes add_numbers(BasicBlock &block, const Planes &a, const Planes &b) {
    Planes sum;
    Term carry = NO_LANE;
    for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
        const Sum found = add_bits(block, bit(a, j), bit(b, j), carry);
        sum.push_back(found.sum);
        carry = found.carry;
    }
    sum.push_back(carry);
    trim(sum);
    return sum;
}

// How many of some terms hold: three of one weight make one of it and one of the next.
Planes count_terms(BasicBlock &block, std::vector<Term> terms) {
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
            const Sum found = add_bits(block, a, b, c);
            terms.insert(terms.begin(), found.sum);
            if (found.carry != NO_LANE) carries.push_back(found.carry);
        }
        count.push_back(terms.front());
        terms = std::move(carries);
    }
    return count;
}

// Where the rank is not below the count; there it is lowered by as much.
Term pass_by(BasicBlock &block, Planes &rank, const Planes &count) {
    Planes difference;
    Term borrow = NO_LANE;
    for (std::size_t j = 0; j < rank.size(); ++j) {
        const Term unequal = block.unequal(rank[j], bit(count, j));
        difference.push_back(block.unequal(unequal, borrow));
        borrow = block.choose(unequal, bit(count, j), borrow);
    }
    // A count may be longer than any rank, and is larger then.
    for (std::size_t j = rank.size(); j < count.size(); ++j) borrow = block.either(borrow, count[j]);
    for (std::size_t j = 0; j < rank.size(); ++j) rank[j] = block.choose(borrow, rank[j], difference[j]);
    return opposite(borrow);
}

// The way down the tree that lanes have taken so far.
struct Way {
    std::vector<Term> lanes;  // by node of the level they have come to: those that are there
    std::vector<Term> right;  // by level: those that went to the second of two nodes, or stand where there is one alone
    std::size_t level;        // the one they have come to
};

// What the nodes that lanes have come to say, each in its lanes.
Term ask(BasicBlock &block, const Way &way, std::vector<Term> said) {
    if (!block.chooses) {
        Term found = NO_LANE;
        for (std::size_t node = 0; node < said.size(); ++node)
            found = block.either(found, block.both(way.lanes[node], said[node]));
        return found;
    }
    for (std::size_t level = way.level; said.size() > 1; ++level) {
        std::vector<Term> above;
        for (std::size_t node = 0; node < said.size(); node += 2)
            above.push_back(node + 1 < said.size() ? block.choose(way.right[level], said[node + 1], said[node])
                                                   : said[node]);
        said = std::move(above);
    }
    return said[0];
}

// From the nodes of one level to those of the level below.
void descend(BasicBlock &block, const std::vector<Planes> &below, Way &way, Planes &rank) {
    std::size_t width = 0;
    for (std::size_t node = 0; node + 1 < below.size(); node += 2) width = std::max(width, below[node].size());
    Planes count;
    for (std::size_t j = 0; j < width; ++j) {
        std::vector<Term> bits;
        for (std::size_t node = 0; node < below.size(); node += 2)
            bits.push_back(node + 1 < below.size() ? bit(below[node], j) : NO_LANE);
        count.push_back(ask(block, way, std::move(bits)));
    }
    const Term right = pass_by(block, rank, count);
    std::vector<Term> following;
    for (std::size_t node = 0; node < below.size(); ++node) {
        const bool alone = node % 2 == 0 && node + 1 == below.size();
        following.push_back(alone ? way.lanes[node / 2]
                                  : block.both(way.lanes[node / 2], node % 2 ? right : opposite(right)));
    }
    way.lanes = std::move(following);
    way.right[--way.level] = right;
}

// Which of eight moves is the one with so many legal ones before it.
EightMoves choose_of_eight(BasicBlock &block, const EightMoves &legal, Planes rank) {
    const Planes first = count_terms(block, {legal[0], legal[1]}), third = count_terms(block, {legal[4], legal[5]});
    const Planes half = add_numbers(block, first, count_terms(block, {legal[2], legal[3]}));
    auto none = [&](std::size_t begin, std::size_t end) {
        return std::all_of(legal.begin() + begin, legal.begin() + end, [](Term term) { return term == NO_LANE; });
    };
    const Term upper = none(4, 8) ? NO_LANE : pass_by(block, rank, half);
    Planes pair;
    for (std::size_t j = 0; j < std::max(first.size(), third.size()); ++j)
        pair.push_back(block.choose(upper, bit(third, j), bit(first, j)));
    rank.resize(std::min<std::size_t>(rank.size(), 2));
    const Term second = none(2, 4) && none(6, 8) ? NO_LANE : pass_by(block, rank, pair);
    const Term even = block.choose(upper, block.choose(second, legal[6], legal[4]),
                                     block.choose(second, legal[2], legal[0]));
    const Term odd = block.either(bit(rank, 0), opposite(even));  // the even one is not legal, or not the last
    EightMoves chosen;
    for (std::size_t i = 0; i < 8; ++i) {
        const Term quarter = block.both(i & 4 ? upper : opposite(upper), i & 2 ? second : opposite(second));
        chosen[i] = legal[i] == NO_LANE ? NO_LANE : block.both(quarter, i & 1 ? odd : opposite(odd));
    }
    return chosen;
}

// One of eight moves of all groups. Where a group has fewer, its rank never comes so far: it may say what another says.
std::vector<Term> move_of_each(const std::vector<EightMoves> &groups, std::size_t i, bool chooses) {
    std::vector<Term> legal;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const bool missing = groups[group][i] == NO_LANE && chooses && (group ^ 1) < groups.size();
        legal.push_back(groups[missing ? group ^ 1 : group][i]);
    }
    return legal;
}

}  // namespace

CountTree count_moves(BasicBlock &block, const std::vector<EightMoves> &groups) {
    CountTree tree(1);
    for (const EightMoves &group : groups)
        tree[0].push_back(count_terms(block, std::vector<Term>(group.begin(), group.end())));
    if (groups.empty()) tree[0].emplace_back();  // never a move
    while (tree.back().size() > 1) {
        const std::vector<Planes> &below = tree.back();
        std::vector<Planes> above;
        for (std::size_t node = 0; node < below.size(); node += 2)
            above.push_back(node + 1 < below.size() ? add_numbers(block, below[node], below[node + 1]) : below[node]);
        tree.push_back(std::move(above));
    }
    return tree;
}

Planes less_one(BasicBlock &block, const Planes &number) {
    Planes less;
    Term borrow = EVERY_LANE;
    for (Term plane : number) {
        less.push_back(block.unequal(plane, borrow));
        borrow = block.both(borrow, opposite(plane));
    }
    trim(less);
    return less;
}

ChosenMoves choose_moves(BasicBlock &block, const std::vector<EightMoves> &groups, const CountTree &tree, Planes rank,
                         Term playing) {
    if (groups.empty()) return {};
    Way way{{playing}, std::vector<Term>(tree.size(), NO_LANE), tree.size() - 1};
    for (std::size_t level = tree.size(); level-- > 0;) {
        if (level + 1 < tree.size()) descend(block, tree[level], way, rank);
        rank.resize(std::min(rank.size(), 3 + level));  // a node of this level has so many moves
    }
    EightMoves seen;
    for (std::size_t i = 0; i < 8; ++i) seen[i] = ask(block, way, move_of_each(groups, i, block.chooses));
    return {std::move(way.lanes), choose_of_eight(block, seen, rank)};
}

Term one_is_done(BasicBlock &block, const ChosenMoves &chosen, const std::map<std::uint32_t, std::uint32_t> &places) {
    Term found = NO_LANE;
    for (const auto &[group, bits] : places) {
        Term some = NO_LANE;
        for (std::size_t i = 0; i < 8; ++i)
            if (bits >> i & 1) some = block.either(some, chosen.places[i]);
        // Nothing was found in these lanes before.
        found = block.chooses && found != NO_LANE ? block.choose(chosen.lanes[group], some, found)
                                                    : block.either(found, block.both(chosen.lanes[group], some));
    }
    return found;
}

}  // namespace ludorum
