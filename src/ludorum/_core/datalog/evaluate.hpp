// The evaluator: answers questions top-down, remembering every answer as long as it stays right.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "datalog/plan.hpp"

namespace ludorum::datalog {

struct Limits {
    double seconds = 60;            // for one question
    std::size_t rows = 30'000'000;  // rows and questions remembered at once
    Id terms = 20'000'000;          // ever interned
    std::size_t bytes = 2'000'000'000;  // of all tables together
    std::uint16_t depth = 10'000;   // of a term: rules that wrap terms for ever are found out at once
    std::int64_t steps = std::numeric_limits<std::int64_t>::max();  // of all questions to a machine together
};

class Evaluator {
  public:
    Evaluator(TermTable &terms, std::vector<std::unique_ptr<Relation>> &relations, int roles,
              Strategy strategy, const Limits &limits)
        : limits(limits), terms_(terms), planner_(terms, relations, roles, strategy), frames_(FRAMES) {}

    Limits limits;
    std::int64_t budget = UNLIMITED;  // elementary steps one question may take
    static constexpr std::int64_t UNLIMITED = std::numeric_limits<std::int64_t>::max();
    const std::function<void()> *poll = nullptr;  // see Machine

    // All rows of a relation; the argument values follow each other in `rows()` of the result.
    const Predicate &ask(int relation, int arity);


    void forget(Lifetime lifetime);
    void forget_all();
    const std::vector<std::unique_ptr<Predicate>> &predicates() { return planner_.predicates(); }
    // Bytes of terms, answers and indexes when they were last counted.
    std::size_t bytes() const { return bytes_; }
    // Elementary steps so far, roughly; planning counts as well.
    std::int64_t steps() const { return breaths_ * BREATH + (BREATH - breath_); }

  private:
    static constexpr std::size_t FRAMES = 1 << 21;  // ids of all registers in use
    static constexpr int BREATH = 4096;             // steps between two looks at the clock
    static constexpr int LOOK = 16;                 // breaths between two counts of the memory, at least
    static constexpr int FEW = 8;                   // rows compared one by one before a table is kept

    int call(Predicate &predicate, const Id *key);
    int open(Predicate &predicate, const Id *key, bool &fresh);
    void touch(Predicate &predicate);
    void add_answer(Predicate &predicate);
    void fill(Predicate &predicate);
    void solve(Predicate &predicate, int answer);
    void solve_component(Predicate &predicate, int answer);
    void start(Predicate &predicate, int answer);
    void drain(std::size_t floor);
    bool run(const Code &code, int pc, Id *registers, Predicate &owner, int answer);
    bool probe(const Code &code, int pc, Id *registers, Predicate &owner, int answer);
    bool each_row(const Code &code, int pc, Id *registers, Predicate &owner, int answer, Predicate &callee,
                  int result);
    bool suspend(const Code &code, int pc, Id *registers, Predicate &owner, int answer);
    bool refuted_in_circle(Predicate &callee, const Id *key);
    bool emit(Predicate &owner, int answer, const Id *row);
    bool is_new(Predicate &owner, int answer, const Id *row);
    void gather(const Code &code, const Op &op, const Id *registers);
    void compile(Predicate &predicate);
    Id build(Id functor, int arity);
    void begin();
    void breathe();
    void count_bytes();

    TermTable &terms_;
    Planner planner_;
    std::vector<Id> frames_;
    Id scratch_[MOST_ARGUMENTS + 1], entry_[MOST_ARGUMENTS + 2];
    std::size_t frame_top_ = 0;
    std::vector<Predicate *> touched_[3];
    std::vector<std::pair<Predicate *, int>> queue_;  // answers of recursive predicates with unread rows
    std::vector<std::pair<Predicate *, int>> open_;   // answers of runs that are not complete
    int run_ = 0, runs_ = 0;
    int breath_ = BREATH;
    std::int64_t breaths_ = 0, breaths_left_ = 0;
    std::size_t stored_ = 0, bytes_ = 0;
    std::size_t until_look_ = LOOK;
    bool timed_ = false;
    std::chrono::steady_clock::time_point deadline_;
    std::vector<Predicate *> whole_;  // by relation: the predicate with nothing given
    const char *stack_floor_ = nullptr;
};

}  // namespace ludorum::datalog
