// Memory of the tree: nodes in slabs, edges in pieces beside them, a table of chained buckets.

#include "mcts_tree.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "bits.hpp"

namespace ludorum::mcts {

namespace {

constexpr std::size_t FIRST_TABLE = std::size_t{1} << 12;
constexpr std::size_t PIECE_OVERHEAD = 32;  // pieces end with a line

std::size_t round_up(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

}  // namespace

Tree::Tree(const Network &network, std::size_t most_bytes, bool extras)
    : network_(network),
      roles_(network.roles()),
      state_bytes_(packed_bytes(network.fluents)),
      values_at_(sizeof(Node) + roles_ * sizeof(std::uint64_t)),
      state_at_(values_at_ + roles_ * sizeof(std::int16_t)),
      node_bytes_(round_up(state_at_ + state_bytes_)),
      most_bytes_(most_bytes),
      extras_(extras),
      table_(FIRST_TABLE, nullptr),
      buckets_(FIRST_TABLE) {}

Tree::~Tree() { clear(); }

void Tree::clear() {
    each_node([&](Node *node) { free_expansion(node); });
    slabs_.clear();
    arena_.clear();
    spare_ = nullptr;
    table_.assign(FIRST_TABLE, nullptr);
    buckets_ = FIRST_TABLE;
    nodes_ = 0;
    bytes_ = 0;
}

std::uint64_t Tree::joint_number(Expansion *expansion, const std::uint32_t *places) const {
    std::uint64_t number = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) number = number * expansion->ranges()[role].count + places[role];
    return number;
}

void Tree::joint_places(Expansion *expansion, std::uint64_t number, std::uint32_t *places) const {
    for (std::uint32_t role = roles_; role-- > 0;) {
        const std::uint32_t count = expansion->ranges()[role].count;
        places[role] = static_cast<std::uint32_t>(number % count);
        number /= count;
    }
}

Node *Tree::child(Expansion *expansion, const std::uint32_t *places) const {
    if (!expansion->joint_children) return key_edge(expansion, places).child.load(std::memory_order_acquire);
    JointChildren &known = *expansion->joint_children;
    std::lock_guard lock(known.mutex);
    const auto found = known.children.find(joint_number(expansion, places));
    return found == known.children.end() ? nullptr : found->second.node;
}

void Tree::link(Expansion *expansion, const std::uint32_t *places, Node *child) const {
    if (!expansion->joint_children) {
        key_edge(expansion, places).child.store(child, std::memory_order_release);
        return;
    }
    JointChildren &known = *expansion->joint_children;
    std::lock_guard lock(known.mutex);
    known.children[joint_number(expansion, places)].node = child;
}

// Eight bytes at a time through the finaliser of SplitMix64: packed states differ in few bits.
std::uint64_t Tree::hash(const std::uint8_t *state) const {
    std::uint64_t value = state_bytes_;
    for (std::size_t at = 0; at < state_bytes_; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, state + at, std::min<std::size_t>(8, state_bytes_ - at));
        value = (value ^ word) + 0x9E3779B97F4A7C15ull;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
        value ^= value >> 31;
    }
    return value;
}

void Tree::fetch(const std::uint8_t *state) {
    const std::uint64_t key = hash(state);
    std::lock_guard lock(stripe(key));
    __builtin_prefetch(&table_[key & (table_.size() - 1)], 1);
}

Node *Tree::find(const std::uint8_t *wanted) {
    const std::uint64_t key = hash(wanted);
    std::lock_guard lock(stripe(key));
    for (Node *node = table_[key & (table_.size() - 1)]; node; node = node->next)
        if (node->hash == key && std::memcmp(state(node), wanted, state_bytes_) == 0) return node;
    return nullptr;
}

std::pair<Node *, bool> Tree::find_or_add(const std::uint8_t *wanted, bool always) {
    const std::uint64_t key = hash(wanted);
    if (nodes() > get(buckets_)) grow_table();
    std::lock_guard lock(stripe(key));
    Node *&bucket = table_[key & (table_.size() - 1)];
    for (Node *node = bucket; node; node = node->next)
        if (node->hash == key && std::memcmp(state(node), wanted, state_bytes_) == 0) return {node, false};
    if (full() && !always) return {nullptr, false};
    Node *node = take_node();
    node->hash = key;
    std::memcpy(state(node), wanted, state_bytes_);
    node->next = bucket;
    bucket = node;
    nodes_.fetch_add(1, std::memory_order_relaxed);
    return {node, true};
}

Node *Tree::take_node() {
    std::lock_guard lock(memory_mutex_);
    if (!spare_) {
        auto *slab = static_cast<char *>(arena_.take(SLAB * node_bytes_));
        for (std::size_t at = SLAB; at-- > 0;) {
            Node *node = new (node_at(slab, at)) Node;
            node->next = spare_;
            spare_ = node;
        }
        slabs_.push_back(slab);
    }
    Node *node = spare_;
    spare_ = node->next;
    new (node) Node;
    node->in_use = true;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        new (&points(node)[role]) std::atomic<std::uint64_t>(0);
        new (&values(node)[role]) std::atomic<std::int16_t>(UNKNOWN);
    }
    bytes_.fetch_add(node_bytes_ + sizeof(Node *), std::memory_order_relaxed);
    return node;
}

// Whoever holds all stripes may replace the table.
void Tree::grow_table() {
    for (std::mutex &one : stripes_) one.lock();
    if (nodes() > table_.size()) {
        std::vector<Node *> larger(4 * table_.size(), nullptr);
        for (Node *chain : table_)
            while (chain) {
                Node *node = chain;
                chain = node->next;
                Node *&bucket = larger[node->hash & (larger.size() - 1)];
                node->next = bucket;
                bucket = node;
            }
        table_.swap(larger);
        buckets_ = table_.size();
    }
    for (std::mutex &one : stripes_) one.unlock();
}

Expansion *Tree::expand(Node *node, const std::uint64_t *legal) {
    std::vector<std::uint32_t> moves;
    std::vector<Range> ranges(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        ranges[role].begin = static_cast<std::uint32_t>(moves.size());
        for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
            if (!(move & 63) && !legal[move / 64]) {  // 64 moves at once that are not legal
                move += 63;
                continue;
            }
            if (legal[move / 64] >> (move & 63) & 1) moves.push_back(move);
        }
        ranges[role].count = static_cast<std::uint32_t>(moves.size()) - ranges[role].begin;
    }
    const std::size_t bytes = piece_bytes(moves.size());
    void *piece;
    {
        std::lock_guard lock(memory_mutex_);
        piece = arena_.take(bytes);
    }
    auto *made = new (piece) Expansion;
    made->bytes = static_cast<std::uint32_t>(bytes + PIECE_OVERHEAD);
    made->edges = static_cast<std::uint32_t>(moves.size());
    std::copy(ranges.begin(), ranges.end(), made->ranges());
    for (std::size_t at = 0; at < moves.size(); ++at) (new (edges(made) + at) Edge)->move = moves[at];
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (ranges[role].count > 1) {
            ++made->choosers;
            made->mover = static_cast<std::int32_t>(role);
        }
        if (made->joints > UINT64_MAX / std::max(1u, ranges[role].count))
            made->joints = UINT64_MAX;
        else
            made->joints *= ranges[role].count;
    }
    if (made->choosers > 1) {
        made->mover = -1;
        made->joint_children = std::make_unique<JointChildren>();
        made->bytes += sizeof(JointChildren) + PIECE_OVERHEAD;
    }
    if (extras_) {
        made->extra = std::make_unique<EdgeExtra[]>(moves.size());
        made->bytes += static_cast<std::uint32_t>(moves.size() * sizeof(EdgeExtra) + PIECE_OVERHEAD);
    }
    bytes_.fetch_add(made->bytes, std::memory_order_relaxed);
    Expansion *none = nullptr;
    if (node->expansion.compare_exchange_strong(none, made, std::memory_order_acq_rel)) return made;
    destroy(made);
    return none;
}

void Tree::destroy(Expansion *expansion) {
    const std::size_t bytes = piece_bytes(expansion->edges);
    bytes_.fetch_sub(expansion->bytes, std::memory_order_relaxed);
    expansion->~Expansion();
    std::lock_guard lock(memory_mutex_);
    arena_.give_back(expansion, bytes);
}

void Tree::free_expansion(Node *node) {
    if (Expansion *expansion = node->expansion.exchange(nullptr)) destroy(expansion);
}

void Tree::keep(Node *root) {
    std::vector<Node *> open{root};
    root->marked = true;
    auto mark = [&](Node *node) {
        if (!node || node->marked) return;
        node->marked = true;
        open.push_back(node);
    };
    while (!open.empty()) {
        Expansion *expansion = open.back()->expansion.load();
        open.pop_back();
        if (!expansion) continue;
        if (expansion->joint_children)
            for (auto &[number, child] : expansion->joint_children->children) mark(child.node);
        else
            for (std::uint32_t at = 0; at < expansion->edges; ++at) mark(edges(expansion)[at].child.load());
    }
    std::fill(table_.begin(), table_.end(), nullptr);
    std::size_t kept = 0;
    each_node([&](Node *node) {
        if (node->marked) {
            ++kept;
            node->marked = false;
            Node *&bucket = table_[node->hash & (table_.size() - 1)];
            node->next = bucket;
            bucket = node;
            return;
        }
        free_expansion(node);
        node->in_use = false;
        node->next = spare_;
        spare_ = node;
        bytes_.fetch_sub(node_bytes_ + sizeof(Node *), std::memory_order_relaxed);
    });
    nodes_ = kept;
}

}  // namespace ludorum::mcts
