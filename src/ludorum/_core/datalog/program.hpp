// Rules as data, and the small programs that the planner compiles them into.
#pragma once

#include <memory>
#include <vector>

#include "datalog/facts.hpp"

namespace ludorum::datalog {

constexpr int MOST_ARGUMENTS = 1000;  // of a relation or function

struct Pattern {
    enum Kind { VARIABLE, GROUND, COMPOUND } kind;
    Id value;  // the variable's number, the ground term, or the functor
    std::vector<Pattern> args;
};

struct Literal {
    enum Kind { HOLDS, FAILS, DIFFER, SAME } kind;
    int relation;  // of HOLDS and FAILS
    std::vector<Pattern> args;
};

struct Rule {
    std::vector<Pattern> head;
    std::vector<Literal> body;
    int variables;
};

// How long answers stay right: for good, as long as the state, or as long as the moves made in it.
enum Lifetime { ALWAYS, STATE, MOVES };

struct Relation {
    int number;
    int arity;
    bool stored;     // a set of facts; otherwise rules derive it
    bool unwrapped;  // the set holds the only argument itself (true) and not the whole atom
    Id functor;      // of the whole atom in a set
    Lifetime lifetime;
    int component;  // the group of mutually recursive relations it belongs to; -1 if it is not recursive
    bool reached;   // whether a question can depend on it
    FactSet facts;  // of a derived relation only a sample, for estimates
    std::vector<Rule> rules;
};

// An operand is a register, or ~constant where negative.
struct Op {
    enum Kind : std::uint8_t {
        KEY,       // a = value b of the call's key
        COPY,      // a = b
        ARG,       // a = argument c of b
        FUNCTOR,   // a must be made by functor b
        SAME,      // a must equal b
        DIFFER,    // a must not equal b
        BUILD,     // a = functor b applied to the operands
        PROBE,     // for each fact of index b with the operands as key: a = fact
        HAS,       // index b must have a fact with the operands as key
        LACKS,     // index b must not
        CALL,      // for each row of predicate b under the operands as key: registers from the list at c
        PROVED,    // predicate b must hold for the operands
        REFUTED,   // predicate b must not
        SUSPEND,   // CALL inside a recursive component: goes on with each row once it is found
        CIRCULAR,  // REFUTED inside a recursive component
        EMIT,      // the operands are a row of the answer
    } kind;
    bool once;  // whether one success of the rest of the rule is enough
    int a, b, c;
    int first, count;  // its operands in the list of the code
};

struct Code {
    std::vector<Op> ops;
    std::vector<int> operands;
    std::vector<int> order;  // of the rule's conditions
    int registers = 0;
};

// A relation asked with certain arguments given, and everything it has answered within its lifetime.
struct Predicate {
    struct Answer {
        int first, count;  // rows; of a recursive predicate they lie in `chains`, first is not used
        int run;           // 0 once complete, else the number of the recursive run that works on it
    };
    // A rule that waits for more rows of an answer.
    struct Consumer {
        const Code *code;
        Predicate *owner;
        int owner_answer, pc, seen;
        std::vector<Id> registers;
    };
    struct Chain {
        std::vector<Id> rows;
        std::vector<Consumer> consumers;
        bool queued = false, started = false;

        std::size_t bytes() const {
            std::size_t total = sizeof(Chain) + rows.capacity() * sizeof(Id);
            total += consumers.capacity() * sizeof(Consumer);
            for (const Consumer &consumer : consumers) total += consumer.registers.capacity() * sizeof(Id);
            return total;
        }
    };

    int relation;
    std::vector<char> bound;  // for each argument whether a call gives it
    int bound_count, free_count;
    Lifetime lifetime;
    int component;
    bool compiled = false, touched = false;
    std::size_t stored = 0;              // answers and rows remembered now
    std::uint64_t asked = 0, found = 0;  // questions and rows since the start
    std::uint64_t steps = 0;             // facts and rows tried
    std::vector<Code> rules;

    Predicate *whole = nullptr;  // the same relation with nothing given, if there is such a predicate
    bool filled = false;         // whether all its rows have been put into this one's answers

    KeyTable table;   // key -> number of its answer
    KeyTable rowset;  // (answer, row) -> only for answers with many rows
    std::vector<Answer> answers;
    std::vector<Id> rows;
    std::vector<std::unique_ptr<Chain>> chains;

    Predicate(int relation, std::vector<char> bound, int bound_count, int free_count, Lifetime lifetime,
              int component)
        : relation(relation), bound(std::move(bound)), bound_count(bound_count), free_count(free_count),
          lifetime(lifetime), component(component), table(bound_count), rowset(free_count + 1) {}

    bool recursive() const { return component >= 0; }
    const Id *row(int answer, int which) const {
        const std::size_t width = static_cast<std::size_t>(free_count);
        return recursive() ? chains[answer]->rows.data() + which * width
                           : rows.data() + (answers[answer].first + which) * width;
    }
    std::size_t bytes() const {
        std::size_t total = table.bytes() + rowset.bytes() + answers.capacity() * sizeof(Answer);
        total += rows.capacity() * sizeof(Id) + chains.capacity() * sizeof(void *);
        for (const auto &chain : chains) total += chain->bytes();
        return total;
    }
    // Whether a predicate with nothing given has been answered in full.
    bool answered() const { return !answers.empty() && answers[0].run == 0; }
    void forget() {
        table.clear();
        if (rowset.size()) rowset.clear();
        for (std::size_t a = 0; a < answers.size() && a < chains.size(); ++a) {
            chains[a]->rows.clear();
            chains[a]->consumers.clear();
            chains[a]->queued = chains[a]->started = false;
        }
        answers.clear();
        rows.clear();
        stored = 0;
        touched = filled = false;
    }
};

}  // namespace ludorum::datalog
