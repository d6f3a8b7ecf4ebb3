// Seeded random numbers for all kernels.
#pragma once

#include <cstdint>

namespace ludorum {

// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014):
// the same sequence on every machine and in every Python version, with 64 bits of state to save.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    // Uniform in 0..n-1. A plain remainder favours small results; we throw away the draws below
    // 2^64 mod n, which leaves a whole number of n-sized blocks.
    std::uint64_t below(std::uint64_t n) {
        const std::uint64_t threshold = (0 - n) % n;
        for (;;) {
            const std::uint64_t draw = next();
            if (draw >= threshold) return draw % n;
        }
    }

    std::uint64_t state() const { return state_; }

  private:
    std::uint64_t state_;
};

}  // namespace ludorum
