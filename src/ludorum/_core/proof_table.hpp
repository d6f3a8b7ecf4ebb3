// What a proof search has learnt about states: proof and disproof numbers, in a table that never grows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace ludorum {

using ProofNumber = std::uint32_t;
constexpr ProofNumber NEVER = 1u << 30;  // what no amount of work will reach
constexpr std::uint16_t NO_PLACE = UINT16_MAX;

// "Does the role get at least so much?": proof 0 is yes, disproof 0 is no.
struct ProofEntry {
    ProofNumber proof = 1, disproof = 1;
    std::uint16_t option = NO_PLACE;  // of a solved state: the choice that solved it
    std::uint8_t weight = 0;          // bits of the number of nodes that this took
    std::uint8_t question = 0;        // which question it answers; 0: empty

    bool solved() const { return proof == 0 || disproof == 0; }
};

// Buckets of four; whole states are compared, so that no two are ever mistaken for each other. In a full bucket
// the entry goes that took the least work: small trees are the garbage that is collected.
class ProofTable {
  public:
    ProofTable(std::size_t state_words, std::size_t bytes) : words_(state_words), stride_(2 + state_words) {
        while (2 * buckets_ * WAYS * stride_ * 8 <= bytes) buckets_ *= 2;
        clear();
    }

    std::size_t bytes() const { return buckets_ * WAYS * stride_ * 8; }

    // Begins a question about a role's goal. What was solved under another one stays solved where it follows:
    // who gets 100 gets 50 too, and who does not get 50 does not get 100.
    void ask(std::uint32_t role, std::int32_t threshold) {
        for (std::size_t at = 1; at < asked_.size(); ++at)
            if (asked_[at].role == role && asked_[at].threshold == threshold) {
                question_ = static_cast<std::uint8_t>(at);
                return;
            }
        if (asked_.size() > UINT8_MAX) clear();
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

    void store(const std::uint64_t *state, ProofNumber proof, ProofNumber disproof, std::uint16_t option,
               std::uint64_t work) {
        ProofEntry entry{proof, disproof, option, static_cast<std::uint8_t>(64 - __builtin_clzll(work | 1)), question_};
        const std::uint64_t *known = locate(state);
        std::uint64_t *slot = known ? const_cast<std::uint64_t *>(known) : victim(state);
        if (known && read(known).question == question_) entry.weight = std::max(entry.weight, read(known).weight);
        std::memcpy(slot, &entry, sizeof entry);
        std::copy_n(state, words_, slot + 2);
    }

    // Fresh zeroed memory: pages that no search touches cost nothing.
    void clear() {
        void *memory = std::calloc(buckets_ * WAYS * stride_, 8);
        if (!memory) throw std::bad_alloc();
        slots_.reset(static_cast<std::uint64_t *>(memory));
        asked_.assign(1, {UINT32_MAX, 0});
    }

  private:
    static constexpr std::size_t WAYS = 4;

    struct Question {
        std::uint32_t role;
        std::int32_t threshold;
    };
    struct Free {
        void operator()(void *memory) const { std::free(memory); }
    };
    static_assert(sizeof(ProofEntry) <= 16);

    static ProofEntry read(const std::uint64_t *slot) {
        ProofEntry entry;
        std::memcpy(static_cast<void *>(&entry), slot, sizeof entry);
        return entry;
    }

    const std::uint64_t *locate(const std::uint64_t *state) const {
        const std::uint64_t *slot = bucket(state);
        for (std::size_t way = 0; way < WAYS; ++way, slot += stride_)
            if (read(slot).question && std::memcmp(slot + 2, state, 8 * words_) == 0) return slot;
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

    std::size_t words_, stride_, buckets_ = 1;
    std::unique_ptr<std::uint64_t[], Free> slots_;
    std::vector<Question> asked_;
    std::uint8_t question_ = 0;
};

}  // namespace ludorum
