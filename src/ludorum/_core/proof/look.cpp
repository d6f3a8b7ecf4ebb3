// What proof search sees of a state: its value where play is over, its choices and where they lead elsewhere.

#include <algorithm>
#include <numeric>

#include "common/legal_moves.hpp"
#include "proof/search.hpp"

namespace ludorum {

namespace {

constexpr std::int32_t NO_GOAL = -1, SEVERAL = -2;

}  // namespace

ProofSearch::Numbers ProofSearch::value_of_end(const Words &state) {
    goals_.assign(roles_, NO_GOAL);
    for (std::uint32_t goal : evaluator_.goals(state)) {
        std::int32_t &held = goals_[network_.goal_roles[goal]];
        held = held == NO_GOAL ? std::clamp(network_.goal_values[goal], 0, 100) : SEVERAL;
    }
    std::int32_t sum = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::int32_t &held = goals_[role];
        if (held < 0) held = 0;  // as in playouts, a goal that is no number counts as 0
        seen_[role].set(static_cast<std::size_t>(held));
        sum += held;
    }
    lowest_sum_ = std::min(lowest_sum_, sum);
    highest_sum_ = std::max(highest_sum_, sum);
    return goals_[task_->role] >= task_->threshold ? Numbers{0, NEVER, NO_REPEAT} : Numbers{NEVER, 0, NO_REPEAT};
}

// Won by the role with a move that wins at once; play is over where no role has one.
ProofSearch::Numbers ProofSearch::value_at_sight(const SingleState &at, const Words &state) {
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (count_legal(network_, at.legal(), role)) return won_by(role);
    return value_of_end(state);
}

// The terminal state is not evaluated, but its goals are known: the highest of the winner, the lowest of the other.
ProofSearch::Numbers ProofSearch::won_by(std::uint32_t role) {
    const std::uint32_t other = 1 - role;
    if (!won_at_sight_[role]) {
        won_at_sight_[role] = true;
        seen_[role].set(static_cast<std::size_t>(highest_[role]));
        seen_[other].set(static_cast<std::size_t>(lowest_[other]));
        lowest_sum_ = std::min(lowest_sum_, highest_[role] + lowest_[other]);
        highest_sum_ = std::max(highest_sum_, highest_[role] + lowest_[other]);
    }
    const std::int32_t goal = role == task_->role ? highest_[role] : lowest_[other];
    return goal >= task_->threshold ? Numbers{0, NEVER, NO_REPEAT} : Numbers{NEVER, 0, NO_REPEAT};
}

// The value of a decided state; else the least proof and disproof numbers, by the number of choices.
ProofSearch::Numbers ProofSearch::first_look(const std::uint64_t *state) {
    ++nodes_;
    std::copy_n(state, words_, looked_at_.data());
    const SingleState &at = (ahead_ ? *outlook_ : evaluator_).look_at(looked_at_);
    if (at.terminal()) return ahead_ ? value_at_sight(at, looked_at_) : value_of_end(looked_at_);
    Numbers found;
    std::uint32_t choosers = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const std::uint32_t count = count_legal(network_, at.legal(), role);
        if (count == 0) return ahead_ ? won_by(1 - role) : value_of_end(looked_at_);
        if (count == 1) continue;
        ++choosers;
        (role == task_->role ? found.disproof : found.proof) = count;
    }
    if (choosers > 1) throw NotTurnTaking();
    return found;
}

// The choices in a state and where they lead. False where nothing is left to choose. With foresight, only choices
// that are not lost at once are listed, and a role without any has lost.
bool ProofSearch::expand(Frame &frame, const std::uint64_t *state, Numbers &end) {
    ++nodes_;
    frame.state.assign(state, state + words_);
    SingleEvaluator &evaluator = ahead_ ? *outlook_ : evaluator_;
    SingleState &at = evaluator.look_at(frame.state);
    if (at.terminal()) {
        end = ahead_ ? value_at_sight(at, frame.state) : value_of_end(frame.state);
        return false;
    }
    frame.chooser = -1;
    frame.moves.clear();
    for (std::uint32_t role = 0; role < roles_; ++role) {
        moves_.clear();
        each_legal(network_, at.legal(), role, [&](std::int32_t move) { moves_.push_back(move); });
        if (moves_.empty()) {
            end = ahead_ ? won_by(1 - role) : value_of_end(frame.state);
            return false;
        }
        joint_[role] = moves_[0];
        if (moves_.size() == 1) continue;
        if (frame.chooser >= 0) throw NotTurnTaking();
        frame.chooser = static_cast<std::int32_t>(role);
        frame.moves.swap(moves_);
    }
    frame.own = frame.chooser < 0 || frame.chooser == static_cast<std::int32_t>(task_->role);
    if (frame.chooser < 0) frame.moves.assign(1, joint_[0]);
    const std::size_t count = frame.moves.size();
    frame.children.resize(count * words_);
    for (std::size_t option = 0; option < count; ++option) {
        if (frame.chooser >= 0) joint_[static_cast<std::size_t>(frame.chooser)] = frame.moves[option];
        at.next(joint_.data(), evaluator.after);
        std::copy_n(evaluator.after.data(), words_, frame.children.data() + option * words_);
    }
    name_options(frame);
    name_children(frame);
    frame.known.assign(count, Numbers{});
    frame.listed.assign(count, 0);
    frame.order.resize(count);
    std::iota(frame.order.begin(), frame.order.end(), 0);
    return true;
}

// Names the children by their least images, as the table does, and prefetches their entries.
void ProofSearch::name_children(Frame &frame) {
    frame.known_as.resize(frame.children.size());
    for (std::size_t at = 0; at < frame.children.size(); at += words_) {
        symmetries_.least(frame.children.data() + at, frame.known_as.data() + at);
        table_.prefetch(frame.known_as.data() + at);
    }
}

// The key under which the success of a choice is counted: the fact that this choice alone makes true (the square of a
// disc, rather than its column), else the move. For a single choice, facts are left out that all choices of some other
// state made.
void ProofSearch::name_options(Frame &frame) {
    const std::size_t count = frame.moves.size();
    frame.keys.resize(count);
    common_.assign(frame.children.begin(), frame.children.begin() + words_);
    for (std::size_t option = 1; option < count; ++option)
        for (std::uint32_t word = 0; word < words_; ++word) common_[word] &= frame.children[option * words_ + word];
    for (std::uint32_t word = 0; word < words_; ++word) {
        if (count > 1) ordinary_[word] |= common_[word] & ~frame.state[word];
        else common_[word] = ordinary_[word];
    }
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

}  // namespace ludorum
