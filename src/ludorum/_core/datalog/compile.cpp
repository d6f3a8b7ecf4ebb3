// From ordered conditions to code: registers, lookups, calls.

#include <algorithm>

#include "datalog/plan.hpp"

namespace ludorum::datalog {

class RuleCompiler {
  public:
    RuleCompiler(Planner &planner, const Predicate &predicate, const Rule &rule)
        : planner_(planner), predicate_(predicate), relation_(*planner.relations_[predicate.relation]),
          rule_(rule), known_(rule.variables, 0) {
        code_.registers = rule.variables;
    }

    Code compile() {
        std::vector<int> order;
        Planner::Bound known(rule_.variables, 0);
        for (std::size_t i = 0; i < rule_.head.size(); ++i)
            if (predicate_.bound[i]) mark_known(rule_.head[i], known);
        planner_.order(relation_, rule_, known, order, true);
        match_key();
        for (int which : order) add_literal(rule_.body[which]);
        emit_row();
        code_.order = order;
        return std::move(code_);
    }

  private:
    int temporary() { return code_.registers++; }

    void add(Op::Kind kind, int a, int b, int c = 0) { code_.ops.push_back({kind, false, a, b, c, 0, 0}); }

    void add_with(Op::Kind kind, int a, int b, int c, const std::vector<int> &operands) {
        const int first = static_cast<int>(code_.operands.size());
        code_.operands.insert(code_.operands.end(), operands.begin(), operands.end());
        code_.ops.push_back({kind, head_known(), a, b, c, first, static_cast<int>(operands.size())});
    }

    // Once the answer's values are known, a second success of what remains tells nothing new.
    bool head_known() const {
        for (std::size_t i = 0; i < rule_.head.size(); ++i)
            if (!predicate_.bound[i] && !all_known(rule_.head[i], known_)) return false;
        return true;
    }

    void match_key() {
        int position = 0;
        for (std::size_t i = 0; i < rule_.head.size(); ++i)
            if (predicate_.bound[i]) match(rule_.head[i], Op::KEY, position++, 0);
    }

    // Load a value by the given operation (KEY, COPY or ARG) and compare it with a pattern.
    void match(const Pattern &pattern, Op::Kind load, int b, int c) {
        if (pattern.kind == Pattern::VARIABLE && !known_[pattern.value]) {
            known_[pattern.value] = 1;
            add(load, pattern.value, b, c);
            return;
        }
        const int value = load == Op::COPY ? b : temporary();
        if (load != Op::COPY) add(load, value, b, c);
        check(pattern, value);
    }

    void check(const Pattern &pattern, int value) {
        if (pattern.kind == Pattern::VARIABLE) {
            add(Op::SAME, value, pattern.value);
        } else if (pattern.kind == Pattern::GROUND) {
            add(Op::SAME, value, ~pattern.value);
        } else {
            add(Op::FUNCTOR, value, pattern.value);
            for (std::size_t k = 0; k < pattern.args.size(); ++k)
                match(pattern.args[k], Op::ARG, value, static_cast<int>(k));
        }
    }

    // The operand that holds the value of a pattern whose variables are known.
    int value_of(const Pattern &pattern) {
        if (pattern.kind == Pattern::VARIABLE) return pattern.value;
        if (pattern.kind == Pattern::GROUND) return ~pattern.value;
        std::vector<int> parts;
        for (const Pattern &arg : pattern.args) parts.push_back(value_of(arg));
        const int made = temporary();
        add_with(Op::BUILD, made, pattern.value, 0, parts);
        return made;
    }

    void add_literal(const Literal &literal) {
        if (literal.kind == Literal::DIFFER || literal.kind == Literal::SAME) {
            const int left = value_of(literal.args[0]), right = value_of(literal.args[1]);
            add(literal.kind == Literal::DIFFER ? Op::DIFFER : Op::SAME, left, right);
        } else if (planner_.relations_[literal.relation]->stored) {
            add_lookup(literal, *planner_.relations_[literal.relation]);
        } else {
            add_call(literal, *planner_.relations_[literal.relation]);
        }
    }

    void add_lookup(const Literal &literal, const Relation &relation) {
        const Access found = access(relation, literal, known_);
        const int index = planner_.index_number(relation, found.shape);
        std::vector<int> key;
        for (const Pattern *pattern : found.key) key.push_back(value_of(*pattern));
        if (found.outputs.empty()) {
            add_with(literal.kind == Literal::HOLDS ? Op::HAS : Op::LACKS, 0, index, 0, key);
            return;
        }
        const std::vector<Node> &nodes = found.shape.nodes;
        std::vector<int> place(nodes.size(), -1);  // the register each node's value lies in
        const bool whole = found.outputs[0].first == 0;
        place[0] = whole ? found.outputs[0].second : temporary();
        add_with(Op::PROBE, place[0], index, 0, key);
        if (whole) known_[place[0]] = 1;
        for (const auto &[node, variable] : found.outputs)
            if (node > 0) load_node(nodes, node, variable, place);
    }

    void load_node(const std::vector<Node> &nodes, int node, int variable, std::vector<int> &place) {
        const int parent = part(nodes, nodes[node].parent, place);
        if (known_[variable]) {  // the variable stands twice in the fact
            const int value = temporary();
            add(Op::ARG, value, parent, nodes[node].which);
            add(Op::SAME, value, variable);
        } else {
            known_[variable] = 1;
            add(Op::ARG, variable, parent, nodes[node].which);
        }
    }

    int part(const std::vector<Node> &nodes, int node, std::vector<int> &place) {
        if (place[node] < 0) {
            const int parent = part(nodes, nodes[node].parent, place);
            place[node] = temporary();
            add(Op::ARG, place[node], parent, nodes[node].which);
        }
        return place[node];
    }

    void add_call(const Literal &literal, const Relation &relation) {
        const bool inside = relation.component >= 0 && relation.component == relation_.component;
        if (literal.kind == Literal::FAILS) {
            add_refusal(literal, inside);
            return;
        }
        const Planner::Bound bound = planner_.given(literal, known_, inside ? relation.component : -1);
        std::vector<int> key;
        for (std::size_t i = 0; i < bound.size(); ++i)
            if (bound[i]) key.push_back(value_of(literal.args[i]));
        const int number = planner_.predicate_number(literal.relation, bound);
        const bool closed = std::find(bound.begin(), bound.end(), 0) == bound.end();
        if (closed && !inside) {
            add_with(Op::PROVED, 0, number, 0, key);
        } else {
            add_rows(literal, number, bound, key, inside);
        }
    }

    // Everything is given to a negated call, even terms built inside a recursion.
    void add_refusal(const Literal &literal, bool inside) {
        std::vector<int> key;
        for (const Pattern &arg : literal.args) key.push_back(value_of(arg));
        const Planner::Bound all(literal.args.size(), 1);
        const int number = planner_.predicate_number(literal.relation, all);
        add_with(inside ? Op::CIRCULAR : Op::REFUTED, 0, number, 0, key);
    }

    void add_rows(const Literal &literal, int number, const Planner::Bound &bound, const std::vector<int> &key,
                  bool inside) {
        std::vector<int> columns;
        std::vector<std::pair<const Pattern *, int>> checks;
        Planner::Bound known = known_;
        for (std::size_t i = 0; i < bound.size(); ++i) {
            if (bound[i]) continue;
            const Pattern &pattern = literal.args[i];
            if (pattern.kind == Pattern::VARIABLE && !known[pattern.value]) {
                known[pattern.value] = 1;
                columns.push_back(pattern.value);
            } else {
                columns.push_back(temporary());
                checks.emplace_back(&pattern, columns.back());
            }
        }
        const int list = static_cast<int>(code_.operands.size());
        code_.operands.insert(code_.operands.end(), columns.begin(), columns.end());
        add_with(inside ? Op::SUSPEND : Op::CALL, 0, number, list, key);
        known_ = known;
        for (const auto &[pattern, value] : checks) check(*pattern, value);
    }

    void emit_row() {
        std::vector<int> row;
        for (std::size_t i = 0; i < rule_.head.size(); ++i)
            if (!predicate_.bound[i]) row.push_back(value_of(rule_.head[i]));
        add_with(Op::EMIT, 0, 0, 0, row);
    }

    Planner &planner_;
    const Predicate &predicate_;
    const Relation &relation_;
    const Rule &rule_;
    Planner::Bound known_;
    Code code_;
};

void Planner::compile(Predicate &predicate) {
    std::vector<Code> made;
    for (const Rule &rule : relations_[predicate.relation]->rules) {
        for (std::size_t i = 0; i < rule.head.size(); ++i) {
            Bound all(rule.variables, 0);
            for (const Literal &literal : rule.body)
                if (literal.kind == Literal::HOLDS)
                    for (const Pattern &arg : literal.args) mark_known(arg, all);
            if (!all_known(rule.head[i], all))
                throw UnsafeRule{predicate.relation,
                                 static_cast<int>(&rule - relations_[predicate.relation]->rules.data())};
        }
        made.push_back(RuleCompiler(*this, predicate, rule).compile());
    }
    predicate.rules = std::move(made);
    predicate.compiled = true;
}

}  // namespace ludorum::datalog
