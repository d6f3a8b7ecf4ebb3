// Descents and backups.

#include "mcts/worker.hpp"

#include "common/draw_move.hpp"
#include "mcts/rave.hpp"

namespace ludorum::mcts {

void Worker::choose(Node *node, Expansion *expansion, Path &path) {
    const std::size_t at = path.places.size();
    path.places.resize(at + roles_, 0);
    std::uint32_t *places = path.places.data() + at;
    Node *sure = nullptr;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const Range range = expansion->ranges()[role];
        if (range.count == 1) continue;
        if (proof_.is_chance(role)) {
            const Edge *edges = tree_.edges(expansion) + range.begin;
            places[role] =
                draw_move(network_, role, range.count, [&](std::uint32_t at) { return edges[at].move; }, random_);
            continue;
        }
        const Selected chosen = select_move(node, expansion, role);
        places[role] = chosen.place;
        if (chosen.sure < 0) continue;
        if (Node *known = outcome(tree_.edge(expansion, role, static_cast<std::uint32_t>(chosen.sure))))
            sure = known;
        else
            places[role] = static_cast<std::uint32_t>(chosen.sure);
    }
    const bool alone = proof_.is_player(expansion->mover);
    path.steps.push_back({node, expansion, sure, alone ? &tree_.key_edge(expansion, places) : nullptr,
                          static_cast<std::uint32_t>(expansion->mover)});
}

Selected Worker::select_move(Node *node, Expansion *expansion, std::uint32_t role) {
    const Range range = expansion->ranges()[role];
    if (settings_.regret && matches_regrets(expansion))
        return {select_by_regret(&expansion->extra[range.begin], range.count, settings_.regret_exploration, random_), -1};
    const double visits = static_cast<double>(get(node->visits)) + static_cast<double>(get(node->pending));
    const Edge *edges = tree_.edges(expansion) + range.begin;
    if (!settings_.rave)
        return select(edges, range.count, visits, mean_of(node, role), proof_.highest(role), settings_.select, random_);
    rave_of(tree_, expansion, role, reference_, later_);
    return select_by_rave(edges, later_, visits, proof_.highest(role), settings_.select.exploration,
                          settings_.rave_constant, random_);
}

// The average value 0..1 of a role in the games through a node.
double Worker::mean_of(Node *node, std::uint32_t role) const {
    const std::uint32_t visits = get(node->visits);
    return visits ? static_cast<double>(get(tree_.points(node)[role])) / (100.0 * static_cast<double>(visits)) : 0.5;
}

bool Worker::matches_regrets(Expansion *expansion) const {
    std::uint32_t choosers = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) choosers += chooses(expansion, role);
    return settings_.regret && choosers > 1;
}

// Learns how much better other moves have been so far against the moves of the others; not from untried moves.
void Worker::learn_regret(Expansion *expansion, const std::uint32_t *places, const Points &points,
                          std::uint32_t games) {
    others_.assign(places, places + roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!chooses(expansion, role)) continue;
        const Range range = expansion->ranges()[role];
        const double reward = static_cast<double>(points[role]) / (100.0 * static_cast<double>(games));
        for (std::uint32_t at = 0; at < range.count; ++at) {
            if (at == places[role]) continue;
            others_[role] = at;
            Node *child = tree_.child(expansion, others_.data());
            if (!child || get(child->visits) == 0) continue;
            const double value = static_cast<double>(get(tree_.points(child)[role])) /
                                 (100.0 * static_cast<double>(get(child->visits)));
            expansion->extra[range.begin + at].regret += value - reward;
        }
        others_[role] = places[role];
    }
}

void Worker::history_of(const Path &path, History &history) const {
    history.clear();
    for (std::size_t at = 0; at < path.steps.size(); ++at) {
        Expansion *expansion = path.steps[at].expansion;
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (chooses(expansion, role))
                history.chosen.push_back({role, tree_.edge(expansion, role, places(path, at)[role]).move});
        history.ends.push_back(history.chosen.size());
    }
}

Node *Worker::descend(Node *node, Path &path, std::uint32_t games) {
    for (;;) {
        Expansion *expansion = node->expansion.load(std::memory_order_acquire);
        if (path.steps.empty() || settings_.rave == 1 || get(node->visits) >= settings_.rave_visits)
            reference_ = expansion;
        choose(node, expansion, path);
        const std::uint32_t *chosen = places(path, path.steps.size() - 1);
        if (games) wait_for(path.steps.back(), chosen, games);
        node = tree_.child(expansion, chosen);
        if (!node || !goes_on(node, path)) return node;
    }
}

// Whether a descent has not yet come to a leaf; a node that is visited again gets its edges.
bool Worker::goes_on(Node *node, const Path &path) {
    // Another thread may have made the node a moment ago and not yet seen that the game ends there.
    if (!node->is_known.load(std::memory_order_acquire)) return false;
    if (get(node->visits) == 0 || stops(node) || path.steps.size() >= settings_.max_depth) return false;
    for (const Step &step : path.steps)
        if (step.node == node) return false;  // a circle: games need not make progress
    if (node->expansion.load(std::memory_order_acquire)) return true;
    if (tree_.full()) return false;
    expand(node);
    return true;
}

void Worker::wait_for(const Step &step, const std::uint32_t *places, std::uint32_t games) {
    const Adding adding(step.node, shared_);
    add_pending(step, places, games);
}

// Subtraction adds the complement.
void Worker::add_pending(const Step &step, const std::uint32_t *places, std::uint32_t games) {
    add(step.node->pending, games);
    if (step.edge) {
        add(step.edge->pending, games);
        return;
    }
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (chooses(step.expansion, role)) add(tree_.edge(step.expansion, role, places[role]).pending, games);
}

Expansion *Worker::expand(Node *node) {
    return tree_.expand(room_, node, evaluator_->look_at(tree_.state(node)).legal());
}

void Worker::successor(Node *node, Expansion *expansion, const std::uint32_t *places, std::uint8_t *after) {
    for (std::uint32_t role = 0; role < roles_; ++role)
        joint_[role] = static_cast<std::int32_t>(tree_.edge(expansion, role, places[role]).move);
    evaluator_->look_at(tree_.state(node)).next(joint_.data(), evaluator_->after);
    evaluator_->pack(evaluator_->after, after);
}

void Worker::back_up(const Path &path, Node *leaf, Points &points, std::uint32_t games, std::uint32_t pending) {
    auto add_to_node = [&](Node *node) {
        add(node->visits, games);
        for (std::uint32_t role = 0; role < roles_; ++role) add(tree_.points(node)[role], points[role]);
    };
    if (leaf) {
        const Adding adding(leaf, shared_);
        add_to_node(leaf);
    }
    for (std::size_t at = path.steps.size(); at-- > 0;) {
        const Step &step = path.steps[at];
        const std::uint32_t *chosen = places(path, at);
        const Adding adding(step.node, shared_);
        auto add_to_edge = [&](Edge &edge, std::uint32_t role) {
            add(edge.visits, games);
            add(edge.points, points[role]);
        };
        if (step.edge)
            add_to_edge(*step.edge, step.mover);
        else
            for (std::uint32_t role = 0; role < roles_; ++role)
                if (chooses(step.expansion, role)) add_to_edge(tree_.edge(step.expansion, role, chosen[role]), role);
        if (settings_.regret && games && matches_regrets(step.expansion))
            learn_regret(step.expansion, chosen, points, games);
        if (step.sure) exact(step.sure, games, points);
        add_to_node(step.node);
        if (pending) add_pending(step, chosen, -pending);
    }
    if (!settings_.solver) return;
    for (std::size_t at = path.steps.size(); at-- > 0;) {
        const Step &step = path.steps[at];
        if (step.edge) {  // most nodes have nothing to learn
            Node *child = at + 1 < path.steps.size() ? path.steps[at + 1].node : leaf;
            if (!child || get(step.edge->proven) >= 0 || proof_.known(child, step.mover) < 0) continue;
        }
        proof_.learn(step.node, step.expansion, places(path, at));
    }
}

void Worker::give_up(const Path &path, std::uint32_t games) {
    for (std::size_t at = 0; at < path.steps.size(); ++at) wait_for(path.steps[at], places(path, at), -games);
}

void Worker::value_goals(const std::vector<std::uint32_t> &held, Points &points) const {
    std::vector<std::int32_t> found(roles_, -2);
    for (std::uint32_t goal : held) {
        std::int32_t &value = found[network_.goal_roles[goal]];
        value = value == -2 ? network_.goal_values[goal] : -1;
    }
    for (std::uint32_t role = 0; role < roles_; ++role)
        points[role] = found[role] < 0 ? 0 : static_cast<std::uint64_t>(found[role]);
}

bool Worker::has_moves(const std::uint64_t *legal) const {
    for (std::uint32_t role = 0; role < roles_; ++role) {
        bool any = false;
        const std::uint32_t begin = network_.role_begin(role), end = network_.role_ends[role];
        for (std::uint32_t word = begin / 64; !any && 64 * word < end; ++word) {
            std::uint64_t bits = legal[word];
            if (word == begin / 64) bits &= ~0ull << (begin & 63);
            if (64 * (word + 1) > end && (end & 63)) bits &= ~(~0ull << (end & 63));
            any = bits != 0;
        }
        if (!any) return false;
    }
    return true;
}

// A new node: whether it is an end, or won at once.
void Worker::look_at(Node *node) {
    SingleState &now = evaluator_->look_at(tree_.state(node));
    const bool terminal = now.terminal();
    if (terminal || !has_moves(now.legal())) {
        value_goals(evaluator_->goals(now.state()), one_);
        make_end(node, one_);
        if (terminal) observe(one_, 1);
    } else if (settings_.decisive && settings_.solver) {
        look_for_win(node, now);
    }
    node->is_known.store(true, std::memory_order_release);
}

void Worker::look_for_win(Node *node, SingleState &now) {
    std::int32_t mover = -1;
    moves_.clear();
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::uint32_t count = 0;
        for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
            if (!(now.legal()[move / 64] >> (move & 63) & 1)) continue;
            if (++count == 1) joint_[role] = static_cast<std::int32_t>(move);
            if (count == 2) {
                if (mover >= 0) return;
                mover = static_cast<std::int32_t>(role);
                moves_.assign(1, joint_[role]);
            }
            if (count >= 2) moves_.push_back(static_cast<std::int32_t>(move));
        }
    }
    if (!proof_.is_player(mover) || moves_.size() > settings_.decisive_width) return;
    afters_.resize(moves_.size() * tree_.state_bytes());
    for (std::size_t at = 0; at < moves_.size(); ++at) {
        joint_[static_cast<std::size_t>(mover)] = moves_[at];
        now.next(joint_.data(), evaluator_->after);
        evaluator_->pack(evaluator_->after, afters_.data() + at * tree_.state_bytes());
    }
    for (std::size_t at = 0; at < moves_.size(); ++at) {
        const std::uint8_t *after = afters_.data() + at * tree_.state_bytes();
        SingleState &then = evaluator_->look_at(after);
        if (!then.terminal()) continue;
        value_goals(evaluator_->goals(then.state()), one_);
        const auto who = static_cast<std::uint32_t>(mover);
        if (one_[who] != static_cast<std::uint64_t>(proof_.highest(who))) continue;
        link_win(node, who, static_cast<std::uint32_t>(at), after);
        return;
    }
}

void Worker::link_win(Node *node, std::uint32_t mover, std::uint32_t place, const std::uint8_t *after) {
    const auto [child, fresh] = tree_.find_or_add(room_, after, true);
    if (fresh) {
        make_end(child, one_);
        child->is_known.store(true, std::memory_order_release);
        observe(one_, 1);
        if (progress_) ++progress_->nodes;
    }
    Expansion *expansion = expand(node);
    std::vector<std::uint32_t> chosen(roles_, 0);
    chosen[mover] = place;
    tree_.link(expansion, chosen.data(), child);
    proof_.learn(node, expansion, chosen.data());
}

void Worker::observe(const Points &points, std::uint32_t games) {
    if (!settings_.solver || proof_.observe(points.data(), games)) return;
    if (shared_)
        progress_->broken = true;  // other threads are at work: proofs are dropped when all have stopped
    else
        proof_.drop();
}

void Worker::run(Node *root, std::uint32_t role, Progress &progress, bool shared) {
    progress_ = &progress;
    shared_ = shared;
    one_.resize(roles_);
    const Stay stay(tree_, room_, shared);
    // Where the game is over or a role has no move there is nothing to choose, and no edge to follow.
    if (!root->is_end.load(std::memory_order_acquire)) grow(root, role, progress);
    shared_ = false;
}

Node *Worker::make_root(const std::uint8_t *state) {
    one_.resize(roles_);
    const auto [root, fresh] = tree_.find_or_add(room_, state, true);
    if (fresh) look_at(root);
    if (!root->expansion.load()) expand(root);
    return root;
}

}  // namespace ludorum::mcts
