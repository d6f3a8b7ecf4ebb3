// Proofs that a role gets at least so much: what a state is worth at first sight, and the two searches.

#include "proof_search.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "bits.hpp"
#include "stack_room.hpp"

namespace ludorum {

namespace {

constexpr std::int32_t NO_GOAL = -1, SEVERAL = -2;
constexpr std::uint64_t PLAYOUTS = 100;
constexpr std::uint32_t LONGEST_PLAYOUT = 1000;
constexpr std::uint64_t FREE_STEPS = 1'000'000;  // of random games; beyond, they may take as long as the search
constexpr std::uint32_t CLOCK_EVERY = 256;  // nodes between looks at the clock

// Calls `visit` with each word of a role's legal moves, and the number of its first move.
template <class Visit>
void each_word(const Network &network, const std::uint64_t *legal, std::uint32_t role, Visit visit) {
    const std::uint32_t begin = network.role_begin(role), end = network.role_ends[role];
    for (std::uint32_t word = begin / 64; 64 * word < end; ++word) {
        std::uint64_t held = legal[word];
        if (word == begin / 64) held &= ~0ull << (begin & 63);
        if (64 * word + 64 > end) held &= ~(~0ull << (end & 63));
        visit(held, 64 * word);
    }
}

std::uint32_t count_legal(const Network &network, const std::uint64_t *legal, std::uint32_t role) {
    std::uint32_t count = 0;
    each_word(network, legal, role, [&](std::uint64_t held, std::uint32_t) {
        count += static_cast<std::uint32_t>(__builtin_popcountll(held));
    });
    return count;
}

void list_legal(const Network &network, const std::uint64_t *legal, std::uint32_t role,
                std::vector<std::int32_t> &moves) {
    moves.clear();
    each_word(network, legal, role, [&](std::uint64_t held, std::uint32_t first) {
        for (; held; held &= held - 1)
            moves.push_back(static_cast<std::int32_t>(first) + static_cast<std::int32_t>(__builtin_ctzll(held)));
    });
}

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
      success_(network_.moves + network_.fluents, 0),
      joint_(roles_, -1),
      looked_at_(words_, 0),
      seen_(roles_) {}

void ProofSearch::forget() {
    table_.clear();
    std::fill(success_.begin(), success_.end(), 0);
    lowest_sum_ = INT32_MAX;
    highest_sum_ = INT32_MIN;
    repetitions_ = 0;
    for (auto &goals : seen_) goals.reset();
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
    const Numbers found = task.method == ProofMethod::depth_first ? depth_first(start.data(), 0)
                                                                  : dfpn(start.data(), NEVER, NEVER, 0);
    if (stopped_ && !found.solved()) return Verdict::unknown;
    return found.proof == 0 ? Verdict::proved : found.disproof == 0 ? Verdict::disproved : Verdict::unknown;
}

ProofSearch::Numbers ProofSearch::value_of_end(const Words &state) {
    goals_.assign(roles_, NO_GOAL);
    for (std::uint32_t goal : evaluator_.goals(state)) {
        std::int32_t &held = goals_[network_.goal_roles[goal]];
        held = held == NO_GOAL ? std::clamp(network_.goal_values[goal], 0, 100) : SEVERAL;
    }
    std::int32_t sum = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::int32_t &held = goals_[role];
        if (held < 0) held = 0;  // as in playouts, what is no number counts as nothing
        seen_[role].set(static_cast<std::size_t>(held));
        sum += held;
    }
    lowest_sum_ = std::min(lowest_sum_, sum);
    highest_sum_ = std::max(highest_sum_, sum);
    return goals_[task_->role] >= task_->threshold ? Numbers{0, NEVER, NO_REPEAT} : Numbers{NEVER, 0, NO_REPEAT};
}

// The value of an end; elsewhere the number of choices is what a proof or a disproof needs at least.
ProofSearch::Numbers ProofSearch::first_look(const std::uint64_t *state) {
    ++nodes_;
    std::copy_n(state, words_, looked_at_.data());
    const SingleState &at = evaluator_.look_at(looked_at_);
    if (at.terminal()) return value_of_end(looked_at_);
    Numbers found;
    std::uint32_t choosers = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const std::uint32_t count = count_legal(network_, at.legal(), role);
        if (count == 0) return value_of_end(looked_at_);
        if (count == 1) continue;
        ++choosers;
        (role == task_->role ? found.disproof : found.proof) = count;
    }
    if (choosers > 1) throw NotTurnTaking();
    return found;
}

// The choices in a state and where they lead. False at ends.
bool ProofSearch::expand(Frame &frame, const std::uint64_t *state, Numbers &end) {
    ++nodes_;
    frame.state.assign(state, state + words_);
    SingleState &at = evaluator_.look_at(frame.state);
    if (at.terminal()) {
        end = value_of_end(frame.state);
        return false;
    }
    std::int32_t chooser = -1;
    frame.moves.clear();
    for (std::uint32_t role = 0; role < roles_; ++role) {
        list_legal(network_, at.legal(), role, moves_);
        if (moves_.empty()) {
            end = value_of_end(frame.state);
            return false;
        }
        joint_[role] = moves_[0];
        if (moves_.size() == 1) continue;
        if (chooser >= 0) throw NotTurnTaking();
        chooser = static_cast<std::int32_t>(role);
        frame.moves.swap(moves_);
    }
    frame.own = chooser < 0 || chooser == static_cast<std::int32_t>(task_->role);
    const bool choice = chooser >= 0;
    if (!choice) frame.moves.assign(1, joint_[0]);
    frame.children.resize(frame.moves.size() * words_);
    for (std::size_t option = 0; option < frame.moves.size(); ++option) {
        if (choice) joint_[static_cast<std::size_t>(chooser)] = frame.moves[option];
        at.next(joint_.data(), evaluator_.after);
        std::copy_n(evaluator_.after.data(), words_, frame.children.data() + option * words_);
    }
    name_options(frame);
    frame.known.assign(frame.moves.size(), Numbers{});
    frame.listed.assign(frame.moves.size(), 0);
    frame.order.resize(frame.moves.size());
    std::iota(frame.order.begin(), frame.order.end(), 0);
    return true;
}

// What success is remembered by: the fact that a choice alone makes true (the square of a disc, rather than its
// column), else the move.
void ProofSearch::name_options(Frame &frame) {
    const std::size_t count = frame.moves.size();
    frame.keys.resize(count);
    common_.assign(frame.children.begin(), frame.children.begin() + words_);
    for (std::size_t option = 1; option < count; ++option)
        for (std::uint32_t word = 0; word < words_; ++word) common_[word] &= frame.children[option * words_ + word];
    for (std::size_t option = 0; option < count; ++option) {
        frame.keys[option] = static_cast<std::uint32_t>(frame.moves[option]);
        for (std::uint32_t word = 0; word < words_; ++word) {
            const std::uint64_t made = frame.children[option * words_ + word] & ~frame.state[word] & ~common_[word];
            if (!made) continue;
            frame.keys[option] = network_.moves + 64 * word + static_cast<std::uint32_t>(__builtin_ctzll(made));
            break;
        }
    }
}

bool ProofSearch::look_up(Frame &frame, std::uint32_t number) {
    ProofEntry entry;
    if (!table_.find(child(frame, number), entry)) return false;
    frame.known[number] = {entry.proof, entry.disproof, NO_REPEAT};
    frame.listed[number] = 1;
    return true;
}

bool ProofSearch::comes_back(const std::uint64_t *state, std::uint32_t depth, Numbers &found) {
    for (std::uint32_t above = depth; above-- > 0;)
        if (std::memcmp(frames_[above]->state.data(), state, 8 * words_) == 0) {
            ++repetitions_;
            found = {NEVER, 0, static_cast<std::int32_t>(above)};
            return true;
        }
    return false;
}

// Remembers what a visit has found, but for disproofs that hold on this path alone.
ProofSearch::Numbers ProofSearch::settle(Frame &frame, std::uint32_t depth, Numbers numbers, std::uint32_t option,
                                         std::uint64_t work) {
    if (numbers.repeat != NO_REPEAT) {
        if (numbers.repeat < static_cast<std::int32_t>(depth)) return numbers;
        numbers.repeat = NO_REPEAT;  // it rests on states below this one alone
    }
    const bool chosen = numbers.solved() && option != UINT32_MAX && option < NO_PLACE;
    table_.store(frame.state.data(), numbers.proof, numbers.disproof,
                 chosen ? static_cast<std::uint16_t>(option) : NO_PLACE, work);
    return numbers;
}

// By insertion: it keeps equal ones in their order and is quickest for the few options most states have.
void ProofSearch::sort_by_success(Frame &frame) {
    auto rank = [&](std::uint32_t option) { return success_[frame.keys[option]]; };
    for (std::size_t at = 1; at < frame.order.size(); ++at) {
        const std::uint32_t option = frame.order[at];
        std::size_t to = at;
        for (; to && rank(frame.order[to - 1]) < rank(option); --to) frame.order[to] = frame.order[to - 1];
        frame.order[to] = option;
    }
}

// Near the root a bad first choice costs most, and random games cost least beside what follows.
void ProofSearch::sort_by_playouts(Frame &frame) {
    const std::function<bool()> stop = [&] { return task_->stop && task_->stop(); };
    std::vector<std::uint8_t> start(packed_bytes(network_.fluents));
    std::vector<double> means(frame.moves.size(), 0);
    for (std::uint32_t option = 0; option < means.size(); ++option) {
        if (frame.known[option].solved()) continue;
        evaluator_.pack(Words(child(frame, option), child(frame, option) + words_), start.data());
        SplitMix64 random(1);
        SingleCounts counts;
        evaluator_.play(start.data(), random, {PLAYOUTS, LONGEST_PLAYOUT, stop}, counts);
        played_ += counts.steps;
        for (std::size_t goal = 0; goal < counts.goals.size(); ++goal)
            if (network_.goal_roles[goal] == task_->role && network_.goal_values[goal] > 0)
                means[option] += static_cast<double>(network_.goal_values[goal]) * static_cast<double>(counts.goals[goal]);
        if (!frame.own) means[option] = -means[option];
    }
    std::stable_sort(frame.order.begin(), frame.order.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return means[one] > means[other]; });
}

// The choice that decided gains as much as those lose that were tried before it.
void ProofSearch::reward(const Frame &frame, std::uint32_t option) {
    for (std::uint32_t tried : frame.order) {
        if (tried == option) return;
        ++success_[frame.keys[option]];
        --success_[frame.keys[tried]];
    }
}

ProofSearch::Numbers ProofSearch::depth_first(const std::uint64_t *state, std::uint32_t depth) {
    if (is_up()) return {};
    ProofEntry entry;
    if (table_.find(state, entry) && entry.solved()) return {entry.proof, entry.disproof, NO_REPEAT};
    const std::uint64_t before = nodes_;
    Frame &here = frame(depth);
    Numbers found;
    if (comes_back(state, depth, found) || !expand(here, state, found)) return found;
    const Verdict good = here.own ? Verdict::proved : Verdict::disproved;
    const auto count = static_cast<std::uint32_t>(here.moves.size());
    for (std::uint32_t number = 0; number < count; ++number)
        if (look_up(here, number) && answers(here.known[number], good))
            return settle(here, depth, here.known[number], number, nodes_ - before);
    for (std::uint32_t number = 0; number < count; ++number) {
        if (here.listed[number]) continue;
        here.known[number] = first_look(child(here, number));
        if (answers(here.known[number], good)) return settle(here, depth, here.known[number], number, nodes_ - before);
    }
    sort_by_success(here);
    if (depth < task_->played_depth && played_ < nodes_ + FREE_STEPS) sort_by_playouts(here);
    std::int32_t repeat = NO_REPEAT;
    for (std::uint32_t number : here.order) {
        if (!here.known[number].solved()) here.known[number] = depth_first(child(here, number), depth + 1);
        const Numbers &below = here.known[number];
        if (stopped_ && !below.solved()) return {};
        if (answers(below, good)) {
            reward(here, number);
            return settle(here, depth, below, number, nodes_ - before);
        }
        repeat = std::min(repeat, below.repeat);
    }
    found = here.own ? Numbers{NEVER, 0, repeat} : Numbers{0, NEVER, NO_REPEAT};
    return settle(here, depth, found, UINT32_MAX, nodes_ - before);
}

// The numbers of a node from those of its children: the least on the side of who chooses; on the other side the
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
    if (table_.find(state, entry) && entry.solved()) return {entry.proof, entry.disproof, NO_REPEAT};
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
            table_.store(child(here, number), known.proof, known.disproof, NO_PLACE, 1);
        }
    }
    sort_by_success(here);
    for (;;) {
        std::uint32_t best;
        ProofNumber second;
        found = sum_up(here, best, second);
        if (found.solved()) {
            const bool chosen = answers(found, good);
            if (chosen) reward(here, best);
            return settle(here, depth, found, chosen ? best : UINT32_MAX, nodes_ - before);
        }
        if (found.proof >= proof_limit || found.disproof >= disproof_limit || stopped_) break;
        Numbers &known = here.known[best];
        // A quarter more than the second best may need: fewer changes of mind (Pawlewicz and Lew 2006).
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
