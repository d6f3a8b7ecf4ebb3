// What alpha-beta has learnt about states: bounds of their values, in a table that never grows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "single/single_state.hpp"

namespace ludorum {

using Score = std::int32_t;

constexpr std::int16_t UNKNOWN_DEPTH = -1;
constexpr std::int16_t SOLVED_DEPTH = INT16_MAX;  // a bound that no deeper search can change
constexpr std::uint32_t NO_OPTION = UINT32_MAX;

// A lower and an upper bound, each with the depth of the search that found it.
struct Bounds {
    Score lower = 0, upper = 0;
    std::int16_t lower_depth = UNKNOWN_DEPTH, upper_depth = UNKNOWN_DEPTH;
    std::uint32_t option = NO_OPTION;  // the joint move that was best, by its place among those of the state

    // Tighter or deeper bounds win; solved ones are never lost to estimates.
    void raise_lower(Score value, std::int16_t depth) {
        if (depth < lower_depth) return;
        lower = depth == SOLVED_DEPTH && lower_depth == SOLVED_DEPTH ? std::max(lower, value) : value;
        lower_depth = depth;
    }
    void drop_upper(Score value, std::int16_t depth) {
        if (depth < upper_depth) return;
        upper = depth == SOLVED_DEPTH && upper_depth == SOLVED_DEPTH ? std::min(upper, value) : value;
        upper_depth = depth;
    }
};

// Buckets of four; whole states are compared, so that no two are ever mistaken for each other. In a full bucket
// the entry goes that took the least work, those of earlier searches first.
class BoundsTable {
  public:
    BoundsTable(std::size_t state_words, std::size_t bytes) : words_(state_words) {
        const std::size_t stride = sizeof(Entry) + 8 * words_;
        while (2 * buckets_ * WAYS * stride <= bytes) buckets_ *= 2;
        clear();
    }

    std::size_t bytes() const { return size() * (sizeof(Entry) + 8 * words_); }

    const Bounds *find(const std::uint64_t *state) const {
        const std::size_t first = bucket(state);
        for (std::size_t at = first; at < first + WAYS; ++at)
            if (entries_[at].generation && same(at, state)) return &entries_[at].bounds;
        return nullptr;
    }

    // The bounds of a state, to be written; `work` is the number of nodes that they cost.
    Bounds &at(const std::uint64_t *state, std::uint64_t work) {
        const auto weight = static_cast<std::uint8_t>(64 - __builtin_clzll(work | 1));
        const std::size_t first = bucket(state);
        std::size_t victim = first;
        for (std::size_t at = first; at < first + WAYS; ++at) {
            if (entries_[at].generation && same(at, state)) {
                entries_[at].weight = std::max(entries_[at].weight, weight);
                entries_[at].generation = generation_;
                return entries_[at].bounds;
            }
            if (value(entries_[at]) < value(entries_[victim])) victim = at;
        }
        entries_[victim] = {Bounds{}, weight, generation_};
        std::copy_n(state, words_, states_.get() + victim * words_);
        return entries_[victim].bounds;
    }

    void begin_search() {
        if (++generation_ == 0) generation_ = 1;
    }

    // Fresh zeroed memory: pages that no search touches cost nothing.
    void clear() {
        entries_ = zeroed<Entry>(size());
        states_ = zeroed<std::uint64_t>(size() * words_);
        generation_ = 1;
    }

  private:
    static constexpr std::size_t WAYS = 4;

    struct Entry {
        Bounds bounds;
        std::uint8_t weight;      // bits of the number of nodes
        std::uint8_t generation;  // 0: empty
    };
    struct Free {
        void operator()(void *memory) const { std::free(memory); }
    };
    template <class T>
    using Zeroed = std::unique_ptr<T[], Free>;

    template <class T>
    static Zeroed<T> zeroed(std::size_t count) {
        void *memory = std::calloc(std::max<std::size_t>(count, 1), sizeof(T));
        if (!memory) throw std::bad_alloc();
        return Zeroed<T>(static_cast<T *>(memory));
    }

    std::size_t size() const { return buckets_ * WAYS; }

    int value(const Entry &entry) const {
        if (!entry.generation) return -1;
        return entry.weight + (entry.generation == generation_ ? 256 : 0);
    }

    bool same(std::size_t at, const std::uint64_t *state) const {
        return std::equal(state, state + words_, states_.get() + at * words_);
    }

    // Each word through the finaliser of SplitMix64: states differ in few bits.
    std::size_t bucket(const std::uint64_t *state) const {
        std::uint64_t hash = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            hash = (hash ^ state[word]) + 0x9E3779B97F4A7C15ull;
            hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ull;
            hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBull;
            hash ^= hash >> 31;
        }
        return (hash & (buckets_ - 1)) * WAYS;
    }

    std::size_t words_, buckets_ = 1;
    Zeroed<Entry> entries_;
    Zeroed<std::uint64_t> states_;
    std::uint8_t generation_ = 1;
};

}  // namespace ludorum
