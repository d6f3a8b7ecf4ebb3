#include "datalog/evaluate.hpp"

#include <algorithm>

#include "common/stack_room.hpp"

namespace ludorum::datalog {

namespace {

inline Id value(int operand, const Id *registers) { return operand >= 0 ? registers[operand] : ~operand; }

}  // namespace

void Evaluator::begin() {
    timed_ = false;
    stack_floor_ = stack_floor();
    breaths_left_ = budget / BREATH;
}

void Evaluator::breathe() {
    // Planning may have taken several breaths at once.
    breaths_ += 1 - breath_ / BREATH;
    breath_ = BREATH;
    if (--breaths_left_ < 0) throw BudgetSpent{};
    if (stored_ > limits.rows) throw LimitReached{"too many derived facts"};
    if (terms_.size() > limits.terms) throw LimitReached{"too many different terms"};
    if (terms_.deepest() > limits.depth) throw LimitReached{"terms within terms without end"};
    if (--until_look_ == 0) count_bytes();
    if (bytes_ > limits.bytes) throw LimitReached{"the memory limit was reached"};
    // Most questions are answered within one breath; they need no clock at all.
    const auto now = std::chrono::steady_clock::now();
    if (!timed_) {
        timed_ = true;
        const auto span = std::chrono::duration<double>(limits.seconds);
        deadline_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(span);
    }
    if (now > deadline_) throw LimitReached{"the time limit was reached"};
    if (poll && *poll) (*poll)();
}

void Evaluator::count_bytes() {
    std::size_t looked_at = 0;
    bytes_ = terms_.bytes() + frames_.capacity() * sizeof(Id) + planner_.bytes(looked_at);
    // Counting must stay cheap beside the work that made what is counted.
    until_look_ = LOOK + looked_at / BREATH;
}

const Predicate &Evaluator::ask(int relation, int arity) {
    begin();
    if (static_cast<std::size_t>(relation) >= whole_.size()) whole_.resize(relation + 1, nullptr);
    if (!whole_[relation]) whole_[relation] = &planner_.predicate(relation, std::vector<char>(arity, 0));
    Predicate &predicate = *whole_[relation];
    try {
        call(predicate, nullptr);
    } catch (...) {
        // Answers begun and not finished must not be taken for whole ones.
        forget_all();
        throw;
    }
    return predicate;
}

void Evaluator::forget(Lifetime lifetime) {
    for (int level = lifetime; level <= MOVES; ++level) {
        for (Predicate *predicate : touched_[level]) {
            stored_ -= predicate->stored;
            predicate->forget();
        }
        touched_[level].clear();
    }
}

void Evaluator::forget_all() {
    forget(ALWAYS);
    queue_.clear();
    open_.clear();
    run_ = 0;
    frame_top_ = 0;
}

// The number of the answer to a call, complete when this returns.
int Evaluator::call(Predicate &predicate, const Id *key) {
    bool fresh;
    const int answer = open(predicate, key, fresh);
    if (fresh) solve(predicate, answer);
    return answer;
}

inline int Evaluator::open(Predicate &predicate, const Id *key, bool &fresh) {
    if (!predicate.touched) touch(predicate);
    const auto [answer, is_new] = predicate.table.insert(key);
    fresh = is_new;
    if (!fresh) return answer;
    ++predicate.stored;
    ++predicate.asked;
    ++stored_;
    add_answer(predicate);
    if (predicate.filled) fresh = false;
    if (--breath_ < 0) breathe();
    return answer;
}

void Evaluator::touch(Predicate &predicate) {
    predicate.touched = true;
    touched_[predicate.lifetime].push_back(&predicate);
    if (predicate.bound_count && !predicate.whole)
        predicate.whole = planner_.known_predicate(predicate.relation, std::vector<char>(predicate.bound.size(), 0));
    if (predicate.whole && predicate.whole->answered())
        fill(predicate);
    else if (!predicate.compiled)
        compile(predicate);
}

inline void Evaluator::add_answer(Predicate &predicate) {
    const int width = predicate.free_count;
    const int first = width ? static_cast<int>(predicate.rows.size()) / width : 0;
    predicate.answers.push_back({first, 0, 0});
    if (predicate.recursive() && predicate.chains.size() < predicate.answers.size())
        predicate.chains.push_back(std::make_unique<Predicate::Chain>());
}

// Take the answers of a predicate from all rows of its relation, which are known already.
void Evaluator::fill(Predicate &predicate) {
    const Predicate &whole = *predicate.whole;
    const int arity = whole.free_count, count = whole.answers[0].count;
    std::vector<Id> key(predicate.bound_count + 1), row(predicate.free_count + 1);
    const auto split = [&](int which) {
        const Id *from = whole.row(0, which);
        for (int i = 0, k = 0, f = 0; i < arity; ++i) (predicate.bound[i] ? key[k++] : row[f++]) = from[i];
    };
    // Rows of one answer must lie together, so they are counted before they are put in place.
    std::vector<int> answer_of(count);
    for (int which = 0; which < count; ++which) {
        split(which);
        const auto [answer, fresh] = predicate.table.insert(key.data());
        if (fresh) add_answer(predicate);
        answer_of[which] = answer;
        ++predicate.answers[answer].count;
    }
    if (!predicate.recursive()) {
        int first = 0;
        for (Predicate::Answer &answer : predicate.answers) {
            answer.first = first;
            first += answer.count;
        }
        predicate.rows.resize(static_cast<std::size_t>(count) * predicate.free_count);
    }
    std::vector<int> placed(predicate.answers.size(), 0);
    for (int which = 0; which < count; ++which) {
        split(which);
        const int answer = answer_of[which];
        if (predicate.recursive()) {
            auto &rows = predicate.chains[answer]->rows;
            rows.insert(rows.end(), row.begin(), row.begin() + predicate.free_count);
        } else {
            const int at = predicate.answers[answer].first + placed[answer]++;
            std::copy_n(row.begin(), predicate.free_count, predicate.rows.begin() + at * predicate.free_count);
        }
    }
    if (predicate.free_count == 0)
        for (Predicate::Answer &answer : predicate.answers) answer.count = 1;
    predicate.filled = true;
    predicate.stored += count;
    stored_ += count;
    breath_ -= count;
}

void Evaluator::compile(Predicate &predicate) {
    planner_.compile(predicate);
    breath_ -= 1000 * static_cast<int>(std::min<std::size_t>(predicate.rules.size(), 100));
}

void Evaluator::solve(Predicate &predicate, int answer) {
    if (below(stack_floor_)) throw LimitReached{"rules call each other too deeply"};
    if (predicate.recursive())
        solve_component(predicate, answer);
    else
        start(predicate, answer);
}

// Run all rules of a predicate for one key.
void Evaluator::start(Predicate &predicate, int answer) {
    for (const Code &code : predicate.rules) {
        if (frame_top_ + code.registers > frames_.size()) throw LimitReached{"rules call each other too deeply"};
        Id *registers = frames_.data() + frame_top_;
        frame_top_ += code.registers;
        const bool found = run(code, 0, registers, predicate, answer);
        frame_top_ -= code.registers;
        if (found && predicate.free_count == 0) return;
    }
}

// A recursive question: rules that need rows not yet found wait for them (Chen and Warren, "Tabled evaluation
// with delaying for general logic programs", 1996, without the delaying). When nothing moves any more,
// everything asked since is complete.
void Evaluator::solve_component(Predicate &predicate, int answer) {
    const int outer = run_;
    const std::size_t queue_floor = queue_.size(), open_floor = open_.size();
    run_ = ++runs_;
    predicate.answers[answer].run = run_;
    open_.emplace_back(&predicate, answer);
    queue_.emplace_back(&predicate, answer);
    drain(queue_floor);
    for (std::size_t i = open_floor; i < open_.size(); ++i) {
        auto [done, which] = open_[i];
        done->answers[which].run = 0;
        done->chains[which]->consumers.clear();
    }
    open_.resize(open_floor);
    run_ = outer;
}

void Evaluator::drain(std::size_t floor) {
    while (queue_.size() > floor) {
        auto [source, answer] = queue_.back();
        queue_.pop_back();
        Predicate::Chain &chain = *source->chains[answer];
        chain.queued = false;
        if (!chain.started) {
            chain.started = true;
            start(*source, answer);
        }
        // Waking one rule may add rows and other rules here, so both are counted anew each time.
        for (std::size_t c = 0; c < chain.consumers.size(); ++c) {
            while (chain.consumers[c].seen < source->answers[answer].count) {
                Predicate::Consumer &waiting = chain.consumers[c];
                const int which = waiting.seen++;
                Predicate &owner = *waiting.owner;
                if (owner.free_count == 0 && owner.answers[waiting.owner_answer].count) continue;
                const Code &code = *waiting.code;
                if (frame_top_ + code.registers > frames_.size())
                    throw LimitReached{"rules call each other too deeply"};
                Id *registers = frames_.data() + frame_top_;
                frame_top_ += code.registers;
                std::copy(waiting.registers.begin(), waiting.registers.end(), registers);
                const Op &op = code.ops[waiting.pc];
                const Id *row = source->row(answer, which);
                for (int k = 0; k < source->free_count; ++k) registers[code.operands[op.c + k]] = row[k];
                if (--breath_ < 0) breathe();
                run(code, waiting.pc + 1, registers, owner, waiting.owner_answer);
                frame_top_ -= code.registers;
            }
        }
    }
}

// The operands go into one scratch row: its user copies it before anything else runs.
inline void Evaluator::gather(const Code &code, const Op &op, const Id *registers) {
    const int *operands = code.operands.data() + op.first;
    for (int i = 0; i < op.count; ++i) scratch_[i] = value(operands[i], registers);
}

// A term never met before costs memory for good, so it counts as several steps.
inline Id Evaluator::build(Id functor, int arity) {
    constexpr int PRICE = 8;
    const Id before = terms_.size();
    const Id made = terms_.make(functor, scratch_, arity);
    if (made == before) breath_ -= PRICE;
    return made;
}

// Go on with a rule from `pc`; true if a row was found.
bool Evaluator::run(const Code &code, int pc, Id *registers, Predicate &owner, int answer) {
    for (;; ++pc) {
        const Op &op = code.ops[pc];
        switch (op.kind) {
        case Op::KEY: registers[op.a] = owner.table.key(answer)[op.b]; break;
        case Op::COPY: registers[op.a] = registers[op.b]; break;
        case Op::ARG: registers[op.a] = terms_.arg(registers[op.b], op.c); break;
        case Op::FUNCTOR:
            if (terms_.functor(registers[op.a]) != op.b) return false;
            break;
        case Op::SAME:
            if (value(op.a, registers) != value(op.b, registers)) return false;
            break;
        case Op::DIFFER:
            if (value(op.a, registers) == value(op.b, registers)) return false;
            break;
        case Op::BUILD:
            gather(code, op, registers);
            registers[op.a] = build(op.b, op.count);
            break;
        case Op::HAS:
        case Op::LACKS:
            --breath_;
            gather(code, op, registers);
            if ((planner_.index(op.b).first(terms_, scratch_) >= 0) != (op.kind == Op::HAS)) return false;
            break;
        case Op::PROVED:
        case Op::REFUTED: {
            --breath_;
            gather(code, op, registers);
            Predicate &callee = planner_.numbered(op.b);
            const int result = call(callee, scratch_);
            if ((callee.answers[result].count > 0) != (op.kind == Op::PROVED)) return false;
            break;
        }
        case Op::CIRCULAR:
            gather(code, op, registers);
            if (!refuted_in_circle(planner_.numbered(op.b), scratch_)) return false;
            break;
        case Op::PROBE: return probe(code, pc, registers, owner, answer);
        case Op::CALL: {
            gather(code, op, registers);
            Predicate &callee = planner_.numbered(op.b);
            const int result = call(callee, scratch_);
            return each_row(code, pc, registers, owner, answer, callee, result);
        }
        case Op::SUSPEND: return suspend(code, pc, registers, owner, answer);
        case Op::EMIT: gather(code, op, registers); return emit(owner, answer, scratch_);
        }
    }
}

bool Evaluator::probe(const Code &code, int pc, Id *registers, Predicate &owner, int answer) {
    const Op &op = code.ops[pc];
    Index &index = planner_.index(op.b);
    gather(code, op, registers);
    bool found = false;
    for (int at = index.first(terms_, scratch_); at >= 0; at = index.next(at)) {
        registers[op.a] = index.term(at);
        ++owner.steps;
        if (--breath_ < 0) breathe();
        if (run(code, pc + 1, registers, owner, answer)) {
            found = true;
            if (op.once) break;
        }
    }
    return found;
}

bool Evaluator::each_row(const Code &code, int pc, Id *registers, Predicate &owner, int answer, Predicate &callee,
                         int result) {
    const Op &op = code.ops[pc];
    const int count = callee.answers[result].count;
    const int *columns = code.operands.data() + op.c;
    bool found = false;
    for (int which = 0; which < count; ++which) {
        const Id *row = callee.row(result, which);  // anew each time: later calls may move the rows
        for (int k = 0; k < callee.free_count; ++k) registers[columns[k]] = row[k];
        ++owner.steps;
        if (--breath_ < 0) breathe();
        if (run(code, pc + 1, registers, owner, answer)) {
            found = true;
            if (op.once) break;
        }
    }
    return found;
}

bool Evaluator::suspend(const Code &code, int pc, Id *registers, Predicate &owner, int answer) {
    const Op &op = code.ops[pc];
    Predicate &callee = planner_.numbered(op.b);
    gather(code, op, registers);
    bool fresh;
    const int result = open(callee, scratch_, fresh);
    Predicate::Answer &state = callee.answers[result];
    if (!fresh && state.run == 0) return each_row(code, pc, registers, owner, answer, callee, result);
    if (!fresh && state.run != run_) throw NegativeCircle{};
    Predicate::Chain &chain = *callee.chains[result];
    chain.consumers.push_back({&code, &owner, answer, pc, 0, {registers, registers + code.registers}});
    if (fresh) {
        state.run = run_;
        open_.emplace_back(&callee, result);
    }
    // New questions are begun from the queue and not from here: a chain of them may be long.
    if (!chain.queued && (fresh || state.count)) {
        chain.queued = true;
        queue_.emplace_back(&callee, result);
    }
    return false;  // rows come later, if at all
}

// A negated call inside its own recursion is fine as long as no unfinished answer takes part in it.
bool Evaluator::refuted_in_circle(Predicate &callee, const Id *key) {
    bool fresh;
    const int result = open(callee, key, fresh);
    if (fresh) solve(callee, result);
    const Predicate::Answer &state = callee.answers[result];
    if (state.count) return false;
    if (state.run) throw NegativeCircle{};
    return true;
}

inline bool Evaluator::is_new(Predicate &owner, int answer, const Id *row) {
    const Predicate::Answer &state = owner.answers[answer];
    const int width = owner.free_count;
    if (width == 0) return state.count == 0;
    if (state.count < FEW) {
        for (int i = 0; i < state.count; ++i)
            if (std::equal(row, row + width, owner.row(answer, i))) return false;
        return true;
    }
    Id *entry = entry_;
    entry[0] = answer;
    if (state.count == FEW) {
        for (int i = 0; i < FEW; ++i) {
            std::copy_n(owner.row(answer, i), width, entry + 1);
            owner.rowset.insert(entry);
        }
    }
    std::copy_n(row, width, entry + 1);
    return owner.rowset.insert(entry).second;
}

bool Evaluator::emit(Predicate &owner, int answer, const Id *row) {
    if (--breath_ < 0) breathe();
    if (!is_new(owner, answer, row)) return true;
    Predicate::Answer &state = owner.answers[answer];
    ++state.count;
    ++owner.stored;
    ++owner.found;
    ++stored_;
    if (!owner.recursive()) {
        owner.rows.insert(owner.rows.end(), row, row + owner.free_count);
        return true;
    }
    Predicate::Chain &chain = *owner.chains[answer];
    chain.rows.insert(chain.rows.end(), row, row + owner.free_count);
    if (!chain.queued && !chain.consumers.empty()) {
        chain.queued = true;
        queue_.emplace_back(&owner, answer);
    }
    return true;
}

}  // namespace ludorum::datalog
