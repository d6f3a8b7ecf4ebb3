// Many leaves at once: descents collect them, lanes make their states and play their games.

#include <algorithm>

#include "mcts/board.hpp"
#include "mcts/worker.hpp"
#include "lanes/playouts.hpp"

namespace ludorum::mcts {

namespace {

struct Leaf {
    Path path;
    Node *node = nullptr;  // null: the tree is full
    std::vector<std::uint8_t> state;
};

class Batch final : public Worker {
  public:
    Batch(const Network &network, const Settings &settings, Tree &tree, Room &room, Proof &proof,
          std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed, std::shared_ptr<const LaneProgram> program,
          std::shared_ptr<const LaneProgram> playouts)
        : Worker(network, settings, tree, room, proof, std::move(evaluator), seed),
          board_(std::move(program)),
          playouts_(std::move(playouts)),
          block_(*playouts_),
          bytes_(tree.state_bytes()),
          queues_(playouts_->modes.size() + 1) {}

    void grow(Node *root, std::uint32_t role, Progress &progress) override {
        points_.resize(roles_);
        games_ = settings_.playouts_per_leaf;
        try {
            play_batches(root, role, progress);
        } catch (...) {  // Ctrl-C: the tree may be searched again
            abandon();
            throw;
        }
        abandon();
    }

  private:
    void play_batches(Node *root, std::uint32_t role, Progress &progress) {
        while (!progress.is_up() && !decided(root, role) && !get(progress.broken)) {
            plan(progress);
            collect(root);
            look_at_expanded();
            make_children();
            report();
            play_full_queues();
        }
        while (!get(progress.stop) && queued_ && !progress.is_up()) play(fullest());
    }

    // How many leaves are worth collecting: not more than the budget allows.
    void plan(const Progress &progress) {
        leaves_ = settings_.batch;
        if (progress.most_playouts == UINT64_MAX) return;
        const std::uint64_t left = progress.most_playouts - std::min(progress.most_playouts, get(progress.playouts));
        leaves_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(left / games_, 1, leaves_));
    }

    void collect(Node *root) {
        found_.clear();
        descents_.clear();
        for (std::uint32_t at = 0; at < leaves_; ++at) {
            found_.push_back(take());
            descents_.push_back({&found_.back()->path, nullptr});
        }
        descend_together(root, descents_, games_);
        for (std::uint32_t at = 0; at < leaves_; ++at) {
            Leaf *leaf = found_[at];
            leaf->node = descents_[at].node;
            depth_ = std::max(depth_, static_cast<std::uint32_t>(leaf->path.steps.size()));
            if (leaf->node)
                arrive(leaf);
            else
                missing_.push_back(leaf);
        }
    }

    // A leaf with a known value is backed up at once, others wait for a block of games.
    void arrive(Leaf *leaf) {
        if (leaf->node && stops(leaf->node)) {
            exact(leaf->node, games_, points_);
            finish(leaf, games_);
            return;
        }
        if (leaf->node) leaf->state.assign(tree_.state(leaf->node), tree_.state(leaf->node) + bytes_);
        queues_[static_cast<std::size_t>(playouts_->cycle.mode_of(leaf->state.data()) + 1)].push_back(leaf);
        ++queued_;
    }

    // Backs up `points_` and ends the work on a leaf; unfinished games do not count.
    void finish(Leaf *leaf, std::uint32_t games) {
        if (settings_.policy != Policy::UNIFORM && games) {
            history_of(leaf->path, history_);  // the moves of lanes are not known: only those to the leaf are learnt
            policy_.learn(history_, points_, games);
        }
        back_up(leaf->path, leaf->node, points_, games, games_);
        played_ += games;
        give_back(leaf);
    }

    // Adds the work since the last report to the shared counters. Not after every leaf: threads would contend for them.
    void report() {
        progress_->playouts.fetch_add(played_, std::memory_order_relaxed);
        progress_->reach(depth_);
        played_ = depth_ = 0;
    }

    void make_children() {
        if (missing_.empty()) return;
        rows_.clear();
        moves_.clear();
        for (Leaf *leaf : missing_) {
            const Step &last = leaf->path.steps.back();
            const std::uint32_t *chosen = places(leaf->path, leaf->path.steps.size() - 1);
            rows_.insert(rows_.end(), tree_.state(last.node), tree_.state(last.node) + bytes_);
            for (std::uint32_t role = 0; role < roles_; ++role)
                moves_.push_back(static_cast<std::int32_t>(tree_.edge(last.expansion, role, chosen[role]).move));
        }
        board_.step(rows_, moves_, true);
        fresh_.clear();
        for (std::size_t at = 0; at < missing_.size(); ++at) tree_.fetch(board_.after(at));
        for (std::size_t at = 0; at < missing_.size(); ++at) {
            Leaf *leaf = missing_[at];
            const std::uint8_t *state = board_.after(at);
            const auto [child, is_new] = tree_.find_or_add(room_, state);
            leaf->node = child;
            if (!child) {
                leaf->state.assign(state, state + bytes_);
                continue;
            }
            const Step &last = leaf->path.steps.back();
            tree_.link(last.expansion, places(leaf->path, leaf->path.steps.size() - 1), child);
            if (!is_new) continue;
            fresh_.push_back({child, at});
        }
        progress_->nodes += fresh_.size();
        if (!fresh_.empty()) look_at_fresh();
        for (Leaf *leaf : missing_) arrive(leaf);
        missing_.clear();
    }

    // Finds ends among new nodes, and nodes that are won at once.
    void look_at_fresh() {
        suspects_.clear();
        rows_.clear();
        moves_.clear();
        for (const auto &[node, at] : fresh_) {
            board_.legal(at, legal_);
            const bool terminal = board_.terminal(at);
            if (terminal || !has_moves(legal_.data())) {
                std::copy_n(board_.goals(at), roles_, one_.begin());
                make_end(node, one_);
                if (terminal) observe(one_, 1);
            } else if (settings_.decisive && settings_.solver) {
                add_suspects(node);
            }
            node->is_known.store(true, std::memory_order_release);
        }
        if (!suspects_.empty()) look_for_wins();
    }

    // The moves of the only role that chooses, to be tried.
    void add_suspects(Node *node) {
        std::int32_t mover = -1;
        options_.clear();
        for (std::uint32_t role = 0; role < roles_; ++role) {
            std::uint32_t count = 0;
            const std::uint32_t end = network_.role_ends[role];
            for (std::uint32_t move = network_.role_begin(role); move < end; ++move) {
                if (!(move & 63) && !legal_[move / 64]) {
                    move += 63;
                    continue;
                }
                if (!(legal_[move / 64] >> (move & 63) & 1)) continue;
                if (++count == 1) joint_[role] = static_cast<std::int32_t>(move);
                if (count == 2) {
                    if (mover >= 0) return;
                    mover = static_cast<std::int32_t>(role);
                    options_.assign(1, joint_[role]);
                }
                if (count >= 2) options_.push_back(static_cast<std::int32_t>(move));
            }
        }
        if (!proof_.is_player(mover) || options_.size() > most_at_once()) return;
        for (std::size_t at = 0; at < options_.size(); ++at) {
            joint_[static_cast<std::size_t>(mover)] = options_[at];
            suspect(node, static_cast<std::uint32_t>(mover), static_cast<std::uint32_t>(at));
        }
    }

    // The move in `joint_` may win.
    void suspect(Node *node, std::uint32_t mover, std::uint32_t place) {
        suspects_.push_back({node, mover, place});
        rows_.insert(rows_.end(), tree_.state(node), tree_.state(node) + bytes_);
        moves_.insert(moves_.end(), joint_.begin(), joint_.end());
    }

    std::size_t most_at_once() const { return std::min(settings_.decisive_at_once, settings_.decisive_width); }

    // Nodes with many moves are searched for a win on their second visit, which most never have.
    void look_at_expanded() {
        suspects_.clear();
        rows_.clear();
        moves_.clear();
        if (settings_.decisive && settings_.solver)
            for (Node *node : expanded_) add_edges(node);
        expanded_.clear();
        if (!suspects_.empty()) look_for_wins();
    }

    void add_edges(Node *node) {
        Expansion *expansion = node->expansion.load(std::memory_order_acquire);
        if (!proof_.is_player(expansion->mover)) return;
        const auto mover = static_cast<std::uint32_t>(expansion->mover);
        const Range range = expansion->ranges()[mover];
        if (range.count <= most_at_once() || range.count > settings_.decisive_width) return;
        for (std::uint32_t role = 0; role < roles_; ++role)
            joint_[role] = static_cast<std::int32_t>(tree_.edge(expansion, role, 0).move);
        for (std::uint32_t place = 0; place < range.count; ++place) {
            joint_[mover] = static_cast<std::int32_t>(tree_.edge(expansion, mover, place).move);
            suspect(node, mover, place);
        }
    }

    void look_for_wins() {
        board_.step(rows_, moves_, false);
        const Node *won = nullptr;
        for (std::size_t at = 0; at < suspects_.size(); ++at) {
            const Suspect &suspect = suspects_[at];
            if (suspect.node == won || !board_.terminal(at)) continue;
            if (board_.goals(at)[suspect.mover] != static_cast<std::uint32_t>(proof_.highest(suspect.mover))) continue;
            won = suspect.node;
            std::copy_n(board_.goals(at), roles_, one_.begin());
            link_win(suspect.node, suspect.mover, suspect.place, board_.after(at));
        }
    }

    void play_full_queues() {
        for (auto &queue : queues_)
            while (queue.size() * games_ >= playouts_->kernels.lanes) play(queue);
        while (queued_ >= 2 * leaves_) play(fullest());
    }

    std::vector<Leaf *> &fullest() {
        return *std::max_element(queues_.begin(), queues_.end(),
                                 [](const auto &a, const auto &b) { return a.size() < b.size(); });
    }

    // The games of the leaves of one mode.
    void play(std::vector<Leaf *> &queue) {
        const std::size_t count = queue.size();
        rows_.clear();
        for (const Leaf *leaf : queue) rows_.insert(rows_.end(), leaf->state.begin(), leaf->state.end());
        sums_.assign(count * roles_, 0.0);
        Task task;
        task.seed = random_.next();
        task.games = count * games_;
        task.longest = settings_.max_steps;
        task.mode = static_cast<int>(&queue - queues_.data()) - 1;
        task.starts = rows_.data();
        task.repeats = games_;
        task.sums = sums_.data();
        finished_.assign(count, 0);
        task.finished = finished_.data();
        if (settings_.policy != Policy::UNIFORM) task.weights = policy_.weights();
        const std::function<bool()> interrupted = [&] { return progress_->is_late(); };
        const Tally tally = Playouts(block_, task, interrupted).run();
        queued_ -= count;
        for (std::size_t at = 0; at < count; ++at) {
            for (std::uint32_t role = 0; role < roles_; ++role)
                points_[role] = static_cast<std::uint64_t>(sums_[at * roles_ + role]);
            if (at + 1 < count) fetch_path(queue[at + 1]->path);
            if (tally.capped == 0 && tally.stuck == 0 && finished_[at]) observe(points_, finished_[at]);
            finish(queue[at], finished_[at]);
        }
        queue.clear();
        report();
    }

    void abandon() {
        for (auto &queue : queues_) {
            for (Leaf *leaf : queue) {
                give_up(leaf->path, games_);
                give_back(leaf);
            }
            queue.clear();
        }
        queued_ = 0;
    }

    Leaf *take() {
        if (spare_.empty()) {
            leaves_made_.push_back(std::make_unique<Leaf>());
            return leaves_made_.back().get();
        }
        Leaf *leaf = spare_.back();
        spare_.pop_back();
        leaf->path.clear();
        return leaf;
    }
    void give_back(Leaf *leaf) { spare_.push_back(leaf); }

    struct Suspect {
        Node *node;
        std::uint32_t mover, place;
    };

    Board board_;
    std::shared_ptr<const LaneProgram> playouts_;
    Block block_;  // of the playouts
    std::size_t bytes_;
    std::vector<std::vector<Leaf *>> queues_;  // by mode, from -1 on
    std::size_t queued_ = 0;
    std::uint32_t leaves_ = 0, games_ = 0;
    std::uint32_t played_ = 0, depth_ = 0;  // not reported yet
    std::vector<std::unique_ptr<Leaf>> leaves_made_;
    std::vector<Leaf *> spare_, found_, missing_;
    std::vector<Descent> descents_;
    std::vector<std::pair<Node *, std::size_t>> fresh_;  // and their rows on the board
    std::vector<Suspect> suspects_;
    std::vector<std::int32_t> moves_, options_;
    std::vector<std::uint8_t> rows_;
    std::vector<std::uint64_t> legal_;
    std::vector<double> sums_;
    std::vector<std::uint32_t> finished_;
    Points points_;
    History history_;
};

}  // namespace

std::unique_ptr<Worker> make_batch(const Network &network, const Settings &settings, Tree &tree, Room &room,
                                   Proof &proof, std::unique_ptr<SingleEvaluator> evaluator, std::uint64_t seed,
                                   std::shared_ptr<const LaneProgram> program,
                                   std::shared_ptr<const LaneProgram> playouts) {
    return std::make_unique<Batch>(network, settings, tree, room, proof, std::move(evaluator), seed, std::move(program),
                                   std::move(playouts));
}

}  // namespace ludorum::mcts
