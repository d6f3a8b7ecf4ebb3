// Chunks and the pieces that came back.

#include "mcts/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace ludorum::mcts {

namespace {

// A small tree begins with a small chunk; the chunks of a large one are whole huge pages, since a walk through a
// tree touches too many small ones.
constexpr std::size_t FIRST_CHUNK = std::size_t{1} << 16, HUGE_PAGE = std::size_t{1} << 21;

}  // namespace

void *Arena::take(std::size_t bytes) {
    const std::size_t lines = (bytes + LINE - 1) / LINE;
    if (lines < spare_.size() && spare_[lines]) {
        Spare *piece = spare_[lines];
        spare_[lines] = piece->next;
        return piece;
    }
    if (static_cast<std::size_t>(end_ - next_) < lines * LINE) add_chunk(lines * LINE);
    char *piece = next_;
    next_ += lines * LINE;
    return piece;
}

void Arena::give_back(void *piece, std::size_t bytes) {
    const std::size_t lines = (bytes + LINE - 1) / LINE;
    if (lines >= spare_.size()) spare_.resize(lines + 1, nullptr);
    spare_[lines] = new (piece) Spare{spare_[lines]};
}

// The rest of the last chunk is lost: pieces are small beside it.
void Arena::add_chunk(std::size_t least) {
    std::size_t bytes = std::min(HUGE_PAGE, FIRST_CHUNK << std::min<std::size_t>(chunks_.size(), 5));
    if (bytes < least) bytes = (least + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    const std::size_t alignment = bytes < HUGE_PAGE ? LINE : HUGE_PAGE;
    next_ = static_cast<char *>(std::aligned_alloc(alignment, bytes));
    if (!next_) throw std::bad_alloc();
    end_ = next_ + bytes;
    chunks_.push_back(next_);
#ifdef MADV_HUGEPAGE
    if (alignment == HUGE_PAGE) madvise(next_, bytes, MADV_HUGEPAGE);  // where that is refused, pages are small
#endif
}

void Arena::clear() {
    for (char *chunk : chunks_) std::free(chunk);
    chunks_.clear();
    spare_.clear();
    next_ = end_ = nullptr;
}

}  // namespace ludorum::mcts
