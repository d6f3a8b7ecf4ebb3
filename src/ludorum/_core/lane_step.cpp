// Steps of random play as two stretches, and what the first hands on to the second.

#include "lane_step.hpp"

#include <algorithm>

#include "lane_choice.hpp"
#include "lane_native.hpp"
#include "lane_program.hpp"

namespace ludorum {

namespace {

bool is_plain(const LanePhase &phase) {
    return phase.segments.empty() || (phase.segments.size() == 1 && phase.carried.empty());
}

class StepMaker {
  public:
    StepMaker(LaneCode &code, const StepPlan &plan) : code_(code), plan_(plan) {
        first_.chooses = second_.chooses = has_choices(plan.map.vector_bytes);
    }

    NativeStep make() {
        const Holdings held = add_phase(first_, code_.legal_phase);
        put_live(first_, held, plan_.after_legal, plan_.map);
        NativeStep step;
        step.playing = take_slot();
        Holdings done;
        for (const RoleGroups &role : code_.roles) step.roles.push_back(add_role(role, held, step.playing, done));
        add_advance(std::move(done));
        std::vector<std::size_t> begins;
        step.code = write_stretches({&first_, &second_}, plan_.map.vector_bytes, begins);
        if (!step.code) return {};
        step.legal = step.code->entry(begins[0]);
        step.advance = step.code->entry(begins[1]);
        return step;
    }

  private:
    std::uint32_t take_slot() { return code_.slots++ * plan_.map.slot_bytes; }

    static Holdings add_phase(Stretch &stretch, const LanePhase &phase, Holdings held = {}) {
        for (const Segment &segment : phase.segments)
            add_gates(stretch, phase, segment.first_run, segment.end_run, held);
        return held;
    }

    Term term_at(Stretch &stretch, const Holdings &held, std::uint32_t offset) const {
        if (offset == plan_.one) return EVERY_LANE;
        return offset == plan_.zero ? NO_LANE : held_at(stretch, held, offset);
    }

    // A term that is no constant, for those who cannot fold it.
    Term unfolded(Stretch &stretch, Term term) const {
        return is_constant(term) ? stretch.input(term == EVERY_LANE ? plan_.one : plan_.zero) : term;
    }

    // The legal moves of a role, as one of the stretches sees them.
    std::vector<EightMoves> legal_moves(Stretch &stretch, const RoleGroups &role, const Holdings &held) const {
        std::vector<EightMoves> groups;
        for (std::uint32_t number = role.first; number < role.end; ++number) {
            const MoveGroup &group = code_.groups[number];
            EightMoves &moves = groups.emplace_back();
            for (std::size_t i = 0; i < 8; ++i)
                moves[i] = term_at(stretch, held, group.legal[i]) ^ (group.negated ? 1 : 0);
        }
        return groups;
    }

    RolePlanes add_role(const RoleGroups &role, const Holdings &held, std::uint32_t playing, Holdings &done) {
        const CountTree tree = count_moves(first_, legal_moves(first_, role, held));
        const Planes &total = tree.back().front();
        RolePlanes planes{0, 0, static_cast<std::uint32_t>(total.size())};
        planes.totals = code_.slots * plan_.map.slot_bytes;
        for (Term term : total) values_to_slot(term);
        planes.ranks = code_.slots * plan_.map.slot_bytes;
        Planes rank;
        for (std::size_t j = 0; j < total.size(); ++j) rank.push_back(second_.input(take_slot()));
        const std::vector<EightMoves> chosen = choose_moves(second_, legal_moves(second_, role, {}), hand_on(tree), rank,
                                                            second_.input(playing));
        for (std::uint32_t number = role.first; number < role.end; ++number)
            for (std::uint32_t i = 0; i < 8; ++i) {
                const std::uint32_t offset = code_.first_does + (8 * number + i) * plan_.map.slot_bytes;
                done[offset] = unfolded(second_, chosen[number - role.first][i]);
            }
        return planes;
    }

    void values_to_slot(Term term) {
        const Term copied = first_.add(Stretch::ALL, {unfolded(first_, term)});
        first_.values[copied / 2].slot = take_slot();
    }

    // The counts of left nodes as the second stretch sees them: in slots.
    CountTree hand_on(const CountTree &tree) {
        CountTree seen = tree;
        for (std::vector<Planes> &level : seen)
            for (std::size_t node = 0; node < level.size(); ++node)
                for (Term &term : level[node])
                    if (!is_constant(term) && node % 2 == 0 && node + 1 < level.size()) term = hand_on(term);
        return seen;
    }

    Term hand_on(Term term) {
        Stretch::Value &value = first_.values[term / 2];
        if (value.slot == Stretch::NOWHERE) value.slot = take_slot();
        return second_.input(value.slot) ^ (term & 1);
    }

    // Moves are values now: nobody reads their slots. Of what gates compute, fluents are kept.
    void add_advance(Holdings done) {
        const Holdings held = add_phase(second_, code_.next_phase, std::move(done));
        for (const auto &[offset, term] : held)
            if (offset < plan_.one) second_.put(term, offset);
        Term active = EVERY_LANE;
        for (const Place &place : plan_.active)
            active = second_.both(active, second_.input(place.offset) ^ (place.negated ? 1 : 0));
        for (const Copy &copy : code_.copies) {
            const Term from = held_at(second_, held, copy.from) ^ (copy.negated ? 1 : 0);
            const Term next = active == EVERY_LANE ? from : second_.choose(active, from, second_.input(copy.to));
            // A value of its own: others may wait for those who read what the slot has held.
            second_.values[second_.add(Stretch::ALL, {next}) / 2].slot = copy.to;
        }
    }

    LaneCode &code_;
    const StepPlan &plan_;
    Stretch first_, second_;
};

}  // namespace

bool can_step(const LaneCode &code) {
    return !code.roles.empty() && std::all_of(code.roles.begin(), code.roles.end(), [](const RoleGroups &role) {
        return role.end - role.first <= MOST_GROUPS;
    });
}

NativeStep make_step(LaneCode &code, const StepPlan &plan) {
    if (!code.legal_stays || !is_plain(code.legal_phase) || !is_plain(code.next_phase)) return {};
    return StepMaker(code, plan).make();
}

}  // namespace ludorum
