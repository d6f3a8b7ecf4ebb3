// Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich, Bowling, NIPS 2009): external sampling,
// which goes through all moves of one player and samples everything else, and outcome sampling, one game at a time.

#include "equilibrium/regrets.hpp"

namespace ludorum {

std::uint32_t Regrets::draw(const double *strategy, std::uint32_t count) {
    double left = static_cast<double>(random_.next() >> 11) * 0x1.0p-53;
    std::uint32_t last = 0;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (strategy[at] <= 0) continue;
        if ((left -= strategy[at]) < 0) return at;
        last = at;
    }
    return last;  // where rounding has left something over; never a move without any probability
}

std::uint32_t Regrets::draw_of_nature(std::int32_t node, std::uint64_t total) {
    std::uint64_t left = random_.below(total);
    const std::int64_t *weight = &tree_.arrays.weight[tree_.arrays.first_edge[node]];
    std::uint32_t at = 0;
    for (; left >= static_cast<std::uint64_t>(weight[at]); ++at) left -= static_cast<std::uint64_t>(weight[at]);
    return at;
}

void Regrets::run_external(std::uint64_t iterations, const StopAsking &stop) {
    repeat(iterations, stop, [&] {
        std::uint64_t visited = 0;
        for (std::uint32_t player = 0; player < tree_.arrays.players; ++player) {
            traverse(player);
            visited += visits_.size();
        }
        return visited;
    });
}

// Visited nodes are a queue, the children of one side by side: no recursion, however deep the tree is.
void Regrets::traverse(std::uint32_t player) {
    visits_.assign(1, {0, 0, 0.0});
    for (std::size_t at = 0; at < visits_.size(); ++at) visit(at, player);
    for (std::size_t at = visits_.size(); at-- > 0;) return_to(at, player);
}

void Regrets::visit(std::size_t at, std::uint32_t player) {
    const TreeArrays &tree = tree_.arrays;
    const std::int32_t node = visits_[at].node, mover = tree.player[node], first = tree.first_edge[node];
    const auto count = static_cast<std::uint32_t>(tree.first_edge[node + 1] - first);
    visits_[at].first_child = static_cast<std::uint32_t>(visits_.size());
    if (mover == TreeArrays::TERMINAL) {
        visits_[at].value = tree.values[static_cast<std::size_t>(node) * tree.players + player] - tree_.middle[player];
    } else if (mover == TreeArrays::CHANCE) {
        visits_.push_back({tree.child[first + static_cast<std::int32_t>(draw_of_nature(node, tree.total(node)))], 0, 0.0});
    } else if (mover == static_cast<std::int32_t>(player)) {
        for (std::uint32_t move = 0; move < count; ++move) visits_.push_back({tree.child[first + move], 0, 0.0});
    } else {
        const std::uint32_t slot = slot_of(node);
        match(slot, count, local_.data());
        // One of the others adds to its average: it is reached as often as nature and itself let it be.
        if (mover == static_cast<std::int32_t>((player + 1) % tree.players))
            for (std::uint32_t move = 0; move < count; ++move) weights_[slot + move] += local_[move];
        visits_.push_back({tree.child[first + static_cast<std::int32_t>(draw(local_.data(), count))], 0, 0.0});
    }
}

void Regrets::return_to(std::size_t at, std::uint32_t player) {
    const TreeArrays &tree = tree_.arrays;
    Visit &here = visits_[at];
    const std::int32_t mover = tree.player[here.node];
    if (mover == TreeArrays::TERMINAL) return;
    if (mover != static_cast<std::int32_t>(player)) {
        here.value = visits_[here.first_child].value;
        return;
    }
    const std::uint32_t slot = slot_of(here.node);
    const auto count = static_cast<std::uint32_t>(tree.first_edge[here.node + 1] - tree.first_edge[here.node]);
    match(slot, count, local_.data());
    for (std::uint32_t move = 0; move < count; ++move)
        here.value += local_[move] * visits_[here.first_child + move].value;
    for (std::uint32_t move = 0; move < count; ++move)
        regrets_[slot + move] += visits_[here.first_child + move].value - here.value;
    // A game of one player has nobody else to let it add to its average.
    if (tree.players == 1)
        for (std::uint32_t move = 0; move < count; ++move) weights_[slot + move] += local_[move];
}

void Regrets::run_outcome(std::uint64_t iterations, double exploration, const StopAsking &stop) {
    repeat(iterations, stop, [&] {
        std::uint64_t choices = 0;
        for (std::uint32_t player = 0; player < tree_.arrays.players; ++player) {
            play_once(player, exploration);
            choices += 1 + passed_.size();
        }
        return choices;
    });
}

// A sampled game: the player that updates explores, all others play their strategies.
void Regrets::play_once(std::uint32_t player, double exploration) {
    const TreeArrays &tree = tree_.arrays;
    passed_.clear();
    std::int32_t node = 0;
    double own = 1, others = 1, sampled = 1;
    while (tree.player[node] != TreeArrays::TERMINAL) {
        const std::int32_t mover = tree.player[node], first = tree.first_edge[node];
        const auto count = static_cast<std::uint32_t>(tree.first_edge[node + 1] - first);
        std::uint32_t chosen;
        if (mover == TreeArrays::CHANCE) {
            const std::uint64_t total = tree.total(node);
            chosen = draw_of_nature(node, total);
            const double likely = static_cast<double>(tree.weight[first + static_cast<std::int32_t>(chosen)]) /
                                  static_cast<double>(total);
            others *= likely;
            sampled *= likely;
        } else {
            const bool is_own = mover == static_cast<std::int32_t>(player);
            match(slot_of(node), count, local_.data());
            for (std::uint32_t move = 0; move < count; ++move)
                local_sample_[move] =
                    is_own ? exploration / count + (1 - exploration) * local_[move] : local_[move];
            chosen = draw(local_sample_.data(), count);
            const double likely = local_sample_[chosen];
            passed_.push_back({node, chosen, own, others, sampled, likely});
            (is_own ? own : others) *= local_[chosen];
            sampled *= likely;
        }
        node = tree.child[first + static_cast<std::int32_t>(chosen)];
    }
    double value = tree.values[static_cast<std::size_t>(node) * tree.players + player] - tree_.middle[player];
    for (auto one = passed_.rbegin(); one != passed_.rend(); ++one) {
        const std::uint32_t slot = slot_of(one->node);
        const auto count = static_cast<std::uint32_t>(tree.first_edge[one->node + 1] - tree.first_edge[one->node]);
        match(slot, count, local_.data());
        // The move that was sampled stands for all, so it counts more the less likely it was.
        const double after = value / one->likely;
        value = local_[one->chosen] * after;
        if (tree.player[one->node] != static_cast<std::int32_t>(player)) continue;
        const double scale = one->others / one->sampled;
        for (std::uint32_t move = 0; move < count; ++move) {
            regrets_[slot + move] += scale * ((move == one->chosen ? after : 0.0) - value);
            weights_[slot + move] += one->own / one->sampled * local_[move];
        }
    }
}

}  // namespace ludorum
