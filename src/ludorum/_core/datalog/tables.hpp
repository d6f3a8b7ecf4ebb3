// Interned terms and tables of fixed-width integer keys: what the lifted evaluator stores everything in.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace ludorum::datalog {

using Id = std::int32_t;

// Thrown when an answer would cost more time or memory than allowed; Python sees LimitError.
struct LimitReached {
    const char *what;
};

// Thrown when a question has taken the steps it was given; another plan may take fewer.
struct BudgetSpent {};

// Thrown when negation runs in a circle that top-down evaluation cannot untie.
struct NegativeCircle {};

inline std::uint32_t hash_ids(const Id *ids, int count, std::uint32_t seed = 0) {
    std::uint64_t h = 0x9E3779B97F4A7C15ull ^ seed;
    for (int i = 0; i < count; ++i) {
        h = (h ^ static_cast<std::uint32_t>(ids[i])) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    }
    return static_cast<std::uint32_t>(h ^ (h >> 17));
}

// Maps keys of one width to 0, 1, 2, ... in the order of insertion. Forgetting everything costs nothing:
// slots of an older epoch count as empty. Keys of width one need no hashing, since ids are small numbers.
class KeyTable {
  public:
    explicit KeyTable(int width = 0) : width_(width) {}

    int size() const { return count_; }
    const Id *key(int index) const { return keys_.data() + static_cast<std::size_t>(index) * width_; }

    void clear() {
        count_ = 0;
        keys_.clear();
        if (++epoch_ == 0) {
            slots_.assign(slots_.size(), Slot{0, 0});
            epoch_ = 1;
        }
    }

    int find(const Id *key) const {
        if (width_ == 1) {
            const auto at = static_cast<std::size_t>(key[0]);
            return at < slots_.size() && slots_[at].epoch == epoch_ ? slots_[at].index : -1;
        }
        if (width_ == 0) return count_ ? 0 : -1;
        if (slots_.empty()) return -1;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash_ids(key, width_) & mask;; at = (at + 1) & mask) {
            if (slots_[at].epoch != epoch_) return -1;
            if (same(slots_[at].index, key)) return slots_[at].index;
        }
    }

    // The number of a key, and whether it is new.
    std::pair<int, bool> insert(const Id *key) {
        if (width_ == 0) {
            const bool fresh = count_ == 0;
            count_ = 1;
            return {0, fresh};
        }
        Slot *slot = width_ == 1 ? direct_slot(key[0]) : probe(key);
        if (slot->epoch == epoch_) return {slot->index, false};
        *slot = Slot{epoch_, count_};
        keys_.insert(keys_.end(), key, key + width_);
        return {count_++, true};
    }

    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot) + keys_.capacity() * sizeof(Id); }

  private:
    struct Slot {
        std::uint32_t epoch;
        std::int32_t index;
    };

    bool same(int index, const Id *other) const {
        const Id *mine = key(index);
        for (int i = 0; i < width_; ++i)
            if (mine[i] != other[i]) return false;
        return true;
    }

    Slot *direct_slot(Id id) {
        const auto at = static_cast<std::size_t>(id);
        if (at >= slots_.size()) slots_.resize(at + at / 2 + 16, Slot{0, 0});
        return &slots_[at];
    }

    Slot *probe(const Id *key) {
        if (static_cast<std::size_t>(count_) * 2 >= slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash_ids(key, width_) & mask;
        while (slots_[at].epoch == epoch_ && !same(slots_[at].index, key)) at = (at + 1) & mask;
        return &slots_[at];
    }

    void grow() {
        slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, Slot{0, 0});
        epoch_ = 1;
        const std::size_t mask = slots_.size() - 1;
        for (int index = 0; index < count_; ++index) {
            std::size_t at = hash_ids(key(index), width_) & mask;
            while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
            slots_[at] = Slot{epoch_, index};
        }
    }

    int width_;
    std::int32_t count_ = 0;
    std::uint32_t epoch_ = 1;
    std::vector<Slot> slots_;
    std::vector<Id> keys_;
};

// Ground terms, each stored once: a functor number (which stands for name and arity) and argument ids.
class TermTable {
  public:
    Id make(Id functor, const Id *args, int arity) {
        if (static_cast<std::size_t>(size()) * 2 >= slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash_ids(args, arity, static_cast<std::uint32_t>(functor)) & mask;
        for (; slots_[at] >= 0; at = (at + 1) & mask)
            if (same(slots_[at], functor, args, arity)) return slots_[at];
        const Id made = size();
        slots_[at] = made;
        functors_.push_back(functor);
        std::uint16_t depth = 0;
        for (int at = 0; at < arity; ++at) depth = std::max(depth, depths_[static_cast<std::size_t>(args[at])]);
        depths_.push_back(depth == UINT16_MAX ? depth : static_cast<std::uint16_t>(depth + 1));
        deepest_ = std::max(deepest_, depths_.back());
        if (arity) {
            const std::vector<Id> copy(args, args + arity);  // args may point into pool_ itself
            pool_.insert(pool_.end(), copy.begin(), copy.end());
        }
        offsets_.push_back(static_cast<std::int32_t>(pool_.size()));
        return made;
    }

    Id size() const { return static_cast<Id>(functors_.size()); }
    Id functor(Id term) const { return functors_[term]; }
    int arity(Id term) const { return offsets_[term + 1] - offsets_[term]; }
    const Id *args(Id term) const { return pool_.data() + offsets_[term]; }
    Id arg(Id term, int which) const { return pool_[offsets_[term] + which]; }
    // How many terms, one in the other, the deepest of them has.
    std::uint16_t deepest() const { return deepest_; }
    std::size_t bytes() const {
        return (functors_.capacity() + offsets_.capacity() + pool_.capacity() + slots_.capacity()) * sizeof(Id) +
               depths_.capacity() * sizeof(std::uint16_t);
    }

  private:
    bool same(Id term, Id functor, const Id *args, int arity) const {
        return functors_[term] == functor && this->arity(term) == arity &&
               (arity == 0 || std::memcmp(this->args(term), args, sizeof(Id) * arity) == 0);
    }

    void grow() {
        slots_.assign(slots_.empty() ? 256 : slots_.size() * 2, -1);
        const std::size_t mask = slots_.size() - 1;
        for (Id term = 0; term < size(); ++term) {
            std::size_t at = hash_ids(args(term), arity(term), static_cast<std::uint32_t>(functors_[term])) & mask;
            while (slots_[at] >= 0) at = (at + 1) & mask;
            slots_[at] = term;
        }
    }

    std::vector<Id> functors_, pool_, slots_;
    std::vector<std::int32_t> offsets_{0};
    std::vector<std::uint16_t> depths_;
    std::uint16_t deepest_ = 0;
};

}  // namespace ludorum::datalog
