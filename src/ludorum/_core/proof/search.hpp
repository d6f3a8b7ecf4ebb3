// Does a role get at least so much, whatever the others do? Two searches that answer yes or no, over one table.
//
// A node is a state in which at most one role has a choice: the role itself (one good choice proves) or another
// (one bad choice disproves). Depth-first proof-number search (Nagai 2002) goes where least is missing for a proof;
// plain depth-first search takes choices in the order of past success. A state that comes back on the path below
// itself proves nothing for the role. Proofs therefore never rest on repetition; a disproof that rests on a
// repeated state further up is good for this path alone, and is not put into the table (the graph history
// interaction problem). See docs/solving.md for why this is sound.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "proof/symmetry.hpp"
#include "proof/table.hpp"
#include "common/seen_value.hpp"
#include "single/single_evaluator.hpp"
#include "circuit/specialise.hpp"

namespace ludorum {

// Two roles choose at once, or nature does: no question for these searches.
struct NotTurnTaking : std::runtime_error {
    NotTurnTaking() : std::runtime_error("roles choose at the same time: proofs need games with turns") {}
};

enum class Verdict : std::uint8_t { unknown, proved, disproved };
enum class ProofMethod : std::uint8_t { proof_numbers, depth_first };

struct ProofTask {
    std::uint32_t role = 0;
    std::int32_t threshold = 100;
    ProofMethod method = ProofMethod::proof_numbers;
    std::uint32_t played_depth = 0;  // depth-first search: up to here, random games order the choices
    bool look_ahead = false;  // whether to look at states through the outlook, where there is one
    std::uint64_t nodes = UINT64_MAX;
    std::function<bool()> stop;  // asked now and then
};

// For each state in which a side chooses and cannot end the game well at once, what it chooses; packed one after the
// other. Of states that are images of each other, one stands for all.
struct ProofStrategy {
    bool complete = false;
    std::vector<std::uint8_t> states;
    std::vector<std::int32_t> moves;
};

class ProofSearch {
  public:
    ProofSearch(SingleEvaluator &evaluator, std::size_t table_bytes);

    // An evaluator that sees two moves ahead, see `Foresight::Outlook`.
    void set_outlook(std::unique_ptr<SingleEvaluator> outlook);
    // From now on states that are images of each other share an entry of the table, which is emptied.
    void set_symmetries(StateSymmetries symmetries);

    Verdict search(const Words &root, const ProofTask &task);
    // The choices that answer the question from a state on, of the role itself where it was proved, of the others
    // where it was disproved; answers that the table has dropped are searched for again.
    ProofStrategy strategy(const Words &root, const ProofTask &task, Verdict verdict);

    void forget();
    std::size_t table_bytes() const { return table_.bytes(); }
    std::uint64_t nodes() const { return nodes_; }
    bool too_deep() const { return too_deep_; }
    // Times a state came back on its own path: where it is 0, every line ends.
    std::uint64_t repetitions() const { return repetitions_; }
    // The least and the largest sum of all roles' goals at ends that were seen; the first is larger without any.
    std::int32_t lowest_sum() const { return lowest_sum_; }
    std::int32_t highest_sum() const { return highest_sum_; }
    // Whether a role had this goal at some end that was seen.
    bool seen(std::uint32_t role, std::uint32_t goal) const { return seen_[role][goal]; }

  private:
    static constexpr std::int32_t NO_REPEAT = INT32_MAX;
    static constexpr std::size_t MOST_REPLIES = 1 << 18;

    // The numbers of a node during a visit.
    struct Numbers {
        ProofNumber proof = 1, disproof = 1;
        std::int32_t repeat = NO_REPEAT;  // the depth of the repeated state that a disproof rests on

        bool solved() const { return proof == 0 || disproof == 0; }
    };
    struct Frame {
        Words state;
        bool own = false;  // whether the role chooses
        std::vector<std::int32_t> moves;
        Words children, known_as;  // states, and their least images: the keys in the table
        std::int32_t chooser = -1;
        std::vector<Numbers> known;
        std::vector<char> listed;  // whether `known` comes from the table or this visit, not from nothing
        std::vector<std::uint32_t> order, keys;
        std::uint32_t key = 0;  // of the choice that is being tried
    };

    Numbers dfpn(const std::uint64_t *state, ProofNumber proof_limit, ProofNumber disproof_limit, std::uint32_t depth);
    Numbers depth_first(const std::uint64_t *state, std::uint32_t depth);
    bool expand(Frame &frame, const std::uint64_t *state, Numbers &end);
    Numbers first_look(const std::uint64_t *state);
    Numbers value_of_end(const Words &state);
    Numbers value_at_sight(const SingleState &at, const Words &state);
    Numbers won_by(std::uint32_t role);
    bool find(const std::uint64_t *state, ProofEntry &entry);
    void name_children(Frame &frame);
    bool look_up(Frame &frame, std::uint32_t child);
    Numbers sum_up(const Frame &frame, std::uint32_t &best, ProofNumber &second) const;
    bool comes_back(const std::uint64_t *state, std::uint32_t depth, Numbers &found);
    Numbers settle(Frame &frame, std::uint32_t depth, Numbers numbers, std::uint32_t option, std::uint64_t work);
    void name_options(Frame &frame);
    void sort_by_success(Frame &frame, std::uint32_t depth);
    std::int64_t &reply(std::uint32_t before, std::uint32_t key);
    std::uint32_t key_above(std::uint32_t depth) const { return depth ? frames_[depth - 1]->key : 0; }
    void sort_by_playouts(Frame &frame);
    void reward(const Frame &frame, std::uint32_t depth, std::uint32_t option);
    void see_chooser(Frame &frame);
    std::uint32_t known_child(const Frame &frame, Verdict verdict) const;
    std::uint32_t remembered_child(const Frame &frame, Verdict verdict);
    std::uint32_t child_in_table(const Frame &frame, Verdict verdict);
    std::uint32_t solving_child(Frame &frame, Verdict verdict, const ProofTask &task);
    bool answers(const Numbers &numbers, Verdict verdict) const {
        return verdict == Verdict::proved ? numbers.proof == 0 : numbers.disproof == 0;
    }
    const std::uint64_t *child(const Frame &frame, std::uint32_t number) const {
        return frame.children.data() + number * words_;
    }
    Frame &frame(std::uint32_t depth);
    bool is_up();

    SingleEvaluator &evaluator_;
    const Network &network_;
    std::uint32_t roles_, words_;
    ProofTable table_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::unique_ptr<SingleEvaluator> outlook_;
    StateSymmetries symmetries_;
    std::vector<std::int64_t> success_;  // of each move, and of each fact that a move makes true
    std::vector<std::int64_t> replies_;  // the same for pairs of a choice and the one before it
    std::vector<std::int32_t> joint_, moves_;
    std::vector<std::int32_t> goals_;
    Words looked_at_, common_, ordinary_, known_as_;
    std::vector<std::int64_t> ranks_;
    Cycle turns_;
    std::int32_t lowest_[2] = {0, 0}, highest_[2] = {100, 100};
    std::vector<std::bitset<101>> seen_;
    const ProofTask *task_ = nullptr;
    const char *floor_ = nullptr;
    SeenValue<std::uint64_t> nodes_, repetitions_;
    std::uint64_t limit_ = 0, played_ = 0;
    std::uint32_t until_clock_ = 0;
    std::int32_t lowest_sum_ = INT32_MAX, highest_sum_ = INT32_MIN;
    SeenValue<bool> too_deep_;
    bool stopped_ = false, ahead_ = false;
    bool won_at_sight_[2] = {false, false};
};

}  // namespace ludorum
