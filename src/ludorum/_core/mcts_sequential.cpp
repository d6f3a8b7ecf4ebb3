// One descent after the other, one game after the other: what the plain tree does, draw by draw.

#include "mcts_worker.hpp"

namespace ludorum::mcts {

namespace {

class Sequential final : public Worker {
  public:
    using Worker::Worker;

    void grow(Node *root, std::uint32_t role, Progress &progress) override {
        state_.resize(tree_.state_bytes());
        points_.resize(roles_);
        const std::uint32_t games = settings_.playouts_per_leaf;
        while (!progress.is_up() && !decided(root, role)) {
            path_.clear();
            Node *leaf = arrive(root);
            value(leaf, games);
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
            const auto [child, fresh] = tree_.find_or_add(state_.data());
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

    // Goal values of a leaf, summed over so many games.
    void value(Node *leaf, std::uint32_t games) {
        const std::uint8_t *start = leaf ? tree_.state(leaf) : state_.data();
        if (leaf && stops(leaf)) return exact(leaf, games, points_);
        points_.assign(roles_, 0);
        for (std::uint32_t game = 0; game < games; ++game) {
            if (play(start)) observe(one_, 1);
            for (std::uint32_t role = 0; role < roles_; ++role) points_[role] += one_[role];
        }
    }

    // One random game; whether it came to its end.
    bool play(const std::uint8_t *start) {
        SingleState *now = &evaluator_->begin(start);
        for (std::uint32_t step = 0; step < settings_.max_steps && !now->terminal(); ++step) {
            if (!choose_moves(network_, *now, random_, joint_)) break;
            now = &evaluator_->step(*now, joint_.data());
        }
        value_goals(evaluator_->goals(now->state()), one_);
        return now->terminal();
    }

    Path path_;
    std::vector<std::uint8_t> state_;
    Points points_;
};

}  // namespace

std::unique_ptr<Worker> make_sequential(const Network &network, const Settings &settings, Tree &tree, Proof &proof,
                                        std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed) {
    return std::make_unique<Sequential>(network, settings, tree, proof, std::move(evaluator), seed);
}

}  // namespace ludorum::mcts
