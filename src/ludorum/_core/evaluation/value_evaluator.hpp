// The values of states by neurons over leaves: only what has changed since the last state is computed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/ordered_queue.hpp"
#include "evaluation/leaf_readings.hpp"
#include "evaluation/value_program.hpp"

namespace ludorum {

// The outputs of the neurons below some roots.
class NeuronRun {
  public:
    NeuronRun(const ValueProgram &program, const LeafReadings &readings, const std::vector<std::int32_t> &roots);

    void mark(std::uint32_t leaf) {
        if (used_[leaf]) dirty_leaves_.add(leaf);
    }
    void mark_all();
    // Brings outputs up to date, with leaves between these values.
    void update(const TruthValues &values);
    double output(std::int32_t root) const;

  private:
    struct Reader {
        std::uint32_t neuron;
        bool negated;
    };
    struct Output {
        double value = 0;
        Fixed fixed = 0;
        int settled = 0;  // 1 or -1 where it is true or false for the rest of the match
    };
    struct Input {
        Fixed total = 0;
        std::uint32_t settled = 0, deciding = 0;  // parts
    };

    void put(std::uint32_t node, double value, int settled);
    void compute(std::uint32_t number);

    const ValueProgram &program_;
    const LeafReadings &readings_;
    std::vector<char> used_;  // by node: some root depends on it
    std::vector<std::uint32_t> reader_offsets_;
    std::vector<Reader> readers_;
    std::vector<Output> outputs_;
    std::vector<Input> inputs_;  // by neuron
    OrderedQueue dirty_leaves_, dirty_neurons_;
};

// Used by one thread at a time.
class ValueEvaluator {
  public:
    explicit ValueEvaluator(std::shared_ptr<const ValueProgram> program);

    // The value for a role of a state in which the match is not over: strictly between 0 and 100.
    double value(const Words &state, std::uint32_t role);

  private:
    NeuronRun &run_of(std::uint32_t role);
    double state_value(const NeuronRun &run, std::uint32_t role) const;
    double refined(double value, std::uint32_t role) const;
    double bonus(std::uint32_t role) const;
    double piece_share(std::uint32_t role) const;

    std::shared_ptr<const ValueProgram> program_;
    LeafReadings readings_;
    NeuronRun end_;
    std::vector<std::unique_ptr<NeuronRun>> of_role_;  // made when they are needed
    std::vector<std::uint32_t> step_of_role_;
};

// The value by the outputs of a role's goals, as `state_value` in Python.
double pressed_inside(double value, double share);

}  // namespace ludorum
