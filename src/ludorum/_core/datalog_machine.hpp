// A game's rules with a state loaded: what Python talks to, without Python.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "datalog_evaluate.hpp"
#include "random.hpp"

namespace ludorum::datalog {

struct Questions {
    int truth = -1, does = -1, legal = -1, next = -1, sees = -1, goal = -1, terminal = -1;
};

struct PlayoutReport {
    std::uint64_t steps = 0, playouts = 0, cut = 0, stuck = 0;
    double seconds = 0;
    std::vector<double> goal_sums;  // of the playouts that ended with exactly one number for each role
    std::uint64_t valued = 0;
};

class Machine {
  public:
    TermTable terms;
    Limits limits;
    std::mutex mutex;  // one question at a time; take it before calling anything below

    int add_relation(int arity, bool stored, bool unwrapped, Id functor, int lifetime, int component);
    void add_facts(int relation, std::span<const Id> atoms);
    void add_rule(int relation, int variables, std::span<const int> code);
    void set_sample(std::span<const Id> fluents, double states);
    void start(const Questions &questions, std::vector<Id> roles, std::vector<Id> initial);
    void set_number(Id term, int number);

    // The rows of a relation, one after the other, in a state and under some moves (roles and moves by turns).
    std::vector<Id> rows(int relation, std::span<const Id> facts, std::span<const Id> does);
    // The facts after the moves, sorted.
    std::vector<Id> next(std::span<const Id> facts, std::span<const Id> does);
    PlayoutReport playouts(std::uint64_t count, double seconds, std::uint64_t seed, int longest);

    int arity(int relation) const { return relations_.at(relation)->arity; }
    bool started() const { return evaluator_ != nullptr; }

  private:
    struct Parser;
    void load(std::span<const Id> facts);
    void move(std::span<const Id> does);
    bool play_one(SplitMix64 &random, int longest, PlayoutReport &report);
    bool choose(SplitMix64 &random, std::vector<Id> &does);
    void add_goals(PlayoutReport &report);
    const Predicate &ask(int relation) { return evaluator_->ask(relation, relations_[relation]->arity); }

    std::vector<std::unique_ptr<Relation>> relations_;
    std::unique_ptr<Evaluator> evaluator_;
    Questions questions_;
    std::vector<Id> roles_, initial_, state_, does_;
    std::vector<int> numbers_;  // by term; -1 where it is no number
    bool loaded_ = false;
};

}  // namespace ludorum::datalog
