// Work that is done once so that later questions are cheap: storing fixed relations, choosing plans by trial.

#include <algorithm>
#include <chrono>
#include <iterator>

#include "datalog/machine.hpp"

namespace ludorum::datalog {

namespace {

constexpr std::int64_t NEVER = std::numeric_limits<std::int64_t>::max() / 4;

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr Strategy STRATEGIES[] = {
    {true, true, false}, {true, false, false}, {false, true, false}, {false, false, true}};

}  // namespace

std::unique_ptr<Evaluator> Machine::make_evaluator(Strategy strategy) {
    const int roles = static_cast<int>(roles_.size());
    auto made = std::make_unique<Evaluator>(terms, relations_, roles, strategy, limits);
    made->poll = &poll;
    return made;
}

// Ask with the plans in use. A question that takes very long is begun anew with plans made another way, each
// given more and more steps: one bad guess must not make a game unplayable.
const Predicate &Machine::ask(int relation) {
    constexpr std::int64_t FIRST_BUDGET = 1 << 24;
    const int arity = relations_[relation]->arity;
    double spent = 0;
    for (std::int64_t budget = FIRST_BUDGET;; budget *= 2) {
        const double began = spent || budget > FIRST_BUDGET ? wall_seconds() : 0;
        evaluator_->limits = limits;
        evaluator_->limits.seconds = limits.seconds - spent;
        evaluator_->budget = std::min(budget, limits.steps - steps_);
        const std::int64_t before = evaluator_->steps();
        try {
            const Predicate &found = evaluator_->ask(relation, arity);
            steps_ += evaluator_->steps() - before;
            return found;
        } catch (const BudgetSpent &) {
            steps_ += evaluator_->steps() - before;
            if (steps_ >= limits.steps) throw LimitReached{"the step limit was reached"};
            evaluator_ = make_evaluator(STRATEGIES[++restarts_ % std::size(STRATEGIES)]);
            spent += began ? wall_seconds() - began : 0;
        }
    }
}

// All rows of a relation here and now; false if that takes more steps than allowed.
bool Machine::count_rows(int relation, std::int64_t steps, std::vector<Id> &rows) {
    evaluator_->budget = steps;
    bool complete = true;
    try {
        const Predicate &found = evaluator_->ask(relation, relations_[relation]->arity);
        const auto count = static_cast<std::size_t>(found.answers[0].count);
        if (count) rows.assign(found.row(0, 0), found.row(0, 0) + count * found.free_count);
        else rows.clear();
    } catch (const LimitReached &) {
        complete = false;
    } catch (const BudgetSpent &) {
        complete = false;
    } catch (const NegativeCircle &) {
        complete = false;
    }
    evaluator_->budget = Evaluator::UNLIMITED;
    return complete;
}

// Fixed relations become stored ones where that is cheap: lookups need no call, and estimates become counts.
void Machine::materialise(std::span<const int> wanted) {
    constexpr std::int64_t STEPS = 1 << 21, FEWER_STEPS = 1 << 16, ALL_STEPS = 1 << 22;
    constexpr std::size_t ROWS = 400'000;
    std::vector<Id> rows;
    std::int64_t steps = STEPS;
    for (int number : wanted) {
        Relation &relation = this->relation(number);
        if (relation.stored || relation.lifetime != ALWAYS || relation.arity == 0) continue;
        if (evaluator_->steps() > ALL_STEPS) break;
        const auto width = static_cast<std::size_t>(relation.arity);
        if (!count_rows(number, steps, rows) || rows.size() > ROWS * width) {
            steps = FEWER_STEPS;  // where one relation is too large, others built on it will be too
            continue;
        }
        for (std::size_t at = 0; at < rows.size(); at += width)
            relation.facts.add(terms, terms.make(relation.functor, rows.data() + at, relation.arity));
        relation.stored = true;
    }
    evaluator_ = make_evaluator(FIRST);
    loaded_ = false;
}

// Count what every relation holds in a few of the states that were met.
void Machine::count_relations() {
    constexpr std::int64_t STEPS = 1 << 17, ALL_STEPS = 1 << 21;
    const std::int64_t began = evaluator_->steps();
    const std::size_t stride = std::max<std::size_t>(1, scenes_.size() / 3);
    std::vector<char> uncounted(relations_.size(), 0);
    std::vector<Id> rows;
    double shown = 0;
    for (std::size_t at = stride - 1; at < scenes_.size(); at += stride, ++shown) {
        show_state(scenes_[at].facts);
        show_moves(scenes_[at].does);
        for (const auto &relation : relations_) {
            if (relation->stored || relation->lifetime == ALWAYS || relation->arity == 0) continue;
            if (!relation->reached || uncounted[relation->number]) continue;
            uncounted[relation->number] =
                evaluator_->steps() - began > ALL_STEPS || !count_rows(relation->number, STEPS, rows);
            const auto width = static_cast<std::size_t>(relation->arity);
            for (std::size_t row = 0; row < rows.size() && !uncounted[relation->number]; row += width)
                relation->facts.sample.push_back(
                    terms.make(relation->functor, rows.data() + row, relation->arity));
        }
    }
    for (const auto &relation : relations_) {
        if (relation->stored || relation->lifetime == ALWAYS) continue;
        relation->facts.expected_states = std::max(1.0, shown);
        if (uncounted[relation->number]) relation->facts.sample.clear();
    }
}

// The steps that the usual questions take in the first scenes; NEVER if they exceed the budget.
std::int64_t Machine::cost_of_scenes(std::size_t count, std::int64_t budget) {
    std::int64_t before = 0;
    for (int round = 0; round < 2; ++round) {  // first what is computed once for all states, then the states
        before = evaluator_->steps();
        const std::int64_t allowed = round == 0 ? 8 * budget : budget;
        for (std::size_t at = 0; at < count; ++at) {
            const Scene &scene = scenes_[scenes_.size() - 1 - at];
            show_state(scene.facts);
            for (int question : {questions_.legal, questions_.terminal, questions_.next}) {
                if (question == questions_.next && scene.does.empty()) question = questions_.goal;
                if (question == questions_.next) show_moves(scene.does);
                evaluator_->budget = allowed - (evaluator_->steps() - before);
                if (evaluator_->budget < 0) return NEVER;
                try {
                    evaluator_->ask(question, relations_[question]->arity);
                } catch (const LimitReached &) {
                    return NEVER;
                } catch (const BudgetSpent &) {
                    return NEVER;
                } catch (const NegativeCircle &) {
                    return NEVER;
                }
            }
        }
    }
    evaluator_->budget = Evaluator::UNLIMITED;
    return evaluator_->steps() - before;
}

// Try some ways to plan on states that were met and keep the one that takes fewest steps there. Steps and not
// seconds are counted so that the same play always leads to the same plans.
void Machine::tune() {
    constexpr std::int64_t ENOUGH = 1 << 18;
    FactSet &truth = relations_[questions_.truth]->facts;
    std::size_t count = 1;
    std::int64_t best = cost_of_scenes(count, NEVER / 16);
    while (best < ENOUGH && count < std::min<std::size_t>(8, scenes_.size()))
        best = cost_of_scenes(++count, NEVER / 16);
    std::unique_ptr<Evaluator> winner = std::move(evaluator_);
    truth.sample.clear();
    truth.expected_states = static_cast<double>(scenes_.size());
    for (const Scene &scene : scenes_)
        truth.sample.insert(truth.sample.end(), scene.facts.begin(), scene.facts.end());
    evaluator_ = make_evaluator({false, true, false});
    count_relations();
    for (const Strategy strategy : STRATEGIES) {
        evaluator_ = make_evaluator(strategy);
        const std::int64_t cost = cost_of_scenes(count, best);
        if (cost < best) {
            best = cost;
            winner = std::move(evaluator_);
        }
    }
    evaluator_ = std::move(winner);
    evaluator_->budget = Evaluator::UNLIMITED;
    evaluator_->forget(STATE);
    scenes_.clear();
}

}  // namespace ludorum::datalog
