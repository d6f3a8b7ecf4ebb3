// A value that one thread changes and others may look at meanwhile.
#pragma once

#include <atomic>

namespace ludorum {

// Costs what a plain value costs: the one who writes needs no lock, and those who look get some value it has had.
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
