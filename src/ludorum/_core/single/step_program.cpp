// Partial evaluation of a network: first for each mode, then for each move.

#include "single/step_program.hpp"

#include <algorithm>

#include "single/move_effects.hpp"

namespace ludorum {

namespace {

// What writing down the effects of all moves of a mode may cost: inputs looked at, some 10 ns each.
constexpr std::uint64_t MOST_VISITS = 2'000'000;
constexpr std::size_t SAMPLE = 32;
// Effects that depend on the state, by move and on average; with more of them counting changes is faster.
constexpr std::size_t MOST_ASKED = 48;

class StepCompiler {
  public:
    StepCompiler(const Network &source, StepProgram &program)
        : source_(source), program_(program), pool_(program.pool), now_(now_gates(source)),
          later_(later_gates(source, now_)), finder_(source, later_), image_(source.nodes()) {
        loop_of_.assign(source.gates(), -1);
        for (std::size_t loop = 0; loop < source.loops.size(); ++loop)
            std::fill(loop_of_.begin() + source.loops[loop].first, loop_of_.begin() + source.loops[loop].second + 1,
                      static_cast<std::int32_t>(loop));
    }

    // False where effects were asked for and cannot be had.
    bool compile(const Cycle &cycle, bool with_effects) {
        if (with_effects && finder_.moves_reach_loops()) return false;
        program_.cycle = cycle;
        program_.moves_are_inputs = !with_effects;
        std::vector<std::vector<std::int8_t>> values = cycle.values;
        if (values.empty()) values.emplace_back(source_.fluents, UNKNOWN);
        for (const auto &own : values)
            if (!add_mode(own, with_effects)) return false;
        return true;
    }

  private:
    static std::vector<char> now_gates(const Network &source) {
        std::vector<Literal> first = source.legal;
        first.push_back(source.terminal);
        return source.cone(first);
    }

    static std::vector<char> later_gates(const Network &source, const std::vector<char> &now) {
        std::vector<char> found = source.cone(source.next);
        for (std::uint32_t gate = 0; gate < source.gates(); ++gate) found[gate] = found[gate] && !now[gate];
        return found;
    }

    Literal now(Literal literal) const { return image_[literal >> 1] ^ (literal & 1); }

    bool add_mode(const std::vector<std::int8_t> &values, bool with_effects) {
        for (std::uint32_t node = 0; node < source_.first_gate(); ++node) image_[node] = 2 * node;
        for (std::uint32_t fluent = 0; fluent < source_.fluents; ++fluent)
            if (values[fluent] != UNKNOWN) image_[fluent] = values[fluent] ? pool_.yes() : pool_.no();
        import(now_);
        StepMode mode;
        for (std::uint32_t role = 0; role < source_.roles(); ++role) mode.forced.push_back(only_move(role));
        if (with_effects && !choose_role(mode)) return false;
        put_moves(mode);
        import(later_);
        for (Literal literal : source_.legal) mode.legal.push_back(now(literal));
        for (Literal literal : source_.next) mode.next.push_back(now(literal));
        mode.terminal = now(source_.terminal);
        if (mode.chooser >= 0 && !add_effects(mode)) return false;
        program_.modes.push_back(std::move(mode));
        return true;
    }

    void import(const std::vector<char> &wanted) {
        const std::uint32_t base = source_.first_gate();
        std::vector<Literal> inputs;
        for (std::uint32_t gate = 0; gate < source_.gates(); ++gate) {
            if (!wanted[gate]) continue;
            if (loop_of_[gate] >= 0) {
                gate = import_loop(source_.loops[static_cast<std::size_t>(loop_of_[gate])]);
                continue;
            }
            inputs.clear();
            for (std::uint32_t at = source_.gate_offsets[gate]; at < source_.gate_offsets[gate + 1]; ++at)
                inputs.push_back(now(source_.gate_literals[at]));
            image_[base + gate] = pool_.add(inputs);
        }
    }

    // Gates of a loop refer to each other before they are there, and keep their order.
    std::uint32_t import_loop(std::pair<std::uint32_t, std::uint32_t> loop) {
        const auto [first, last] = loop;
        const std::uint32_t base = source_.first_gate(), start = pool_.gates();
        for (std::uint32_t gate = first; gate <= last; ++gate) image_[base + gate] = 2 * (base + start + gate - first);
        std::vector<Literal> inputs;
        for (std::uint32_t gate = first; gate <= last; ++gate) {
            inputs.clear();
            for (std::uint32_t at = source_.gate_offsets[gate]; at < source_.gate_offsets[gate + 1]; ++at)
                inputs.push_back(now(source_.gate_literals[at]));
            pool_.append(inputs);
        }
        program_.loops.emplace_back(start, start + last - first);
        return last;
    }

    // The move of a role that has exactly one, always legal; -1 where it may choose.
    std::int32_t only_move(std::uint32_t role) const {
        std::int32_t only = -1;
        for (std::uint32_t move = source_.role_begin(role); move < source_.role_ends[role]; ++move) {
            const Literal literal = now(source_.legal[move]);
            if (literal == pool_.no()) continue;
            if (only >= 0 || literal != pool_.yes()) return -1;
            only = static_cast<std::int32_t>(move);
        }
        return only;
    }

    static bool choose_role(StepMode &mode) {
        for (std::size_t role = 0; role < mode.forced.size(); ++role) {
            if (mode.forced[role] >= 0) continue;
            if (mode.chooser >= 0) return false;
            mode.chooser = static_cast<std::int32_t>(role);
        }
        return true;
    }

    // What is known of moves: an only one is done, those that are never legal are not, and a role whose moves
    // have effects does nothing until it has chosen.
    void put_moves(const StepMode &mode) {
        for (std::uint32_t role = 0; role < source_.roles(); ++role)
            for (std::uint32_t move = source_.role_begin(role); move < source_.role_ends[role]; ++move) {
                const bool never = now(source_.legal[move]) == pool_.no();
                if (static_cast<std::int32_t>(move) == mode.forced[role])
                    image_[source_.fluents + move] = pool_.yes();
                else if (never || static_cast<std::int32_t>(role) == mode.chooser)
                    image_[source_.fluents + move] = pool_.no();
            }
    }

    bool add_effects(StepMode &mode) {
        std::vector<std::uint32_t> moves;
        const auto role = static_cast<std::uint32_t>(mode.chooser);
        for (std::uint32_t move = source_.role_begin(role); move < source_.role_ends[role]; ++move)
            if (mode.legal[move] != pool_.no()) moves.push_back(move);
        mode.effects.assign(source_.moves, {0, 0, 0, 0});
        finder_.begin(image_, pool_);
        if (!effects_are_cheap(mode, moves)) return false;
        std::vector<std::vector<FluentEffect>> effects;
        for (std::uint32_t move : moves) effects.push_back(finder_.find(move, pool_));
        take_majority(mode.next, effects);
        for (std::size_t at = 0; at < moves.size(); ++at) mode.effects[moves[at]] = written(effects[at]);
        return true;
    }

    // Judged by a sample of the moves.
    bool effects_are_cheap(const StepMode &mode, const std::vector<std::uint32_t> &moves) {
        const std::size_t step = std::max<std::size_t>(1, moves.size() / SAMPLE);
        std::vector<std::vector<FluentEffect>> effects;
        for (std::size_t at = 0; at < moves.size(); at += step) {
            effects.push_back(finder_.find(moves[at], pool_));
            if (finder_.visits() * step > MOST_VISITS) return false;
        }
        std::vector<Literal> next = mode.next;
        take_majority(next, effects);
        std::size_t asked = 0;
        for (const auto &own : effects)
            for (const FluentEffect &effect : own) asked += effect.literal >> 1 != pool_.yes() >> 1;
        return asked <= MOST_ASKED * effects.size();
    }

    MoveEffects written(const std::vector<FluentEffect> &effects) {
        MoveEffects found;
        found.first_word = static_cast<std::uint32_t>(program_.words.size());
        found.first_fluent = static_cast<std::uint32_t>(program_.fluents.size());
        for (const FluentEffect &effect : effects) {
            if (effect.literal >> 1 != pool_.yes() >> 1) {
                program_.fluents.push_back(effect);
                continue;
            }
            if (program_.words.size() == found.first_word || program_.words.back().word != effect.fluent / 64)
                program_.words.push_back({effect.fluent / 64, 0, 0});
            WordEffect &word = program_.words.back();
            (effect.literal == pool_.yes() ? word.set : word.clear) |= 1ull << (effect.fluent & 63);
        }
        found.end_word = static_cast<std::uint32_t>(program_.words.size());
        found.end_fluent = static_cast<std::uint32_t>(program_.fluents.size());
        return found;
    }

    const Network &source_;
    StepProgram &program_;
    GatePool &pool_;
    std::vector<char> now_, later_;
    EffectFinder finder_;
    std::vector<Literal> image_;  // what each node of the source is in the pool
    std::vector<std::int32_t> loop_of_;
};

}  // namespace

StepProgram::StepProgram(const Network &network, const Cycle &cycle) : pool(network.first_gate()) {
    if (StepCompiler(network, *this).compile(cycle, true)) return;
    pool = GatePool(network.first_gate());
    loops.clear();
    modes.clear();
    words.clear();
    fluents.clear();
    StepCompiler(network, *this).compile(cycle, false);
}

}  // namespace ludorum
