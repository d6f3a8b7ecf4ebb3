// From a table of answers to a strategy: one choice for each state that the other side can bring about.
//
// Of the images of a state, one is written. States in which a move ends the game well at once are left out, and with
// them all replies that leave such a move open: players and the checker find it by trying all moves once.

#include <algorithm>

#include "common/bits.hpp"
#include "common/legal_moves.hpp"
#include "proof/search.hpp"

namespace ludorum {

namespace {

constexpr std::uint32_t NONE = UINT32_MAX, AT_ONCE = UINT32_MAX - 1;  // instead of an option

// States in the order in which they were first met.
class StateList {
  public:
    explicit StateList(std::size_t words) : words_(words), places_(1024, 0) {}

    std::size_t size() const { return size_; }
    const std::uint64_t *operator[](std::size_t at) const { return states_.data() + at * words_; }

    void add(const std::uint64_t *state) {
        if (2 * size() >= places_.size()) grow();
        std::uint32_t &place = places_[find(state)];
        if (place) return;
        states_.insert(states_.end(), state, state + words_);
        place = static_cast<std::uint32_t>(++size_);
    }

  private:
    // Where a state is, or may be put; a place holds the number of a state plus one.
    std::size_t find(const std::uint64_t *state) const {
        std::uint64_t hash = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            hash = (hash ^ state[word]) * 0xBF58476D1CE4E5B9ull;
            hash ^= hash >> 29;
        }
        std::size_t at = hash & (places_.size() - 1);
        while (places_[at] && !std::equal(state, state + words_, (*this)[places_[at] - 1]))
            at = (at + 1) & (places_.size() - 1);
        return at;
    }

    void grow() {
        places_.assign(2 * places_.size(), 0);
        for (std::size_t at = 0; at < size(); ++at) places_[find((*this)[at])] = static_cast<std::uint32_t>(at + 1);
    }

    std::size_t words_;  // of a state; none where a game has no fluents
    std::size_t size_ = 0;
    std::vector<std::uint64_t> states_;
    std::vector<std::uint32_t> places_;
};

}  // namespace

// Finds the role that chooses by the rules: a role with a single move that is not lost at once still has a choice, and
// the states after its other moves need not be searched. To be called right after `expand`.
void ProofSearch::see_chooser(Frame &frame) {
    if (frame.chooser >= 0 || !ahead_) return;
    const SingleState &at = evaluator_.look_at(frame.state);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (count_legal(network_, at.legal(), role) <= 1) continue;
        frame.chooser = static_cast<std::int32_t>(role);
        frame.moves[0] = joint_[role];
        frame.own = role == task_->role;
    }
}

// Among the children with the answer, the one with the least work below it: for small strategies.
std::uint32_t ProofSearch::known_child(const Frame &frame, Verdict verdict) const {
    ProofEntry entry;
    const auto count = static_cast<std::uint32_t>(frame.moves.size());
    std::uint32_t best = NONE;
    std::uint8_t least = UINT8_MAX;
    for (std::uint32_t number = 0; number < count; ++number) {
        if (!table_.find(frame.known_as.data() + number * words_, entry) || entry.weight >= least) continue;
        if (!answers({entry.proof, entry.disproof, NO_REPEAT}, verdict)) continue;
        least = entry.weight;
        best = number;
    }
    return best;
}

// The choice by which the table's answer for a state was found, if it keeps one.
std::uint32_t ProofSearch::remembered_child(const Frame &frame, Verdict verdict) {
    ProofEntry entry;
    const std::uint32_t renaming = symmetries_.least(frame.state.data(), known_as_.data());
    if (!table_.find(known_as_.data(), entry) || entry.move == NO_PLACE) return NONE;
    if (!answers({entry.proof, entry.disproof, NO_REPEAT}, verdict)) return NONE;
    const std::uint32_t first = network_.role_begin(static_cast<std::uint32_t>(frame.chooser));
    const auto move = static_cast<std::int32_t>(symmetries_.move_back(renaming, first + entry.move));
    const auto place = std::find(frame.moves.begin(), frame.moves.end(), move);
    return place == frame.moves.end() ? NONE : static_cast<std::uint32_t>(place - frame.moves.begin());
}

// The choice that the table gives. Where states can repeat, only the choice of the proof itself surely makes progress.
std::uint32_t ProofSearch::child_in_table(const Frame &frame, Verdict verdict) {
    const std::uint32_t first = repetitions_ ? remembered_child(frame, verdict) : known_child(frame, verdict);
    if (first != NONE) return first;
    return repetitions_ ? known_child(frame, verdict) : remembered_child(frame, verdict);
}

// The choice that keeps the answer: the table's, else what a new search finds.
std::uint32_t ProofSearch::solving_child(Frame &frame, Verdict verdict, const ProofTask &task) {
    const auto count = static_cast<std::uint32_t>(frame.moves.size());
    if (!ahead_)
        for (std::uint32_t number = 0; number < count; ++number)
            if (answers(first_look(child(frame, number)), verdict)) return AT_ONCE;
    if (count == 1) return 0;
    std::uint32_t known = child_in_table(frame, verdict);
    if (known != NONE) return known;
    // One search from here tries the likeliest child first; searching the children in turn would refute bad ones first.
    if (search(frame.state, task) == verdict) known = child_in_table(frame, verdict);
    if (known != NONE || stopped_) return known;
    for (std::uint32_t number = 0; number < count; ++number) {
        const Words state(child(frame, number), child(frame, number) + words_);
        if (search(state, task) == verdict) return number;
        if (stopped_) return NONE;
    }
    return NONE;
}

ProofStrategy ProofSearch::strategy(const Words &root, const ProofTask &task, Verdict verdict) {
    ProofStrategy found;
    if (search(root, task) != verdict) return found;
    const std::size_t bytes = packed_bytes(network_.fluents);
    StateList states(words_);
    auto add = [&](const std::uint64_t *state) {
        symmetries_.least(state, known_as_.data());
        states.add(known_as_.data());
    };
    auto add_children = [&](const Frame &frame) {
        for (std::uint32_t number = 0; number < frame.moves.size(); ++number) add(child(frame, number));
    };
    auto chooses = [&](Frame &frame) {
        see_chooser(frame);
        return frame.chooser >= 0 && frame.own == (verdict == Verdict::proved);
    };
    Frame here, after;
    Numbers end;
    add(root.data());
    for (std::size_t at = 0; at < states.size(); ++at) {
        if (at % 256 == 0 && task.stop && task.stop()) return found;
        if (!expand(here, states[at], end)) continue;
        if (!chooses(here)) {
            add_children(here);
            continue;
        }
        const std::uint32_t option = solving_child(here, verdict, task);
        if (option == AT_ONCE) continue;
        if (option == NONE) return found;
        found.states.resize(found.states.size() + bytes);
        evaluator_.pack(here.state, found.states.data() + found.states.size() - bytes);
        found.moves.push_back(here.moves[option]);
        if (!ahead_) {
            add(child(here, option));
            continue;
        }
        // In long searches the list takes most memory: a state in which the other side goes on is not listed.
        if (!expand(after, child(here, option), end)) continue;
        if (chooses(after)) add(after.state.data());
        else add_children(after);
    }
    found.complete = true;
    return found;
}

}  // namespace ludorum
