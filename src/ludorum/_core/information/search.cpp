// Descents through the trees of all roles; see information/search.hpp. The arithmetic and the order of random numbers
// are those of the plain search: with one descent at a time both grow the same trees.

#include "information/search.hpp"

#include <algorithm>
#include <cmath>

#include "common/draw_move.hpp"
#include "common/legal_moves.hpp"

namespace ludorum::information {

Search::Search(std::shared_ptr<const Network> network, std::vector<char> chance, std::vector<std::uint32_t> sees_roles,
               const Settings &settings, std::size_t memory_bytes, std::unique_ptr<Positions> positions)
    : network_(std::move(network)), chance_(std::move(chance)), sees_roles_(std::move(sees_roles)), settings_(settings),
      tree_(settings.everyone ? 1 : std::max(1u, network_->roles()), memory_bytes), positions_(std::move(positions)),
      roles_(network_->roles()), under_way_(positions_->most()), held_by_(roles_), legal_by_(roles_), places_by_(roles_),
      joint_(roles_) {}

void Search::begin(std::uint32_t role, Worlds worlds, std::uint64_t seed) {
    const std::size_t count = worlds.weights.size();
    sums_.clear();  // where anything below throws, the search has not begun
    tree_.clear();
    roots_.clear();
    role_ = role;
    root_ = tree_.add_root();
    random_ = SplitMix64(seed);
    descents_ = new_nodes_ = 0;
    positions_->set_worlds(std::move(worlds.states), count);
    world_roots_.clear();
    for (std::size_t world = 0; world < count; ++world)
        for (std::uint32_t one = 0; one < roles_; ++one)
            world_roots_.push_back(root_of(one, worlds.views.empty() ? 0 : worlds.views[world * roles_ + one]));
    double sum = 0;
    for (double weight : worlds.weights) sums_.push_back(sum += weight);
}

std::uint32_t Search::root_of(std::uint32_t role, std::uint64_t view) {
    if (role == role_ || !settings_.everyone) return root_;
    if (chance_[role]) return NOWHERE;  // nature chooses by no tree
    const auto [found, is_new] = roots_.try_emplace({role, view}, 0);
    if (is_new) found->second = tree_.add_root();
    return found->second;
}

void Search::trust(const std::vector<std::int32_t> &moves, const std::vector<double> &values, std::uint64_t visits) {
    const std::uint32_t list = tree_.list(root_, settings_.everyone ? 0 : role_);
    std::vector<std::int32_t> sorted = moves;
    std::sort(sorted.begin(), sorted.end());
    tree_.place(list, sorted, places_by_[role_]);
    for (std::size_t at = 0; at < moves.size(); ++at) {
        Edge &edge = tree_.edge(list, moves[at]);
        edge.visits = visits;
        edge.available = visits * moves.size();
        edge.total = static_cast<double>(visits) * values[at] / 100;
    }
}

std::pair<std::uint64_t, std::uint64_t> Search::run(const Limits &limits) {
    const std::uint64_t nodes = new_nodes_;
    std::uint64_t done = 0;
    bool stopped = false;
    // One descent is made in any case. Only what is thrown stops it, so it is asked for again and again.
    const std::function<bool()> stop = [&] {
        stopped |= limits.stop();
        return stopped && done > 0;
    };
    const auto is_up = [&] {
        return done >= limits.descents || new_nodes_ - nodes + 1 >= limits.nodes || stop();
    };
    while (done == 0 || !is_up()) {
        const std::size_t count = planned(done, new_nodes_ - nodes, limits);
        try {
            start(count);
            descend();
            positions_->play(count, {settings_.games_a_leaf, settings_.max_steps, stop}, random_, rewards_, finished_);
        } catch (...) {
            give_up(count);
            throw;
        }
        const std::uint64_t backed = back_up(count);
        done += backed;
        descents_ += backed;
    }
    return {new_nodes_ - nodes + 1, done};
}

// Few at first: descents that are under way do not know of each other's rewards.
std::size_t Search::planned(std::uint64_t done, std::uint64_t new_nodes, const Limits &limits) const {
    constexpr std::uint64_t SHARE = 4;
    std::uint64_t count = std::clamp<std::uint64_t>(descents_ / SHARE, 1, positions_->most());
    if (limits.descents > done) count = std::min(count, limits.descents - done);
    if (limits.nodes > new_nodes + 1) count = std::min(count, limits.nodes - new_nodes - 1);
    return static_cast<std::size_t>(count);
}

std::size_t Search::draw_world() {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), chance_number() * sums_.back());
    return std::min(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
}

void Search::start(std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) under_way_[at].path.clear();
    active_.clear();
    for (std::size_t at = 0; at < count; ++at) {
        Descent &descent = under_way_[at];
        const std::size_t world = draw_world();
        positions_->begin(at, world);
        const std::uint32_t *roots = world_roots_.data() + world * roles_;
        descent.nodes.assign(roots, roots + roles_);
        active_.push_back(static_cast<std::uint32_t>(at));
    }
}

// All go on a level at a time, until each has met something new or an end.
void Search::descend() {
    while (!active_.empty()) {
        going_.clear();
        joints_.clear();
        for (std::uint32_t at : active_) {
            if (positions_->terminal(at) || !choose(at)) continue;
            going_.push_back(at);
            joints_.insert(joints_.end(), joint_.begin(), joint_.end());
        }
        active_.clear();
        if (going_.empty()) return;
        positions_->step(going_, joints_);
        for (std::size_t row = 0; row < going_.size(); ++row)
            if (arrive(under_way_[going_[row]], going_[row], joints_.data() + row * roles_)) active_.push_back(going_[row]);
    }
}

// A move for every role; false where one has none, or the tree has no room for its moves.
bool Search::choose(std::size_t at) {
    Descent &descent = under_way_[at];
    const std::uint64_t *legal = positions_->legal(at);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        legal_by_[role].clear();
        each_legal(*network_, legal, role, [&](std::int32_t move) { legal_by_[role].push_back(move); });
        if (legal_by_[role].empty()) return false;
    }
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (!chance_[role] && !tree_.place(list_of(descent.nodes, role), legal_by_[role], places_by_[role]))
            return false;
    descent.is_new = false;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (chance_[role]) {
            const std::vector<std::int32_t> &legal_moves = legal_by_[role];
            joint_[role] = legal_moves[draw_move(
                *network_, role, static_cast<std::uint32_t>(legal_moves.size()),
                [&](std::uint32_t place) { return static_cast<std::uint32_t>(legal_moves[place]); }, random_)];
            continue;
        }
        const std::uint32_t list = list_of(descent.nodes, role);
        joint_[role] = choose_move(tree_.edges(list), role, descent.is_new);
        descent.path.push_back({list, joint_[role], role});
    }
    return true;
}

std::int32_t Search::choose_move(Edges &edges, std::uint32_t role, bool &is_new) {
    const std::vector<std::uint32_t> &places = places_by_[role];
    std::uint32_t fresh = 0;
    for (std::uint32_t place : places) {
        ++edges[place].available;
        fresh += edges[place].is_fresh();
    }
    std::size_t chosen = 0;
    if (places.size() == 1) {
        fresh = 0;
    } else if (role != role_ && settings_.random_others > 0 && chance_number() < settings_.random_others) {
        chosen = random_.below(places.size());
    } else if (fresh) {
        std::uint64_t left = random_.below(fresh);
        while (!edges[places[chosen]].is_fresh() || left-- != 0) ++chosen;
    } else {
        chosen = best_place(edges, places);
    }
    Edge &edge = edges[places[chosen]];
    is_new |= fresh && edge.is_fresh();
    ++edge.pending;
    return edge.move;
}

// UCB1, with the number of times that a move was available; descents under way count as losses.
std::size_t Search::best_place(const Edges &edges, const std::vector<std::uint32_t> &places) const {
    std::size_t best = 0;
    double highest = -1, log_available = 0;
    std::uint64_t available = 1;  // of the move before, as good as always that of all
    for (std::size_t at = 0; at < places.size(); ++at) {
        const Edge &edge = edges[places[at]];
        const auto tried = static_cast<double>(edge.visits + edge.pending);
        if (edge.available != available) {
            available = edge.available;
            log_available = std::log(static_cast<double>(available));
        }
        const double score = edge.total / tried + settings_.exploration * std::sqrt(log_available / tried);
        if (score > highest) {
            highest = score;
            best = at;
        }
    }
    return best;
}

void Search::split_percepts(std::size_t at) {
    for (auto &own : held_by_) own.clear();
    positions_->percepts(at, held_);
    for (std::uint32_t number : held_) held_by_[sees_roles_[number]].push_back(number);
}

// The nodes after a step; whether the descent goes on.
bool Search::arrive(Descent &descent, std::size_t at, const std::int32_t *joint) {
    split_percepts(at);
    bool goes_on = !descent.is_new;
    const auto step = [&](std::uint32_t role, std::uint32_t node) {
        const std::uint32_t percepts = tree_.number(held_by_[role]);
        const Tree::Step found = percepts == NOWHERE ? Tree::Step{NOWHERE, true} : tree_.step(node, joint[role], percepts);
        if (found.node == NOWHERE) goes_on = false;
        return found;
    };
    const Tree::Step own = step(role_, descent.nodes[role_]);
    if (own.is_new) goes_on = false;
    if (own.node != NOWHERE && (own.is_new || descent.is_new)) ++new_nodes_;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::uint32_t &node = descent.nodes[role];
        if (!settings_.everyone || role == role_)
            node = own.node;
        else if (!chance_[role])
            node = step(role, node).node;
    }
    return goes_on;
}

// A descent whose games were all cut short is as if it had not been.
std::uint64_t Search::back_up(std::size_t count) {
    std::uint64_t done = 0;
    for (std::size_t at = 0; at < count; ++at) {
        const std::uint32_t games = finished_[at];
        done += games > 0;
        for (const Visit &visit : under_way_[at].path) {
            Edge &edge = tree_.edge(visit.list, visit.move);
            --edge.pending;
            if (!games) continue;
            ++edge.visits;
            edge.total += rewards_[at * roles_ + visit.role] / games / 100.0;
        }
    }
    return done;
}

void Search::give_up(std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) {
        for (const Visit &visit : under_way_[at].path) --tree_.edge(visit.list, visit.move).pending;
        under_way_[at].path.clear();
    }
}

const Edges *Search::look(std::uint32_t role, std::uint64_t view, const Past &past) {
    std::uint32_t node = root_;
    if (settings_.everyone && role != role_) {
        const auto found = roots_.find({role, view});
        if (found == roots_.end()) return nullptr;
        node = found->second;
    }
    for (const auto &[move, percepts] : past) {
        const std::uint32_t number = tree_.known_number(percepts);
        if (number == NOWHERE) return nullptr;
        node = tree_.find(node, move, number);
        if (node == NOWHERE) return nullptr;
    }
    return &tree_.edges(tree_.list(node, settings_.everyone ? 0 : role));
}

}  // namespace ludorum::information
