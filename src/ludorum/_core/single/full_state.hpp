// One state evaluated in full: the lane program with slots of one byte.
#pragma once

#include "lanes/program.hpp"
#include "single/single_state.hpp"

namespace ludorum {

class FullState final : public SingleState {
  public:
    explicit FullState(std::shared_ptr<const Network> network);

    const char *name() const override { return "full"; }
    bool set_state(const Words &fluents) override;
    const Words &state() const override { return state_; }
    const std::uint64_t *legal() const override { return legal_.data(); }
    const std::int32_t *forced() const override { return forced_[static_cast<std::size_t>(mode_ + 1)].data(); }
    bool terminal() const override;
    void next(const std::int32_t *moves, Words &after) override;
    bool step(const std::int32_t *moves) override;

    // Which percepts follow from a joint move in the present state.
    void percepts(const std::int32_t *moves, std::vector<std::uint32_t> &held);

  private:
    void look();
    void take(const std::vector<Place> &places, Words &bits) const;
    std::vector<std::int32_t> only_moves(const LaneCode &code) const;
    void put_moves(const std::int32_t *moves, std::uint8_t value);
    bool holds(const Place &place) const { return (slots_[place.offset] != 0) != place.negated; }
    const LaneCode &code() const { return program_.code(mode_); }

    LaneProgram program_;
    std::vector<std::uint8_t> slots_, saved_;
    Words state_, legal_;
    int mode_ = -1;
    std::vector<std::vector<std::int32_t>> forced_;  // by mode, from -1 on: the only move of each role, or -1
};

}  // namespace ludorum
