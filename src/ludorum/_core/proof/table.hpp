// What a proof search has learnt about states: proof and disproof numbers, in a table of bounded size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/zeroed_memory.hpp"

namespace ludorum {

using ProofNumber = std::uint32_t;
constexpr ProofNumber NEVER = (1u << 20) - 1;  // infinite: never proved, or never disproved
constexpr std::uint16_t NO_PLACE = (1u << 13) - 1;

// "Does the role get at least so much?": proof 0 is yes, disproof 0 is no.
struct ProofEntry {
    ProofNumber proof = 1, disproof = 1;
    std::uint16_t move = NO_PLACE;  // of a solved state: the choice that solved it, counted from its role's first
    std::uint8_t weight = 0;        // bits of the number of nodes that this took
    std::uint8_t question = 0;      // which question it answers; 0: empty

    bool solved() const { return proof == 0 || disproof == 0; }

    // In one word, so that more states find room.
    std::uint64_t pack() const {
        return proof | std::uint64_t{disproof} << 20 | std::uint64_t{move} << 40 | std::uint64_t{weight} << 53 |
               std::uint64_t{question} << 59;
    }
    static ProofEntry unpack(std::uint64_t bits) {
        return {static_cast<ProofNumber>(bits & NEVER), static_cast<ProofNumber>(bits >> 20 & NEVER),
                static_cast<std::uint16_t>(bits >> 40 & NO_PLACE), static_cast<std::uint8_t>(bits >> 53 & 63),
                static_cast<std::uint8_t>(bits >> 59)};
    }
};

// Buckets of four; whole states are compared, so that no two are ever mistaken for each other. In a full bucket
// the entry goes that took the least work. The table begins small, which keeps short searches in the cache, and grows
// with its entries up to the size that it was given.
class ProofTable {
  public:
    ProofTable(std::size_t state_words, std::size_t bytes) : words_(state_words), stride_(1 + state_words) {
        while (2 * most_buckets_ * bucket_bytes() <= bytes) most_buckets_ *= 2;
        clear();
    }

    // The size to which it may grow.
    std::size_t bytes() const { return most_buckets_ * bucket_bytes(); }

    // Begins a question about a role's goal. What was solved under another one stays solved where it follows:
    // a role that gets 100 gets 50 too, and one that does not get 50 does not get 100.
    void ask(std::uint32_t role, std::int32_t threshold) {
        for (std::size_t at = 1; at < asked_.size(); ++at)
            if (asked_[at].role == role && asked_[at].threshold == threshold) {
                question_ = static_cast<std::uint8_t>(at);
                return;
            }
        if (asked_.size() > MOST_QUESTIONS) clear();
        question_ = static_cast<std::uint8_t>(asked_.size());
        asked_.push_back({role, threshold});
    }

    bool find(const std::uint64_t *state, ProofEntry &found) const {
        const std::uint64_t *slot = locate(state);
        if (!slot) return false;
        found = read(slot);
        if (found.question == question_) return true;
        const Question &then = asked_[found.question], &now = asked_[question_];
        return then.role == now.role && ((found.proof == 0 && then.threshold >= now.threshold) ||
                                         (found.disproof == 0 && then.threshold <= now.threshold));
    }

    void store(const std::uint64_t *state, ProofNumber proof, ProofNumber disproof, std::uint16_t move,
               std::uint64_t work) {
        ProofEntry entry{proof, disproof, move, weight_of(work), question_};
        const std::uint64_t *known = locate(state);
        std::uint64_t *slot = known ? const_cast<std::uint64_t *>(known) : victim(state);
        if (known && read(known).question == question_) entry.weight = std::max(entry.weight, read(known).weight);
        if (!*slot) ++filled_;
        *slot = entry.pack();
        std::copy_n(state, words_, slot + 1);
        if (2 * filled_ > buckets_ * WAYS && buckets_ < most_buckets_) grow();
    }

    // Has the memory fetched in which a state will be looked for.
    void prefetch(const std::uint64_t *state) const {
        const std::uint64_t *slot = bucket(state);
        __builtin_prefetch(slot);
        __builtin_prefetch(slot + WAYS * stride_ - 1);
    }

    void clear() {
        buckets_ = std::min(most_buckets_, FIRST_BYTES / bucket_bytes() + 1);
        while (buckets_ & (buckets_ - 1)) buckets_ &= buckets_ - 1;
        slots_ = ZeroedMemory();  // the old memory goes first
        slots_ = ZeroedMemory(buckets_ * WAYS * stride_);
        filled_ = 0;
        asked_.assign(1, {UINT32_MAX, 0});
    }

  private:
    static constexpr std::size_t WAYS = 4;
    static constexpr std::size_t FIRST_BYTES = 1 << 20, GROWTH = 8;
    static constexpr std::size_t MOST_QUESTIONS = 31;

    struct Question {
        std::uint32_t role;
        std::int32_t threshold;
    };

    static ProofEntry read(const std::uint64_t *slot) { return ProofEntry::unpack(*slot); }
    static std::uint8_t weight_of(std::uint64_t work) {
        return static_cast<std::uint8_t>(std::min(63, 64 - __builtin_clzll(work | 1)));
    }

    const std::uint64_t *locate(const std::uint64_t *state) const {
        const std::uint64_t *slot = bucket(state);
        for (std::size_t way = 0; way < WAYS; ++way, slot += stride_)
            if (read(slot).question && std::equal(state, state + words_, slot + 1)) return slot;
        return nullptr;
    }

    std::uint64_t *victim(const std::uint64_t *state) const {
        std::uint64_t *slot = bucket(state), *least = slot;
        int lowest = INT32_MAX;
        for (std::size_t way = 0; way < WAYS; ++way, slot += stride_) {
            const ProofEntry entry = read(slot);
            const int value = !entry.question ? -1 : entry.weight + (entry.question == question_ ? 256 : 0);
            if (value < lowest) lowest = value, least = slot;
        }
        return least;
    }

    std::size_t bucket_bytes() const { return WAYS * stride_ * 8; }

    // Moves all entries to a larger table; an eighth more work in all.
    void grow() {
        const std::size_t slots = buckets_ * WAYS;
        const ZeroedMemory old = std::move(slots_);
        buckets_ = std::min(most_buckets_, GROWTH * buckets_);
        slots_ = ZeroedMemory(buckets_ * WAYS * stride_);
        for (std::size_t at = 0; at < slots; ++at) {
            const std::uint64_t *known = old.get() + at * stride_;
            if (*known) std::copy_n(known, stride_, victim(known + 1));
        }
    }

    // Each word through the finaliser of SplitMix64: states differ in few bits.
    std::uint64_t *bucket(const std::uint64_t *state) const {
        std::uint64_t hash = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            hash = (hash ^ state[word]) + 0x9E3779B97F4A7C15ull;
            hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ull;
            hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBull;
            hash ^= hash >> 31;
        }
        return slots_.get() + (hash & (buckets_ - 1)) * WAYS * stride_;
    }

    std::size_t words_, stride_, buckets_ = 1, most_buckets_ = 1, filled_ = 0;
    ZeroedMemory slots_;
    std::vector<Question> asked_;
    std::uint8_t question_ = 0;
};

}  // namespace ludorum
