// A game's rules with a state loaded: what Python talks to, without Python.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "datalog/evaluate.hpp"
#include "common/random.hpp"

namespace ludorum::datalog {

struct Questions {
    int truth = -1, does = -1, legal = -1, next = -1, sees = -1, goal = -1, terminal = -1;
};

struct PlayoutReport {
    std::uint64_t steps = 0, playouts = 0, cut = 0, stuck = 0;
    double seconds = 0, cpu_seconds = 0;
    double tuning_seconds = 0;  // of the processor's, spent on choosing plans
    std::uint64_t valued = 0;       // playouts that ended with exactly one number for each role
    // With `each`, of every game: goal values by role, -1 where there is not exactly one number, and steps.
    bool each = false;
    std::vector<std::int32_t> goals, lengths;
    std::vector<double> goal_sums;  // of all playouts, cut ones too; what is not exactly one number counts as 0
};

// Seconds this thread has had the processor, where the system tells; else seconds gone by.
double cpu_seconds();

class Machine {
  public:
    TermTable terms;
    Limits limits;
    std::mutex mutex;  // one question at a time; take it before calling anything below
    std::function<void()> poll;  // called now and then during long answers, which it may break off by an exception

    int add_relation(int arity, bool stored, bool unwrapped, Id functor, int lifetime, int component, bool reached);
    void add_facts(int relation, std::span<const Id> atoms);
    void add_rule(int relation, int variables, std::span<const int> code);
    void start(const Questions &questions, std::vector<Id> roles, std::vector<Id> initial);
    // Write down all rows of relations that never change, lowest first, where that is cheap.
    void materialise(std::span<const int> relations);
    void set_number(Id term, int number);
    // Moves of this form have the number at this place of theirs for a weight; all others have 1.
    void set_weight_place(Id functor, int place);

    // The rows of a relation, one after the other, in a state and under some moves (roles and moves by turns).
    std::vector<Id> rows(int relation, std::span<const Id> facts, std::span<const Id> does);
    // The facts after the moves, sorted.
    std::vector<Id> next(std::span<const Id> facts, std::span<const Id> does);
    // Random games from these facts.
    PlayoutReport playouts(std::span<const Id> facts, std::uint64_t count, double seconds, std::uint64_t seed,
                           int longest, bool each = false);
    const std::vector<Id> &initial() const { return initial_; }

    // From now on the functor has so many arguments; std::invalid_argument where it had another number before.
    void use_functor(Id functor, int arity);
    const std::vector<std::unique_ptr<Predicate>> &predicates() { return evaluator_->predicates(); }
    bool started() const { return evaluator_ != nullptr; }
    // What all questions have cost; the same wherever it is counted, unlike seconds.
    std::int64_t steps() const { return steps_; }
    std::size_t bytes() const { return evaluator_ ? evaluator_->bytes() : terms.bytes(); }

  private:
    static constexpr Id MOST_FUNCTORS = 1 << 24;  // facts are listed by functor
    static constexpr int MOST_VARIABLES = 1'000'000;
    struct Parser;
    struct Scene {
        std::vector<Id> facts, does;
    };
    Relation &relation(int number) const;
    void check_terms(std::span<const Id> ids, const char *refusal) const;
    void load(std::span<const Id> facts);
    std::unique_ptr<Evaluator> make_evaluator(Strategy strategy);
    bool count_rows(int relation, std::int64_t steps, std::vector<Id> &rows);
    void count_relations();
    std::int64_t cost_of_scenes(std::size_t count, std::int64_t budget);
    void tune();
    void show_state(const std::vector<Id> &facts);
    void show_moves(const std::vector<Id> &does);
    void move(std::span<const Id> does);
    bool play_one(std::vector<Id> facts, SplitMix64 &random, int longest, PlayoutReport &report);
    std::uint64_t weight_of(Id move) const;
    bool choose(SplitMix64 &random, std::vector<Id> &does);
    void add_goals(PlayoutReport &report, bool ended);
    bool depends(int user, int used) const;
    const Predicate &ask(int relation);

    std::vector<std::unique_ptr<Relation>> relations_;
    std::unique_ptr<Evaluator> evaluator_;
    std::int64_t steps_ = 0;
    Questions questions_;
    std::vector<Id> roles_, initial_, state_, does_;
    std::vector<int> arities_;  // by functor; -1: not met yet
    std::vector<int> numbers_;  // by term; -1 where it is no number
    Id weighed_ = -1;           // the functor of moves with weights, or -1
    int weight_place_ = 0;
    bool loaded_ = false, terminal_asks_legal_ = false;
    int loads_ = 0, restarts_ = 0;
    double tuning_seconds_ = 0;
    std::vector<Scene> scenes_;  // states met since the start, kept until the plans are tuned to them
};

}  // namespace ludorum::datalog
