// Places of values between goals.

#include "evaluation/spread.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/arguments.hpp"

namespace ludorum {

namespace {

constexpr double SHARE_BEYOND = 0.25;  // of the way between two goals: for values beyond all those of the sample
constexpr double CLEAR = 0.01;         // how far estimates stay from goals
constexpr double FARTHEST = 1e6;

double beyond(double distance, double whole, double unit) { return std::log1p(distance / unit) / std::log1p(whole / unit); }

// The share of the sample that is not above the value, with what lies between two by its distance.
double within(const std::vector<double> &sample, double value) {
    if (sample.size() == 1) return 0.5;
    const auto at = static_cast<std::size_t>(std::upper_bound(sample.begin(), sample.end(), value) - sample.begin()) - 1;
    if (at + 1 == sample.size()) return 1;
    const double share = (value - sample[at]) / (sample[at + 1] - sample[at]);
    return (static_cast<double>(at) + share) / static_cast<double>(sample.size() - 1);
}

}  // namespace

double SpreadInterval::place(double value) const {
    const double width = high - low - 2 * CLEAR, start = low + CLEAR;
    if (sample.empty()) return start + width * (value - low) / (high - low);
    double share;
    if (value < sample.front())
        share = SHARE_BEYOND * (1 - beyond(sample.front() - value, sample.front() - low, unit));
    else if (value > sample.back())
        share = 1 - SHARE_BEYOND + SHARE_BEYOND * beyond(value - sample.back(), high - sample.back(), unit);
    else
        share = SHARE_BEYOND + (1 - 2 * SHARE_BEYOND) * within(sample, value);
    return start + width * share;
}

double Spread::place(double value) const {
    for (const SpreadInterval &interval : intervals) {
        if (value == interval.low || value == interval.high) return value;
        if (value > interval.low && value < interval.high) return interval.place(value);
    }
    return value;
}

void Spread::check() const {
    double after = -FARTHEST;
    for (const SpreadInterval &interval : intervals) {
        number_in(interval.low, "the low end of an interval", after, FARTHEST);
        number_in(interval.high, "the high end of an interval", interval.low, FARTHEST);
        number_in(interval.unit, "the unit of an interval", 1e-200, FARTHEST);
        if (interval.high - interval.low <= 2 * CLEAR) throw std::invalid_argument("an interval is too short");
        double before = interval.low;
        for (double value : interval.sample) {
            if (!(value > before && value < interval.high))
                throw std::invalid_argument("a sample must rise inside of its interval");
            before = value;
        }
        after = interval.high;
    }
}

}  // namespace ludorum
