// The evaluators of one function: each is used by one thread at a time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "evaluation/value_evaluator.hpp"

namespace ludorum {

class StateValues {
  public:
    explicit StateValues(std::shared_ptr<const ValueProgram> program) : program_(std::move(program)) {}

    // An evaluator as long as it is wanted.
    class Loan {
      public:
        explicit Loan(StateValues &owner) : owner_(owner), evaluator_(owner.borrow()) {}
        ~Loan() {
            owner_.evaluated_ += made_;
            owner_.give_back(std::move(evaluator_));
        }
        Loan(const Loan &) = delete;
        Loan &operator=(const Loan &) = delete;

        double value(const Words &state, std::uint32_t role) {
            ++made_;
            return evaluator_->value(state, role);
        }

      private:
        StateValues &owner_;
        std::unique_ptr<ValueEvaluator> evaluator_;
        std::uint64_t made_ = 0;
    };

    const ValueProgram &program() const { return *program_; }
    std::uint64_t evaluated() const { return evaluated_; }

  private:
    std::unique_ptr<ValueEvaluator> borrow() {
        {
            std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                auto evaluator = std::move(spare_.back());
                spare_.pop_back();
                return evaluator;
            }
        }
        return std::make_unique<ValueEvaluator>(program_);
    }
    void give_back(std::unique_ptr<ValueEvaluator> evaluator) {
        std::lock_guard lock(mutex_);
        spare_.push_back(std::move(evaluator));
    }

    std::shared_ptr<const ValueProgram> program_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<ValueEvaluator>> spare_;
    std::atomic<std::uint64_t> evaluated_{0};
};

}  // namespace ludorum
