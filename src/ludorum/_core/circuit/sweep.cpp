// Sweeps: every gate is read, rewritten and added to a builder, which simplifies it further.

#include "circuit/sweep.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

namespace ludorum {

namespace {

constexpr GateLiteral NOT_MOVED = -1;

// What taking a literal out of all cubes that have it gains, kept up to date while cubes are taken away: a gate
// may have thousands of alternatives, and counting them anew for each literal would be quadratic.
class CubeCounts {
  public:
    explicit CubeCounts(const std::vector<std::vector<GateLiteral>> &cubes)
        : cubes_(cubes), here_(cubes.size(), 1), count_(cubes.size()) {
        for (std::size_t at = 0; at < cubes.size(); ++at)
            for (GateLiteral literal : cubes[at]) {
                Literal &own = literals_[literal];
                own.gain += gain(at);
                own.cubes.push_back(static_cast<std::int32_t>(at));
            }
        for (const auto &[literal, own] : literals_)
            if (own.gain > ENOUGH) best_.push({own.gain, -literal});
    }

    // Takes away the cubes with the literal that gains most, the smallest of equals; false where none gains.
    bool take_best(std::vector<std::int32_t> &taken) {
        taken.clear();
        while (count_ > 1 && !best_.empty()) {
            const auto [gained, literal] = best_.top();
            best_.pop();
            const Literal &own = literals_[-literal];
            if (own.gain <= ENOUGH) continue;
            if (own.gain < gained) {  // it has lost cubes since
                best_.push({own.gain, literal});
                continue;
            }
            for (std::int32_t at : own.cubes)
                if (here_[at]) taken.push_back(at);
            for (std::int32_t at : taken) take(at);
            return true;
        }
        return false;
    }

    std::vector<std::int32_t> left() const {
        std::vector<std::int32_t> found;
        for (std::size_t at = 0; at < here_.size(); ++at)
            if (here_[at]) found.push_back(static_cast<std::int32_t>(at));
        return found;
    }

  private:
    static constexpr int ENOUGH = 3;
    struct Literal {
        int gain = 0;
        std::vector<std::int32_t> cubes;
    };

    int gain(std::size_t at) const { return cubes_[at].size() == 1 ? 0 : cubes_[at].size() == 2 ? 2 : 1; }
    void take(std::int32_t at) {
        here_[at] = 0;
        --count_;
        for (GateLiteral literal : cubes_[at]) literals_[literal].gain -= gain(at);
    }

    const std::vector<std::vector<GateLiteral>> &cubes_;
    std::vector<char> here_;
    std::size_t count_;
    std::unordered_map<GateLiteral, Literal> literals_;
    std::priority_queue<std::pair<int, GateLiteral>> best_;
};

}  // namespace

Sweep::Sweep(const CircuitView &circuit, unsigned rules)
    : circuit_(circuit),
      rules_(rules),
      builder_(circuit.first_gate, circuit.roles, rules),
      moved_(gates(), NOT_MOVED),
      promised_(gates(), 0),
      uses_(gates(), 0) {
    for (auto list : {circuit.literals, circuit.outputs})
        for (GateLiteral literal : list)
            if (is_gate(literal)) ++uses_[gate(literal)];
    if (rules & LEGAL) implied_.assign(2 * (circuit.first_gate + gates()), 0);
}

std::span<const std::int32_t> Sweep::inside(GateLiteral literal) const {
    const std::int32_t at = gate(literal);
    return circuit_.literals.subspan(circuit_.offsets[at], circuit_.offsets[at + 1] - circuit_.offsets[at]);
}

GateArrays Sweep::run(const std::function<void()> &poll) {
    std::vector<Item> items;
    for (std::int32_t at = 0; at < gates(); ++at) {
        if (at % 256 == 255) poll();
        items.clear();
        std::vector<GateLiteral> literals;
        if (!read(at, items)) {
            literals.push_back(builder_.never());
        } else {
            if (rules_ & GROUP) group_moves(items);
            if (rules_ & FACTOR)
                literals = factored(items);
            else
                for (const Item &item : items) literals.push_back(item.literal);
        }
        if (promised_[at])
            builder_.define(moved_[at], std::move(literals));
        else
            moved_[at] = builder_.add(std::move(literals));
    }
    std::vector<GateLiteral> outputs;
    for (GateLiteral literal : circuit_.outputs) outputs.push_back(moved(literal));
    return builder_.finish(outputs);
}

// The new literal of an old one; a gate not met yet is promised.
GateLiteral Sweep::moved(GateLiteral literal) {
    if (!is_gate(literal)) return literal;
    const std::int32_t at = gate(literal);
    if (moved_[at] == NOT_MOVED) {
        const auto content = inside(literal);
        // A back edge that is never true need not be kept.
        if (content.size() == 1 && content[0] >> 1 == builder_.always() >> 1) return content[0] ^ (literal & 1);
        moved_[at] = builder_.promise();
        promised_[at] = 1;
    }
    return moved_[at] ^ (literal & 1);
}

// The new literals of a gate; false where it can never hold.
bool Sweep::read(std::int32_t at, std::vector<Item> &items) {
    const auto old = inside(2 * (circuit_.first_gate + at));
    std::vector<GateLiteral> literals(old.begin(), old.end());
    if (rules_ & LEGAL && !assume_legal(literals)) return false;
    for (GateLiteral literal : literals) {
        const bool own = is_gate(literal) && uses_[gate(literal)] == 1;
        const GateLiteral now = moved(literal);
        if (rules_ & MERGE && own && !(now & 1) && builder_.is_open(now))
            for (GateLiteral one : builder_.inside(now)) items.push_back({one, false});
        else
            items.push_back({now, own});
    }
    return true;
}

// Drops literals that follow from the legality of a move that the gate needs.
bool Sweep::assume_legal(std::vector<GateLiteral> &literals) {
    const auto moves = static_cast<GateLiteral>(circuit_.legal.size());
    auto is_done = [&](GateLiteral literal) {
        const GateLiteral move = (literal >> 1) - circuit_.first_move;
        return !(literal & 1) && move >= 0 && move < moves;
    };
    if (std::none_of(literals.begin(), literals.end(), is_done)) return true;
    ++now_;
    for (GateLiteral literal : literals)
        if (is_done(literal)) collect_implied(circuit_.legal[(literal >> 1) - circuit_.first_move]);
    std::vector<GateLiteral> kept;
    for (GateLiteral literal : literals) {
        if (implied_[literal ^ 1] == now_) return false;
        if (implied_[literal] == now_) continue;
        // A later gate is the back edge of a loop: its inputs are not known yet.
        if (!is_gate(literal) || promised_[gate(literal)] || moved_[gate(literal)] == NOT_MOVED) {
            kept.push_back(literal);
            continue;
        }
        std::vector<GateLiteral> open;
        bool fails = false;
        for (GateLiteral one : inside(literal)) {
            if (implied_[one ^ 1] == now_) fails = true;
            if (implied_[one] != now_) open.push_back(one);
        }
        if (fails || open.empty()) {
            if (fails != static_cast<bool>(literal & 1)) return false;
        } else if (open.size() == 1) {
            kept.push_back(open.front() ^ (literal & 1));
        } else {
            kept.push_back(literal);
        }
    }
    literals = std::move(kept);
    return true;
}

// Without recursion: gates may be nested as deeply as there are gates.
void Sweep::collect_implied(GateLiteral literal) {
    std::vector<GateLiteral> open{literal};
    while (!open.empty()) {
        const GateLiteral one = open.back();
        open.pop_back();
        if (implied_[one] == now_ || one >> 1 == builder_.always() >> 1) continue;
        implied_[one] = now_;
        if (is_gate(one) && !(one & 1)) open.insert(open.end(), inside(one).begin(), inside(one).end());
    }
}

// Of the alternatives `d & rest`, those with the same rest become `rest & (one of the d)`: frame axioms, where
// nearly every move d leaves a fluent as it is. The builder turns "one of many" into "none of the few others".
void Sweep::group_moves(std::vector<Item> &items) {
    std::map<std::vector<GateLiteral>, std::vector<std::size_t>> groups;
    for (std::size_t at = 0; at < items.size(); ++at) {
        const GateLiteral literal = items[at].literal;
        if (!(literal & 1) || !builder_.is_open(literal)) continue;
        const auto content = builder_.inside(literal);
        auto move = std::find_if(content.begin(), content.end(),
                                 [&](GateLiteral one) { return !(one & 1) && builder_.role(one) >= 0; });
        if (move == content.end() || content.size() < 2) continue;
        std::vector<GateLiteral> key{builder_.role(*move)};
        std::copy_if(content.begin(), content.end(), std::back_inserter(key),
                     [&](GateLiteral one) { return one != *move; });
        groups[std::move(key)].push_back(at);
    }
    std::vector<Item> made;
    std::vector<char> gone(items.size(), 0);
    for (const auto &[key, members] : groups) {
        const auto owned = std::count_if(members.begin(), members.end(), [&](auto at) { return items[at].own; });
        if (members.size() < 2 || (members.size() == 2 && owned < 2)) continue;
        std::vector<GateLiteral> none_of_them;
        for (std::size_t at : members) {
            gone[at] = 1;
            for (GateLiteral one : builder_.inside(items[at].literal))
                if (!(one & 1) && builder_.role(one) == key.front()) none_of_them.push_back(one ^ 1);
        }
        std::vector<GateLiteral> together(key.begin() + 1, key.end());
        together.push_back(builder_.add(std::move(none_of_them)) ^ 1);
        made.push_back({builder_.add(std::move(together)) ^ 1, true});
    }
    if (made.empty()) return;
    std::vector<Item> kept;
    for (std::size_t at = 0; at < items.size(); ++at)
        if (!gone[at]) kept.push_back(items[at]);
    kept.insert(kept.end(), made.begin(), made.end());
    items = std::move(kept);
}

std::vector<GateLiteral> Sweep::factored(const std::vector<Item> &items) {
    std::vector<GateLiteral> literals;
    std::vector<std::vector<GateLiteral>> cubes;
    for (const Item &item : items) {
        if (item.own && item.literal & 1 && builder_.is_open(item.literal)) {
            const auto content = builder_.inside(item.literal);
            cubes.emplace_back(content.begin(), content.end());
        } else {
            literals.push_back(item.literal);
        }
    }
    factor(std::move(cubes), literals);
    return literals;
}

// Adds literals that together say that none of the cubes holds. Taking a literal out of n cubes costs a gate
// of two literals and one for the n rests, and saves n literals, n entries above and every rest that is a
// single literal: worth it while n + (single rests) > 3.
void Sweep::factor(std::vector<std::vector<GateLiteral>> cubes, std::vector<GateLiteral> &none_of) {
    CubeCounts counts(cubes);
    std::vector<std::int32_t> chosen;
    while (counts.take_best(chosen)) {
        std::vector<std::vector<GateLiteral>> rests;
        for (std::int32_t at : chosen) rests.push_back(std::move(cubes[at]));
        std::vector<GateLiteral> common = rests.front();
        for (const auto &cube : rests)
            std::erase_if(common, [&](GateLiteral one) { return std::find(cube.begin(), cube.end(), one) == cube.end(); });
        bool bare = false;
        for (auto &cube : rests) {
            std::erase_if(cube, [&](GateLiteral one) { return std::find(common.begin(), common.end(), one) != common.end(); });
            bare |= cube.empty();
        }
        if (!bare) {
            std::vector<GateLiteral> none_of_rests;
            factor(std::move(rests), none_of_rests);
            common.push_back(builder_.add(std::move(none_of_rests)) ^ 1);
        }
        none_of.push_back(builder_.add(std::move(common)) ^ 1);
    }
    for (std::int32_t at : counts.left()) none_of.push_back(builder_.add(std::move(cubes[at])) ^ 1);
}

}  // namespace ludorum
