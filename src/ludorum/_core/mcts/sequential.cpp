// One descent after the other, one game after the other: what the plain tree does, draw by draw.

#include <algorithm>
#include <cmath>

#include "mcts/worker.hpp"

#include "common/draw_move.hpp"

namespace ludorum::mcts {

namespace {

class Sequential final : public Worker {
  public:
    using Worker::Worker;

    void grow(Node *root, std::uint32_t role, Progress &progress) override {
        state_.resize(tree_.state_bytes());
        points_.resize(roles_);
        while (!progress.is_up() && !decided(root, role)) {
            path_.clear();
            Node *leaf = arrive(root);
            const std::uint32_t games = value(leaf, settings_.playouts_per_leaf);
            back_up(path_, leaf, points_, games, 0);
            progress.reach(static_cast<std::uint32_t>(path_.steps.size()));
            progress.playouts += games;
        }
    }

  private:
    // The leaf of one descent; null, with its state in `state_`, where the tree is full.
    Node *arrive(Node *node) {
        for (;;) {
            node = descend(node, path_, 0);
            if (node) return node;
            const Step &last = path_.steps.back();
            const std::uint32_t *chosen = places(path_, path_.steps.size() - 1);
            successor(last.node, last.expansion, chosen, state_.data());
            const auto [child, fresh] = tree_.find_or_add(room_, state_.data());
            if (!child) return nullptr;
            if (fresh) {
                ++progress_->nodes;
                look_at(child);
            }
            tree_.link(last.expansion, chosen, child);
            if (get(child->visits) == 0 || stops(child) || path_.steps.size() >= settings_.max_depth) return child;
            for (const Step &step : path_.steps)
                if (step.node == child) return child;
            if (!child->expansion.load()) {
                if (tree_.full()) return child;
                expand(child);
            }
            node = child;
        }
    }

    // Goal values of a leaf, summed over so many games, or over those for which there was time; how many these are.
    std::uint32_t value(Node *leaf, std::uint32_t games) {
        const std::uint8_t *start = leaf ? tree_.state(leaf) : state_.data();
        const bool learns = settings_.learns_moves();
        if (learns) history_of(path_, history_);
        if (leaf && stops(leaf)) {
            exact(leaf, 1, one_);
            learn_later_moves(one_);
            exact(leaf, games, points_);
            policy_.learn(history_, points_, games);
            return games;
        }
        points_.assign(roles_, 0);
        const std::size_t steps = history_.ends.size();
        is_late_ = false;
        for (std::uint32_t game = 0; game < games; ++game) {
            if (game % GAMES_A_LOOK == GAMES_A_LOOK - 1 && progress_->is_late()) return game;
            const bool ended = learns ? play_and_learn(start) : play(start);
            if (is_late_) {
                history_.cut(steps);
                return game;
            }
            if (ended) observe(one_, 1);
            if (learns) {
                policy_.learn(history_, one_, 1);
                learn_later_moves(one_);
                history_.cut(steps);
            }
            for (std::uint32_t role = 0; role < roles_; ++role) points_[role] += one_[role];
        }
        return games;
    }

    // Long games are broken off in the middle when the search is over.
    bool plays_on(std::uint32_t step, const SingleState &now) {
        if (step >= settings_.max_steps || now.terminal() || (values_ && step >= settings_.cutoff)) return false;
        if (step % STEPS_A_LOOK == STEPS_A_LOOK - 1) is_late_ = progress_->is_late();
        return !is_late_;
    }

    // One random game; whether it came to its end.
    bool play(const std::uint8_t *start) {
        SingleState *now = &evaluator_->begin(start);
        for (std::uint32_t step = 0; plays_on(step, *now); ++step) {
            if (!choose_moves(network_, *now, random_, joint_)) break;
            now = &evaluator_->step(*now, joint_.data());
        }
        return value_end(*now);
    }

    // Where a game has ended, got stuck, or was cut off.
    bool value_end(const SingleState &now) {
        const bool ended = now.terminal();
        if (values_ && !ended)
            estimate(now.state());
        else
            value_goals(evaluator_->goals(now.state()), one_);
        return ended;
    }

    // Estimates become whole points at random, so that the mean of many is exact.
    void estimate(const Words &state) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            one_[role] = 0;
            if (proof_.is_chance(role)) continue;
            const double found = leaf_values_->spreads[role]->place(values_->value(state, role));
            one_[role] = static_cast<std::uint64_t>(std::clamp(std::floor(found + unit_interval(random_)), 0.0, 100.0));
        }
    }

    // The same by the policy; what is chosen is added to the history.
    bool play_and_learn(const std::uint8_t *start) {
        SingleState *now = &evaluator_->begin(start);
        for (std::uint32_t step = 0; plays_on(step, *now); ++step) {
            const std::size_t chosen = history_.chosen.size();
            const std::int64_t before = history_.last();
            if (!choose_by_policy(now->legal(), before)) {
                history_.chosen.resize(chosen);
                break;
            }
            history_.ends.push_back(history_.chosen.size());
            now = &evaluator_->step(*now, joint_.data());
        }
        return value_end(*now);
    }

    bool choose_by_policy(const std::uint64_t *legal, std::int64_t before) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            options_.clear();
            for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
                if (!(move & 63) && !legal[move / 64]) {  // 64 moves at once that are not legal
                    move += 63;
                    continue;
                }
                if (legal[move / 64] >> (move & 63) & 1) options_.push_back(move);
            }
            if (options_.empty()) return false;
            std::uint32_t at = 0;
            if (options_.size() > 1) {
                const bool nature = proof_.is_chance(role);
                at = nature ? draw_move(network_, role, static_cast<std::uint32_t>(options_.size()),
                                        [&](std::uint32_t place) { return options_[place]; }, random_)
                            : policy_.choose(options_, before, random_);
                if (!nature) history_.chosen.push_back({role, options_[at]});
            }
            joint_[role] = static_cast<std::int32_t>(options_[at]);
        }
        return true;
    }

    // Tells the nodes on the way which of their moves were made from there on.
    void learn_later_moves(const Points &points) {
        if (!settings_.rave) return;
        made_.assign((network_.moves + 63) / 64, 0);
        const std::size_t begin = path_.steps.empty() ? 0 : history_.ends[path_.steps.size() - 1];
        for (std::size_t at = begin; at < history_.chosen.size(); ++at) make(history_.chosen[at].move);
        for (std::size_t at = path_.steps.size(); at-- > 0;) {
            Expansion *expansion = path_.steps[at].expansion;
            for (std::uint32_t role = 0; role < roles_; ++role) {
                if (!chooses(expansion, role)) continue;
                make(tree_.edge(expansion, role, places(path_, at)[role]).move);
                const Range range = expansion->ranges()[role];
                for (std::uint32_t place = range.begin; place < range.begin + range.count; ++place) {
                    const std::uint32_t move = tree_.edges(expansion)[place].move;
                    if (!(made_[move / 64] >> (move & 63) & 1)) continue;
                    expansion->extra[place].rave_visits += 1;
                    expansion->extra[place].rave_points += points[role];
                }
            }
        }
    }
    void make(std::uint32_t move) { made_[move / 64] |= 1ull << (move & 63); }

    static constexpr std::uint32_t GAMES_A_LOOK = 64, STEPS_A_LOOK = 4096;  // at the clock
    bool is_late_ = false;
    Path path_;
    History history_;
    std::vector<std::uint64_t> made_;  // moves, a bit each
    std::vector<std::uint32_t> options_;
    std::vector<std::uint8_t> state_;
    Points points_;
};

}  // namespace

std::unique_ptr<Worker> make_sequential(const Network &network, const Settings &settings, Tree &tree, Room &room,
                                        Proof &proof, std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed) {
    return std::make_unique<Sequential>(network, settings, tree, room, proof, std::move(evaluator), seed);
}

}  // namespace ludorum::mcts
