// Steps and looks in blocks of lanes, with the code that serves states of all modes.

#include "mcts/board.hpp"

#include <algorithm>

#include "common/bits.hpp"
#include "lanes/playouts.hpp"

namespace ludorum::mcts {

std::shared_ptr<const LaneProgram> make_lane_program(std::shared_ptr<const Network> network) {
    return compile_lanes(network, *find_kernels(0), TREE_LIMIT);
}

std::uint32_t suited_playouts(const LaneProgram &program) {
    // Measured on boards from tic-tac-toe to chess: nanoseconds for a gate input in 512 lanes and for a step.
    constexpr double LITERAL = 4.0, STEP = 3.0;
    constexpr double LEAF = 4000.0;  // to find a leaf and to bring its value back
    constexpr std::uint32_t MOST = 16, LONG = 64;
    Block block(program);
    Task task;
    task.seed = 1;
    task.games = program.kernels.lanes;
    task.longest = LONG;
    task.mode = program.cycle.length() ? 0 : -1;
    const std::function<bool()> interrupted = [] { return false; };
    const Tally tally = Playouts(block, task, interrupted).run();
    const double cost = (LITERAL * static_cast<double>(tally.literals) * program.kernels.lanes / 512 +
                         STEP * static_cast<double>(tally.steps)) /
                        static_cast<double>(std::max<std::uint64_t>(1, tally.playouts));
    // Two at least: half as many leaves under way at once are chosen with twice the knowledge.
    std::uint32_t games = 2;
    while (games < MOST && 2 * games * cost <= LEAF) games *= 2;
    return games;
}

void Board::step(const std::vector<std::uint8_t> &states, const std::vector<std::int32_t> &moves, bool everything) {
    const std::size_t roles = program_->network->roles(), count = moves.size() / roles;  // states may have no bytes
    const LaneCode &code = program_->general;
    after_.resize(states.size());
    terminal_.resize(count);
    goals_.assign(count * roles, 0);
    if (everything) legal_.resize(count * legal_bytes_);
    seen_.resize(count * seen_bytes_);
    block_.clear_moves();
    for (std::size_t first = 0; first < count; first += lanes()) {
        const std::size_t size = std::min<std::size_t>(lanes(), count - first);
        block_.load(states.data() + first * bytes_, size);
        set_moves(moves.data() + first * roles, size);
        block_.evaluate(code.legal_phase);
        if (seen_bytes_) {
            block_.evaluate(code.sees_phase);
            block_.store(code.sees, seen_.data() + first * seen_bytes_, size);
        }
        block_.evaluate(code.next_phase);
        if (everything) block_.store(code.next, after_.data() + first * bytes_, size);
        block_.advance(code, false);  // the next states need not leave the block to be looked at
        clear_moves(moves.data() + first * roles, size);
        block_.evaluate(code.legal_phase);
        if (everything) block_.store(code.legal, legal_.data() + first * legal_bytes_, size);
        const bool any_terminal = find_terminal(first, size);
        if (!everything && !any_terminal) continue;
        block_.evaluate(code.goal_phase);
        value_goals(first, size);
        if (everything) continue;
        for (std::size_t lane = 0; lane < size; ++lane)
            if (terminal_[first + lane])
                block_.store_lane(fluents_, after_.data() + (first + lane) * bytes_, lane);
    }
}

void Board::look(const std::vector<std::uint8_t> &states, std::size_t count) {
    terminal_.resize(count);
    legal_.resize(count * legal_bytes_);
    block_.clear_moves();
    for (std::size_t first = 0; first < count; first += lanes()) {
        const std::size_t size = std::min<std::size_t>(lanes(), count - first);
        block_.load(states.data() + first * bytes_, size);
        block_.evaluate(program_->general.legal_phase);
        block_.store(program_->general.legal, legal_.data() + first * legal_bytes_, size);
        find_terminal(first, size);
    }
}

void Board::set_moves(const std::int32_t *moves, std::size_t count) {
    const std::size_t roles = program_->network->roles();
    for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t role = 0; role < roles; ++role) {
            const auto move = static_cast<std::size_t>(moves[lane * roles + role]);
            block_.slot(program_->general.does[move])[lane / 64] |= 1ull << (lane & 63);
        }
}

void Board::clear_moves(const std::int32_t *moves, std::size_t count) {
    const std::size_t roles = program_->network->roles();
    for (std::size_t at = 0; at < count * roles; ++at)
        block_.slot(program_->general.does[static_cast<std::size_t>(moves[at])])[at / roles / 64] = 0;
}

bool Board::find_terminal(std::size_t first, std::size_t count) {
    const Place &place = program_->general.terminal;
    const std::uint64_t *plane = block_.slot(place.offset);
    bool any = false;
    for (std::size_t lane = 0; lane < count; ++lane) {
        const bool ended = (plane[lane / 64] >> (lane & 63) & 1) != place.negated;
        terminal_[first + lane] = ended;
        any |= ended;
    }
    return any;
}

void Board::value_goals(std::size_t first, std::size_t count) {
    const Network &network = *program_->network;
    const std::size_t roles = network.roles();
    found_.assign(count * roles, 0);
    for (std::size_t goal = 0; goal < network.goals.size(); ++goal) {
        const Place &place = program_->general.goals[goal];
        const std::uint64_t *plane = block_.slot(place.offset);
        const std::uint64_t flip = place.negated ? ~0ull : 0ull;
        for (std::size_t word = 0; 64 * word < count; ++word)
            for (std::uint64_t left = plane[word] ^ flip; left; left &= left - 1) {
                const std::size_t lane = 64 * word + static_cast<std::size_t>(__builtin_ctzll(left));
                if (lane >= count) break;
                const std::size_t at = lane * roles + network.goal_roles[goal];
                const std::int32_t value = network.goal_values[goal];
                goals_[first * roles + at] = found_[at]++ || value < 0 ? 0 : static_cast<std::uint32_t>(value);
            }
    }
}

void Board::legal(std::size_t row, std::vector<std::uint64_t> &words) const {
    words.resize((program_->network->moves + 63) / 64);
    for (std::size_t chunk = 0; chunk < words.size(); ++chunk)
        words[chunk] = load_chunk(legal_.data() + row * legal_bytes_, legal_bytes_, chunk);
}

}  // namespace ludorum::mcts
