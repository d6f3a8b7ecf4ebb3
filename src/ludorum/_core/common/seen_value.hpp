// A value that one thread writes while others may read it.
#pragma once

#include <atomic>

namespace ludorum {

// As cheap as a plain value: writing takes no lock, and reading gives one of the values that were written.
template <class T>
class SeenValue {
  public:
    SeenValue(T value = {}) : value_(value) {}
    operator T() const { return value_.load(std::memory_order_relaxed); }
    SeenValue &operator=(T value) {
        value_.store(value, std::memory_order_relaxed);
        return *this;
    }
    SeenValue &operator++() { return *this = *this + 1; }

  private:
    std::atomic<T> value_;
};

}  // namespace ludorum
