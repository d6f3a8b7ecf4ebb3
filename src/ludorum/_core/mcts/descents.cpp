// Descents of a batch, a level at a time. A tree is larger than any cache: what one descent needs next is fetched
// while the others choose.

#include <cmath>

#include "mcts/worker.hpp"

namespace ludorum::mcts {

namespace {

constexpr std::size_t EDGE_LINES = 6;  // a few moves; hardware sees longer rows coming by itself

void fetch(const void *from, std::size_t lines) {
    for (std::size_t at = 0; at < lines; ++at) __builtin_prefetch(static_cast<const char *>(from) + at * LINE, 1);
}

}  // namespace

void Worker::descend_together(Node *root, std::vector<Descent> &descents, std::uint32_t games) {
    under_way_.clear();
    expanded_.clear();
    for (Descent &one : descents) {
        one.node = root;
        under_way_.push_back(&one);
    }
    while (!under_way_.empty()) {
        for (Descent *one : under_way_) {
            go_down(*one, games);
            if (one->node) fetch(one->node, 2);
        }
        std::size_t left = 0;
        for (Descent *one : under_way_) {
            if (!one->node) continue;
            const bool is_new = !one->node->expansion.load(std::memory_order_relaxed);
            if (!goes_on(one->node, *one->path)) continue;
            if (is_new) expanded_.push_back(one->node);
            fetch(one->node->expansion.load(std::memory_order_acquire), EDGE_LINES);
            under_way_[left++] = one;
        }
        under_way_.resize(left);
    }
}

void Worker::fetch_path(const Path &path) {
    for (const Step &step : path.steps) {
        fetch(step.node, 1);
        if (step.edge) fetch(step.edge, 1);
    }
}

void Worker::go_down(Descent &descent, std::uint32_t games) {
    Path &path = *descent.path;
    Expansion *expansion = descent.node->expansion.load(std::memory_order_acquire);
    if (!choose_quickly(descent.node, expansion, path)) choose(descent.node, expansion, path);
    const std::uint32_t *chosen = places(path, path.steps.size() - 1);
    const Step &step = path.steps.back();
    wait_for(step, chosen, games);
    descent.node = step.edge ? step.edge->child.load(std::memory_order_acquire) : tree_.child(expansion, chosen);
}

// As `choose` where one player has a choice and nothing is kept beside its edges.
bool Worker::choose_quickly(Node *node, Expansion *expansion, Path &path) {
    if (!proof_.is_player(expansion->mover) || settings_.needs_extras()) return false;
    const auto mover = static_cast<std::uint32_t>(expansion->mover);
    const Range range = expansion->ranges()[mover];
    Edge *edges = tree_.edges(expansion) + range.begin;
    const double visits = static_cast<double>(get(node->visits)) + static_cast<double>(get(node->pending));
    Selected chosen = select_quickly(edges, range.count, visits, mean_of(node, mover), proof_.highest(mover),
                                     settings_.select, random_);
    Node *sure = nullptr;
    if (chosen.sure >= 0) {
        sure = outcome(edges[chosen.sure]);
        if (!sure) chosen.place = static_cast<std::uint32_t>(chosen.sure);
    }
    path.places.resize(path.places.size() + roles_, 0);
    path.places[path.places.size() - roles_ + mover] = chosen.place;
    path.steps.push_back({node, expansion, sure, edges + chosen.place, mover});
    return true;
}

}  // namespace ludorum::mcts
