// One descent at a time, on the evaluators of single states.

#include "information/positions.hpp"

namespace ludorum::information {

namespace {

class SinglePositions final : public Positions {
  public:
    explicit SinglePositions(const EvaluatorSource &source)
        : network_(source.network), evaluator_(source.make()), state_(source.network),
          bytes_(evaluator_->state_bytes()), packed_(bytes_) {}

    std::size_t most() const override { return 1; }
    void set_worlds(std::vector<std::uint8_t> states, std::size_t) override { worlds_ = std::move(states); }

    void begin(std::size_t, std::size_t world) override {
        state_.set_state(evaluator_->look_at(worlds_.data() + world * bytes_).state());
        held_.clear();
    }

    bool terminal(std::size_t) const override { return state_.terminal(); }
    const std::uint64_t *legal(std::size_t) const override { return state_.legal(); }

    void step(const std::vector<std::uint32_t> &, const std::vector<std::int32_t> &joints) override {
        if (!network_->sees.empty()) state_.percepts(joints.data(), held_);
        state_.step(joints.data());
    }

    void percepts(std::size_t, std::vector<std::uint32_t> &held) const override { held = held_; }

    void play(std::size_t, const LeafGames &task, SplitMix64 &random, std::vector<double> &sums,
              std::vector<std::uint32_t> &finished) override {
        SplitMix64 draws(random.next());
        SingleCounts counts;
        evaluator_->pack(state_.state(), packed_.data());
        evaluator_->play(packed_.data(), draws, {task.games, task.longest, task.stop}, counts);
        sums.assign(network_->roles(), 0.0);
        for (std::size_t goal = 0; goal < counts.goals.size(); ++goal)
            if (network_->goal_values[goal] > 0)
                sums[network_->goal_roles[goal]] +=
                    static_cast<double>(network_->goal_values[goal]) * static_cast<double>(counts.goals[goal]);
        finished.assign(1, static_cast<std::uint32_t>(counts.playouts));
    }

  private:
    std::shared_ptr<const Network> network_;
    std::unique_ptr<SingleEvaluator> evaluator_;  // plays games
    FullState state_;                             // goes down the tree
    std::size_t bytes_;
    std::vector<std::uint8_t> worlds_, packed_;
    std::vector<std::uint32_t> held_;
};

}  // namespace

std::unique_ptr<Positions> make_single_positions(const EvaluatorSource &source) {
    return std::make_unique<SinglePositions>(source);
}

}  // namespace ludorum::information
