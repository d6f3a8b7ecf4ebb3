// Descents through the tree and backups, which all ways of searching share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "evaluation/spread.hpp"
#include "evaluation/state_values.hpp"
#include "lanes/program.hpp"
#include "mcts/policy.hpp"
#include "mcts/proof.hpp"
#include "mcts/select.hpp"
#include "mcts/tree.hpp"
#include "single/single_evaluator.hpp"

namespace ludorum::mcts {

struct Settings {
    SelectParameters select{0.7, 1.0, std::numeric_limits<double>::infinity()};
    std::uint32_t playouts_per_leaf = 1;
    std::uint32_t batch = 1;
    std::uint32_t max_steps = 2000, max_depth = 1000;
    std::uint32_t cutoff = 0;  // steps of a playout after which a state is valued, where values are given
    std::uint32_t decisive_width = 128, decisive_at_once = 8;
    bool solver = true, decisive = true;
    int rave = 0;  // 0: none, 1: RAVE, 2: GRAVE
    double rave_constant = 500;
    std::uint32_t rave_visits = 50;
    int policy = Policy::UNIFORM;
    double policy_heat = 0.2;
    bool regret = false;
    double regret_exploration = 0.1;

    bool needs_extras() const { return rave || regret; }
    bool learns_moves() const { return rave || policy != Policy::UNIFORM; }
};

// One search: its limits and what it has done so far; shared by all threads.
struct Progress {
    std::uint64_t most_playouts = UINT64_MAX, most_nodes = UINT64_MAX;
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<bool> stop{false};
    std::atomic<bool> broken{false};  // proofs rest on a sum of goals that is not constant

    std::function<void()> poll;  // asked by the thread that called
    std::thread::id caller;

    // Written all the time, so not in one cache line with members that are only read.
    alignas(LINE) std::atomic<std::uint64_t> playouts{0};
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<std::uint32_t> depth{0};

    bool is_up() {
        return get(playouts) >= most_playouts || get(nodes) >= most_nodes || is_late();
    }
    // Asked in the middle of games.
    bool is_late() {
        if (poll && std::this_thread::get_id() == caller) poll();
        return get(stop) || (deadline != std::chrono::steady_clock::time_point::max() &&
                             std::chrono::steady_clock::now() >= deadline);
    }
    void reach(std::uint32_t found) {
        for (std::uint32_t old = get(depth);
             old < found && !depth.compare_exchange_weak(old, found, std::memory_order_relaxed);) {
        }
    }
};

// What states are worth to each role, by an evaluation whose near values are spread apart.
struct LeafValues {
    StateValues *values;
    std::vector<const Spread *> spreads;  // by role
};

struct Step {
    Node *node;
    Expansion *expansion;
    Node *sure;  // the outcome of a proven move that is better than anything open, or null
    Edge *edge;  // the choice of the only player that chooses; null: none chooses, or several, or nature
    std::uint32_t mover;  // that player
};

struct Path {
    std::vector<Step> steps;
    std::vector<std::uint32_t> places;  // by step and role

    void clear() {
        steps.clear();
        places.clear();
    }
};

// One of several descents that go down the tree together.
struct Descent {
    Path *path;
    Node *node;  // where it is; in the end a leaf, or null: a child that is missing
};

class Worker {
  public:
    Worker(const Network &network, const Settings &settings, Tree &tree, Room &room, Proof &proof,
           std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed)
        : network_(network), settings_(settings), tree_(tree), room_(room), proof_(proof),
          evaluator_(std::move(evaluator)), random_(seed), policy_(settings.policy, settings.policy_heat, network.moves), roles_(network.roles()),
          joint_(roles_) {}
    virtual ~Worker() = default;

    void seed(std::uint64_t seed) { random_ = SplitMix64(seed); }
    // Values for playouts that are cut off; null: they are played to their ends.
    void value_by(const LeafValues *given) {
        values_.reset();
        leaf_values_ = given;
        if (given) values_.emplace(*given->values);
    }
    // Grows the tree from a root until the limits are reached or the value of the role is known.
    // `shared`: other threads do the same.
    void run(Node *root, std::uint32_t role, Progress &progress, bool shared);
    // The node of a state; new ones are looked at for ends.
    Node *make_root(const std::uint8_t *state);

  protected:
    virtual void grow(Node *root, std::uint32_t role, Progress &progress) = 0;
    bool decided(Node *root, std::uint32_t role) const { return settings_.solver && proof_.known(root, role) >= 0; }
    bool stops(Node *node) const { return node->is_end.load(std::memory_order_acquire) || (settings_.solver && proof_.solved(node)); }
    const std::uint32_t *places(const Path &path, std::size_t step) const { return path.places.data() + step * roles_; }

    // Follows the tree from a node on and adds to the path: to a leaf, or to a child that is missing (null).
    // `games` are pending on the way.
    Node *descend(Node *node, Path &path, std::uint32_t games);
    // The same for many: each goes a level down in turn, so that memory is fetched for one while others choose.
    void descend_together(Node *root, std::vector<Descent> &descents, std::uint32_t games);
    // Prefetches the nodes that a backup will need.
    static void fetch_path(const Path &path);
    void go_down(Descent &descent, std::uint32_t games);
    bool goes_on(Node *node, const Path &path);
    void choose(Node *node, Expansion *expansion, Path &path);
    bool choose_quickly(Node *node, Expansion *expansion, Path &path);
    Node *outcome(Edge &edge) const {
        Node *child = edge.child.load(std::memory_order_acquire);
        return child && proof_.solved(child) ? child : nullptr;
    }
    // Games are pending in a step.
    void wait_for(const Step &step, const std::uint32_t *places, std::uint32_t games);
    void add_pending(const Step &step, const std::uint32_t *places, std::uint32_t games);
    double mean_of(Node *node, std::uint32_t role) const;
    Selected select_move(Node *node, Expansion *expansion, std::uint32_t role);
    // Whether several players choose at once and match regrets.
    bool matches_regrets(Expansion *expansion) const;
    void learn_regret(Expansion *expansion, const std::uint32_t *places, const Points &points, std::uint32_t games);
    bool chooses(Expansion *expansion, std::uint32_t role) const {
        return expansion->ranges()[role].count > 1 && !proof_.is_chance(role);
    }
    // The choices of players on the way.
    void history_of(const Path &path, History &history) const;
    Expansion *expand(Node *node);
    void successor(Node *node, Expansion *expansion, const std::uint32_t *places, std::uint8_t *after);
    // Takes goal values, summed over games, to the root; pending games are done with.
    void back_up(const Path &path, Node *leaf, Points &points, std::uint32_t games, std::uint32_t pending);
    // A new node: whether it is an end, or won at once.
    void look_at(Node *node);
    void look_for_win(Node *node, SingleState &now);
    // The only role that chooses wins by the move of that place, with the goal values in `one_`.
    void link_win(Node *node, std::uint32_t mover, std::uint32_t place, const std::uint8_t *after);
    // Games that came to their end, with these goal values together.
    void observe(const Points &points, std::uint32_t games);
    // Pending games that will never be played.
    void give_up(const Path &path, std::uint32_t games);
    void exact(Node *node, std::uint32_t games, Points &points) const {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const std::int16_t value = proof_.known(node, role);
            points[role] = value < 0 ? 0 : static_cast<std::uint64_t>(value) * games;
        }
    }
    // Goal values from the goals that hold: none, several, or no number count as 0.
    void value_goals(const std::vector<std::uint32_t> &held, Points &points) const;
    bool has_moves(const std::uint64_t *legal) const;
    void make_end(Node *node, const Points &points) const {
        for (std::uint32_t role = 0; role < roles_; ++role)
            tree_.values(node)[role].store(static_cast<std::int16_t>(points[role]), std::memory_order_relaxed);
        node->is_end.store(true, std::memory_order_release);  // a thread that sees it sees the values as well
    }

    const Network &network_;
    const Settings &settings_;
    Tree &tree_;
    Room &room_;
    Proof &proof_;
    std::unique_ptr<SingleEvaluator> evaluator_;
    SplitMix64 random_;
    Policy policy_;
    std::uint32_t roles_;
    std::vector<std::int32_t> joint_;
    Points one_;  // goal values of one game
    Expansion *reference_ = nullptr;  // the expansion whose statistics of later moves a descent uses
    std::vector<Node *> expanded_;  // by descents that were gone together
    bool shared_ = false;
    Progress *progress_ = nullptr;
    const LeafValues *leaf_values_ = nullptr;
    std::optional<StateValues::Loan> values_;

  private:
    std::vector<std::uint8_t> afters_;
    std::vector<std::int32_t> moves_;
    std::vector<std::uint32_t> others_;
    std::vector<const EdgeExtra *> later_;
    std::vector<Descent *> under_way_;
};

std::unique_ptr<Worker> make_sequential(const Network &network, const Settings &settings, Tree &tree, Room &room,
                                        Proof &proof, std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed);

// `playouts` may know more about moves than the rules of `program` do, but has the same fluents and moves.
std::unique_ptr<Worker> make_batch(const Network &network, const Settings &settings, Tree &tree, Room &room,
                                   Proof &proof, std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed,
                                   std::shared_ptr<const LaneProgram> program,
                                   std::shared_ptr<const LaneProgram> playouts);

}  // namespace ludorum::mcts
