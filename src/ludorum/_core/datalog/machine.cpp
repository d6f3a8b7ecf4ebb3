#include "datalog/machine.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>

namespace ludorum::datalog {

double cpu_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Patterns come as numbers in prefix order: 0 variable, 1 ground term, 2 functor count arguments...
struct Machine::Parser {
    static constexpr int DEEPEST = 1000;  // patterns within patterns: functions over them are recursive
    std::span<const int> code;
    int variables;
    Machine &machine;
    std::size_t at = 0;
    int depth = 0, parts = 0;

    int read() {
        if (at >= code.size()) throw std::invalid_argument("the code of a rule ends too early");
        return code[at++];
    }
    int below(int limit, const char *what) {
        const int number = read();
        if (number < 0 || number >= limit) throw std::invalid_argument(what);
        return number;
    }
    Pattern pattern() {
        if (++parts > MOST_ARGUMENTS) throw std::invalid_argument("a condition with more than 1000 parts");
        switch (read()) {
        case 0: return {Pattern::VARIABLE, below(variables, "no such variable"), {}};
        case 1: return {Pattern::GROUND, below(machine.terms.size(), "no such term"), {}};
        case 2: {
            Pattern made{Pattern::COMPOUND, read(), {}};
            const int count = read();
            machine.use_functor(made.value, count);
            if (++depth > DEEPEST) throw std::invalid_argument("patterns within patterns, more than 1000 deep");
            made.args = patterns(count);
            --depth;
            return made;
        }
        default: throw std::invalid_argument("no such kind of pattern");
        }
    }
    std::vector<Pattern> patterns(int count) {
        if (count < 0 || count > MOST_ARGUMENTS) throw std::invalid_argument("too many arguments");
        std::vector<Pattern> made;
        for (int i = 0; i < count; ++i) made.push_back(pattern());
        return made;
    }
};

void Machine::use_functor(Id functor, int arity) {
    if (functor < 0 || functor >= MOST_FUNCTORS) throw std::invalid_argument("functors must be from 0 to 16777215");
    if (arity < 0 || arity > MOST_ARGUMENTS) throw std::invalid_argument("a functor has from 0 to 1000 arguments");
    if (static_cast<std::size_t>(functor) >= arities_.size()) arities_.resize(static_cast<std::size_t>(functor) + 1, -1);
    int &known = arities_[static_cast<std::size_t>(functor)];
    if (known >= 0 && known != arity) throw std::invalid_argument("a functor has always as many arguments");
    known = arity;
}

void Machine::check_terms(std::span<const Id> ids, const char *refusal) const {
    for (Id id : ids)
        if (id < 0 || id >= terms.size()) throw std::invalid_argument(refusal);
}

Relation &Machine::relation(int number) const {
    if (number < 0 || static_cast<std::size_t>(number) >= relations_.size())
        throw std::invalid_argument("no such relation: " + std::to_string(number));
    return *relations_[static_cast<std::size_t>(number)];
}

int Machine::add_relation(int arity, bool stored, bool unwrapped, Id functor, int lifetime, int component,
                          bool reached) {
    const int number = static_cast<int>(relations_.size());
    if (arity < 0 || arity > MOST_ARGUMENTS || lifetime < ALWAYS || lifetime > MOVES) throw std::invalid_argument("no such relation");
    if (unwrapped && (arity != 1 || !stored)) throw std::invalid_argument("only stored relations of one argument are unwrapped");
    use_functor(functor, arity);
    evaluator_.reset();  // its plans rest on the old relations: it begins anew
    relations_.push_back(std::make_unique<Relation>(Relation{
        number, arity, stored, unwrapped, functor, static_cast<Lifetime>(lifetime), component, reached, {}, {}}));
    return number;
}

void Machine::add_facts(int relation, std::span<const Id> atoms) {
    FactSet &facts = this->relation(relation).facts;
    check_terms(atoms, "no such term");
    evaluator_.reset();
    for (Id atom : atoms) facts.add(terms, atom);
}

void Machine::add_rule(int relation, int variables, std::span<const int> code) {
    Relation &of = this->relation(relation);
    if (variables < 0 || variables > MOST_VARIABLES) throw std::invalid_argument("variables must be from 0 to 1000000");
    Parser parser{code, variables, *this};
    evaluator_.reset();
    Rule rule{parser.patterns(of.arity), {}, variables};
    while (parser.at < code.size()) {
        const auto kind = static_cast<Literal::Kind>(parser.below(4, "no such kind of literal"));
        const bool compares = kind == Literal::DIFFER || kind == Literal::SAME;
        const int about = compares ? -1 : parser.below(static_cast<int>(relations_.size()), "no such relation");
        parser.parts = 0;
        rule.body.push_back({kind, about, parser.patterns(compares ? 2 : relations_[about]->arity)});
    }
    of.rules.push_back(std::move(rule));
}

void Machine::set_number(Id term, int number) {
    check_terms({&term, 1}, "no such term");
    if (static_cast<std::size_t>(term) >= numbers_.size()) numbers_.resize(term + term / 2 + 16, -1);
    numbers_[term] = number;
}

void Machine::set_weight_place(Id functor, int place) {
    const bool known = functor >= 0 && static_cast<std::size_t>(functor) < arities_.size();
    if (known && (place < 0 || place >= arities_[static_cast<std::size_t>(functor)]))
        throw std::invalid_argument("no such place of a functor");
    if (!known) return;  // no move can have this form
    weighed_ = functor;
    weight_place_ = place;
}

void Machine::start(const Questions &questions, std::vector<Id> roles, std::vector<Id> initial) {
    const std::pair<int, int> asked[] = {{questions.truth, 1}, {questions.does, 2}, {questions.legal, 2},
                                         {questions.next, 1},  {questions.sees, 2}, {questions.goal, 2},
                                         {questions.terminal, 0}};
    for (const auto &[number, arity] : asked)
        if (relation(number).arity != arity) throw std::invalid_argument("a question with another number of arguments");
    if (!relation(questions.truth).unwrapped || relation(questions.does).unwrapped || !relation(questions.does).stored)
        throw std::invalid_argument("true and does are stored relations, of which true is unwrapped");
    check_terms(roles, "no such role");
    check_terms(initial, "no such fact");
    questions_ = questions;
    roles_ = std::move(roles);
    initial_ = std::move(initial);
    for (const auto &relation : relations_) {
        if (relation->lifetime == ALWAYS) continue;
        relation->facts.sample.clear();
        relation->facts.expected_states = 1;
    }
    relations_[questions_.truth]->facts.sample = initial_;
    evaluator_ = make_evaluator(FIRST);
    terminal_asks_legal_ = depends(questions_.terminal, questions_.legal);
    scenes_.clear();
    does_.clear();
    relations_[questions_.does]->facts.clear();
    loads_ = restarts_ = 0;
    tuning_seconds_ = 0;
    loaded_ = false;
}

bool Machine::depends(int user, int used) const {
    std::vector<char> seen(relations_.size(), 0);
    std::vector<int> todo{user};
    while (!todo.empty()) {
        const int relation = todo.back();
        todo.pop_back();
        for (const Rule &rule : relations_[relation]->rules)
            for (const Literal &literal : rule.body)
                if (literal.relation >= 0 && !seen[literal.relation]) {
                    seen[literal.relation] = 1;
                    todo.push_back(literal.relation);
                }
    }
    return seen[used];
}

void Machine::show_state(const std::vector<Id> &facts) {
    evaluator_->forget(STATE);
    FactSet &truth = relations_[questions_.truth]->facts;
    truth.clear();
    for (Id fact : facts) truth.add(terms, fact);
}

void Machine::show_moves(const std::vector<Id> &does) {
    evaluator_->forget(MOVES);
    Relation &relation = *relations_[questions_.does];
    relation.facts.clear();
    for (std::size_t i = 0; i + 1 < does.size(); i += 2)
        relation.facts.add(terms, terms.make(relation.functor, does.data() + i, 2));
}

void Machine::load(std::span<const Id> facts) {
    constexpr int TUNE_AT = 30;  // states met before the plans are tuned to them
    if (loaded_ && std::equal(facts.begin(), facts.end(), state_.begin(), state_.end())) return;
    check_terms(facts, "no such fact");
    loaded_ = false;  // until all is done: an exception may end it early
    state_.assign(facts.begin(), facts.end());
    if (++loads_ == TUNE_AT) {
        const double began = cpu_seconds();
        tune();
        tuning_seconds_ += cpu_seconds() - began;
    }
    if (loads_ < TUNE_AT) scenes_.push_back({state_, {}});
    show_state(state_);
    does_.clear();
    show_moves(does_);
    loaded_ = true;
}

void Machine::move(std::span<const Id> does) {
    if (std::equal(does.begin(), does.end(), does_.begin(), does_.end())) return;
    if (does.size() % 2) throw std::invalid_argument("moves are pairs of a role and what it does");
    check_terms(does, "no such move");
    does_.assign(does.begin(), does.end());
    if (!scenes_.empty()) scenes_.back().does = does_;
    show_moves(does_);
}

std::vector<Id> Machine::rows(int relation, std::span<const Id> facts, std::span<const Id> does) {
    const Lifetime lifetime = this->relation(relation).lifetime;
    load(facts);
    if (lifetime == MOVES) move(does);
    const Predicate &answer = ask(relation);
    const int count = answer.answers[0].count;
    if (answer.free_count == 0) return std::vector<Id>(count, 0);
    const Id *first = answer.row(0, 0);
    return {first, first + static_cast<std::size_t>(count) * answer.free_count};
}

std::vector<Id> Machine::next(std::span<const Id> facts, std::span<const Id> does) {
    std::vector<Id> found = rows(questions_.next, facts, does);
    std::sort(found.begin(), found.end());
    return found;
}

PlayoutReport Machine::playouts(std::span<const Id> facts, std::uint64_t count, double seconds, std::uint64_t seed,
                                int longest, bool each) {
    using clock = std::chrono::steady_clock;
    const std::vector<Id> start(facts.begin(), facts.end());
    PlayoutReport report;
    report.each = each;
    report.goal_sums.assign(roles_.size(), 0.0);
    SplitMix64 random(seed);
    const auto began = clock::now();
    const double cpu_began = cpu_seconds(), tuning_before = tuning_seconds_;
    const auto elapsed = [&] { return std::chrono::duration<double>(clock::now() - began).count(); };
    while (report.playouts < count && elapsed() < seconds) {
        if (poll) poll();
        const std::uint64_t before = report.steps;
        if (!play_one(start, random, longest, report)) ++report.cut;
        ++report.playouts;
        if (each) report.lengths.push_back(static_cast<std::int32_t>(report.steps - before));
    }
    report.seconds = elapsed();
    report.cpu_seconds = cpu_seconds() - cpu_began;
    report.tuning_seconds = tuning_seconds_ - tuning_before;
    return report;
}

// One random match; false if it was cut short or a role had no move.
bool Machine::play_one(std::vector<Id> facts, SplitMix64 &random, int longest, PlayoutReport &report) {
    std::vector<Id> does;
    for (int step = 0;; ++step) {
        load(facts);
        if (terminal_asks_legal_) ask(questions_.legal);  // once in full, not again for each role
        if (ask(questions_.terminal).answers[0].count) {
            add_goals(report, true);
            return true;
        }
        const bool stuck = step != longest && !choose(random, does);
        report.stuck += stuck;
        if (stuck || step == longest) {
            add_goals(report, false);
            return false;
        }
        move(does);
        const Predicate &next = ask(questions_.next);
        const int count = next.answers[0].count;
        const Id *first = count ? next.row(0, 0) : nullptr;
        facts.assign(first, first + count);
        ++report.steps;
    }
}

std::uint64_t Machine::weight_of(Id move) const {
    if (weighed_ < 0 || terms.functor(move) != weighed_) return 1;
    const auto number = static_cast<std::size_t>(terms.arg(move, weight_place_));
    return number < numbers_.size() && numbers_[number] > 0 ? static_cast<std::uint64_t>(numbers_[number]) : 1;
}

bool Machine::choose(SplitMix64 &random, std::vector<Id> &does) {
    const Predicate &legal = ask(questions_.legal);
    const int count = legal.answers[0].count;
    does.clear();
    for (Id role : roles_) {
        std::uint64_t total = 0;
        for (int i = 0; i < count; ++i) {
            const Id *row = legal.row(0, i);
            if (row[0] == role) total += weight_of(row[1]);
        }
        if (total == 0) return false;
        std::uint64_t left = random.below(total);
        for (int i = 0; i < count; ++i) {
            const Id *row = legal.row(0, i);
            if (row[0] != role) continue;
            const std::uint64_t weight = weight_of(row[1]);
            if (left < weight) {
                does.insert(does.end(), {role, row[1]});
                break;
            }
            left -= weight;
        }
    }
    return true;
}

void Machine::add_goals(PlayoutReport &report, bool ended) {
    const Predicate &goal = ask(questions_.goal);
    std::vector<int> values(roles_.size(), -1);
    for (int i = 0; i < goal.answers[0].count; ++i) {
        const Id *row = goal.row(0, i);
        const auto role = std::find(roles_.begin(), roles_.end(), row[0]) - roles_.begin();
        if (static_cast<std::size_t>(role) == roles_.size()) continue;
        const bool known = static_cast<std::size_t>(row[1]) < numbers_.size() && numbers_[row[1]] >= 0;
        values[role] = values[role] == -1 && known ? numbers_[row[1]] : -2;
    }
    for (std::size_t r = 0; r < values.size(); ++r) {
        report.goal_sums[r] += std::max(values[r], 0);
        if (report.each) report.goals.push_back(std::max(values[r], -1));
    }
    report.valued += ended && std::all_of(values.begin(), values.end(), [](int value) { return value >= 0; });
}

}  // namespace ludorum::datalog
