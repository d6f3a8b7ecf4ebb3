#include "datalog/plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "common/stack_room.hpp"

namespace ludorum::datalog {

namespace {

constexpr double MOST_ROWS = 1e9;
constexpr std::size_t MOST_WAYS = 40;  // choices of given arguments estimated for one relation
constexpr int DEEPEST = 300;  // relations below each other that estimates look through
constexpr std::size_t SAMPLE = 2000;  // facts looked at for an estimate

void add_node(const Pattern &pattern, int parent, int which, const std::vector<char> &known, Access &out) {
    const int node = static_cast<int>(out.shape.nodes.size());
    const bool compound = pattern.kind == Pattern::COMPOUND;
    out.shape.nodes.push_back({parent, which, compound ? pattern.value : -1});
    if (compound) {
        for (std::size_t k = 0; k < pattern.args.size(); ++k)
            add_node(pattern.args[k], node, static_cast<int>(k), known, out);
    } else if (pattern.kind == Pattern::GROUND || known[pattern.value]) {
        out.shape.key.push_back(node);
        out.key.push_back(&pattern);
    } else {
        out.outputs.emplace_back(node, pattern.value);
    }
}

std::vector<int> shape_code(const Shape &shape) {
    std::vector<int> code;
    for (const Node &node : shape.nodes) code.insert(code.end(), {node.parent, node.which, node.functor});
    code.push_back(-9);
    code.insert(code.end(), shape.key.begin(), shape.key.end());
    return code;
}

// The shape of a row of which some arguments are given.
Shape call_shape(const Relation &relation, const std::vector<char> &bound) {
    Shape shape;
    shape.nodes.push_back({-1, -1, relation.functor});
    for (int i = 0; i < relation.arity; ++i) {
        shape.nodes.push_back({0, i, -1});
        if (bound[i]) shape.key.push_back(i + 1);
    }
    return shape;
}

}  // namespace

bool all_known(const Pattern &pattern, const std::vector<char> &known) {
    if (pattern.kind == Pattern::VARIABLE) return known[pattern.value];
    return std::all_of(pattern.args.begin(), pattern.args.end(),
                       [&](const Pattern &arg) { return all_known(arg, known); });
}

void mark_known(const Pattern &pattern, std::vector<char> &known) {
    if (pattern.kind == Pattern::VARIABLE) known[pattern.value] = 1;
    for (const Pattern &arg : pattern.args) mark_known(arg, known);
}

Access access(const Relation &relation, const Literal &literal, const std::vector<char> &known) {
    Access out;
    if (relation.unwrapped) {
        // A ground fluent is looked up as it is; its functor still tells which members matter.
        add_node(literal.args[0], -1, -1, known, out);
        return out;
    }
    out.shape.nodes.push_back({-1, -1, relation.functor});
    for (std::size_t k = 0; k < literal.args.size(); ++k)
        add_node(literal.args[k], 0, static_cast<int>(k), known, out);
    return out;
}

std::size_t Planner::bytes(std::size_t &looked_at) const {
    std::size_t total = 0;
    for (const auto &predicate : predicates_) total += predicate->bytes();
    for (const auto &predicate : predicates_) looked_at += 1 + predicate->chains.size();
    for (const auto &index : indexes_) total += index->bytes();
    looked_at += indexes_.size();
    return total;
}

Predicate &Planner::predicate(int relation, const Bound &bound) {
    return *predicates_[predicate_number(relation, bound)];
}

Predicate *Planner::known_predicate(int relation, const Bound &bound) {
    const auto found = predicate_numbers_.find({relation, bound});
    return found == predicate_numbers_.end() ? nullptr : predicates_[found->second].get();
}

int Planner::predicate_number(int relation, const Bound &bound) {
    const auto [place, fresh] =
        predicate_numbers_.try_emplace({relation, bound}, static_cast<int>(predicates_.size()));
    if (fresh) {
        const Relation &of = *relations_[relation];
        const int given = static_cast<int>(std::count(bound.begin(), bound.end(), 1));
        predicates_.push_back(std::make_unique<Predicate>(relation, bound, given, of.arity - given, of.lifetime,
                                                          of.component));
    }
    return place->second;
}

int Planner::index_number(const Relation &relation, const Shape &shape) {
    std::vector<int> code = shape_code(shape);
    code.push_back(relation.number);
    const auto [place, fresh] = index_numbers_.try_emplace(std::move(code), static_cast<int>(indexes_.size()));
    if (fresh) indexes_.push_back(std::make_unique<Index>(relation.facts, shape));
    return place->second;
}

// How many facts a lookup finds on average, were the parts of facts independent of each other.
double Planner::matches(const Relation &relation, const Shape &shape) {
    std::vector<int> code = shape_code(shape);
    code.push_back(relation.number);
    const auto known = matches_.find(code);
    if (known != matches_.end()) return known->second;
    const FactSet &set = relation.facts;
    const std::vector<Id> &sample = set.sample.empty() ? set.members : set.sample;
    std::vector<std::set<Id>> values(shape.key.size());
    std::vector<Id> scratch, key(shape.key.size() + 1);
    const std::size_t step = sample.size() / SAMPLE + 1;
    double found = 0;
    for (std::size_t i = 0; i < sample.size(); i += step) {
        if (!shape.take_apart(terms_, sample[i], scratch, key.data())) continue;
        found += static_cast<double>(step) / set.expected_states;
        for (std::size_t k = 0; k < shape.key.size(); ++k) values[k].insert(key[k]);
    }
    double rows = found;
    for (const auto &distinct : values) rows /= std::max<double>(1, static_cast<double>(distinct.size()));
    // Fluents that no sampled state holds will appear later, singly more often than not.
    if (found == 0 && relation.lifetime != ALWAYS) rows = shape.key.empty() ? 3 : 0.7;
    return matches_[code] = rows;
}

Planner::Bound Planner::given(const Literal &literal, const Bound &known, int component) const {
    const bool recursive = component >= 0 && relations_[literal.relation]->component == component;
    Bound bound;
    for (const Pattern &arg : literal.args) {
        // Inside a recursion no call may build a term, or the calls might grow without end.
        const bool usable = all_known(arg, known) && !(recursive && arg.kind == Pattern::COMPOUND);
        bound.push_back(usable);
    }
    return bound;
}

Estimate Planner::estimate(int relation, const Bound &bound) {
    const Relation &of = *relations_[relation];
    const bool test = std::find(bound.begin(), bound.end(), 0) == bound.end();
    const bool open = std::find(bound.begin(), bound.end(), 1) == bound.end();
    // The guess for recursive calls, in force while the estimate is being made.
    const Estimate guess = test ? Estimate{0.5, 10} : open ? Estimate{30, 100} : Estimate{3, 20};
    auto &known_estimates = estimates_[relation];
    if (known_estimates.size() > MOST_WAYS) return guess;
    const auto [place, fresh] = known_estimates.try_emplace(std::string(bound.begin(), bound.end()), guess);
    if (!fresh || depth_ > DEEPEST || below(stack_floor())) return place->second;
    ++depth_;
    Estimate total{0, 1};
    std::vector<int> unused;
    for (const Rule &rule : of.rules) {
        Bound known(rule.variables, 0);
        double chance = 1;
        for (int i = 0; i < of.arity; ++i) {
            if (!bound[i]) continue;
            if (rule.head[i].kind != Pattern::VARIABLE) chance *= 0.3;
            mark_known(rule.head[i], known);
        }
        unused.clear();
        const Estimate one = order(of, rule, known, unused, false);
        total.rows += chance * one.rows;
        total.cost += 1 + chance * one.cost;
    }
    --depth_;
    if (strategy_.samples && !of.facts.sample.empty()) total.rows = matches(of, call_shape(of, bound));
    if (test) total.rows = std::min(total.rows, 0.9);
    total.rows = std::min(total.rows, MOST_ROWS);
    total.cost = std::min(total.cost, 1e3 * MOST_ROWS);
    return estimates_[relation][std::string(bound.begin(), bound.end())] = total;
}

// What a condition yields and costs now; false if it has to wait for more variables.
bool Planner::expect(const Literal &literal, const Bound &known, int component, Estimate &result) {
    const bool closed = std::all_of(literal.args.begin(), literal.args.end(),
                                    [&](const Pattern &arg) { return all_known(arg, known); });
    if (literal.kind != Literal::HOLDS && !closed) return false;
    if (literal.kind == Literal::DIFFER || literal.kind == Literal::SAME) {
        result = {literal.kind == Literal::DIFFER ? 0.9 : 0.2, 0.1};
        return true;
    }
    const Relation &of = *relations_[literal.relation];
    if (!of.stored) {
        result = estimate(literal.relation, given(literal, known, component));
        result.cost += 3;
    } else if (of.lifetime == MOVES) {
        const double rows = literal.args.empty() || all_known(literal.args[0], known) ? 0.7 : 0.7 * roles_;
        result = {rows, 1 + rows};
    } else {
        const double rows = matches(of, access(of, literal, known).shape);
        result = {rows, 1 + rows};
    }
    if (closed) result.rows = std::min(result.rows, 0.9);
    if (literal.kind == Literal::FAILS) result.rows = std::max(0.3, 1 - result.rows);
    return true;
}

namespace {

using Bound = std::vector<char>;

// The conditions of one rule with what each is expected to cost, remembered for each set of known variables.
class Ordering {
  public:
    Ordering(const Rule &rule, std::function<bool(const Literal &, const Bound &, Estimate &)> expect)
        : rule_(rule), expect_(std::move(expect)), memo_(rule.body.size()), variables_(rule.body.size()) {
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            Bound used(rule.variables, 0);
            for (const Pattern &arg : rule.body[i].args) mark_known(arg, used);
            for (int v = 0; v < rule.variables; ++v)
                if (used[v]) variables_[i].push_back(v);
        }
    }

    struct Plan {
        std::vector<int> order;
        Estimate total{1, 0};
        bool complete = true;
    };

    // Filters before generators, filters by how much they throw away for their cost, generators by size. With
    // `foresight` the few most promising generators are each tried to the end.
    Plan search(const Bound &bound, bool foresight, bool as_written) {
        as_written_ = as_written;
        Plan plan;
        known_ = bound;
        done_.assign(rule_.body.size(), 0);
        while (plan.order.size() < rule_.body.size()) {
            std::vector<Choice> choices = ranked();
            if (choices.empty()) {
                plan.complete = false;
                return plan;
            }
            Choice chosen = choices[0];
            if (foresight && chosen.generator && choices.size() > 1) chosen = foresee(choices, plan);
            take(chosen, plan);
        }
        return plan;
    }

  private:
    static constexpr std::size_t WIDTH = 4;  // generators tried

    struct Choice {
        int literal;
        bool generator;
        double score;
        Estimate estimate;
    };

    std::vector<Choice> ranked() {
        std::vector<Choice> choices;
        for (std::size_t i = 0; i < rule_.body.size(); ++i) {
            Estimate one;
            if (done_[i] || !expected(i, one)) continue;
            const bool generator = one.rows >= 1;
            const double size = as_written_ ? static_cast<double>(i) : one.rows + 1e-3 * std::min(one.cost, 1e6);
            const double score = generator ? 1 + size : (one.rows - 1) / (one.cost + 0.1);
            choices.push_back({static_cast<int>(i), generator, score, one});
        }
        std::stable_sort(choices.begin(), choices.end(),
                         [](const Choice &one, const Choice &other) { return one.score < other.score; });
        return choices;
    }

    bool expected(std::size_t literal, Estimate &result) {
        std::string pattern;
        for (int variable : variables_[literal]) pattern += known_[variable] ? 'b' : 'f';
        const auto [place, fresh] = memo_[literal].try_emplace(std::move(pattern), false, Estimate{0, 0});
        if (fresh) {
            Estimate found{0, 0};
            const bool ready = expect_(rule_.body[literal], known_, found);
            place->second = {ready, found};
        }
        result = place->second.second;
        return place->second.first;
    }

    void take(const Choice &choice, Plan &plan) {
        done_[choice.literal] = 1;
        plan.order.push_back(choice.literal);
        plan.total.cost += plan.total.rows * choice.estimate.cost;
        plan.total.rows = std::min(plan.total.rows * choice.estimate.rows, MOST_ROWS);
        for (int variable : variables_[choice.literal]) known_[variable] = 1;
    }

    Choice foresee(const std::vector<Choice> &choices, const Plan &plan) {
        const Bound known = known_, done = done_;
        double best = 0;
        std::size_t winner = choices.size();
        for (std::size_t i = 0; i < choices.size() && i < WIDTH; ++i) {
            Plan attempt = plan;
            take(choices[i], attempt);
            while (attempt.order.size() < rule_.body.size()) {
                const std::vector<Choice> next = ranked();
                if (next.empty()) break;
                take(next[0], attempt);
            }
            known_ = known;
            done_ = done;
            if (winner == choices.size() || attempt.total.cost < best) {
                winner = i;
                best = attempt.total.cost;
            }
        }
        return choices[winner];
    }

    const Rule &rule_;
    std::function<bool(const Literal &, const Bound &, Estimate &)> expect_;
    std::vector<std::map<std::string, std::pair<bool, Estimate>>> memo_;
    std::vector<std::vector<int>> variables_;
    Bound known_, done_;
    bool as_written_ = false;
};

}  // namespace

Estimate Planner::order(const Relation &relation, const Rule &rule, const Bound &bound, std::vector<int> &order,
                        bool foresight) {
    Ordering ordering(rule, [&](const Literal &literal, const Bound &known, Estimate &result) {
        return expect(literal, known, relation.component, result);
    });
    const Ordering::Plan plan = ordering.search(bound, foresight && strategy_.foresight, strategy_.as_written);
    if (!plan.complete) throw UnsafeRule{relation.number, static_cast<int>(&rule - relation.rules.data())};
    order = plan.order;
    return plan.total;
}

}  // namespace ludorum::datalog
