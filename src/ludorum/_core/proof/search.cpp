// Proofs that a role gets at least so much: what a state is worth at first sight, and the two searches.

#include "proof/search.hpp"

#include <algorithm>

#include "common/stack_room.hpp"
#include "circuit/turns.hpp"

namespace ludorum {

namespace {

constexpr std::uint64_t FREE_STEPS = 1'000'000;  // of random games; further ones may take as long as the search
constexpr std::uint32_t CLOCK_EVERY = 256;  // nodes between looks at the clock

ProofNumber capped(std::uint64_t number) {
    return static_cast<ProofNumber>(std::min<std::uint64_t>(number, NEVER - 1));
}

}  // namespace

ProofSearch::ProofSearch(SingleEvaluator &evaluator, std::size_t table_bytes)
    : evaluator_(evaluator),
      network_(evaluator.network()),
      roles_(network_.roles()),
      words_((network_.fluents + 63) / 64),
      table_(words_, table_bytes),
      symmetries_(network_.fluents, network_.moves),
      success_(network_.moves + network_.fluents, 0),
      replies_(std::min<std::size_t>(success_.size() * success_.size(), MOST_REPLIES), 0),
      joint_(roles_, -1),
      looked_at_(words_, 0),
      ordinary_(words_, 0),
      known_as_(words_, 0),
      seen_(roles_) {}

void ProofSearch::forget() {
    table_.clear();
    std::fill(success_.begin(), success_.end(), 0);
    std::fill(replies_.begin(), replies_.end(), 0);
    won_at_sight_[0] = won_at_sight_[1] = false;
    lowest_sum_ = INT32_MAX;
    highest_sum_ = INT32_MIN;
    repetitions_ = 0;
    for (auto &goals : seen_) goals.reset();
}

void ProofSearch::set_outlook(std::unique_ptr<SingleEvaluator> outlook) {
    const Network &seen = outlook->network();
    if (roles_ != 2 || seen.fluents != network_.fluents || seen.role_ends != network_.role_ends)
        throw std::invalid_argument("the outlook is one of another game, or one without two roles");
    for (std::uint32_t role = 0; role < 2; ++role) {
        lowest_[role] = 100;
        highest_[role] = 0;
        for (std::size_t goal = 0; goal < network_.goals.size(); ++goal) {
            if (network_.goal_roles[goal] != role) continue;
            const std::int32_t value = std::clamp(network_.goal_values[goal], 0, 100);
            lowest_[role] = std::min(lowest_[role], value);
            highest_[role] = std::max(highest_[role], value);
        }
    }
    turns_ = find_cycle(network_);
    if (!turns_.length()) turns_ = find_turns(network_);
    outlook_ = std::move(outlook);
}

void ProofSearch::set_symmetries(StateSymmetries symmetries) {
    symmetries_ = std::move(symmetries);
    table_.clear();
}

ProofSearch::Frame &ProofSearch::frame(std::uint32_t depth) {
    while (frames_.size() <= depth) frames_.push_back(std::make_unique<Frame>());
    return *frames_[depth];
}

bool ProofSearch::is_up() {
    if (stopped_) return true;
    if (nodes_ >= limit_) return stopped_ = true;
    if (below(floor_)) return stopped_ = too_deep_ = true;
    if (--until_clock_) return false;
    until_clock_ = CLOCK_EVERY;
    return stopped_ = task_->stop && task_->stop();
}

Verdict ProofSearch::search(const Words &root, const ProofTask &task) {
    task_ = &task;
    table_.ask(task.role, task.threshold);
    limit_ = task.nodes == UINT64_MAX ? UINT64_MAX : nodes_ + task.nodes;
    until_clock_ = 1;
    stopped_ = too_deep_ = false;
    floor_ = stack_floor();
    const Words start = root;
    // The outlook is right in states that play can lead to: there it is a role's turn.
    ahead_ = task.look_ahead && outlook_ && (!turns_.length() || turns_.mode_of(root) >= 0);
    const Numbers found = task.method == ProofMethod::depth_first ? depth_first(start.data(), 0)
                                                                  : dfpn(start.data(), NEVER, NEVER, 0);
    if (stopped_ && !found.solved()) return Verdict::unknown;
    return found.proof == 0 ? Verdict::proved : found.disproof == 0 ? Verdict::disproved : Verdict::unknown;
}

bool ProofSearch::find(const std::uint64_t *state, ProofEntry &entry) {
    symmetries_.least(state, known_as_.data());
    return table_.find(known_as_.data(), entry);
}

bool ProofSearch::look_up(Frame &frame, std::uint32_t number) {
    ProofEntry entry;
    if (!table_.find(frame.known_as.data() + number * words_, entry)) return false;
    frame.known[number] = {entry.proof, entry.disproof, NO_REPEAT};
    frame.listed[number] = 1;
    return true;
}

bool ProofSearch::comes_back(const std::uint64_t *state, std::uint32_t depth, Numbers &found) {
    for (std::uint32_t above = depth; above-- > 0;)
        if (std::equal(state, state + words_, frames_[above]->state.data())) {
            ++repetitions_;
            found = {NEVER, 0, static_cast<std::int32_t>(above)};
            return true;
        }
    return false;
}

// Stores the result of a visit in the table, but for disproofs that hold on this path alone.
ProofSearch::Numbers ProofSearch::settle(Frame &frame, std::uint32_t depth, Numbers numbers, std::uint32_t option,
                                         std::uint64_t work) {
    if (numbers.repeat != NO_REPEAT) {
        if (numbers.repeat < static_cast<std::int32_t>(depth)) return numbers;
        numbers.repeat = NO_REPEAT;  // it rests on states below this one alone
    }
    const std::uint32_t renaming = symmetries_.least(frame.state.data(), known_as_.data());
    std::uint32_t move = NO_PLACE;
    if (numbers.solved() && option != UINT32_MAX && frame.chooser >= 0)
        move = symmetries_.move_there(renaming, static_cast<std::uint32_t>(frame.moves[option])) -
               network_.role_begin(static_cast<std::uint32_t>(frame.chooser));
    table_.store(known_as_.data(), numbers.proof, numbers.disproof,
                 static_cast<std::uint16_t>(std::min<std::uint32_t>(move, NO_PLACE)), work);
    return numbers;
}

ProofSearch::Numbers ProofSearch::depth_first(const std::uint64_t *state, std::uint32_t depth) {
    if (is_up()) return {};
    ProofEntry entry;
    if (find(state, entry) && entry.solved()) return {entry.proof, entry.disproof, NO_REPEAT};
    const std::uint64_t before = nodes_;
    Frame &here = frame(depth);
    Numbers found;
    if (comes_back(state, depth, found) || !expand(here, state, found)) return found;
    const Verdict good = here.own ? Verdict::proved : Verdict::disproved;
    const auto count = static_cast<std::uint32_t>(here.moves.size());
    for (std::uint32_t number = 0; number < count; ++number)
        if (look_up(here, number) && answers(here.known[number], good))
            return settle(here, depth, here.known[number], number, nodes_ - before);
    for (std::uint32_t number = 0; number < count && !ahead_; ++number) {
        if (here.listed[number]) continue;
        here.known[number] = first_look(child(here, number));
        if (answers(here.known[number], good)) return settle(here, depth, here.known[number], number, nodes_ - before);
    }
    sort_by_success(here, depth);
    if (depth < task_->played_depth && played_ < nodes_ + FREE_STEPS) sort_by_playouts(here);
    std::int32_t repeat = NO_REPEAT;
    for (std::uint32_t number : here.order) {
        here.key = here.keys[number];
        if (!here.known[number].solved()) here.known[number] = depth_first(child(here, number), depth + 1);
        const Numbers &below = here.known[number];
        if (stopped_ && !below.solved()) return {};
        if (answers(below, good)) {
            reward(here, depth, number);
            return settle(here, depth, below, number, nodes_ - before);
        }
        repeat = std::min(repeat, below.repeat);
    }
    found = here.own ? Numbers{NEVER, 0, repeat} : Numbers{0, NEVER, NO_REPEAT};
    return settle(here, depth, found, UINT32_MAX, nodes_ - before);
}

// The numbers of a node from those of its children: the least on the side of the role that chooses; on the other side the
// largest and one for each further open child, since a plain sum counts what children share again and again (Ueda,
// Hashimoto, Hashimoto and Iida 2008).
ProofSearch::Numbers ProofSearch::sum_up(const Frame &frame, std::uint32_t &best,
                                         ProofNumber &second) const {
    ProofNumber least = NEVER, largest = 0;
    std::uint32_t open = 0;
    std::int32_t repeat = NO_REPEAT, best_repeat = -1;
    best = 0;
    second = NEVER;
    for (std::uint32_t number : frame.order) {
        const Numbers &known = frame.known[number];
        const ProofNumber chosen = frame.own ? known.proof : known.disproof;
        const ProofNumber other = frame.own ? known.disproof : known.proof;
        if (frame.own && known.disproof == 0) repeat = std::min(repeat, known.repeat);
        if (chosen < least || (chosen == least && chosen == 0 && known.repeat > best_repeat)) {
            if (least < second) second = least;
            least = chosen;
            best = number;
            best_repeat = known.repeat;
        } else if (chosen < second) {
            second = chosen;
        }
        if (other == 0) continue;
        ++open;
        if (other < NEVER) largest = std::max(largest, other);
    }
    Numbers sum;
    (frame.own ? sum.proof : sum.disproof) = least;
    (frame.own ? sum.disproof : sum.proof) = least == 0 ? NEVER : open == 0 ? 0 : capped(std::uint64_t{largest} + open - 1);
    if (sum.disproof == 0) sum.repeat = frame.own ? repeat : best_repeat;
    return sum;
}

ProofSearch::Numbers ProofSearch::dfpn(const std::uint64_t *state, ProofNumber proof_limit, ProofNumber disproof_limit,
                                       std::uint32_t depth) {
    if (is_up()) return {};
    ProofEntry entry;
    if (find(state, entry) && entry.solved()) return {entry.proof, entry.disproof, NO_REPEAT};
    const std::uint64_t before = nodes_;
    Frame &here = frame(depth);
    Numbers found;
    if (comes_back(state, depth, found) || !expand(here, state, found)) return found;
    const Verdict good = here.own ? Verdict::proved : Verdict::disproved;
    const auto count = static_cast<std::uint32_t>(here.moves.size());
    for (std::uint32_t number = 0; number < count; ++number) {
        if (!look_up(here, number)) {
            here.known[number] = first_look(child(here, number));
            if (answers(here.known[number], good))
                return settle(here, depth, here.known[number], number, nodes_ - before);
            const Numbers &known = here.known[number];
            table_.store(here.known_as.data() + number * words_, known.proof, known.disproof, NO_PLACE, 1);
        }
    }
    sort_by_success(here, depth);
    for (;;) {
        std::uint32_t best;
        ProofNumber second;
        found = sum_up(here, best, second);
        if (found.solved()) {
            const bool chosen = answers(found, good);
            if (chosen) reward(here, depth, best);
            return settle(here, depth, found, chosen ? best : UINT32_MAX, nodes_ - before);
        }
        if (found.proof >= proof_limit || found.disproof >= disproof_limit || stopped_) break;
        Numbers &known = here.known[best];
        here.key = here.keys[best];
        // A quarter more than the second best: the search changes children less often (Pawlewicz and Lew 2006).
        const ProofNumber more = second >= NEVER ? NEVER : capped(std::uint64_t{second} + second / 4 + 1);
        const ProofNumber own_limit = std::min(here.own ? proof_limit : disproof_limit, more);
        const ProofNumber outer = here.own ? disproof_limit : proof_limit;
        std::uint32_t open = 0;
        for (const Numbers &each : here.known) open += (here.own ? each.disproof : each.proof) != 0;
        const ProofNumber other_limit = outer >= NEVER ? NEVER : outer - (open - 1);
        known = here.own ? dfpn(child(here, best), own_limit, other_limit, depth + 1)
                         : dfpn(child(here, best), other_limit, own_limit, depth + 1);
        if (stopped_ && !known.solved()) return {};
    }
    return settle(here, depth, found, UINT32_MAX, nodes_ - before);
}

}  // namespace ludorum
