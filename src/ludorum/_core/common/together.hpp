// Work that several threads share.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace ludorum {

// Calls `work(number)` for the numbers below `threads`, each in a thread of its own, 0 in this one; `wait()` is called
// now and then while this thread has nothing left to do. Where the system has no more threads, the work is done by
// those that it has made: with fewer threads it must only take longer. Neither function may throw.
template <class Work, class Wait>
void work_together(std::uint32_t threads, const Work &work, const Wait &wait) {
    constexpr auto POLL = std::chrono::milliseconds(20);
    std::mutex mutex;
    std::condition_variable done;
    std::uint32_t busy = 0;
    std::vector<std::thread> others;
    try {
        for (std::uint32_t number = 1; number < threads; ++number) {
            others.emplace_back([&, number] {
                work(number);
                const std::lock_guard lock(mutex);
                --busy;
                done.notify_one();
            });
            const std::lock_guard lock(mutex);
            ++busy;  // may be one too few for a moment, and wraps around: it is only looked at below
        }
    } catch (const std::system_error &) {
    } catch (const std::bad_alloc &) {
    }
    work(0);
    {
        std::unique_lock lock(mutex);
        while (!done.wait_for(lock, POLL, [&] { return busy == 0; })) {
            lock.unlock();
            wait();
            lock.lock();
        }
    }
    for (std::thread &one : others) one.join();
}

}  // namespace ludorum
