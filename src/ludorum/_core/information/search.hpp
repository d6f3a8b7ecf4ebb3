// Monte Carlo tree search over information sets (Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search",
// 2012), with one observer or with all; the twin of search/ismcts.py.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "information/positions.hpp"
#include "information/tree.hpp"

namespace ludorum::information {

struct Settings {
    double exploration = 0.7;
    double random_others = 0;  // how often others move at random instead of as the tree selects
    std::uint32_t max_steps = 2000, games_a_leaf = 1;
    bool everyone = false;  // every role has a tree of its own; else all choose in that of the searching role
};

// Worlds in which a search begins.
struct Worlds {
    std::vector<std::uint8_t> states;  // packed, one after the other
    std::vector<double> weights;
    std::vector<std::uint64_t> views;  // by world and role: what it has seen before; or none
};

struct Limits {
    std::uint64_t descents, nodes;
    const std::function<bool()> &stop;
};

class Search {
  public:
    // `chance`: by role, whether nature has it. `sees_roles`: by percept, whose it is.
    Search(std::shared_ptr<const Network> network, std::vector<char> chance, std::vector<std::uint32_t> sees_roles,
           const Settings &settings, std::size_t memory_bytes, std::unique_ptr<Positions> positions);

    // Drops the trees.
    void begin(std::uint32_t role, Worlds worlds, std::uint64_t seed);
    bool has_begun() const { return !sums_.empty(); }
    // Counts goal values as so many visits of moves at the root.
    void trust(const std::vector<std::int32_t> &moves, const std::vector<double> &values, std::uint64_t visits);
    // Grows the trees until a limit is reached, by one descent at least; the numbers of new nodes and of descents.
    std::pair<std::uint64_t, std::uint64_t> run(const Limits &limits);

    // A step of a role: its move and the numbers of its percepts.
    using Past = std::vector<std::pair<std::int32_t, std::vector<std::uint32_t>>>;
    // The moves of a role in a node; null where there is no such node.
    const Edges *look(std::uint32_t role, std::uint64_t view, const Past &past);

    std::uint32_t role() const { return role_; }
    std::size_t nodes() const { return tree_.nodes(); }
    std::size_t bytes() const { return tree_.bytes(); }
    const Network &network() const { return *network_; }

  private:
    struct Visit {
        std::uint32_t list;
        std::int32_t move;
        std::uint32_t role;
    };
    struct Descent {
        std::vector<std::uint32_t> nodes;  // by role
        std::vector<Visit> path;
        bool is_new;
    };

    std::size_t draw_world();
    std::uint32_t root_of(std::uint32_t role, std::uint64_t view);
    std::size_t planned(std::uint64_t done, std::uint64_t new_nodes, const Limits &limits) const;
    void start(std::size_t count);
    void descend();
    bool choose(std::size_t at);
    std::int32_t choose_move(Edges &edges, std::uint32_t role, bool &is_new);
    std::size_t best_place(const Edges &edges, const std::vector<std::uint32_t> &places) const;
    bool arrive(Descent &descent, std::size_t at, const std::int32_t *joint);
    void split_percepts(std::size_t at);
    std::uint64_t back_up(std::size_t count);
    void give_up(std::size_t count);
    std::uint32_t list_of(const std::vector<std::uint32_t> &nodes, std::uint32_t role) const {
        return tree_.list(nodes[role], settings_.everyone ? 0 : role);
    }
    double chance_number() { return static_cast<double>(random_.next() >> 11) * 0x1.0p-53; }

    std::shared_ptr<const Network> network_;
    std::vector<char> chance_;
    std::vector<std::uint32_t> sees_roles_;
    Settings settings_;
    Tree tree_;
    std::unique_ptr<Positions> positions_;
    SplitMix64 random_{0};
    std::uint32_t roles_, role_ = 0, root_ = 0;
    std::vector<double> sums_;  // of the weights of worlds
    std::vector<std::uint32_t> world_roots_;  // by world and role
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> roots_;  // of others, by role and view
    std::uint64_t descents_ = 0, new_nodes_ = 0;
    std::vector<Descent> under_way_;
    std::vector<std::uint32_t> active_, going_, finished_, held_;
    std::vector<std::vector<std::uint32_t>> held_by_;   // by role: percepts of a step
    std::vector<std::vector<std::int32_t>> legal_by_;   // by role
    std::vector<std::vector<std::uint32_t>> places_by_;  // and the places of these moves among its edges
    std::vector<std::int32_t> joints_, joint_;
    std::vector<double> rewards_;
};

}  // namespace ludorum::information
