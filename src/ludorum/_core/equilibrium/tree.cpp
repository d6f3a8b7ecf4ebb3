// Game trees as arrays: checks, and the ends of the game by sequences of moves.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "equilibrium/tree.hpp"

namespace ludorum {

namespace {

constexpr std::int64_t MOST_WEIGHT = (std::int64_t{1} << 40) + 1;  // so that no sum overflows

void demand(bool holds, const char *what) {
    if (!holds) throw std::invalid_argument(std::string("not a game tree: ") + what);
}

void check_offsets(const std::vector<std::int32_t> &offsets, std::size_t entries, const char *what) {
    demand(!offsets.empty() && offsets.front() == 0 && static_cast<std::size_t>(offsets.back()) == entries, what);
    demand(std::is_sorted(offsets.begin(), offsets.end()), what);
}

void check_shape(const TreeArrays &tree) {
    const std::size_t nodes = tree.nodes();
    demand(nodes > 0, "it has no node");
    demand(tree.first_edge.size() == nodes + 1, "arrays of different lengths");
    demand(tree.information_set.size() == nodes, "arrays of different lengths");
    demand(tree.values.size() == nodes * tree.players, "values must have a row for each node");
    demand(!tree.set_offsets.empty() && tree.set_offsets.back() >= 0, "set_offsets");
    check_offsets(tree.set_offsets, tree.slots(), "set_offsets");
    check_offsets(tree.first_edge, tree.child.size(), "first_edge");
    demand(tree.weight.size() == tree.child.size(), "arrays of different lengths");
    for (std::int64_t weight : tree.weight) demand(weight > 0 && weight < MOST_WEIGHT, "weights must be from 1 to 2**40");
    demand(tree.child.size() == nodes - 1, "every node but the first has one parent");
    std::vector<char> met(nodes, 0);
    for (std::size_t node = 0; node < nodes; ++node)
        for (std::int32_t edge = tree.first_edge[node]; edge < tree.first_edge[node + 1]; ++edge) {
            const auto child = static_cast<std::size_t>(tree.child[edge]);
            demand(tree.child[edge] > 0 && child > node && child < nodes, "children come after their parents");
            demand(!met[child], "every node but the first has one parent");
            met[child] = 1;
        }
}

void check_node(const TreeArrays &tree, std::size_t node) {
    const std::int32_t player = tree.player[node], set = tree.information_set[node];
    const std::int32_t edges = tree.first_edge[node + 1] - tree.first_edge[node];
    const auto players = static_cast<std::int32_t>(tree.players);
    demand(player >= TreeArrays::TERMINAL && player < players, "there is no such player");
    demand((player == TreeArrays::TERMINAL) == (edges == 0), "ends have no moves, and other nodes have some");
    if (player < 0) {
        demand(set == -1, "where no player decides there is no information set");
    } else {
        const bool is_there = set >= 0 && static_cast<std::size_t>(set) + 1 < tree.set_offsets.size();
        demand(is_there, "there is no such information set");
        demand(tree.set_offsets[set + 1] - tree.set_offsets[set] == edges, "an information set with other moves");
    }
    for (std::size_t at = 0; player == TreeArrays::TERMINAL && at < tree.players; ++at)
        demand(std::isfinite(tree.values[node * tree.players + at]), "values must be numbers");
}

// What every node is reached by: the sequences of all players, and how likely nature draws what leads there.
struct Reached {
    std::vector<Sequence> sequences;  // by node and player
    std::vector<double> drawn;        // by node
};

Reached reach(const TreeArrays &tree) {
    const std::size_t players = tree.players;
    Reached found{std::vector<Sequence>(tree.nodes() * players, 0), std::vector<double>(tree.nodes(), 1.0)};
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
        const std::int32_t player = tree.player[node], first = tree.first_edge[node];
        const std::int32_t count = tree.first_edge[node + 1] - first;
        const double total = player == TreeArrays::CHANCE ? static_cast<double>(tree.total(static_cast<std::int32_t>(node))) : 1;
        for (std::int32_t at = 0; at < count; ++at) {
            const auto child = static_cast<std::size_t>(tree.child[first + at]);
            std::copy_n(&found.sequences[node * players], players, &found.sequences[child * players]);
            found.drawn[child] = found.drawn[node];
            if (player == TreeArrays::CHANCE)
                found.drawn[child] *= static_cast<double>(tree.weight[first + at]) / total;
            else
                found.sequences[child * players + player] =
                    static_cast<Sequence>(tree.set_offsets[tree.information_set[node]] + at + 1);
        }
    }
    return found;
}

void put_choices(DecisionTree &made, const Reached &reached) {
    const TreeArrays &tree = made.arrays;
    const std::size_t sets = tree.set_offsets.size() - 1;
    std::vector<std::int32_t> owner(sets, -1);
    std::vector<Sequence> before(sets, 0);
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
        const std::int32_t player = tree.player[node], set = tree.information_set[node];
        if (player < 0) continue;
        const Sequence own = reached.sequences[node * tree.players + player];
        demand(owner[set] < 0 || owner[set] == player, "an information set of two players");
        demand(owner[set] < 0 || before[set] == own, "a player that forgets its own moves");
        demand(own <= static_cast<Sequence>(tree.set_offsets[set]), "information sets in another order than play");
        owner[set] = player;
        before[set] = own;
    }
    for (std::size_t set = 0; set < sets; ++set) {
        demand(owner[set] >= 0, "an information set without a node");
        const auto first = static_cast<std::uint32_t>(tree.set_offsets[set]);
        const auto count = static_cast<std::uint32_t>(tree.set_offsets[set + 1]) - first;
        made.sides[owner[set]].choices.push_back({first, count, before[set]});
    }
}

void put_ends(DecisionTree &made, const Reached &reached, std::uint32_t player) {
    const TreeArrays &tree = made.arrays;
    const std::size_t players = tree.players;
    PlayerSide &side = made.sides[player];
    std::vector<std::uint32_t> ends;
    for (std::size_t node = 0; node < tree.nodes(); ++node)
        // An end that is worth nothing adds nothing, and is left out.
        if (tree.player[node] == TreeArrays::TERMINAL && tree.values[node * players + player] != 0)
            ends.push_back(static_cast<std::uint32_t>(node));
    auto own = [&](std::uint32_t node) { return reached.sequences[node * players + player]; };
    // By the player's own sequence, and then by those of the others, which are read one after the other then.
    std::stable_sort(ends.begin(), ends.end(), [&](std::uint32_t one, std::uint32_t two) {
        if (own(one) != own(two)) return own(one) < own(two);
        const Sequence *first = &reached.sequences[one * players], *second = &reached.sequences[two * players];
        return std::lexicographical_compare(first, first + players, second, second + players);
    });
    std::uint32_t last = UINT32_MAX;
    for (std::uint32_t node : ends) {
        const double weight = reached.drawn[node] * tree.values[node * players + player];
        const Sequence *sequences = &reached.sequences[node * players];
        // Ends that no player can bring about one without the other, since nature draws between them, are one.
        if (last != UINT32_MAX && std::equal(sequences, sequences + players, &reached.sequences[last * players])) {
            side.weights.back() += weight;
            continue;
        }
        const auto place = static_cast<std::uint32_t>(side.weights.size());
        if (side.rows.empty() || side.rows.back().own != own(node)) side.rows.push_back({own(node), place, place});
        side.weights.push_back(weight);
        for (std::size_t other = 0; other < players; ++other)
            if (other != player) side.others.push_back(sequences[other]);
        ++side.rows.back().last;
        last = node;
    }
}

double middle_value(const TreeArrays &tree, std::size_t player) {
    double least = 0, most = 0;
    bool seen = false;
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
        if (tree.player[node] != TreeArrays::TERMINAL) continue;
        const double value = tree.values[node * tree.players + player];
        least = seen ? std::min(least, value) : value;
        most = seen ? std::max(most, value) : value;
        seen = true;
    }
    return 0.5 * least + 0.5 * most;
}

}  // namespace

DecisionTree make_decision_tree(TreeArrays arrays) {
    check_shape(arrays);
    for (std::size_t node = 0; node < arrays.nodes(); ++node) check_node(arrays, node);
    DecisionTree made{std::move(arrays), {}, {}};
    made.sides.resize(made.arrays.players);
    const Reached reached = reach(made.arrays);
    put_choices(made, reached);
    for (std::uint32_t player = 0; player < made.arrays.players; ++player) {
        put_ends(made, reached, player);
        made.middle.push_back(middle_value(made.arrays, player));
    }
    return made;
}

}  // namespace ludorum
