// A growing set of AND gates that simplifies each gate that is added; circuit passes are built on it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace ludorum {

using GateLiteral = std::int32_t;  // 2 * node + (1 if negated)

// What adding a gate may do besides writing it down.
enum GateRules : unsigned {
    FOLD = 1,      // constants, duplicates, complements; a gate of one literal is a wire
    SHARE = 2,     // equal gates are one gate
    ABSORB = 4,    // what a literal's own gate says about the other literals
    ONE_HOT = 8,   // exactly one move of each role is done
};

struct GateArrays {
    std::vector<GateLiteral> offsets, literals, outputs;
};

// Nodes below `first_gate` are inputs, the last of them the constant TRUE. `roles` has the role of each input
// that is a move and -1 for all others; moves of one role stand together.
class GateBuilder {
  public:
    GateBuilder(std::int32_t first_gate, std::vector<std::int32_t> roles, unsigned rules);

    GateLiteral always() const { return 2 * (first_gate_ - 1); }
    GateLiteral never() const { return always() ^ 1; }

    // The literal that says whether all these hold.
    GateLiteral add(std::vector<GateLiteral> literals);

    // A gate to be referred to before it is defined: the way back of a loop. It stays a gate of its own, so
    // that it can begin false, and nothing looks inside.
    GateLiteral promise();
    void define(GateLiteral promised, std::vector<GateLiteral> literals);

    bool is_gate(GateLiteral literal) const { return literal >> 1 >= first_gate_; }
    bool is_open(GateLiteral literal) const { return is_gate(literal) && !promised_[gate(literal)]; }
    std::span<const GateLiteral> inside(GateLiteral literal) const;
    std::int32_t role(GateLiteral literal) const {
        return literal >> 1 < first_gate_ ? roles_[literal >> 1] : -1;
    }
    std::int32_t role_size(std::int32_t role) const { return role_end_[role] - role_begin_[role]; }

    // Whether the other literals of a conjunction decide this one: 1 it holds, -1 it does not, 0 unknown.
    class Context {
      public:
        explicit Context(const GateBuilder &builder) : builder_(builder) {}
        void assume(std::span<const GateLiteral> literals);
        void assume(GateLiteral literal);
        int truth(GateLiteral literal) const;

      private:
        const GateBuilder &builder_;
        std::vector<std::uint32_t> stamp_;
        std::vector<GateLiteral> done_;  // the move each role is known to do, or -1
        std::uint32_t now_ = 0;
    };

    // The gates that the outputs need, in the order in which they were added or defined.
    GateArrays finish(std::span<const GateLiteral> outputs) const;

  private:
    std::int32_t gate(GateLiteral literal) const { return (literal >> 1) - first_gate_; }
    bool simplify(std::vector<GateLiteral> &literals);
    bool fold(std::vector<GateLiteral> &literals);
    bool absorb(std::vector<GateLiteral> &literals);
    bool choose_move(std::vector<GateLiteral> &literals);
    bool complement_moves(std::vector<GateLiteral> &literals);
    GateLiteral append(const std::vector<GateLiteral> &literals);
    GateLiteral find(const std::vector<GateLiteral> &literals, std::uint64_t hash) const;

    std::int32_t first_gate_;
    std::vector<std::int32_t> roles_, role_begin_, role_end_;
    unsigned rules_;
    std::vector<std::int32_t> begin_, end_;  // of each gate in pool_
    std::vector<GateLiteral> pool_;
    std::vector<char> promised_;
    std::vector<std::int32_t> order_;
    std::unordered_multimap<std::uint64_t, std::int32_t> known_;
    Context context_;
};

}  // namespace ludorum
