// Nodes, their children and their moves; see information/tree.hpp.

#include "information/tree.hpp"

#include <algorithm>

namespace ludorum::information {

namespace {

constexpr std::size_t FIRST_CHILDREN = 256;  // a power of two
constexpr std::size_t SET_BYTES = 96;        // of a set of percepts, besides its numbers

std::string_view text_of(const std::vector<std::uint32_t> &numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(std::uint32_t)};
}

std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
}

}  // namespace

void Tree::clear() {
    edges_.clear();
    children_.assign(FIRST_CHILDREN, Child{});
    percepts_.clear();
    child_count_ = 0;
    roots_ = 0;
    bytes_ = FIRST_CHILDREN * sizeof(Child);
}

std::uint32_t Tree::add_node() {
    const auto node = static_cast<std::uint32_t>(nodes());
    edges_.resize(edges_.size() + lists_);
    bytes_ += node_bytes();
    return node;
}

std::uint32_t Tree::add_root() {
    roots_ = static_cast<std::uint32_t>(nodes()) + 1;
    return add_node();
}

std::size_t Tree::slot_of(std::uint32_t node, std::int32_t move, std::uint32_t percepts) const {
    const std::size_t mask = children_.size() - 1;
    const std::uint64_t key = static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint32_t>(move);
    std::size_t at = mixed(key + 0x9E3779B97F4A7C15ull * (percepts + 1ull)) & mask;
    while (children_[at].parent != NOWHERE && (children_[at].parent != node || children_[at].move != move ||
                                               children_[at].percepts != percepts))
        at = (at + 1) & mask;
    return at;
}

std::uint32_t Tree::find(std::uint32_t node, std::int32_t move, std::uint32_t percepts) const {
    const Child &found = children_[slot_of(node, move, percepts)];
    return found.parent == NOWHERE ? NOWHERE : found.node;
}

// The table is never more than half full.
bool Tree::make_room_for_child() {
    if (edges_.size() + lists_ >= NOWHERE) return false;  // lists have numbers of 32 bits
    if (2 * (child_count_ + 1) <= children_.size()) return has_room(node_bytes());
    const std::size_t more = children_.size() * sizeof(Child);
    if (!has_room(node_bytes() + more)) return false;
    std::vector<Child> before(2 * children_.size());
    before.swap(children_);
    bytes_ += more;
    for (const Child &one : before)
        if (one.parent != NOWHERE) children_[slot_of(one.parent, one.move, one.percepts)] = one;
    return true;
}

Tree::Step Tree::step(std::uint32_t node, std::int32_t move, std::uint32_t percepts) {
    const std::uint32_t known = find(node, move, percepts);
    if (known != NOWHERE) return {known, false};
    if (!make_room_for_child()) return {NOWHERE, true};
    const std::uint32_t after = add_node();
    children_[slot_of(node, move, percepts)] = {node, move, percepts, after};
    ++child_count_;
    return {after, true};
}

std::uint32_t Tree::known_number(const std::vector<std::uint32_t> &percepts) const {
    const auto found = percepts_.find(text_of(percepts));
    return found == percepts_.end() ? NOWHERE : found->second;
}

std::uint32_t Tree::number(const std::vector<std::uint32_t> &percepts) {
    const std::uint32_t known = known_number(percepts);
    if (known != NOWHERE) return known;
    const std::string_view text = text_of(percepts);
    if (!has_room(SET_BYTES + text.size())) return NOWHERE;
    bytes_ += SET_BYTES + text.size();
    return percepts_.emplace(text, static_cast<std::uint32_t>(percepts_.size())).first->second;
}

Edge &Tree::edge(std::uint32_t list, std::int32_t move) {
    Edges &own = edges_[list];
    return *std::lower_bound(own.begin(), own.end(), move,
                             [](const Edge &edge, std::int32_t wanted) { return edge.move < wanted; });
}

bool Tree::place(std::uint32_t list, const std::vector<std::int32_t> &moves, std::vector<std::uint32_t> &places) {
    Edges &own = edges_[list];
    places.clear();
    std::size_t at = 0;
    for (std::int32_t move : moves) {
        while (at < own.size() && own[at].move < move) ++at;
        if (at == own.size() || own[at].move != move) break;
        places.push_back(static_cast<std::uint32_t>(at++));
    }
    if (places.size() == moves.size()) return true;
    Edges all;
    all.reserve(own.size() + moves.size());
    auto next = moves.begin();
    for (const Edge &edge : own) {
        for (; next != moves.end() && *next < edge.move; ++next) all.push_back({*next});
        if (next != moves.end() && *next == edge.move) ++next;
        all.push_back(edge);
    }
    for (; next != moves.end(); ++next) all.push_back({*next});
    all.shrink_to_fit();
    const std::size_t more = (all.size() - own.size()) * sizeof(Edge);
    if (list >= roots_ * lists_ && !has_room(more)) return false;
    bytes_ += more;
    own.swap(all);
    places.clear();
    at = 0;
    for (std::int32_t move : moves) {
        while (own[at].move < move) ++at;
        places.push_back(static_cast<std::uint32_t>(at));
    }
    return true;
}

}  // namespace ludorum::information
