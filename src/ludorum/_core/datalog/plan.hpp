// The planner: orders the conditions of rules by what they are expected to cost, and compiles them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datalog/program.hpp"

namespace ludorum::datalog {

// What one question is expected to yield and to cost, in rows and in elementary steps.
struct Estimate {
    double rows, cost;
};

// Ways to plan; which is best for a game is found out by trying.
struct Strategy {
    bool samples = true;     // trust counts of derived relations where there are any
    bool foresight = true;   // try the few best generators to the end instead of taking the smallest
    bool as_written = false; // take generators in the order of the text
};

inline constexpr Strategy FIRST{true, false, false};  // before anything is known of the game's states

struct UnsafeRule {
    int relation, rule;
};

class Planner {
  public:
    Planner(const TermTable &terms, std::vector<std::unique_ptr<Relation>> &relations, int roles,
            Strategy strategy)
        : terms_(terms), relations_(relations), roles_(roles), strategy_(strategy) {}

    // The predicate for a relation asked with these arguments given; made when first wanted.
    Predicate &predicate(int relation, const std::vector<char> &bound);
    // The same, or nothing if it has not been wanted yet.
    Predicate *known_predicate(int relation, const std::vector<char> &bound);
    Predicate &numbered(int number) { return *predicates_[number]; }
    Index &index(int number) { return *indexes_[number]; }
    std::vector<std::unique_ptr<Predicate>> &predicates() { return predicates_; }

    // Memory of all answers and indexes; `looked_at` grows by the number of tables that were asked.
    std::size_t bytes(std::size_t &looked_at) const;

    // Fill in the code of a predicate.
    void compile(Predicate &predicate);

  private:
    friend class RuleCompiler;
    using Bound = std::vector<char>;

    Estimate estimate(int relation, const Bound &bound);
    Estimate order(const Relation &relation, const Rule &rule, const Bound &bound, std::vector<int> &order,
                   bool foresight);
    bool expect(const Literal &literal, const Bound &known, int component, Estimate &result);
    double matches(const Relation &relation, const Shape &shape);
    Bound given(const Literal &literal, const Bound &known, int component) const;
    int predicate_number(int relation, const Bound &bound);
    int index_number(const Relation &relation, const Shape &shape);

    const TermTable &terms_;
    std::vector<std::unique_ptr<Relation>> &relations_;
    int roles_, depth_ = 0;
    Strategy strategy_;
    std::vector<std::unique_ptr<Predicate>> predicates_;
    std::map<std::pair<int, Bound>, int> predicate_numbers_;
    std::vector<std::unique_ptr<Index>> indexes_;
    std::map<std::vector<int>, int> index_numbers_;
    std::map<std::vector<int>, double> matches_;
    std::map<int, std::map<std::string, Estimate>> estimates_;
};

bool all_known(const Pattern &pattern, const std::vector<char> &known);
void mark_known(const Pattern &pattern, std::vector<char> &known);

// The shape of a stored literal under known variables. `outputs` gets (node, variable) for the unknown ones,
// repeated if a variable is, and `key` the pattern that gives each key value.
struct Access {
    Shape shape;
    std::vector<const Pattern *> key;
    std::vector<std::pair<int, int>> outputs;
};
Access access(const Relation &relation, const Literal &literal, const std::vector<char> &known);

}  // namespace ludorum::datalog
