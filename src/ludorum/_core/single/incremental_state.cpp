// Incremental evaluation: the effects of a move turn fluents, and only what changes by that is looked at.

#include <algorithm>

#include "single/counting_gates.hpp"
#include "single/single_state.hpp"
#include "single/step_program.hpp"

namespace ludorum {

namespace {

std::size_t words_of(std::size_t bits) { return (bits + 63) / 64; }

// Output bits, by mode: legality of each move, then what changes if nothing is done, then terminal.
class IncrementalState final : public SingleState {
  public:
    IncrementalState(std::shared_ptr<const Network> network, std::shared_ptr<const StepProgram> program)
        : kept_network_(std::move(network)),
          kept_program_(std::move(program)),
          network_(*kept_network_),
          program_(*kept_program_),
          legal_words_(words_of(network_.moves)),
          state_words_(words_of(network_.fluents)),
          mode_words_(legal_words_ + state_words_ + 1),
          gates_({network_.fluents, network_.moves, program_.pool.offsets, program_.pool.literals, program_.loops},
                 outputs(), static_cast<std::uint32_t>(64 * mode_words_ * program_.modes.size())),
          state_(state_words_, 0),
          changed_(state_),
          does_(network_.roles(), -1) {
        set_state(initial_state(network_));
    }

    const char *name() const override { return "incremental"; }
    const Words &state() const override { return state_; }
    const std::uint64_t *legal() const override { return gates_.outputs() + mode_ * mode_words_; }
    bool terminal() const override { return gates_.outputs()[(mode_ + 1) * mode_words_ - 1] & 1; }
    const std::int32_t *forced() const override { return program_.modes[mode_].forced.data(); }

    bool set_state(const Words &fluents) override {
        if (program_.cycle.length() && !find_mode(fluents)) return false;
        for (std::size_t word = 0; word < state_words_; ++word) changed_[word] = fluents[word] ^ state_[word];
        flip_fluents();
        return true;
    }

    void next(const std::int32_t *moves, Words &after) override {
        find_changes(moves);
        for (std::size_t word = 0; word < state_words_; ++word) after[word] = state_[word] ^ changed_[word];
    }

    bool step(const std::int32_t *moves) override {
        find_changes(moves);
        flip_fluents();
        if (program_.cycle.in_turn) {
            if (++mode_ == program_.modes.size()) mode_ = 0;
            return true;
        }
        return find_mode(state_);
    }

  private:
    std::vector<CountingGates::Output> outputs() const {
        std::vector<CountingGates::Output> found;
        const Literal yes = 2 * network_.true_node();
        for (std::size_t number = 0; number < program_.modes.size(); ++number) {
            const StepMode &mode = program_.modes[number];
            auto bit = static_cast<std::uint32_t>(64 * number * mode_words_);
            for (std::uint32_t move = 0; move < network_.moves; ++move)
                if (mode.legal[move] != yes + 1) found.emplace_back(mode.legal[move], bit + move);
            bit += static_cast<std::uint32_t>(64 * legal_words_);
            for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
                if (mode.next[fluent] == 2 * fluent) continue;  // stays as it is
                found.emplace_back(2 * fluent, bit + fluent);
                found.emplace_back(mode.next[fluent], bit + fluent);
            }
            found.emplace_back(mode.terminal, bit + static_cast<std::uint32_t>(64 * state_words_));
        }
        return found;
    }

    bool find_mode(const Words &fluents) {
        const int mode = program_.cycle.mode_of(fluents);
        if (mode >= 0) mode_ = static_cast<std::size_t>(mode);
        return mode >= 0;
    }

    // What changes without regard to the move, then what the move does about it.
    void find_changes(const std::int32_t *moves) {
        if (program_.moves_are_inputs) put_moves(moves);
        std::copy_n(gates_.outputs() + mode_ * mode_words_ + legal_words_, state_words_, changed_.data());
        const StepMode &mode = program_.modes[mode_];
        const std::int32_t move = mode.chooser < 0 ? -1 : moves[mode.chooser];
        if (move >= 0) put_effects(mode.effects[static_cast<std::size_t>(move)]);
    }

    void put_moves(const std::int32_t *moves) {
        for (std::uint32_t role = 0; role < does_.size(); ++role) {
            if (does_[role] == moves[role]) continue;
            if (does_[role] >= 0) gates_.flip(network_.fluents + static_cast<std::uint32_t>(does_[role]));
            if (moves[role] >= 0) gates_.flip(network_.fluents + static_cast<std::uint32_t>(moves[role]));
            does_[role] = moves[role];
        }
        gates_.settle_later();
    }

    void put_effects(const MoveEffects &effects) {
        for (std::uint32_t at = effects.first_word; at < effects.end_word; ++at) {
            const WordEffect &effect = program_.words[at];
            const std::uint64_t now = state_[effect.word];
            std::uint64_t &changed = changed_[effect.word];
            changed = (changed & ~(effect.set | effect.clear)) | (effect.set & ~now) | (effect.clear & now);
        }
        for (std::uint32_t at = effects.first_fluent; at < effects.end_fluent; ++at) {
            const FluentEffect &effect = program_.fluents[at];
            const std::uint64_t bit = 1ull << (effect.fluent & 63);
            const std::size_t word = effect.fluent / 64;
            const bool differs = gates_.holds(effect.literal) != ((state_[word] & bit) != 0);
            changed_[word] = differs ? changed_[word] | bit : changed_[word] & ~bit;
        }
    }

    void flip_fluents() {
        for (std::size_t word = 0; word < state_words_; ++word) {
            const std::uint64_t changed = changed_[word];
            state_[word] ^= changed;
            for (std::uint64_t left = changed; left; left &= left - 1)
                gates_.flip(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(__builtin_ctzll(left)));
        }
        gates_.settle_now();
    }

    std::shared_ptr<const Network> kept_network_;
    std::shared_ptr<const StepProgram> kept_program_;
    const Network &network_;
    const StepProgram &program_;
    std::size_t legal_words_, state_words_, mode_words_;
    CountingGates gates_;
    Words state_, changed_;
    std::vector<std::int32_t> does_;
    std::size_t mode_ = 0;
};

}  // namespace

std::unique_ptr<SingleState> make_incremental(std::shared_ptr<const Network> network,
                                              std::shared_ptr<const StepProgram> program) {
    return std::make_unique<IncrementalState>(std::move(network), std::move(program));
}

}  // namespace ludorum
