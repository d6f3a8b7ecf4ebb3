// Near values spread apart, in their order, as `search/sharpened.py` does: searches round estimates.
#pragma once

#include <vector>

namespace ludorum {

// The values between two goals: those of a sample in rising order, and the range that they get.
struct SpreadInterval {
    double low, high;
    double unit;  // what counts as a step beyond the sample
    std::vector<double> sample;

    double place(double value) const;
};

// Intervals that begin where the one before ends. None: values stay as they are.
struct Spread {
    std::vector<SpreadInterval> intervals;

    double place(double value) const;
    // Throws std::invalid_argument where intervals or samples are out of order.
    void check() const;
};

}  // namespace ludorum
