// How deep a recursive kernel may go on the stack of the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace ludorum {

// The lowest address a recursion may reach; below it lies a reserve for the calls at its bottom.
// Threads other than the first have as little as 512 KB on some systems, so a fixed depth will not do.
inline const char *stack_floor() {
    constexpr std::size_t RESERVE = 128 * 1024, SMALLEST = 384 * 1024;
    const char here = 0;
#if defined(__linux__)
    static thread_local const char *floor = nullptr;
    if (floor) return floor;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *lowest = nullptr;
        std::size_t size = 0;
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
        if (size > 2 * RESERVE) return floor = static_cast<const char *>(lowest) + RESERVE;
    }
#elif defined(__APPLE__)
    const char *top = static_cast<const char *>(pthread_get_stackaddr_np(pthread_self()));
    const std::size_t size = pthread_get_stacksize_np(pthread_self());
    if (size > 2 * RESERVE) return top - size + RESERVE;
#endif
    return &here - (SMALLEST - RESERVE);
}

// Whether the caller's frame lies below the floor. Addresses are compared as numbers: as pointers into
// different objects the comparison would mean nothing.
inline bool below(const char *floor) {
    volatile char here = 0;
    return reinterpret_cast<std::uintptr_t>(&here) < reinterpret_cast<std::uintptr_t>(floor);
}

}  // namespace ludorum
