// Trees whose nodes are information sets: what a role has moved and perceived since the root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ludorum::information {

constexpr std::uint32_t NOWHERE = UINT32_MAX;

// A move of one role in a node.
struct Edge {
    std::int32_t move;
    std::uint32_t pending = 0;  // descents that chose it and are not over
    std::uint64_t visits = 0, available = 0;
    double total = 0;  // rewards from 0 to 1

    bool is_fresh() const { return visits + pending == 0; }
};

using Edges = std::vector<Edge>;  // by the number of the move

// Nodes of all trees. Each has as many lists of moves as there are roles that choose in it.
class Tree {
  public:
    // A tree that has so many bytes grows no more; roots and their moves are always made.
    Tree(std::uint32_t lists, std::size_t most_bytes) : lists_(lists), most_bytes_(most_bytes) { clear(); }

    void clear();
    std::uint32_t add_root();
    std::size_t nodes() const { return edges_.size() / lists_; }
    std::size_t bytes() const { return bytes_; }

    // The node after an own move and percepts, and whether it is new; NOWHERE where it is missing and there is no room.
    struct Step {
        std::uint32_t node;
        bool is_new;
    };
    Step step(std::uint32_t node, std::int32_t move, std::uint32_t percepts);
    // The same where nothing is added.
    std::uint32_t find(std::uint32_t node, std::int32_t move, std::uint32_t percepts) const;
    // A number for a set of percepts, the same for the same set; NOWHERE where it is new and there is no room.
    std::uint32_t number(const std::vector<std::uint32_t> &percepts);
    std::uint32_t known_number(const std::vector<std::uint32_t> &percepts) const;

    std::uint32_t list(std::uint32_t node, std::uint32_t which) const { return node * lists_ + which; }
    Edges &edges(std::uint32_t list) { return edges_[list]; }
    // The edge of a move that is there.
    Edge &edge(std::uint32_t list, std::int32_t move);
    // The places of moves, in ascending order, among the edges of a list; those that are missing are added. False, and
    // nothing is done, where some are missing and there is no room.
    bool place(std::uint32_t list, const std::vector<std::int32_t> &moves, std::vector<std::uint32_t> &places);

  private:
    struct Child {
        std::uint32_t parent = NOWHERE;
        std::int32_t move = 0;
        std::uint32_t percepts = 0, node = 0;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    bool has_room(std::size_t more) const { return more <= most_bytes_ && bytes_ <= most_bytes_ - more; }
    // Of a node without moves, with what vectors keep in reserve.
    std::size_t node_bytes() const { return lists_ * (2 * sizeof(Edges) + 16); }
    std::size_t slot_of(std::uint32_t node, std::int32_t move, std::uint32_t percepts) const;
    bool make_room_for_child();
    std::uint32_t add_node();

    std::uint32_t lists_;
    std::size_t most_bytes_, bytes_ = 0;
    std::uint32_t roots_ = 0;      // the first nodes
    std::vector<Edges> edges_;     // by list
    std::vector<Child> children_;  // a table with open addresses
    std::size_t child_count_ = 0;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> percepts_;
};

}  // namespace ludorum::information
