// From a table of answers to a strategy: one choice for each state that the other side can bring about.

#include <algorithm>
#include <cstring>

#include "bits.hpp"
#include "proof_search.hpp"

namespace ludorum {

namespace {

// States in the order in which they were first met.
class StateList {
  public:
    explicit StateList(std::size_t words) : words_(words), places_(1024, 0) {}

    std::size_t size() const { return states_.size() / words_; }
    const std::uint64_t *operator[](std::size_t at) const { return states_.data() + at * words_; }

    void add(const std::uint64_t *state) {
        if (2 * size() >= places_.size()) grow();
        std::uint32_t &place = places_[find(state)];
        if (place) return;
        states_.insert(states_.end(), state, state + words_);
        place = static_cast<std::uint32_t>(size());
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
        while (places_[at] && std::memcmp((*this)[places_[at] - 1], state, 8 * words_) != 0)
            at = (at + 1) & (places_.size() - 1);
        return at;
    }

    void grow() {
        places_.assign(2 * places_.size(), 0);
        for (std::size_t at = 0; at < size(); ++at) places_[find((*this)[at])] = static_cast<std::uint32_t>(at + 1);
    }

    std::size_t words_;
    std::vector<std::uint64_t> states_;
    std::vector<std::uint32_t> places_;
};

}  // namespace

// Among the children with the answer: an end, else the one with the least work below it; UINT32_MAX for none.
std::uint32_t ProofSearch::known_child(Frame &frame, Verdict verdict) {
    ProofEntry entry;
    const auto count = static_cast<std::uint32_t>(frame.moves.size());
    std::uint32_t best = UINT32_MAX;
    std::uint8_t least = UINT8_MAX;
    for (std::uint32_t number = 0; number < count; ++number) {
        const Numbers at_once = first_look(child(frame, number));
        if (answers(at_once, verdict)) return number;
        if (at_once.solved() || !table_.find(frame.known_as.data() + number * words_, entry)) continue;
        if (!answers({entry.proof, entry.disproof, NO_REPEAT}, verdict) || entry.weight >= least) continue;
        least = entry.weight;
        best = number;
    }
    return best;
}

// The choice by which the table's answer for a state was found; UINT32_MAX where it keeps none.
std::uint32_t ProofSearch::remembered_child(const Frame &frame, Verdict verdict) {
    if (frame.chooser < 0) return UINT32_MAX;
    ProofEntry entry;
    const std::uint32_t renaming = symmetries_.least(frame.state.data(), known_as_.data());
    if (!table_.find(known_as_.data(), entry) || entry.move == NO_PLACE) return UINT32_MAX;
    if (!answers({entry.proof, entry.disproof, NO_REPEAT}, verdict)) return UINT32_MAX;
    const std::uint32_t first = network_.role_begin(static_cast<std::uint32_t>(frame.chooser));
    const auto move = static_cast<std::int32_t>(symmetries_.move_back(renaming, first + entry.move));
    const auto place = std::find(frame.moves.begin(), frame.moves.end(), move);
    return place == frame.moves.end() ? UINT32_MAX : static_cast<std::uint32_t>(place - frame.moves.begin());
}

// The choice that keeps the answer: an end, else what the table knows with the least work below it (for small
// strategies), else what a new search finds. Where states can come back only the choice of the proof itself is sure
// to lead on.
std::uint32_t ProofSearch::solving_child(Frame &frame, Verdict verdict, const ProofTask &task) {
    if (repetitions_) {
        const std::uint32_t remembered = remembered_child(frame, verdict);
        if (remembered != UINT32_MAX) return remembered;
    }
    std::uint32_t known = known_child(frame, verdict);
    if (known == UINT32_MAX) known = remembered_child(frame, verdict);
    if (known != UINT32_MAX) return known;
    // A search from here knows which child to try first; to search the children in turn would refute bad ones first.
    const Words own(frame.state.data(), frame.state.data() + words_);
    if (search(own, task) == verdict) {
        known = known_child(frame, verdict);
        if (known == UINT32_MAX) known = remembered_child(frame, verdict);
    }
    if (known != UINT32_MAX || stopped_) return known;
    const auto count = static_cast<std::uint32_t>(frame.moves.size());
    for (std::uint32_t number = 0; number < count; ++number) {
        const Words state(child(frame, number), child(frame, number) + words_);
        if (search(state, task) == verdict) return number;
        if (stopped_) return UINT32_MAX;
    }
    return UINT32_MAX;
}

ProofStrategy ProofSearch::strategy(const Words &root, const ProofTask &task, Verdict verdict) {
    ProofStrategy found;
    if (search(root, task) != verdict) return found;
    const std::size_t bytes = packed_bytes(network_.fluents);
    StateList states(words_);
    states.add(root.data());
    Frame here;
    Words packed(words_);
    for (std::size_t at = 0; at < states.size(); ++at) {
        if (at % 256 == 0 && task.stop && task.stop()) return found;
        Numbers end;
        const bool ahead = ahead_;
        ahead_ = false;  // the other side may do whatever is legal
        const bool goes_on = expand(here, states[at], end);
        ahead_ = ahead;
        if (!goes_on) continue;
        const auto count = static_cast<std::uint32_t>(here.moves.size());
        if (count > 1 && here.own == (verdict == Verdict::proved)) {
            const std::uint32_t chosen = solving_child(here, verdict, task);
            if (chosen == UINT32_MAX) return found;
            found.states.resize(found.states.size() + bytes);
            evaluator_.pack(here.state, found.states.data() + found.states.size() - bytes);
            found.moves.push_back(here.moves[chosen]);
            states.add(child(here, chosen));
        } else {
            for (std::uint32_t number = 0; number < count; ++number) states.add(child(here, number));
        }
    }
    found.complete = true;
    return found;
}

}  // namespace ludorum
