// Many states at once for the tree: what follows from joint moves, and which states are ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/program.hpp"

namespace ludorum::mcts {

// The lanes of a game without a timetable: leaves of a tree are at all steps of a game.
std::shared_ptr<const LaneProgram> make_lane_program(std::shared_ptr<const Network> network);

// Games from a leaf that take about as long as the way to it; counted, not timed, so that the same seed gives the
// same tree on every machine.
std::uint32_t suited_playouts(const LaneProgram &program);

// A block of lanes; used by one thread at a time.
class Board {
  public:
    // `percepts`: steps also find what the roles see of them.
    explicit Board(std::shared_ptr<const LaneProgram> program, bool percepts = false)
        : program_(std::move(program)), block_(*program_), bytes_((program_->network->fluents + 7) / 8),
          legal_bytes_((program_->network->moves + 7) / 8),
          seen_bytes_(percepts ? (program_->network->sees.size() + 7) / 8 : 0), fluents_(program_->fluent_places(-1)) {}

    std::uint32_t lanes() const { return program_->kernels.lanes; }

    // What joint moves, one for each state, lead to: whether states are terminal and the goal values of those that are. `everything`:
    // all states and their legal moves; else only the states that are terminal are to be had.
    void step(const std::vector<std::uint8_t> &states, const std::vector<std::int32_t> &moves, bool everything);
    // The same questions about so many states themselves, but for their goals.
    void look(const std::vector<std::uint8_t> &states, std::size_t count);

    const std::uint8_t *after(std::size_t row) const { return after_.data() + row * bytes_; }
    bool terminal(std::size_t row) const { return terminal_[row] != 0; }
    const std::uint32_t *goals(std::size_t row) const { return goals_.data() + row * program_->network->roles(); }
    // A bit for each move, in words.
    void legal(std::size_t row, std::vector<std::uint64_t> &words) const;
    // Percepts as bits, where they were wanted.
    const std::uint8_t *seen(std::size_t row) const { return seen_.data() + row * seen_bytes_; }
    std::size_t seen_bytes() const { return seen_bytes_; }

  private:
    // The moves of the lanes, a column a role.
    void set_moves(const std::int32_t *moves, std::size_t count);
    void clear_moves(const std::int32_t *moves, std::size_t count);
    bool find_terminal(std::size_t first, std::size_t count);
    void value_goals(std::size_t first, std::size_t count);

    std::shared_ptr<const LaneProgram> program_;
    Block block_;
    std::size_t bytes_, legal_bytes_, seen_bytes_;
    std::vector<Place> fluents_;
    std::vector<std::uint8_t> after_, terminal_, legal_, seen_;
    std::vector<std::uint32_t> goals_;
    std::vector<std::uint8_t> found_;
};

}  // namespace ludorum::mcts
