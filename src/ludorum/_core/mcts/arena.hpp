// Memory for a tree: pieces cut from large chunks, so that pieces that are made together lie together.
#pragma once

#include <cstddef>
#include <vector>

namespace ludorum::mcts {

constexpr std::size_t LINE = 64;  // bytes of the cache that go together

// Not for several threads at once.
class Arena {
  public:
    Arena() = default;
    ~Arena() { clear(); }
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    // Begins at a line of the cache.
    void *take(std::size_t bytes);
    // For pieces of the same size to come.
    void give_back(void *piece, std::size_t bytes);
    void clear();

  private:
    struct Spare {
        Spare *next;
    };

    void add_chunk(std::size_t least);

    std::vector<char *> chunks_;
    char *next_ = nullptr, *end_ = nullptr;
    std::vector<Spare *> spare_;  // by lines
};

}  // namespace ludorum::mcts
