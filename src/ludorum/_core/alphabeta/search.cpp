// The nodes of alpha-beta: bounds from the table, options in a promising order, the best of them backed up.

#include "alphabeta/search.hpp"

#include <algorithm>
#include <cmath>

#include "common/legal_moves.hpp"

namespace ludorum {

namespace {

// The most joint replies of the others that are searched in one state; with more of them a value is never solved.
constexpr std::size_t MOST_REPLIES = 1 << 16;

}  // namespace

AlphaBetaSearch::AlphaBetaSearch(SingleEvaluator &evaluator, std::size_t table_bytes)
    : evaluator_(evaluator),
      network_(evaluator.network()),
      roles_(network_.roles()),
      words_((network_.fluents + 63) / 64),
      table_(words_, table_bytes),
      history_(network_.moves, 0),
      joint_(roles_, -1) {}

AlphaBetaSearch::Frame &AlphaBetaSearch::frame(std::uint32_t ply) {
    while (frames_.size() <= ply) {
        frames_.push_back(std::make_unique<Frame>());
        frames_.back()->ply = static_cast<std::uint32_t>(frames_.size() - 1);
    }
    return *frames_[ply];
}

bool AlphaBetaSearch::is_up() {
    if (stopped_) return true;
    if (nodes_ >= task_->nodes) return stopped_ = true;
    if (--until_clock_) return false;
    until_clock_ = task_->evaluate ? 16 : 256;  // nodes between looks at the clock: about a millisecond
    return stopped_ = task_->stop && task_->stop();
}

Found AlphaBetaSearch::goal_of(const Words &state) {
    Score value = -1;
    std::uint32_t held = 0;
    for (std::uint32_t goal : evaluator_.goals(state))
        if (network_.goal_roles[goal] == task_->role) {
            ++held;
            value = network_.goal_values[goal];
        }
    // As in playouts, a goal value that is no number counts as 0.
    return {held == 1 ? std::clamp(value, 0, 100) * UNIT : 0, true};
}

Found AlphaBetaSearch::leaf(const Words &state) {
    Score value = DRAW;
    if (task_->evaluate) {
        const double found = std::clamp(task_->evaluate(state), 0.0, 100.0);
        value = static_cast<Score>(std::floor(found * UNIT + 0.5));
    }
    // An estimate must never look like the end of a game.
    return {std::clamp(value, worst_ + UNIT / 2, std::max(worst_, best_ - UNIT) + UNIT / 2), false};
}

Found AlphaBetaSearch::visit(const std::uint64_t *state, std::int32_t depth, std::int32_t extensions, Score alpha,
                             Score beta, std::uint32_t ply) {
    if (is_up()) return {DRAW, false};
    const std::uint64_t before = nodes_++;
    const Score most = fade(best_), least = fade(worst_);  // of states in which the game is not over
    std::uint32_t hinted = NO_OPTION;
    if (const Bounds *known = table_.find(state)) {
        hinted = known->option;
        const bool lower = may_use(known->lower_depth, depth), upper = may_use(known->upper_depth, depth);
        if (lower && known->lower >= std::min(beta, most)) return {known->lower, known->lower_depth == SOLVED_DEPTH};
        if (upper && known->upper <= std::max(alpha, least)) return {known->upper, known->upper_depth == SOLVED_DEPTH};
        if (lower && upper && known->lower == known->upper)
            return {known->lower, known->lower_depth == SOLVED_DEPTH && known->upper_depth == SOLVED_DEPTH};
    }
    Frame &here = frame(ply);
    here.state.assign(state, state + words_);
    here.depth = depth;
    here.extensions = extensions;
    {
        const SingleState &at = evaluator_.look_at(here.state);
        if (at.terminal()) return goal_of(here.state);
        if (depth <= 0) {
            if (extensions <= 0 || !task_->is_quiet || task_->is_quiet(here.state)) {
                const Found found = leaf(here.state);
                if (task_->evaluate) {
                    Bounds &bounds = table_.at(state, 1);
                    bounds.raise_lower(found.score, 0);
                    bounds.drop_upper(found.score, 0);
                }
                return found;
            }
            here.depth = 1;
            --here.extensions;
        }
    }
    if (!list_options(here, evaluator_.look_at(here.state))) return goal_of(here.state);
    if (alpha >= most) return {most, true};
    if (beta <= least) return {least, true};
    alpha = std::max(alpha, least);
    beta = std::min(beta, most);
    const Chosen best = options(here, hinted, alpha, beta);
    if (stopped_) return best.found;
    Bounds &bounds = table_.at(state, nodes_ - before);
    const std::int16_t found_at =
        best.found.solved ? SOLVED_DEPTH : static_cast<std::int16_t>(std::clamp(depth, 0, SOLVED_DEPTH - 1));
    if (best.found.score > alpha) bounds.raise_lower(best.found.score, found_at);
    if (best.found.score < beta) bounds.drop_upper(best.found.score, found_at);
    bounds.option = best.option;
    return best.found;
}

// False where a role has no move.
bool AlphaBetaSearch::list_options(Frame &frame, const SingleState &state) {
    const std::uint64_t *legal = state.legal();
    frame.own.clear();
    each_legal(network_, legal, task_->role, [&](std::int32_t move) { frame.own.push_back(move); });
    if (frame.own.empty()) return false;
    frame.replies.assign(roles_, -1);
    frame.reply_count = 1;
    frame.reply_role = -1;
    frame.truncated = false;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (role == task_->role) continue;
        moves_.clear();
        each_legal(network_, legal, role, [&](std::int32_t move) { moves_.push_back(move); });
        if (moves_.empty()) return false;
        std::size_t width = moves_.size();
        if (width > 1) frame.reply_role = static_cast<std::int32_t>(role);
        if (width * frame.reply_count > MOST_REPLIES) {
            frame.truncated = true;
            width = MOST_REPLIES / frame.reply_count;
        }
        // Each reply so far once for each move, the last role's moves varying fastest.
        frame.replies.resize(frame.reply_count * width * roles_);
        for (std::size_t reply = frame.reply_count; reply-- > 0;)
            for (std::size_t at = width; at-- > 0;) {
                auto *to = frame.replies.data() + (reply * width + at) * roles_;
                if (reply || at) std::copy_n(frame.replies.data() + reply * roles_, roles_, to);
                to[role] = moves_[at];
            }
        frame.reply_count *= static_cast<std::uint32_t>(width);
    }
    const bool both = frame.own.size() > 1 && frame.reply_count > 1;
    const std::size_t slots = both ? frame.reply_count : std::max<std::size_t>(frame.own.size(), frame.reply_count);
    frame.children.resize(slots * words_);
    frame.made.assign(slots, 0);
    frame.made_for = -1;
    frame.made_any = false;
    return true;
}

void AlphaBetaSearch::make_child(Frame &frame, SingleState &at, std::uint32_t own, std::uint32_t reply) {
    const std::uint32_t slot = frame.slot(own, reply);
    if (frame.made[slot]) return;
    frame.made[slot] = 1;
    std::copy_n(frame.replies.data() + reply * roles_, roles_, joint_.data());
    joint_[task_->role] = frame.own[own];
    at.next(joint_.data(), evaluator_.after);
    std::copy_n(evaluator_.after.data(), words_, frame.children.data() + slot * words_);
}

// The first child is made alone, for it often cuts the others off; then all others at once, from one look at the
// state.
const std::uint64_t *AlphaBetaSearch::child_state(Frame &frame, std::uint32_t own, std::uint32_t reply) {
    if (frame.both() && frame.made_for != static_cast<std::int32_t>(own)) {
        std::fill(frame.made.begin(), frame.made.end(), 0);
        frame.made_for = static_cast<std::int32_t>(own);
        frame.made_any = false;
    }
    const std::uint32_t slot = frame.slot(own, reply);
    if (!frame.made[slot]) {
        SingleState &at = evaluator_.look_at(frame.state);
        if (!frame.made_any) {
            make_child(frame, at, own, reply);
        } else if (frame.both() || frame.own.size() == 1) {
            for (std::uint32_t other = 0; other < frame.reply_count; ++other) make_child(frame, at, own, other);
        } else {
            for (std::uint32_t other = 0; other < frame.own.size(); ++other) make_child(frame, at, other, 0);
        }
        frame.made_any = true;
    }
    return frame.children.data() + slot * words_;
}

Found AlphaBetaSearch::child(Frame &frame, std::uint32_t own, std::uint32_t reply, Score alpha, Score beta) {
    const Found below = visit(child_state(frame, own, reply), frame.depth - 1, frame.extensions, alpha_below(alpha),
                              beta_below(beta), frame.ply + 1);
    return {fade(below.score), below.solved};
}

// The best option for one side (sign 1: the role, -1: the others), seen from that side: `low` to `high` is its
// window. Options after the first are first asked only whether they are better at all.
template <class Search>
AlphaBetaSearch::Chosen AlphaBetaSearch::choose(Frame &frame, std::int32_t sign,
                                                const std::vector<std::uint32_t> &order, Score alpha, Score beta,
                                                Search search) {
    const Score low = sign > 0 ? alpha : -beta, high = sign > 0 ? beta : -alpha;
    auto ask = [&](std::uint32_t option, Score from, Score to) -> Found {
        const Found found = sign > 0 ? search(option, from, to) : search(option, -to, -from);
        return {sign * found.score, found.solved};
    };
    Chosen best{{-2 * INFINITE, false}, NO_OPTION};
    bool all_solved = !(sign < 0 && frame.truncated);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const Score floor = std::max(low, best.found.score);
        Found found{};
        if (at == 0 || floor + 1 >= high) {
            found = ask(order[at], floor, high);
        } else {
            found = ask(order[at], floor, floor + 1);
            if (!stopped_ && found.score > floor && found.score < high) found = ask(order[at], floor, high);
        }
        if (stopped_) break;
        all_solved &= found.solved;
        if (found.score > best.found.score) best = {found, order[at]};
        if (best.found.score >= high) {
            reward(frame, sign > 0 ? own_key(frame, order[at]) : reply_key(frame, order[at]));
            return {{sign * best.found.score, best.found.solved}, best.option};
        }
        if (at == 0 && frame.depth >= 2 && !frame.both() && cut_by_table(frame, sign, order, high, best)) return best;
    }
    return {{sign * best.found.score, all_solved}, best.option};
}

// Whether the table knows a child that is good enough, so that no other has to be looked at.
bool AlphaBetaSearch::cut_by_table(Frame &frame, std::int32_t sign, const std::vector<std::uint32_t> &order,
                                   Score high, Chosen &chosen) {
    for (std::size_t at = 1; at < order.size(); ++at) {
        const std::uint32_t own = sign > 0 ? order[at] : 0, reply = sign > 0 ? 0 : order[at];
        const Bounds *known = table_.find(child_state(frame, own, reply));
        if (!known) continue;
        const std::int16_t found_at = sign > 0 ? known->lower_depth : known->upper_depth;
        const Score value = fade(sign > 0 ? known->lower : known->upper);
        if (found_at < frame.depth - 1 || sign * value < high) continue;
        chosen = {{value, found_at == SOLVED_DEPTH}, order[at]};
        return true;
    }
    return false;
}

AlphaBetaSearch::Chosen AlphaBetaSearch::replies(Frame &frame, std::uint32_t own, Score alpha, Score beta) {
    if (frame.reply_count == 1) return {child(frame, own, 0, alpha, beta), 0};
    return choose(frame, -1, frame.reply_order, alpha, beta, [&](std::uint32_t reply, Score from, Score to) {
        return child(frame, own, reply, from, to);
    });
}

AlphaBetaSearch::Chosen AlphaBetaSearch::options(Frame &frame, std::uint32_t hinted, Score alpha, Score beta) {
    order(frame, hinted);
    if (frame.own.size() == 1) return replies(frame, 0, alpha, beta);
    std::vector<std::uint32_t> answers;
    if (frame.both()) answers.assign(frame.own.size(), 0);
    Chosen best = choose(frame, 1, frame.own_order, alpha, beta, [&](std::uint32_t own, Score from, Score to) {
        const Chosen answer = replies(frame, own, from, to);
        if (!answers.empty()) answers[own] = answer.option;
        return answer.found;
    });
    if (best.option != NO_OPTION && !answers.empty()) best.option = best.option * frame.reply_count + answers[best.option];
    return best;
}

template <class Key>
void AlphaBetaSearch::rank(const Frame &frame, std::vector<std::uint32_t> &places, std::size_t count,
                           std::uint32_t hinted, Key key) {
    places.resize(count);
    for (std::uint32_t at = 0; at < count; ++at) places[at] = at;
    if (count < 2) return;
    ranks_.resize(count);
    for (std::uint32_t at = 0; at < count; ++at) {
        const std::int32_t move = key(at);
        ranks_[at] = at == hinted                ? INT64_MAX
                     : move < 0                  ? 0
                     : move == frame.killers[0]  ? INT64_MAX - 1
                     : move == frame.killers[1]  ? INT64_MAX - 2
                                                 : history_[static_cast<std::size_t>(move)];
    }
    // Insertion keeps equal ones in their order and is quickest for the few options most states have.
    if (count > 64) {
        std::stable_sort(places.begin(), places.end(),
                         [&](std::uint32_t one, std::uint32_t other) { return ranks_[one] > ranks_[other]; });
        return;
    }
    for (std::size_t at = 1; at < count; ++at) {
        const std::uint32_t place = places[at];
        std::size_t to = at;
        for (; to && ranks_[places[to - 1]] < ranks_[place]; --to) places[to] = places[to - 1];
        places[to] = place;
    }
}

void AlphaBetaSearch::order(Frame &frame, std::uint32_t hinted) {
    const bool known = hinted != NO_OPTION;
    rank(frame, frame.own_order, frame.own.size(), known ? hinted / frame.reply_count : NO_OPTION,
         [&](std::uint32_t own) { return own_key(frame, own); });
    rank(frame, frame.reply_order, frame.reply_count, known ? hinted % frame.reply_count : NO_OPTION,
         [&](std::uint32_t reply) { return reply_key(frame, reply); });
}

void AlphaBetaSearch::reward(Frame &frame, std::int32_t key) {
    if (key < 0) return;
    history_[static_cast<std::size_t>(key)] += static_cast<std::int64_t>(frame.depth) * frame.depth;
    if (frame.killers[0] == key) return;
    frame.killers[1] = frame.killers[0];
    frame.killers[0] = key;
}

}  // namespace ludorum
