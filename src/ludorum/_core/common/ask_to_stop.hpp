// When a long call must end: its seconds are over, or Python says so.
#pragma once

#include <chrono>
#include <optional>

#include <nanobind/nanobind.h>

namespace ludorum {

// Asked again and again without the GIL; Python, and whether it has a signal to handle, is asked now and then.
// The callable must outlive it: it is not counted, which would need the GIL.
class AskToStop {
  public:
    AskToStop() = default;  // signals alone are heard
    AskToStop(std::optional<double> seconds, const std::optional<nanobind::callable> &stop)
        : seconds_(seconds), stop_(stop ? &*stop : nullptr) {}

    bool operator()() {
        const auto now = Clock::now();
        if (seconds_ && std::chrono::duration<double>(now - began_).count() >= *seconds_) return true;
        if (now - asked_ < std::chrono::milliseconds(10)) return false;
        asked_ = now;
        nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        return stop_ && nanobind::cast<bool>((*stop_)());
    }

    // Seconds since it was made.
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    std::optional<double> seconds_;
    const nanobind::callable *stop_ = nullptr;
    Clock::time_point began_ = Clock::now(), asked_ = began_;
};

}  // namespace ludorum
