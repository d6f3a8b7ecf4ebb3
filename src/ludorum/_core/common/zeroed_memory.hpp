// Large blocks of zeroed memory in large pages, where the system has them: tables are read all over the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ludorum {

class ZeroedMemory {
  public:
    ZeroedMemory() = default;
    explicit ZeroedMemory(std::size_t words) : bytes_(8 * words) {
#if defined(__linux__)
        if (bytes_ >= LARGE) {
            void *memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED) throw std::bad_alloc();
            madvise(memory, bytes_, MADV_HUGEPAGE);  // advice: small pages will do as well
            words_ = static_cast<std::uint64_t *>(memory);
            return;
        }
#endif
        words_ = static_cast<std::uint64_t *>(std::calloc(words, 8));
        if (!words_) throw std::bad_alloc();
    }
    ZeroedMemory(ZeroedMemory &&other) noexcept { swap(other); }
    ZeroedMemory &operator=(ZeroedMemory &&other) noexcept {
        ZeroedMemory old(std::move(*this));
        swap(other);
        return *this;
    }
    ~ZeroedMemory() {
#if defined(__linux__)
        if (words_ && bytes_ >= LARGE) {
            munmap(words_, bytes_);
            return;
        }
#endif
        std::free(words_);
    }

    std::uint64_t *get() const { return words_; }

  private:
    static constexpr std::size_t LARGE = 16 << 20;

    void swap(ZeroedMemory &other) noexcept {
        std::swap(words_, other.words_);
        std::swap(bytes_, other.bytes_);
    }

    std::uint64_t *words_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace ludorum
