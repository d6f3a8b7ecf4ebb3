// The root of alpha-beta: rounds of growing depth, and the best answer at any moment.

#include <algorithm>

#include "alphabeta/search.hpp"

namespace ludorum {

AlphaBetaAnswer AlphaBetaSearch::search(const Words &root, const AlphaBetaTask &task) {
    task_ = &task;
    if (role_ != task.role) table_.clear();  // bounds are those of one role
    role_ = task.role;
    table_.begin_search();
    nodes_ = 0;
    until_clock_ = 1;
    stopped_ = false;
    worst_ = 0;
    best_ = 0;
    for (std::size_t goal = 0; goal < network_.goals.size(); ++goal)
        if (network_.goal_roles[goal] == task.role)
            best_ = std::max(best_, std::clamp<Score>(network_.goal_values[goal], 0, 100) * UNIT);
    std::fill(history_.begin(), history_.end(), 0);
    for (auto &frame : frames_) frame->killers[0] = frame->killers[1] = -1;
    AlphaBetaAnswer answer;
    Frame &here = frame(0);
    here.state = root;
    here.extensions = task.extensions;
    if (!list_options(here, evaluator_.look_at(here.state))) return answer;
    choices_.clear();
    for (std::uint32_t own = 0; own < here.own.size(); ++own) {
        RootChoice choice;
        choice.own = own;
        choice.move = here.own[own];
        choice.score = DRAW;
        choices_.push_back(choice);
    }
    answer.choices = choices_;
    deepen(here, answer);
    answer.nodes = nodes_;
    if (answer.depth) find_line(root, answer);
    return answer;
}

void AlphaBetaSearch::deepen(Frame &root, AlphaBetaAnswer &answer) {
    // Where any win is as good as another, all wins are above the window and all losses below it.
    const Score top = task_->any_win ? best_ - UNIT / 2 : INFINITE;
    const Score bottom = task_->any_win ? std::min(worst_ + UNIT / 2, top - 1) : -INFINITE;
    for (std::int32_t depth = task_->first_depth; depth <= task_->max_depth; depth += task_->deepening) {
        const bool narrow = answer.depth && !task_->every_value && task_->window < INFINITE;
        const Score guess = choices_.front().score;
        Score alpha = std::max(bottom, narrow ? guess - task_->window : -INFINITE);
        Score beta = std::min(top, narrow ? guess + task_->window : INFINITE);
        for (;;) {
            if (!round(root, depth, alpha, beta)) {
                take_unfinished(answer);
                return;
            }
            const Score best = choices_.front().score;
            if (best <= alpha && alpha > bottom)
                alpha = bottom;
            else if (best >= beta && beta < top && best < fade(best_))
                beta = top;
            else
                break;
        }
        answer.choices = choices_;
        answer.depth = depth;
        if ((answer.solved = is_decided())) return;
    }
}

// False where the budget ran out.
bool AlphaBetaSearch::round(Frame &root, std::int32_t depth, Score alpha, Score beta) {
    root.depth = depth;
    order(root, choices_.front().own * root.reply_count + choices_.front().reply);
    Score best = alpha;
    const Score most = fade(best_);
    for (RootChoice &choice : choices_) choice.done = false;
    for (std::size_t at = 0; at < choices_.size(); ++at) {
        RootChoice &choice = choices_[at];
        const std::uint64_t before = nodes_;
        const bool whole = at == 0 || task_->every_value || best + 1 >= beta;
        const Score floor = task_->every_value ? alpha : best;
        Chosen found = replies(root, choice.own, floor, whole ? beta : floor + 1);
        if (!stopped_ && !whole && found.found.score > floor && found.found.score < beta)
            found = replies(root, choice.own, floor, beta);
        choice.nodes += nodes_ - before;
        if (stopped_) return false;
        choice.score = found.found.score;
        choice.solved = found.found.solved;
        choice.exact = choice.score > floor && (choice.score < beta || choice.score >= best_ - UNIT / 2);
        choice.exact |= choice.solved && choice.score <= worst_ + UNIT / 2;
        choice.better = choice.score > floor;
        choice.reply = found.option;
        choice.done = true;
        best = std::max(best, choice.score);
        if (!task_->every_value && best >= std::min(beta, most)) {
            // The other choices are not better than this one; their scores of earlier rounds may be.
            for (RootChoice &other : choices_)
                if (!other.done) other.score = std::min(other.score, best), other.exact = other.solved = false;
            break;
        }
    }
    std::stable_sort(choices_.begin(), choices_.end(), [](const RootChoice &one, const RootChoice &other) {
        return one.score != other.score ? one.score > other.score : one.better > other.better;
    });
    return true;
}

// The best choice of the unfinished round goes to the front if it is better than all that this round tried before.
void AlphaBetaSearch::take_unfinished(AlphaBetaAnswer &answer) const {
    const RootChoice *best = nullptr;
    for (const RootChoice &choice : choices_)
        if (choice.done && choice.better && (!best || choice.score > best->score)) best = &choice;
    for (RootChoice &old : answer.choices)
        for (const RootChoice &choice : choices_)
            if (old.own == choice.own) old.nodes = choice.nodes;
    if (!best) return;
    std::erase_if(answer.choices, [&](const RootChoice &choice) { return choice.own == best->own; });
    for (RootChoice &other : answer.choices)
        if (other.score > best->score) other.score = best->score, other.exact = other.solved = false;
    answer.choices.insert(answer.choices.begin(), *best);
}

// Whether no deeper round can change the answer.
bool AlphaBetaSearch::is_decided() const {
    const RootChoice &best = choices_.front();
    if (best.solved && best.better && best.score >= best_ - UNIT / 2 && !task_->every_value) return true;
    return std::all_of(choices_.begin(), choices_.end(), [](const RootChoice &choice) { return choice.solved; });
}

// The best move and what the table says about the states after it.
void AlphaBetaSearch::find_line(const Words &root, AlphaBetaAnswer &answer) {
    Frame &here = frame(0);
    std::uint32_t own = answer.choices.front().own, reply = answer.choices.front().reply;
    for (std::int32_t length = 0; length < answer.depth; ++length) {
        if (length) {
            const SingleState &at = evaluator_.look_at(here.state);
            const Bounds *known = table_.find(here.state.data());
            if (at.terminal() || !known || known->option == NO_OPTION || !list_options(here, at)) return;
            own = known->option / here.reply_count;
            reply = known->option % here.reply_count;
            if (own >= here.own.size()) return;
        } else {
            here.state = root;
            if (!list_options(here, evaluator_.look_at(here.state))) return;
        }
        const std::uint64_t *next = child_state(here, own, reply);
        answer.line.insert(answer.line.end(), joint_.begin(), joint_.end());
        here.state.assign(next, next + words_);
    }
}

}  // namespace ludorum
