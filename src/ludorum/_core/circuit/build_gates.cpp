// Atoms are met dependencies first (Tarjan's components, without recursion). Atoms that need each other form a
// loop; those referred to before their own rules are written get a gate that says "derived so far", so that a
// round from all-false can only add.

#include "circuit/build_gates.hpp"

#include <algorithm>

namespace ludorum {

namespace {

constexpr GateLiteral NOT_BUILT = -1;

class Construction {
  public:
    Construction(const GroundRules &rules, std::vector<GateLiteral> atoms, std::int32_t first_gate)
        : rules_(rules), atoms_(std::move(atoms)), builder_(first_gate, {}, 0) {
        const std::size_t count = atoms_.size();
        first_rule_.assign(count + 1, 0);
        for (std::int32_t head : rules.heads) ++first_rule_[head + 1];
        for (std::size_t atom = 0; atom < count; ++atom) first_rule_[atom + 1] += first_rule_[atom];
        rules_of_.resize(rules.heads.size());
        std::vector<std::int32_t> filled(first_rule_.begin(), first_rule_.end() - 1);
        for (std::size_t rule = 0; rule < rules.heads.size(); ++rule)
            rules_of_[filled[rules.heads[rule]]++] = static_cast<std::int32_t>(rule);
        index_.assign(count, 0);
        low_.assign(count, 0);
        place_.assign(count, -1);
    }

    BuiltGates run() {
        BuiltGates built;
        for (std::size_t atom = 0; atom < atoms_.size() && circle_.empty(); ++atom)
            if (atoms_[atom] == NOT_BUILT && !index_[atom]) visit(static_cast<std::int32_t>(atom));
        built.circle = circle_;
        if (!circle_.empty()) return built;
        std::vector<GateLiteral> outputs = atoms_;
        GateArrays arrays = builder_.finish(outputs);
        built.offsets = std::move(arrays.offsets);
        built.literals = std::move(arrays.literals);
        built.atoms = std::move(arrays.outputs);
        return built;
    }

  private:
    std::span<const std::int32_t> body(std::int32_t rule) const {
        return rules_.body.subspan(rules_.body_offsets[rule], rules_.body_offsets[rule + 1] - rules_.body_offsets[rule]);
    }

    template <class Visit>
    void each_literal(std::int32_t atom, Visit visit) const {
        for (std::int32_t at = first_rule_[atom]; at < first_rule_[atom + 1]; ++at)
            for (std::int32_t literal : body(rules_of_[at])) visit(literal);
    }

    struct Frame {
        std::int32_t atom, rule, position;
    };

    // The next undecided atom below a frame's atom, or -1.
    std::int32_t next_below(Frame &frame) const {
        for (; frame.rule < first_rule_[frame.atom + 1]; ++frame.rule, frame.position = 0) {
            const auto literals = body(rules_of_[frame.rule]);
            while (frame.position < static_cast<std::int32_t>(literals.size())) {
                const std::int32_t below = literals[frame.position++] >> 1;
                if (atoms_[below] == NOT_BUILT) return below;
            }
        }
        return -1;
    }

    void enter(std::int32_t atom) {
        index_[atom] = low_[atom] = ++counter_;
        stack_.push_back(atom);
        frames_.push_back({atom, first_rule_[atom], 0});
    }

    void visit(std::int32_t root) {
        enter(root);
        while (!frames_.empty()) {
            Frame &frame = frames_.back();
            const std::int32_t atom = frame.atom;
            const std::int32_t below = next_below(frame);
            if (below >= 0) {
                // An atom that has an index and no literal yet is still on the stack.
                if (index_[below])
                    low_[atom] = std::min(low_[atom], index_[below]);
                else
                    enter(below);
                continue;
            }
            frames_.pop_back();
            finished_.push_back(atom);
            if (!frames_.empty()) low_[frames_.back().atom] = std::min(low_[frames_.back().atom], low_[atom]);
            if (low_[atom] == index_[atom]) {
                close(atom);
                if (!circle_.empty()) return;
            }
        }
    }

    // Writes the component of an atom. The members are the last that were finished, in an order in which
    // dependencies come first as far as that goes.
    void close(std::int32_t atom) {
        std::size_t size = 0;
        while (true) {
            const std::int32_t member = stack_.back();
            stack_.pop_back();
            ++size;
            if (member == atom) break;
        }
        const std::vector<std::int32_t> members(finished_.end() - size, finished_.end());
        finished_.resize(finished_.size() - size);
        if (size == 1 && !refers_to_itself(atom))
            atoms_[atom] = one_of_the_rules(atom);
        else
            write_loop(outwards(members));
    }

    bool refers_to_itself(std::int32_t atom) const {
        bool found = false;
        each_literal(atom, [&](std::int32_t literal) { found |= literal >> 1 == atom; });
        return found;
    }

    GateLiteral one_of_the_rules(std::int32_t atom) {
        std::vector<GateLiteral> refused;
        for (std::int32_t at = first_rule_[atom]; at < first_rule_[atom + 1]; ++at) {
            std::vector<GateLiteral> literals;
            for (std::int32_t literal : body(rules_of_[at])) literals.push_back(atoms_[literal >> 1] ^ (literal & 1));
            refused.push_back((literals.size() == 1 ? literals.front() : builder_.add(std::move(literals))) ^ 1);
        }
        if (refused.empty()) return builder_.never();
        return (refused.size() == 1 ? refused.front() : builder_.add(std::move(refused))) ^ 1;
    }

    // Members by how many steps of recursion they are away from where it begins: a round that goes through
    // them in this order carries most derivations to their end, whichever way the dependencies were met.
    std::vector<std::int32_t> outwards(const std::vector<std::int32_t> &members) {
        std::vector<std::vector<std::int32_t>> users(members.size());
        std::vector<std::int32_t> order;
        std::vector<char> reached(members.size(), 0);
        for (std::size_t at = 0; at < members.size(); ++at) place_[members[at]] = static_cast<std::int32_t>(at);
        auto reach = [&](std::int32_t at) {
            if (!reached[at]) order.push_back(members[at]);
            reached[at] = 1;
        };
        for (std::size_t user = 0; user < members.size(); ++user) {
            const std::int32_t atom = members[user];
            for (std::int32_t at = first_rule_[atom]; at < first_rule_[atom + 1]; ++at) {
                bool begins = true;
                for (std::int32_t literal : body(rules_of_[at])) {
                    if (place_[literal >> 1] < 0) continue;
                    begins = false;
                    users[place_[literal >> 1]].push_back(static_cast<std::int32_t>(user));
                }
                if (begins) reach(static_cast<std::int32_t>(user));
            }
        }
        for (std::size_t at = 0; at < order.size(); ++at)
            for (std::int32_t user : users[place_[order[at]]]) reach(user);
        for (std::size_t at = 0; at < members.size(); ++at) reach(static_cast<std::int32_t>(at));
        for (std::int32_t atom : members) place_[atom] = -1;
        return order;
    }

    void write_loop(const std::vector<std::int32_t> &members) {
        for (std::size_t at = 0; at < members.size(); ++at) place_[members[at]] = static_cast<std::int32_t>(at);
        for (std::size_t at = 0; at < members.size(); ++at)
            each_literal(members[at], [&](std::int32_t literal) {
                const std::int32_t place = place_[literal >> 1];
                if (place >= 0 && literal & 1) circle_ = members;
                if (place >= static_cast<std::int32_t>(at) && atoms_[literal >> 1] == NOT_BUILT)
                    atoms_[literal >> 1] = builder_.promise();
            });
        if (!circle_.empty()) return;
        for (std::int32_t atom : members) {
            const GateLiteral value = one_of_the_rules(atom);
            // "Derived so far" must begin false, and an OR is kept as its negation, which begins true.
            if (atoms_[atom] == NOT_BUILT)
                atoms_[atom] = value;
            else
                builder_.define(atoms_[atom], {value});
        }
        for (std::int32_t atom : members) place_[atom] = -1;
    }

    const GroundRules &rules_;
    std::vector<GateLiteral> atoms_;
    GateBuilder builder_;
    std::vector<std::int32_t> first_rule_, rules_of_;
    std::vector<std::int32_t> index_, low_, place_;
    std::vector<std::int32_t> stack_, finished_, circle_;
    std::vector<Frame> frames_;
    std::int32_t counter_ = 0;
};

}  // namespace

BuiltGates build_gates(const GroundRules &rules, std::vector<GateLiteral> atoms, std::int32_t first_gate) {
    return Construction(rules, std::move(atoms), first_gate).run();
}

}  // namespace ludorum
