// Alpha-beta over single states: iterative deepening, principal variation search, a table of bounds.
//
// One role maximises its goal, all others together minimise it, and know its move where they move at once. A
// node is a state; its options are the role's own moves, each answered by a joint reply of the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "alphabeta/score.hpp"
#include "alphabeta/table.hpp"
#include "single/single_evaluator.hpp"

namespace ludorum {

struct AlphaBetaTask {
    std::uint32_t role = 0;
    std::int32_t first_depth = 1, deepening = 1, max_depth = 1;
    Score window = INFINITE;  // half the width of the first window of a round
    std::int32_t extensions = 0;
    bool every_value = false;  // an exact value for each move at the root, not for the best alone
    bool any_win = false;      // however slow, and any loss, however quick
    std::uint64_t nodes = UINT64_MAX;
    std::function<bool()> stop;                           // asked now and then
    std::function<double(const Words &)> evaluate;        // 0..100; none: a draw
    std::function<bool(const Words &)> is_quiet;          // none: all states are
};

struct RootChoice {
    std::int32_t move = -1;
    Score score = 0;
    bool solved = false;
    bool exact = false;   // else the score is an upper bound, or an old one
    bool better = false;  // than all that was looked at before
    bool done = false;    // in the round that is going on
    std::uint64_t nodes = 0;
    std::uint32_t own = 0, reply = 0;
};

struct AlphaBetaAnswer {
    std::vector<RootChoice> choices;  // best first
    std::int32_t depth = 0;           // of the last finished round
    bool solved = false;
    std::uint64_t nodes = 0;
    std::vector<std::int32_t> line;  // joint moves, one after the other
};

class AlphaBetaSearch {
  public:
    AlphaBetaSearch(SingleEvaluator &evaluator, std::size_t table_bytes);

    AlphaBetaAnswer search(const Words &root, const AlphaBetaTask &task);
    void forget() { table_.clear(); }
    std::size_t table_bytes() const { return table_.bytes(); }

  private:
    // What a node remembers while its options are searched.
    struct Frame {
        Words state;
        std::vector<std::int32_t> own;      // moves of the role
        std::vector<std::int32_t> replies;  // joint moves with a gap for the role, one after the other
        std::uint32_t reply_count = 0;
        std::int32_t reply_role = -1;  // the last of the others that has a choice
        std::vector<std::uint32_t> own_order, reply_order;
        Words children;
        std::vector<char> made;
        bool made_any = false, truncated = false;
        std::int32_t made_for = -1;  // which own move, where both sides choose
        std::int64_t killers[2] = {-1, -1};
        std::int32_t depth = 0, extensions = 0;
        std::uint32_t ply = 0;

        bool both() const { return own.size() > 1 && reply_count > 1; }
        std::uint32_t slot(std::uint32_t own_at, std::uint32_t reply) const {
            return reply_count == 1 ? own_at : reply;
        }
    };
    struct Chosen {
        Found found;
        std::uint32_t option;
    };

    Found visit(const std::uint64_t *state, std::int32_t depth, std::int32_t extensions, Score alpha, Score beta,
                std::uint32_t ply);
    Found leaf(const Words &state);
    Found goal_of(const Words &state);
    bool list_options(Frame &frame, const SingleState &state);
    Chosen options(Frame &frame, std::uint32_t hinted, Score alpha, Score beta);
    Chosen replies(Frame &frame, std::uint32_t own, Score alpha, Score beta);
    Found child(Frame &frame, std::uint32_t own, std::uint32_t reply, Score alpha, Score beta);
    const std::uint64_t *child_state(Frame &frame, std::uint32_t own, std::uint32_t reply);
    void make_child(Frame &frame, SingleState &at, std::uint32_t own, std::uint32_t reply);
    bool cut_by_table(Frame &frame, std::int32_t sign, const std::vector<std::uint32_t> &order, Score high,
                      Chosen &chosen);
    bool may_use(std::int16_t found, std::int32_t depth) const { return found >= depth; }
    template <class Search>
    Chosen choose(Frame &frame, std::int32_t sign, const std::vector<std::uint32_t> &order, Score alpha, Score beta,
                  Search search);
    void order(Frame &frame, std::uint32_t hinted);
    template <class Key>
    void rank(const Frame &frame, std::vector<std::uint32_t> &places, std::size_t count, std::uint32_t hinted, Key key);
    std::int32_t own_key(const Frame &frame, std::uint32_t own) const { return frame.own[own]; }
    std::int32_t reply_key(const Frame &frame, std::uint32_t reply) const {
        return frame.reply_role < 0 ? -1
                                    : frame.replies[reply * roles_ + static_cast<std::uint32_t>(frame.reply_role)];
    }
    void reward(Frame &frame, std::int32_t key);
    bool is_up();
    Frame &frame(std::uint32_t ply);

    bool round(Frame &root, std::int32_t depth, Score alpha, Score beta);
    void deepen(Frame &root, AlphaBetaAnswer &answer);
    void take_unfinished(AlphaBetaAnswer &answer) const;
    void find_line(const Words &root, AlphaBetaAnswer &answer);
    bool is_decided() const;

    SingleEvaluator &evaluator_;
    const Network &network_;
    std::uint32_t roles_, words_;
    BoundsTable table_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<std::int64_t> history_;
    std::vector<std::int64_t> ranks_;
    std::vector<std::int32_t> joint_, moves_;
    const AlphaBetaTask *task_ = nullptr;
    std::vector<RootChoice> choices_;  // of the round that is going on
    Score worst_ = 0, best_ = 0;       // goals of the role
    std::uint32_t role_ = UINT32_MAX;
    std::uint64_t nodes_ = 0, until_clock_ = 0;
    bool stopped_ = false;
};

}  // namespace ludorum
