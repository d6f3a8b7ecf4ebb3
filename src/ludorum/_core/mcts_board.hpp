// Many states at once for the tree: what follows from joint moves, and which states are ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lane_program.hpp"

namespace ludorum::mcts {

// The lanes of a game without a timetable: leaves of a tree are at all steps of a game.
std::shared_ptr<const LaneProgram> make_lane_program(std::shared_ptr<const Network> network);

// Games from a leaf that take about as long as the way to it; counted, not timed, so that the same seed gives the
// same tree on every machine.
std::uint32_t suited_playouts(const LaneProgram &program);

// A block of lanes; used by one thread at a time.
class Board {
  public:
    explicit Board(std::shared_ptr<const LaneProgram> program)
        : program_(std::move(program)), block_(*program_), bytes_((program_->network->fluents + 7) / 8),
          legal_bytes_((program_->network->moves + 7) / 8) {}

    const LaneProgram &program() const { return *program_; }
    Block &block() { return block_; }
    std::uint32_t lanes() const { return program_->kernels.lanes; }
    int mode_of(const std::uint8_t *state) const { return program_->cycle.mode_of(state); }

    // Packed states after joint moves, a row each.
    void step(const std::vector<std::uint8_t> &states, const std::vector<std::int32_t> &moves,
              std::vector<std::uint8_t> &after);
    // Whether states are terminal, goal values by role (none: 0), and legal moves as packed bits if asked for.
    void look(const std::vector<std::uint8_t> &states, bool with_legal);

    bool terminal(std::size_t row) const { return terminal_[row] != 0; }
    const std::uint32_t *goals(std::size_t row) const { return goals_.data() + row * program_->network->roles(); }
    // A bit for each move, in words.
    void legal(std::size_t row, std::vector<std::uint64_t> &words) const;

  private:
    void value_goals(std::size_t first, std::size_t count);

    std::shared_ptr<const LaneProgram> program_;
    Block block_;
    std::size_t bytes_, legal_bytes_;
    std::vector<std::uint8_t> terminal_, legal_;
    std::vector<std::uint32_t> goals_;
    std::vector<std::uint8_t> found_;
};

}  // namespace ludorum::mcts
