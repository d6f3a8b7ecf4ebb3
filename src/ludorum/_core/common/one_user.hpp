// A guard for objects that one user at a time may use, also while this one calls back into Python.
#pragma once

#include <atomic>
#include <stdexcept>

namespace ludorum {

// A second user is refused and does not wait: it may have the interpreter's lock, which the first one needs.
class OneUser {
  public:
    class Hold {
      public:
        Hold(std::atomic<bool> &taken, const char *refusal) : taken_(taken) {
            if (taken.exchange(true, std::memory_order_acquire)) throw std::runtime_error(refusal);
        }
        ~Hold() { taken_.store(false, std::memory_order_release); }
        Hold(const Hold &) = delete;
        Hold &operator=(const Hold &) = delete;

      private:
        std::atomic<bool> &taken_;
    };

    // Until the hold ends; std::runtime_error where there is one already.
    Hold hold(const char *refusal) { return Hold(taken_, refusal); }

  private:
    std::atomic<bool> taken_{false};
};

}  // namespace ludorum
