// Adding gates: local simplification and structural hashing.

#include "circuit/gates.hpp"

#include <algorithm>

namespace ludorum {

namespace {

std::uint64_t hash_of(const std::vector<GateLiteral> &literals) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (GateLiteral literal : literals) {
        hash ^= static_cast<std::uint64_t>(literal) + 0x9E3779B97F4A7C15ull + (hash << 6) + (hash >> 2);
        hash *= 0xBF58476D1CE4E5B9ull;
    }
    return hash ^ (hash >> 31);
}

}  // namespace

GateBuilder::GateBuilder(std::int32_t first_gate, std::vector<std::int32_t> roles, unsigned rules)
    : first_gate_(first_gate), roles_(std::move(roles)), rules_(rules), context_(*this) {
    roles_.resize(first_gate, -1);
    for (std::int32_t node = 0; node < first_gate; ++node) {
        const std::int32_t role = roles_[node];
        if (role < 0) continue;
        if (role >= static_cast<std::int32_t>(role_begin_.size())) {
            role_begin_.resize(role + 1, 0);
            role_end_.resize(role + 1, 0);
        }
        if (role_end_[role] == 0) role_begin_[role] = node;
        role_end_[role] = node + 1;
    }
}

std::span<const GateLiteral> GateBuilder::inside(GateLiteral literal) const {
    const std::int32_t at = gate(literal);
    return {pool_.data() + begin_[at], pool_.data() + end_[at]};
}

GateLiteral GateBuilder::add(std::vector<GateLiteral> literals) {
    if (!simplify(literals)) return never();
    if (rules_ & FOLD) {
        if (literals.empty()) return always();
        if (literals.size() == 1) return literals.front();
    }
    if (!(rules_ & SHARE)) return append(literals);
    const std::uint64_t hash = hash_of(literals);
    const GateLiteral found = find(literals, hash);
    if (found >= 0) return found;
    const GateLiteral made = append(literals);
    known_.emplace(hash, gate(made));
    return made;
}

GateLiteral GateBuilder::promise() {
    begin_.push_back(0);
    end_.push_back(0);
    promised_.push_back(1);
    return 2 * (first_gate_ + static_cast<std::int32_t>(begin_.size()) - 1);
}

void GateBuilder::define(GateLiteral promised, std::vector<GateLiteral> literals) {
    if (!simplify(literals)) literals = {never()};
    const std::int32_t at = gate(promised);
    begin_[at] = static_cast<std::int32_t>(pool_.size());
    pool_.insert(pool_.end(), literals.begin(), literals.end());
    end_[at] = static_cast<std::int32_t>(pool_.size());
    order_.push_back(at);
}

GateLiteral GateBuilder::append(const std::vector<GateLiteral> &literals) {
    const GateLiteral made = promise();
    const std::int32_t at = gate(made);
    promised_[at] = 0;
    begin_[at] = static_cast<std::int32_t>(pool_.size());
    pool_.insert(pool_.end(), literals.begin(), literals.end());
    end_[at] = static_cast<std::int32_t>(pool_.size());
    order_.push_back(at);
    return made;
}

GateLiteral GateBuilder::find(const std::vector<GateLiteral> &literals, std::uint64_t hash) const {
    auto [first, last] = known_.equal_range(hash);
    for (; first != last; ++first) {
        const std::int32_t at = first->second;
        if (std::equal(literals.begin(), literals.end(), pool_.begin() + begin_[at], pool_.begin() + end_[at]))
            return 2 * (first_gate_ + at);
    }
    return -1;
}

// False where the literals cannot hold together.
bool GateBuilder::simplify(std::vector<GateLiteral> &literals) {
    if (!(rules_ & FOLD)) {
        if (rules_ & SHARE) std::sort(literals.begin(), literals.end());
        return true;
    }
    if (!fold(literals)) return false;
    if (rules_ & ONE_HOT && (!choose_move(literals) || !complement_moves(literals))) return false;
    return !(rules_ & ABSORB) || absorb(literals);
}

bool GateBuilder::fold(std::vector<GateLiteral> &literals) {
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    for (std::size_t at = 0; at < literals.size(); ++at) {
        if (literals[at] == never()) return false;
        if (at && literals[at] == (literals[at - 1] ^ 1)) return false;
    }
    std::erase(literals, always());
    return true;
}

// A role that does one move does none of its others.
bool GateBuilder::choose_move(std::vector<GateLiteral> &literals) {
    std::vector<GateLiteral> done(role_begin_.size(), -1);
    bool any = false;
    for (GateLiteral literal : literals) {
        const std::int32_t who = role(literal);
        if (who < 0 || literal & 1) continue;
        if (done[who] >= 0) return false;
        done[who] = literal;
        any = true;
    }
    if (any)
        std::erase_if(literals, [&](GateLiteral literal) {
            return literal & 1 && role(literal) >= 0 && done[role(literal)] >= 0;
        });
    return true;
}

// A role that does none of most of its moves does one of the few others. Literals are sorted, so that those
// of one role stand together.
bool GateBuilder::complement_moves(std::vector<GateLiteral> &literals) {
    for (std::size_t first = 0; first < literals.size();) {
        const std::int32_t who = literals[first] & 1 ? role(literals[first]) : -1;
        std::size_t last = first + 1;
        if (who < 0) {
            first = last;
            continue;
        }
        while (last < literals.size() && role(literals[last]) == who) ++last;
        const auto refused = static_cast<std::int32_t>(last - first);
        if (refused <= role_size(who) - refused + 1) {
            first = last;
            continue;
        }
        std::vector<GateLiteral> others;
        std::size_t at = first;
        for (std::int32_t node = role_begin_[who]; node < role_end_[who]; ++node) {
            if (at < last && literals[at] >> 1 == node)
                ++at;
            else
                others.push_back(2 * node + 1);
        }
        literals.erase(literals.begin() + first, literals.begin() + last);
        if (others.empty()) return false;
        const GateLiteral one_of_them = add(std::move(others)) ^ 1;
        literals.insert(std::lower_bound(literals.begin(), literals.end(), one_of_them), one_of_them);
        first = 0;
    }
    return true;
}

// A literal's gate tells about the other literals: `h & c` is `h` where c is inside h, and `~h` is true, or
// needs less of h, where the others decide what is inside. Nothing is dropped in a circle: what is inside a
// gate is always older than it.
bool GateBuilder::absorb(std::vector<GateLiteral> &literals) {
    for (bool again = true; again;) {
        again = false;
        context_.assume(literals);
        std::vector<GateLiteral> implied, dropped;
        for (GateLiteral literal : literals) {
            if (literal & 1 || !is_open(literal)) continue;
            for (GateLiteral one : inside(literal)) {
                const int truth = context_.truth(one);
                if (truth < 0) return false;
                (truth > 0 ? dropped : implied).push_back(one);
            }
        }
        for (GateLiteral one : implied) {
            if (context_.truth(one) < 0) return false;
            context_.assume(one);
        }
        for (GateLiteral &literal : literals) {
            if (!(literal & 1) || !is_open(literal)) continue;
            std::vector<GateLiteral> rest;
            bool holds = false;
            for (GateLiteral one : inside(literal)) {
                const int truth = context_.truth(one);
                if (truth < 0) {
                    holds = true;
                    break;
                }
                if (truth == 0) rest.push_back(one);
            }
            if (holds) {
                literal = always();
                continue;
            }
            if (rest.empty()) return false;
            if (rest.size() == inside(literal).size()) continue;
            const GateLiteral smaller = rest.size() == 1 ? rest.front() : find(rest, hash_of(rest));
            if (smaller < 0) continue;
            literal = smaller ^ 1;
            again = true;
        }
        std::erase_if(literals, [&](GateLiteral literal) {
            return literal == always() || std::find(dropped.begin(), dropped.end(), literal) != dropped.end();
        });
        if (again && (!fold(literals) || ((rules_ & ONE_HOT) && !choose_move(literals)))) return false;
    }
    return true;
}

void GateBuilder::Context::assume(std::span<const GateLiteral> literals) {
    ++now_;
    done_.assign(builder_.role_begin_.size(), -1);
    for (GateLiteral literal : literals) assume(literal);
}

void GateBuilder::Context::assume(GateLiteral literal) {
    if (stamp_.size() <= static_cast<std::size_t>(literal | 1)) stamp_.resize(2 * (literal | 1) + 1, 0);
    stamp_[literal] = now_;
    if (!(literal & 1) && builder_.rules_ & ONE_HOT && builder_.role(literal) >= 0)
        done_[builder_.role(literal)] = literal;
}

int GateBuilder::Context::truth(GateLiteral literal) const {
    if (stamp_.size() > static_cast<std::size_t>(literal | 1)) {
        if (stamp_[literal] == now_) return 1;
        if (stamp_[literal ^ 1] == now_) return -1;
    }
    const std::int32_t who = builder_.role(literal);
    if (who >= 0 && done_[who] >= 0) return literal & 1 ? 1 : -1;
    return 0;
}

GateArrays GateBuilder::finish(std::span<const GateLiteral> outputs) const {
    std::vector<char> needed(begin_.size(), 0);
    std::vector<std::int32_t> todo;
    auto need = [&](GateLiteral literal) {
        if (!is_gate(literal) || needed[gate(literal)]) return;
        needed[gate(literal)] = 1;
        todo.push_back(gate(literal));
    };
    for (GateLiteral literal : outputs) need(literal);
    while (!todo.empty()) {
        const std::int32_t at = todo.back();
        todo.pop_back();
        for (std::int32_t one = begin_[at]; one < end_[at]; ++one) need(pool_[one]);
    }
    std::vector<std::int32_t> place(begin_.size(), -1);
    std::int32_t count = 0;
    for (std::int32_t at : order_)
        if (needed[at]) place[at] = count++;
    auto moved = [&](GateLiteral literal) {
        return is_gate(literal) ? 2 * (first_gate_ + place[gate(literal)]) + (literal & 1) : literal;
    };
    GateArrays arrays;
    arrays.offsets.push_back(0);
    for (std::int32_t at : order_) {
        if (!needed[at]) continue;
        for (std::int32_t one = begin_[at]; one < end_[at]; ++one) arrays.literals.push_back(moved(pool_[one]));
        arrays.offsets.push_back(static_cast<std::int32_t>(arrays.literals.size()));
    }
    for (GateLiteral literal : outputs) arrays.outputs.push_back(moved(literal));
    return arrays;
}

}  // namespace ludorum
