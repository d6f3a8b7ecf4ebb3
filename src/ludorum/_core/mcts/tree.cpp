// Memory of the tree: nodes in slabs, edges in pieces beside them, a table of chained buckets.

#include "mcts/tree.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "common/bits.hpp"

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
      first_bucket_(table_.data()),
      buckets_(FIRST_TABLE) {}

Tree::~Tree() { clear(); }

void Tree::clear() {
    each_node([&](Node *node) {
        if (Expansion *expansion = node->expansion.load()) expansion->~Expansion();
    });
    for (auto &room : rooms_) room->clear();
    table_.assign(FIRST_TABLE, nullptr);
    first_bucket_ = table_.data();
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
    // Without its stripe: should the table be replaced meanwhile, something useless is fetched.
    __builtin_prefetch(get(first_bucket_) + (hash(state) & (get(buckets_) - 1)), 1);
}

Node *Tree::find(const std::uint8_t *wanted) {
    const std::uint64_t key = hash(wanted);
    std::lock_guard lock(stripe(key));
    for (Node *node = table_[key & (table_.size() - 1)]; node; node = node->next)
        if (node->hash == key && std::equal(wanted, wanted + state_bytes_, state(node))) return node;
    return nullptr;
}

std::pair<Node *, bool> Tree::find_or_add(Room &room, const std::uint8_t *wanted, bool always) {
    const std::uint64_t key = hash(wanted);
    if (nodes() > get(buckets_)) grow_table();
    std::lock_guard lock(stripe(key));
    Node *&bucket = table_[key & (table_.size() - 1)];
    for (Node *node = bucket; node; node = node->next)
        if (node->hash == key && std::equal(wanted, wanted + state_bytes_, state(node))) return {node, false};
    if (full() && !always) return {nullptr, false};
    Node *node = take_node(room);
    node->hash = key;
    std::copy_n(wanted, state_bytes_, state(node));
    node->next = bucket;
    bucket = node;
    count(room, 1, node_bytes_ + sizeof(Node *));
    return {node, true};
}

Node *Tree::take_node(Room &room) {
    if (!room.spare) add_slab(room);
    Node *node = room.spare;
    room.spare = node->next;
    new (node) Node;
    node->in_use = true;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        new (&points(node)[role]) std::atomic<std::uint64_t>(0);
        new (&values(node)[role]) std::atomic<std::int16_t>(UNKNOWN);
    }
    return node;
}

void Tree::add_slab(Room &room) {
    auto *slab = static_cast<char *>(room.arena.take(SLAB * node_bytes_));
    for (std::size_t at = SLAB; at-- > 0;) {
        Node *node = new (node_at(slab, at)) Node;
        node->next = room.spare;
        room.spare = node;
    }
    room.slabs.push_back(slab);
}

Room &Tree::room(std::size_t number) {
    while (rooms_.size() <= number) rooms_.push_back(std::make_unique<Room>());
    return *rooms_[number];
}

void Tree::tell(Room &room) {
    nodes_.fetch_add(room.nodes, std::memory_order_relaxed);
    bytes_.fetch_add(room.bytes, std::memory_order_relaxed);
    room.nodes = room.bytes = 0;
    room.untold = 0;
}

// A thread that holds all stripes may replace the table.
void Tree::grow_table() {
    for (Stripe &one : stripes_) one.mutex.lock();
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
        first_bucket_ = table_.data();
        buckets_ = table_.size();
    }
    for (Stripe &one : stripes_) one.mutex.unlock();
}

Expansion *Tree::expand(Room &room, Node *node, const std::uint64_t *legal) {
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
    auto *made = new (room.arena.take(bytes)) Expansion;
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
    Expansion *none = nullptr;
    if (node->expansion.compare_exchange_strong(none, made, std::memory_order_acq_rel)) {
        count(room, 0, made->bytes);
        return made;
    }
    destroy(room, made);
    return none;
}

void Tree::destroy(Room &room, Expansion *expansion) {
    const std::size_t bytes = piece_bytes(expansion->edges);
    expansion->~Expansion();
    room.arena.give_back(expansion, bytes);
}

void Tree::free_expansion(Room &room, Node *node) {
    Expansion *expansion = node->expansion.exchange(nullptr);
    if (!expansion) return;
    bytes_.fetch_sub(expansion->bytes, std::memory_order_relaxed);
    destroy(room, expansion);
}

void Tree::keep(Node *root, std::size_t threads) {
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
    std::size_t kept = 0, dropped = 0;
    each_node([&](Node *node) {
        if (node->marked) {
            ++kept;
            node->marked = false;
            Node *&bucket = table_[node->hash & (table_.size() - 1)];
            node->next = bucket;
            bucket = node;
            return;
        }
        Room &heir = room(dropped++ % threads);
        free_expansion(heir, node);
        node->in_use = false;
        node->next = heir.spare;
        heir.spare = node;
        bytes_.fetch_sub(node_bytes_ + sizeof(Node *), std::memory_order_relaxed);
    });
    nodes_ = kept;
}

}  // namespace ludorum::mcts
