// Steps of random play as two basic blocks, and what the first hands on to the second.

#include "lanes/step.hpp"

#include <algorithm>
#include <map>

#include "lanes/choice.hpp"
#include "lanes/native.hpp"
#include "lanes/program.hpp"

namespace ludorum {

namespace {

bool is_plain(const LanePhase &phase) {
    return phase.segments.empty() || (phase.segments.size() == 1 && phase.carried.empty());
}

class StepMaker {
  public:
    StepMaker(LaneCode &code, const StepPlan &plan) : code_(code), plan_(plan) {
        first_.chooses = second_.chooses = has_choices(plan.map.vector_bytes);
        first_.any_sign = true;
        second_.by_slot = true;
    }

    NativeStep make() {
        find_repeated_moves();
        add_legal();
        NativeStep step;
        step.playing = take_slot();
        for (const RoleGroups &role : code_.roles) step.roles.push_back(add_role(role, step.playing));
        add_advance(add_next());
        std::vector<std::size_t> begins;
        step.code = write_basic_blocks({&first_, &second_}, plan_.map.vector_bytes, begins);
        if (!step.code) return {};
        step.legal = step.code->entry(begins[0]);
        step.advance = step.code->entry(begins[1]);
        return step;
    }

  private:
    std::uint32_t take_slot() { return code_.slots++ * plan_.map.slot_bytes; }

    void add_legal() {
        for (const Segment &segment : code_.legal_phase.segments)
            add_gates(first_, code_.legal_phase, segment.first_run, segment.end_run, legal_);
        put_live(first_, legal_, plan_.after_legal, plan_.map);
    }

    // What a slot holds after the first basic block, as the second sees it. Where nothing else reads it, the slot is given the
    // value behind it, whatever its sign; or the gate is made again, if that costs no more than a store.
    Term handed_on(std::uint32_t offset) {
        const auto gate = legal_.find(offset);
        if (gate == legal_.end() || plan_.after_legal[offset / plan_.map.slot_bytes]) return second_.input(offset);
        const auto [found, fresh] = handed_on_.try_emplace(offset, NO_LANE);
        if (!fresh) return found->second;
        BasicBlock::Value &value = first_.values[gate->second / 2];
        std::vector<Term> terms(first_.terms.begin() + value.first, first_.terms.begin() + value.end);
        auto is_input = [&](Term term) { return first_.values[term / 2].kind == BasicBlock::INPUT; };
        if (terms.size() == 2 && std::all_of(terms.begin(), terms.end(), is_input)) {
            for (Term &term : terms) term = second_.input(first_.values[term / 2].slot) ^ (term & 1);
            return found->second = add_gate(second_, terms, value.flip) ^ (gate->second & 1);
        }
        if (value.slot == BasicBlock::NOWHERE) value.slot = offset;
        return found->second = second_.input(value.slot) ^ (gate->second & 1);
    }

    Term legal_at(BasicBlock &block, std::uint32_t offset) {
        if (offset == plan_.one) return EVERY_LANE;
        if (offset == plan_.zero) return NO_LANE;
        return &block == &first_ ? held_at(first_, legal_, offset) : handed_on(offset);
    }

    // A term that is no constant, for code that cannot fold it.
    Term unfolded(BasicBlock &block, Term term) const {
        return is_constant(term) ? block.input(term == EVERY_LANE ? plan_.one : plan_.zero) : term;
    }

    // The legal moves of a role, as one of the basic blocks sees them.
    std::vector<EightMoves> legal_moves(BasicBlock &block, const RoleGroups &role) {
        std::vector<EightMoves> groups;
        for (std::uint32_t number = role.first; number < role.end; ++number) {
            const MoveGroup &group = code_.groups[number];
            EightMoves &moves = groups.emplace_back();
            for (std::size_t i = 0; i < 8; ++i)
                moves[i] = legal_at(block, group.legal[i]) ^ (group.negated ? 1 : 0);
        }
        return groups;
    }

    RolePlanes add_role(const RoleGroups &role, std::uint32_t playing) {
        const CountTree tree = count_moves(first_, legal_moves(first_, role));
        const Planes &total = tree.back().front(), last = less_one(first_, total);
        Term able = NO_LANE;
        for (Term plane : total) able = first_.either(able, plane);
        RolePlanes planes{values_to_slots({able}), values_to_slots(last), code_.slots * plan_.map.slot_bytes,
                          static_cast<std::uint32_t>(last.size())};
        Planes rank;
        for (std::size_t j = 0; j < last.size(); ++j) rank.push_back(second_.input(take_slot()));
        chosen_.push_back(choose_moves(second_, legal_moves(second_, role), hand_on(tree), rank, second_.input(playing)));
        return planes;
    }

    // The first of the slots that are given these values.
    std::uint32_t values_to_slots(const Planes &terms) {
        const std::uint32_t first = code_.slots * plan_.map.slot_bytes;
        for (Term term : terms) {
            const Term copied = first_.add(BasicBlock::ALL, {unfolded(first_, term)});
            first_.values[copied / 2].slot = take_slot();
        }
        return first;
    }

    // The counts of left nodes as the second basic block sees them: in slots.
    CountTree hand_on(const CountTree &tree) {
        CountTree seen = tree;
        for (std::vector<Planes> &level : seen)
            for (std::size_t node = 0; node < level.size(); ++node)
                for (Term &term : level[node])
                    if (!is_constant(term) && node % 2 == 0 && node + 1 < level.size()) term = hand_on(term);
        return seen;
    }

    Term hand_on(Term term) {
        BasicBlock::Value &value = first_.values[term / 2];
        if (value.slot == BasicBlock::NOWHERE) value.slot = take_slot();
        return second_.input(value.slot) ^ (term & 1);
    }

    // A move by its role, and the bits of its places by their groups among those of the role.
    struct Move {
        std::size_t role = 0;
        std::map<std::uint32_t, std::uint32_t> places;
    };

    void find_repeated_moves() {
        for (const RepeatedMove &one : code_.repeated)
            for (std::uint32_t place = one.first; place < one.end; ++place)
                add_place(repeated_[code_.does[one.move]], place);
    }

    void add_place(Move &move, std::uint32_t place) const {
        while (place / 8 >= code_.roles[move.role].end) ++move.role;
        move.places[place / 8 - code_.roles[move.role].first] |= 1u << place % 8;
    }

    bool is_move(std::uint32_t offset) const {
        return (offset >= code_.first_does &&
                offset < code_.first_does + 8 * code_.groups.size() * plan_.map.slot_bytes) ||
               repeated_.count(offset);
    }

    Move move_at(std::uint32_t offset) const {
        if (const auto found = repeated_.find(offset); found != repeated_.end()) return found->second;
        Move move;
        add_place(move, (offset - code_.first_does) / plan_.map.slot_bytes);
        return move;
    }

    // What a slot holds in the second basic block. Moves are values now: their slots are not read.
    Term term_after(const Holdings &held, std::uint32_t offset) {
        if (!is_move(offset)) {
            const auto gate = held.find(offset);
            return gate != held.end() ? gate->second : handed_on(offset);
        }
        const auto [found, fresh] = done_.try_emplace(offset, NO_LANE);
        if (fresh) {
            const Move move = move_at(offset);
            found->second = unfolded(second_, one_is_done(second_, chosen_[move.role], move.places));
        }
        return found->second;
    }

    // Makes a value of every move that gates or copies ask for by itself.
    void find_single_moves() {
        each_next_gate([&](const LaneRun &run, const std::uint32_t *in, std::uint32_t) {
            const std::uint32_t *negative = in + run.positive, *end = negative + run.negative;
            const bool several = std::count_if(negative, end, [&](std::uint32_t one) { return is_move(one); }) > 1;
            for (const std::uint32_t *at = in; at < (several ? negative : end); ++at)
                if (is_move(*at)) term_after({}, *at);
        });
        for (const Copy &copy : code_.copies)
            if (is_move(copy.from)) term_after({}, copy.from);
    }

    template <class Visit>
    void each_next_gate(Visit visit) const {
        for (const Segment &segment : code_.next_phase.segments)
            each_gate(code_.next_phase, segment.first_run, segment.end_run, visit);
    }

    Holdings add_next() {
        find_single_moves();
        Holdings held;
        each_next_gate([&](const LaneRun &run, const std::uint32_t *in, std::uint32_t to) {
            held[to] = add_gate(second_, read_terms(run, in, held), run.flip != 0);
        });
        return held;
    }

    // Moves that must not be done and that are not read by themselves are one term.
    std::vector<Term> read_terms(const LaneRun &run, const std::uint32_t *in, const Holdings &held) {
        std::vector<Term> terms;
        std::vector<std::map<std::uint32_t, std::uint32_t>> undone(code_.roles.size());  // by role: places by group
        for (std::uint32_t i = 0; i < run.positive + run.negative; ++i) {
            if (i < run.positive || !is_move(in[i]) || done_.count(in[i])) {
                terms.push_back(term_after(held, in[i]) ^ (i < run.positive ? 0 : 1));
            } else {
                const Move move = move_at(in[i]);
                for (const auto &[group, bits] : move.places) undone[move.role][group] |= bits;
            }
        }
        for (std::size_t role = 0; role < undone.size(); ++role)
            if (!undone[role].empty())
                terms.push_back(opposite(unfolded(second_, one_is_done(second_, chosen_[role], undone[role]))));
        return terms;
    }

    void add_advance(const Holdings &held) {
        for (const auto &[offset, term] : held)
            if (offset < plan_.one) second_.put(term, offset);
        Term active = EVERY_LANE;
        for (const Place &place : plan_.active)
            active = second_.both(active, second_.input(place.offset) ^ (place.negated ? 1 : 0));
        for (const Copy &copy : code_.copies) {
            const Term from = term_after(held, copy.from) ^ (copy.negated ? 1 : 0);
            const Term next = active == EVERY_LANE ? from : second_.choose(active, from, second_.input(copy.to));
            // A value of its own: others may wait for those that read what the slot has held.
            second_.values[second_.add(BasicBlock::ALL, {next}) / 2].slot = copy.to;
        }
    }

    LaneCode &code_;
    const StepPlan &plan_;
    BasicBlock first_, second_;
    Holdings legal_;                   // what slots hold after the first basic block
    Holdings handed_on_;               // the same in the second one, where it was asked for
    std::vector<ChosenMoves> chosen_;  // by role
    std::map<std::uint32_t, Move> repeated_;  // by the slot of a move that stands at several places
    Holdings done_;                    // by the slot of a move: the value that says whether it is done
};

}  // namespace

bool can_step(const LaneCode &code) {
    return code.apart.empty() && !code.roles.empty() && std::all_of(code.roles.begin(), code.roles.end(), [](const RoleGroups &role) {
        return role.end - role.first <= MOST_GROUPS;
    });
}

NativeStep make_step(LaneCode &code, const StepPlan &plan) {
    if (!code.legal_stays || !is_plain(code.legal_phase) || !is_plain(code.next_phase)) return {};
    return StepMaker(code, plan).make();
}

}  // namespace ludorum
