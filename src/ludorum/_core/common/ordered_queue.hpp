// A set of small numbers that is emptied in ascending order while it grows.
#pragma once

#include <cstdint>
#include <vector>

namespace ludorum {

// A bit for each number and a bit for each word of them: adding is two stores, and nothing is ever allocated.
class OrderedQueue {
  public:
    void resize(std::size_t numbers) {
        words_.assign((numbers + 63) / 64, 0);
        groups_.assign((words_.size() + 63) / 64, 0);
    }

    void add(std::uint32_t number) {
        words_[number >> 6] |= 1ull << (number & 63);
        groups_[number >> 12] |= 1ull << (number >> 6 & 63);
    }

    void add_if(std::uint32_t number, bool wanted) {
        words_[number >> 6] |= static_cast<std::uint64_t>(wanted) << (number & 63);
        groups_[number >> 12] |= static_cast<std::uint64_t>(wanted) << (number >> 6 & 63);
    }

    // Visits every number once; visiting one may add greater ones.
    template <class Visit>
    void drain(Visit visit) {
        for (std::size_t group = 0; group < groups_.size(); ++group)
            while (groups_[group]) {
                const std::size_t word = 64 * group + static_cast<std::size_t>(__builtin_ctzll(groups_[group]));
                while (const std::uint64_t bits = words_[word]) {
                    words_[word] = bits & (bits - 1);
                    visit(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
                }
                groups_[group] &= groups_[group] - 1;
            }
    }

  private:
    std::vector<std::uint64_t> words_, groups_;
};

}  // namespace ludorum
