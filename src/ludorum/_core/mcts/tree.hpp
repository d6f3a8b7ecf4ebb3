// The tree of Monte Carlo search: nodes found by their packed states, with edges once they are expanded.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "mcts/arena.hpp"
#include "circuit/network.hpp"

namespace ludorum::mcts {

constexpr std::int16_t UNKNOWN = -1;

struct Node;

// One move of one role in one state. Visits that are being played out are pending: they stand for losses until
// their games are over.
struct Edge {
    std::atomic<std::uint64_t> points{0};  // goal values of the role, summed over visits
    std::atomic<std::uint32_t> visits{0}, pending{0};
    std::atomic<Node *> child{nullptr};  // where this edge alone decides, see Expansion::key_edge
    std::uint32_t move = 0;
    std::atomic<std::int16_t> proven{UNKNOWN};  // the exact goal value, where the role alone decides
};

// Children of a node in which several roles choose, by the number of the joint move.
struct JointChildren {
    struct Child {
        Node *node = nullptr;
        bool settled = false;  // its outcome is known
    };
    std::mutex mutex;
    std::unordered_map<std::uint64_t, Child> children;
    std::size_t settled = 0;
};

struct Range {
    std::uint32_t begin, count;
};

// Statistics of an edge that only some policies use.
struct EdgeExtra {
    std::uint64_t rave_points = 0;
    std::uint32_t rave_visits = 0;
    double regret = 0, strategy = 0;
};

struct Expansion {
    std::uint32_t edges = 0, choosers = 0;
    std::int32_t mover = -1;        // the only role that chooses; nature may be it
    std::uint64_t joints = 1;       // joint moves, or the largest number where there are more
    std::uint32_t bytes = 0;
    std::unique_ptr<JointChildren> joint_children;  // where several choose
    std::unique_ptr<EdgeExtra[]> extra;
    // Ranges of the roles, then the edges of all roles, follow in memory.
    Range *ranges() { return reinterpret_cast<Range *>(this + 1); }
    Edge *first_edge(std::uint32_t roles) { return reinterpret_cast<Edge *>(ranges() + roles); }
};

// Values and the packed state follow in memory; see Tree.
struct Node {
    std::atomic<Expansion *> expansion{nullptr};
    Node *next = nullptr;  // in its bucket
    std::uint64_t hash = 0;
    std::atomic<std::uint32_t> visits{0}, pending{0};
    std::atomic<bool> is_end{false};
    std::atomic<bool> is_known{false};  // it was checked whether it is an end; before, it gets no edges
    std::atomic<bool> busy{false};      // a thread is Adding
    bool in_use = false, marked = false;
};

using Points = std::vector<std::uint64_t>;  // by role

// A thread that adds to what a node and its edges have gathered keeps others from doing so. A
// step of a backup adds in seven places; one locked instruction for all of them costs a third of one for each, and
// a small part of that where the node is not in the nearest cache. A reader does not wait: the sums of an edge may
// be a moment apart.
class Adding {
  public:
    Adding(Node *node, bool shared) : node_(shared ? node : nullptr) {
        if (node_ && node_->busy.exchange(true, std::memory_order_acquire)) wait();
    }
    ~Adding() {
        if (node_) node_->busy.store(false, std::memory_order_release);
    }
    Adding(const Adding &) = delete;
    Adding &operator=(const Adding &) = delete;

  private:
    // Not long, unless the other thread has lost the processor in the middle of it.
    void wait() {
        do {
            for (int looks = 0; node_->busy.load(std::memory_order_relaxed); ++looks)
                if (looks > 100) std::this_thread::yield();
        } while (node_->busy.exchange(true, std::memory_order_acquire));
    }

    Node *node_;
};

// Under `Adding`: no other thread writes meanwhile.
template <class T>
inline void add(std::atomic<T> &to, T what) {
    to.store(to.load(std::memory_order_relaxed) + what, std::memory_order_relaxed);
}

template <class T>
inline T get(const std::atomic<T> &from) {
    return from.load(std::memory_order_relaxed);
}

// Where one thread has its nodes and edges: none waits for another, and what two of them make does not lie in one
// line of the cache, which would go to and fro.
struct alignas(LINE) Room {
    Arena arena;
    std::vector<char *> slabs;  // of nodes
    Node *spare = nullptr;
    // Nodes and bytes that the tree has not counted yet; threads that share a tree report them now and then.
    std::size_t nodes = 0, bytes = 0;
    std::uint32_t untold = 0, most_untold = 0;

    void clear() {
        arena.clear();
        slabs.clear();
        spare = nullptr;
        nodes = bytes = untold = 0;
    }
};

class Tree {
  public:
    Tree(const Network &network, std::size_t most_bytes, bool extras);
    ~Tree();
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;

    std::uint32_t roles() const { return roles_; }
    std::size_t state_bytes() const { return state_bytes_; }
    std::uint8_t *state(Node *node) const { return reinterpret_cast<std::uint8_t *>(node) + state_at_; }
    std::atomic<std::uint64_t> *points(Node *node) const {
        return reinterpret_cast<std::atomic<std::uint64_t> *>(reinterpret_cast<char *>(node) + sizeof(Node));
    }
    std::atomic<std::int16_t> *values(Node *node) const {
        return reinterpret_cast<std::atomic<std::int16_t> *>(reinterpret_cast<char *>(node) + values_at_);
    }
    Edge *edges(Expansion *expansion) const { return expansion->first_edge(roles_); }
    Edge &edge(Expansion *expansion, std::uint32_t role, std::uint32_t place) const {
        return edges(expansion)[expansion->ranges()[role].begin + place];
    }
    // Where at most one role chooses, one edge stands for the joint move.
    Edge &key_edge(Expansion *expansion, const std::uint32_t *places) const {
        return expansion->mover < 0 ? edges(expansion)[0]
                                    : edge(expansion, static_cast<std::uint32_t>(expansion->mover),
                                           places[expansion->mover]);
    }
    std::uint64_t joint_number(Expansion *expansion, const std::uint32_t *places) const;
    void joint_places(Expansion *expansion, std::uint64_t number, std::uint32_t *places) const;

    Node *child(Expansion *expansion, const std::uint32_t *places) const;
    void link(Expansion *expansion, const std::uint32_t *places, Node *child) const;

    std::uint64_t hash(const std::uint8_t *state) const;
    Node *find(const std::uint8_t *state);
    // The bucket of a state will be needed soon.
    void fetch(const std::uint8_t *state);
    // The node of a state, and whether it is new; null where the tree is full.
    std::pair<Node *, bool> find_or_add(Room &room, const std::uint8_t *state, bool always = false);
    // Gives a node its edges from legal moves, a bit each; another thread may have been faster.
    Expansion *expand(Room &room, Node *node, const std::uint64_t *legal);

    // The room of a thread, by its number. Rooms stay where they are.
    Room &room(std::size_t number);
    // Counts the nodes and bytes made in a room.
    void tell(Room &room);

    // Drops everything that cannot be reached from a node; so many threads will have the memory. No other thread may
    // use the tree meanwhile.
    void keep(Node *root, std::size_t threads);
    void clear();
    template <class Visit>
    void each_node(Visit visit) {
        for (auto &room : rooms_)
            for (char *slab : room->slabs)
                for (std::size_t at = 0; at < SLAB; ++at)
                    if (Node *node = node_at(slab, at); node->in_use) visit(node);
    }

    std::size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    bool full() const { return bytes() >= most_bytes_; }

  private:
    static constexpr std::size_t SLAB = 256, STRIPES = 64;
    struct alignas(LINE) Stripe {
        std::mutex mutex;
    };

    Node *node_at(char *slab, std::size_t at) const { return reinterpret_cast<Node *>(slab + at * node_bytes_); }
    Node *take_node(Room &room);
    void add_slab(Room &room);
    void free_expansion(Room &room, Node *node);
    void destroy(Room &room, Expansion *expansion);
    void count(Room &room, std::size_t nodes, std::size_t bytes) {
        room.nodes += nodes;
        room.bytes += bytes;
        if (++room.untold > room.most_untold) tell(room);
    }
    // Of an expansion with its ranges and edges.
    std::size_t piece_bytes(std::size_t edges) const {
        return sizeof(Expansion) + roles_ * sizeof(Range) + edges * sizeof(Edge);
    }
    void grow_table();
    // A thread that holds the stripe of a state has its bucket: tables are larger than there are stripes.
    std::mutex &stripe(std::uint64_t hash) { return stripes_[hash & (STRIPES - 1)].mutex; }

    const Network &network_;
    std::uint32_t roles_;
    std::size_t state_bytes_, values_at_, state_at_, node_bytes_, most_bytes_;
    bool extras_;
    std::vector<Node *> table_;  // read and written under its stripes; all of them are held to replace it
    std::atomic<Node **> first_bucket_;  // of the table, for prefetching
    std::atomic<std::size_t> buckets_;
    std::vector<std::unique_ptr<Room>> rooms_;
    Stripe stripes_[STRIPES];  // of the table, by the lowest bits of the hash
    alignas(LINE) std::atomic<std::size_t> nodes_{0};
    std::atomic<std::size_t> bytes_{0};
};

// While a thread works in its room.
class Stay {
  public:
    Stay(Tree &tree, Room &room, bool shared) : tree_(tree), room_(room) {
        room.most_untold = shared ? MOST_UNTOLD : 0;
    }
    ~Stay() { tree_.tell(room_); }
    Stay(const Stay &) = delete;
    Stay &operator=(const Stay &) = delete;

  private:
    static constexpr std::uint32_t MOST_UNTOLD = 64;  // nodes and expansions: little beside any tree
    Tree &tree_;
    Room &room_;
};

}  // namespace ludorum::mcts
