// The rules of proving. Where one role chooses, it gets the best of its moves; what others then get is known if
// all its best moves agree on it, or if the game has a constant sum. Where several choose, or nature does, a value
// is known if every joint move leads to it, or if a role can force its highest.

#include "mcts/proof.hpp"

#include <algorithm>
#include <utility>

namespace ludorum::mcts {

Proof::Proof(Tree &tree, std::vector<char> chance, std::vector<std::int16_t> highest, int constant_sum, bool observe)
    : tree_(tree), chance_(std::move(chance)), highest_(std::move(highest)), sure_(constant_sum >= 0), sum_(constant_sum) {
    for (std::uint32_t role = 0; role < tree.roles(); ++role)
        if (!chance_[role]) players_.push_back(role);
    if (players_.size() != 2) sure_ = false;
    observing_ = observe && !sure_ && players_.size() == 2;
}

bool Proof::observe(const std::uint64_t *points, std::uint32_t games) {
    if (!observing_.load(std::memory_order_relaxed)) return true;
    const std::uint64_t total = points[players_[0]] + points[players_[1]];
    int sum = sum_.load(std::memory_order_relaxed);
    if (sum < 0) {
        const int first = static_cast<int>(total / games);
        if (sum_.compare_exchange_strong(sum, first)) sum = first;
    }
    if (get(ends_) < ENOUGH_ENDS) ends_.fetch_add(games, std::memory_order_relaxed);
    if (total == static_cast<std::uint64_t>(sum) * games) return true;
    observing_ = false;  // for good, whatever other threads still count
    return false;
}

void Proof::learn(Node *node, Expansion *expansion, const std::uint32_t *places) {
    Node *child = tree_.child(expansion, places);
    if (!child) return;
    if (expansion->choosers == 0) {
        for (std::uint32_t role = 0; role < tree_.roles(); ++role) know(node, role, known(child, role));
        return;
    }
    if (is_player(expansion->mover)) {
        Edge &edge = tree_.key_edge(expansion, places);
        const std::int16_t value = known(child, static_cast<std::uint32_t>(expansion->mover));
        if (value < 0 || get(edge.proven) >= 0) return;
        // A thread that reads the value sees the child as well. Sequential consistency: of two threads that prove the
        // last two moves at the same time at least one must see both values, as no later visit looks at them again.
        edge.proven.store(value, std::memory_order_seq_cst);
        take_best(node, expansion);
        return;
    }
    if (expansion->joints > MOST_JOINTS || !solved(child)) return;
    if (!expansion->joint_children) {  // nature alone: few moves, and nothing is kept but the children
        std::vector<Node *> children;
        const Range range = expansion->ranges()[expansion->mover];
        for (std::uint32_t at = 0; at < range.count; ++at) {
            Node *one = tree_.edges(expansion)[range.begin + at].child.load(std::memory_order_acquire);
            if (!one || !solved(one)) return;
            children.push_back(one);
        }
        agree(node, children);
        return;
    }
    {
        std::lock_guard lock(expansion->joint_children->mutex);
        JointChildren::Child &entry = expansion->joint_children->children[tree_.joint_number(expansion, places)];
        if (entry.settled) return;
        entry.settled = true;
        ++expansion->joint_children->settled;
    }
    compare_joints(node, expansion);
}

void Proof::take_best(Node *node, Expansion *expansion) {
    const auto mover = static_cast<std::uint32_t>(expansion->mover);
    const Range range = expansion->ranges()[mover];
    Edge *edges = tree_.edges(expansion) + range.begin;
    std::int16_t best = UNKNOWN;
    bool everything = true;
    for (std::uint32_t at = 0; at < range.count; ++at) {
        const std::int16_t value = edges[at].proven.load(std::memory_order_seq_cst);
        best = std::max(best, value);
        everything &= value >= 0;
    }
    if (best < highest_[mover] && !everything) return;
    know(node, mover, best);
    if (!everything) return;
    std::vector<Node *> tied;
    for (std::uint32_t at = 0; at < range.count; ++at)
        if (get(edges[at].proven) == best) tied.push_back(edges[at].child.load(std::memory_order_acquire));
    agree(node, tied);
}

void Proof::compare_joints(Node *node, Expansion *expansion) {
    std::vector<Node *> children(expansion->joints, nullptr);
    std::size_t settled = 0;
    {
        std::lock_guard lock(expansion->joint_children->mutex);
        for (const auto &[number, child] : expansion->joint_children->children)
            if (child.settled) {
                children[number] = child.node;
                ++settled;
            }
    }
    if (settled == children.size()) agree(node, children);
    std::vector<std::uint32_t> places(tree_.roles());
    for (std::uint32_t role = 0; role < tree_.roles(); ++role) {
        const std::uint32_t count = expansion->ranges()[role].count;
        if (count < 2 || chance_[role]) continue;
        std::vector<char> forces(count, 1);
        for (std::uint64_t number = 0; number < children.size(); ++number) {
            tree_.joint_places(expansion, number, places.data());
            if (!children[number] || known(children[number], role) != highest_[role]) forces[places[role]] = 0;
        }
        if (std::find(forces.begin(), forces.end(), 1) != forces.end()) know(node, role, highest_[role]);
    }
}

void Proof::agree(Node *node, const std::vector<Node *> &children) {
    for (std::uint32_t role = 0; role < tree_.roles(); ++role) {
        const std::int16_t value = known(children[0], role);
        bool same = true;
        for (Node *child : children) same &= known(child, role) == value;
        if (same) know(node, role, value);
    }
}

void Proof::drop() {
    tree_.each_node([&](Node *node) {
        if (!get(node->is_end))
            for (std::uint32_t role = 0; role < tree_.roles(); ++role)
                tree_.values(node)[role].store(UNKNOWN, std::memory_order_relaxed);
        Expansion *expansion = node->expansion.load();
        if (!expansion) return;
        for (std::uint32_t at = 0; at < expansion->edges; ++at) tree_.edges(expansion)[at].proven.store(UNKNOWN);
        if (!expansion->joint_children) return;
        for (auto &[number, child] : expansion->joint_children->children) child.settled = false;
        expansion->joint_children->settled = 0;
    });
}

}  // namespace ludorum::mcts
