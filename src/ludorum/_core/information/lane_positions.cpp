// Many descents at once, a level at a time, in lanes.

#include <algorithm>

#include "common/bits.hpp"
#include "information/positions.hpp"
#include "lanes/playouts.hpp"
#include "mcts/board.hpp"

namespace ludorum::information {

namespace {

class LanePositions final : public Positions {
  public:
    LanePositions(std::shared_ptr<const LaneProgram> program, std::size_t most)
        : program_(std::move(program)), network_(*program_->network), board_(program_, true), block_(*program_),
          bytes_(packed_bytes(network_.fluents)), words_((network_.moves + 63) / 64), here_(most) {}

    std::size_t most() const override { return here_.size(); }

    void set_worlds(std::vector<std::uint8_t> states, std::size_t count) override {
        worlds_ = std::move(states);
        board_.look(worlds_, count);
        world_legal_.resize(count * words_);
        over_.resize(count);
        for (std::size_t world = 0; world < count; ++world) {
            board_.legal(world, legal_);
            std::copy(legal_.begin(), legal_.end(), world_legal_.begin() + static_cast<std::ptrdiff_t>(world * words_));
            over_[world] = board_.terminal(world);
        }
    }

    void begin(std::size_t descent, std::size_t world) override {
        Here &here = here_[descent];
        here.state.assign(worlds_.data() + world * bytes_, worlds_.data() + (world + 1) * bytes_);
        here.legal.assign(world_legal_.data() + world * words_, world_legal_.data() + (world + 1) * words_);
        here.terminal = over_[world] != 0;
        here.goals.clear();
        here.seen.clear();
    }

    bool terminal(std::size_t descent) const override { return here_[descent].terminal; }
    const std::uint64_t *legal(std::size_t descent) const override { return here_[descent].legal.data(); }

    void step(const std::vector<std::uint32_t> &descents, const std::vector<std::int32_t> &joints) override {
        rows_.clear();
        for (std::uint32_t one : descents) rows_.insert(rows_.end(), here_[one].state.begin(), here_[one].state.end());
        board_.step(rows_, joints, true);
        for (std::size_t row = 0; row < descents.size(); ++row) {
            Here &here = here_[descents[row]];
            here.state.assign(board_.after(row), board_.after(row) + bytes_);
            here.seen.assign(board_.seen(row), board_.seen(row) + board_.seen_bytes());
            here.terminal = board_.terminal(row);
            if (here.terminal)
                here.goals.assign(board_.goals(row), board_.goals(row) + network_.roles());
            else
                board_.legal(row, here.legal);
        }
    }

    void percepts(std::size_t descent, std::vector<std::uint32_t> &held) const override {
        const std::vector<std::uint8_t> &seen = here_[descent].seen;
        held.clear();
        for (std::uint32_t byte = 0; byte < seen.size(); ++byte)
            for (std::uint32_t left = seen[byte]; left; left &= left - 1) {
                const std::uint32_t number = 8 * byte + static_cast<std::uint32_t>(__builtin_ctz(left));
                if (number < network_.sees.size()) held.push_back(number);
            }
    }

    // Leaves whose goals are known are not played; the others are, all modes together.
    void play(std::size_t count, const LeafGames &task, SplitMix64 &random, std::vector<double> &sums,
              std::vector<std::uint32_t> &finished) override {
        const std::size_t roles = network_.roles();
        sums.assign(count * roles, 0.0);
        finished.assign(count, task.games);
        rows_.clear();
        open_.clear();
        for (std::size_t descent = 0; descent < count; ++descent) {
            const Here &here = here_[descent];
            for (std::size_t role = 0; role < here.goals.size(); ++role)
                sums[descent * roles + role] = static_cast<double>(here.goals[role]) * task.games;
            if (!here.goals.empty()) continue;
            open_.push_back(descent);
            rows_.insert(rows_.end(), here.state.begin(), here.state.end());
        }
        const std::uint64_t seed = random.next();
        if (open_.empty()) return;
        played_.assign(open_.size() * roles, 0.0);
        ended_.assign(open_.size(), 0);
        Task games;
        games.seed = seed;
        games.games = open_.size() * task.games;
        games.longest = task.longest;
        games.mode = common_mode();
        games.starts = rows_.data();
        games.repeats = task.games;
        games.sums = played_.data();
        games.finished = ended_.data();
        if (rows_.empty()) games.starts = &NO_BYTES;  // states may have no bytes
        Playouts(block_, games, task.stop).run();
        for (std::size_t at = 0; at < open_.size(); ++at) {
            std::copy_n(played_.data() + at * roles, roles, sums.data() + open_[at] * roles);
            finished[open_[at]] = ended_[at];
        }
    }

  private:
    struct Here {
        std::vector<std::uint8_t> state, seen;
        std::vector<std::uint64_t> legal;
        std::vector<std::uint32_t> goals;  // where a step has led to an end
        bool terminal = false;
    };
    static constexpr std::uint8_t NO_BYTES = 0;

    // The mode in which all leaves are, or -1.
    int common_mode() const {
        if (!bytes_) return -1;
        const int first = program_->cycle.mode_of(rows_.data());
        for (std::size_t at = 1; at < open_.size(); ++at)
            if (program_->cycle.mode_of(rows_.data() + at * bytes_) != first) return -1;
        return first;
    }

    std::shared_ptr<const LaneProgram> program_;
    const Network &network_;
    mcts::Board board_;
    Block block_;
    std::size_t bytes_, words_;
    std::vector<Here> here_;
    std::vector<std::uint8_t> worlds_, over_, rows_;
    std::vector<std::uint64_t> world_legal_, legal_;
    std::vector<std::size_t> open_;
    std::vector<double> played_;
    std::vector<std::uint32_t> ended_;
};

}  // namespace

std::unique_ptr<Positions> make_lane_positions(std::shared_ptr<const LaneProgram> program, std::size_t most) {
    return std::make_unique<LanePositions>(std::move(program), most);
}

}  // namespace ludorum::information
