// What leaves count for in a state, before it is known how near the end is. Only changes are followed.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ordered_queue.hpp"
#include "evaluation/value_program.hpp"
#include "single/counting_gates.hpp"
#include "single/single_state.hpp"

namespace ludorum {

// Sums of numbers in fixed point are exact, so that their order does not matter, and what was added can be taken away.
using Fixed = __int128;

// A place between truth values.
struct LeafReading {
    enum class Scale : std::uint8_t { TRUTH, FALSITY, DISTANCE, NEVER, EVER };

    Scale scale = Scale::FALSITY;
    bool lasts = false;  // the leaf stays as it is for the rest of the match
    double share = 0;

    bool operator==(const LeafReading &) const = default;
    double among(const TruthValues &values) const {
        switch (scale) {
            case Scale::TRUTH: return values.is_true + share * (values.ever - values.is_true);
            case Scale::FALSITY: return values.is_false - share * (values.never - values.is_false);
            case Scale::DISTANCE: return values.near - share * (values.near - values.is_false);
            case Scale::NEVER: return values.never;
            case Scale::EVER: return values.ever;
        }
        return 0;
    }
    // The truth that lasts, as the output of a leaf: 1 or -1; 0 where it may change.
    int settled() const { return !lasts ? 0 : scale == Scale::TRUTH || scale == Scale::EVER ? 1 : -1; }
};

class LeafReadings {
  public:
    explicit LeafReadings(const ValueProgram &program);

    // Looks at a state, and calls `visit` with each leaf that counts for something else than in the last one.
    template <class Visit>
    void look(const Words &state, Visit visit) {
        follow(state);
        dirty_.drain([&](std::uint32_t leaf) {
            const LeafReading reading = read(leaf);
            if (reading == readings_[leaf]) return;
            readings_[leaf] = reading;
            visit(leaf);
        });
    }
    const LeafReading &operator[](std::uint32_t leaf) const { return readings_[leaf]; }
    bool holds(std::uint32_t atom) const { return seen_[atom / 64] >> (atom & 63) & 1; }
    double amount(std::uint32_t sum) const;

  private:
    struct Sum {
        Fixed amount = 0;
        std::int64_t infinite = 0;
    };
    struct SumChange {
        std::uint32_t sum;
        bool infinite;
        Fixed weight;
    };
    using Users = std::vector<std::vector<std::uint32_t>>;

    void follow(const Words &state);
    void change(std::uint32_t atom, bool holds);
    double nearest(std::uint32_t sum) const;
    LeafReading read(std::uint32_t leaf) const;
    LeafReading read(const ValueFeature &feature, bool holds) const;
    LeafReading read_distance(std::uint32_t sum, bool lasts) const;
    LeafReading read_partial(const ValueFeature &feature) const;
    LeafReading read_margin(const ValueFeature &feature, bool holds) const;
    LeafReading read_mobility(const ValueFeature &feature) const;
    LeafReading read_ended(const ValueFeature &feature) const;

    const ValueProgram &program_;
    CountingGates gates_;
    Words state_, seen_;
    std::vector<Sum> sums_;
    std::vector<std::vector<SumChange>> sums_of_;  // by atom
    Users leaves_of_atoms_, leaves_of_sums_;
    std::vector<LeafReading> readings_;
    OrderedQueue dirty_;
};

}  // namespace ludorum
