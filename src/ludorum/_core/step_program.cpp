// Partial evaluation of a network: first for each mode, then for each move.

#include "step_program.hpp"

#include <algorithm>

#include "ordered_queue.hpp"

namespace ludorum {

namespace {

// Moves change little each; where all together they still reach too many gates, they stay inputs.
constexpr std::uint64_t MOST_VISITS = 4'000'000;

class StepCompiler {
  public:
    StepCompiler(const Network &source, StepProgram &program)
        : source_(source), program_(program), pool_(program.pool), image_(source.nodes()) {
        std::vector<Literal> first = source.legal;
        first.push_back(source.terminal);
        now_ = source.cone(first);
        later_ = source.cone(source.next);
        for (std::uint32_t gate = 0; gate < source.gates(); ++gate) later_[gate] = later_[gate] && !now_[gate];
        loop_of_.assign(source.gates(), -1);
        for (std::size_t loop = 0; loop < source.loops.size(); ++loop)
            std::fill(loop_of_.begin() + source.loops[loop].first, loop_of_.begin() + source.loops[loop].second + 1,
                      static_cast<std::int32_t>(loop));
        link();
    }

    // A program with effects; false where some mode has none.
    bool split(const Cycle &cycle) {
        if (moves_reach_loops_) return false;
        program_.cycle = cycle;
        const std::vector<std::int8_t> nothing(source_.fluents, UNKNOWN);
        if (cycle.length() == 0) return add_mode(nothing);
        for (const auto &values : cycle.values)
            if (!add_mode(values)) return false;
        return true;
    }

    // One mode for all states, in which moves are inputs.
    void join() {
        program_.moves_are_inputs = true;
        reset_images(std::vector<std::int8_t>(source_.fluents, UNKNOWN));
        import(now_);
        import(later_);
        StepMode mode;
        mode.forced.assign(source_.roles(), -1);
        take_outputs(mode);
        program_.modes.push_back(std::move(mode));
    }

  private:
    Literal now(Literal literal) const { return image_[literal >> 1] ^ (literal & 1); }
    bool changed(std::uint32_t node) const { return stamp_[node] == stamp_now_; }

    // Who reads what a move can change.
    void link() {
        const std::uint32_t base = source_.first_gate();
        std::vector<char> depends(source_.nodes(), 0);
        std::fill(depends.begin() + source_.fluents, depends.begin() + source_.true_node(), 1);
        reader_offsets_.assign(source_.nodes() + 1, 0);
        next_offsets_.assign(source_.nodes() + 1, 0);
        auto each = [&](auto visit) {
            for (std::uint32_t gate = 0; gate < source_.gates(); ++gate) {
                if (!later_[gate]) continue;
                for (std::uint32_t at = source_.gate_offsets[gate]; at < source_.gate_offsets[gate + 1]; ++at) {
                    const std::uint32_t node = source_.gate_literals[at] >> 1;
                    if (depends[node]) visit(node, gate);
                }
            }
        };
        each([&](std::uint32_t, std::uint32_t gate) {
            depends[base + gate] = 1;
            moves_reach_loops_ |= loop_of_[gate] >= 0;
        });
        each([&](std::uint32_t node, std::uint32_t) { ++reader_offsets_[node + 1]; });
        for (Literal literal : source_.next) ++next_offsets_[(literal >> 1) + 1];
        for (std::uint32_t node = 0; node < source_.nodes(); ++node) {
            reader_offsets_[node + 1] += reader_offsets_[node];
            next_offsets_[node + 1] += next_offsets_[node];
        }
        readers_.resize(reader_offsets_.back());
        next_readers_.resize(next_offsets_.back());
        std::vector<std::uint32_t> filled(reader_offsets_.begin(), reader_offsets_.end() - 1);
        each([&](std::uint32_t node, std::uint32_t gate) { readers_[filled[node]++] = gate; });
        filled.assign(next_offsets_.begin(), next_offsets_.end() - 1);
        for (std::uint32_t fluent = 0; fluent < source_.fluents; ++fluent)
            next_readers_[filled[source_.next[fluent] >> 1]++] = fluent;
        overlay_.resize(source_.nodes());
        stamp_.assign(source_.nodes(), 0);
        queue_.resize(source_.gates());
    }

    void reset_images(const std::vector<std::int8_t> &fluents) {
        for (std::uint32_t node = 0; node < source_.first_gate(); ++node) image_[node] = 2 * node;
        for (std::uint32_t fluent = 0; fluent < source_.fluents; ++fluent)
            if (fluents[fluent] != UNKNOWN) image_[fluent] = fluents[fluent] ? pool_.yes() : pool_.no();
    }

    void import(const std::vector<char> &wanted) {
        const std::uint32_t base = source_.first_gate();
        std::vector<Literal> inputs;
        for (std::uint32_t gate = 0; gate < source_.gates(); ++gate) {
            if (!wanted[gate]) continue;
            if (loop_of_[gate] >= 0) {
                gate = import_loop(source_.loops[loop_of_[gate]]);
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

    void take_outputs(StepMode &mode) const {
        for (Literal literal : source_.legal) mode.legal.push_back(now(literal));
        for (Literal literal : source_.next) mode.next.push_back(now(literal));
        mode.terminal = now(source_.terminal);
    }

    bool add_mode(const std::vector<std::int8_t> &values) {
        reset_images(values);
        import(now_);
        StepMode mode;
        for (std::uint32_t role = 0; role < source_.roles(); ++role) {
            const std::int32_t only = only_move(role);
            mode.forced.push_back(only);
            if (only < 0 && mode.chooser >= 0) return false;
            if (only < 0) mode.chooser = static_cast<std::int32_t>(role);
        }
        for (std::uint32_t move = 0; move < source_.moves; ++move) image_[source_.fluents + move] = pool_.no();
        for (std::int32_t only : mode.forced)
            if (only >= 0) image_[source_.fluents + static_cast<std::uint32_t>(only)] = pool_.yes();
        import(later_);
        take_outputs(mode);
        mode.effects.assign(source_.moves, {0, 0, 0, 0});
        if (mode.chooser >= 0) {
            const auto role = static_cast<std::uint32_t>(mode.chooser);
            for (std::uint32_t move = source_.role_begin(role); move < source_.role_ends[role]; ++move) {
                if (visits_ > MOST_VISITS) return false;
                if (mode.legal[move] != pool_.no()) mode.effects[move] = effects_of(move, mode);
            }
        }
        program_.modes.push_back(std::move(mode));
        return true;
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

    // Puts one move and follows what it changes, gate by gate, over the images of no move.
    MoveEffects effects_of(std::uint32_t move, const StepMode &mode) {
        ++stamp_now_;
        changes_.clear();
        put(source_.fluents + move, pool_.yes(), mode);
        queue_.drain([&](std::uint32_t gate) {
            inputs_.clear();
            visits_ += source_.gate_offsets[gate + 1] - source_.gate_offsets[gate];
            for (std::uint32_t at = source_.gate_offsets[gate]; at < source_.gate_offsets[gate + 1]; ++at) {
                const Literal literal = source_.gate_literals[at];
                const std::uint32_t node = literal >> 1;
                inputs_.push_back((changed(node) ? overlay_[node] : image_[node]) ^ (literal & 1));
            }
            const Literal image = pool_.add(inputs_);
            const std::uint32_t node = source_.first_gate() + gate;
            if (image != image_[node]) put(node, image, mode);
        });
        MoveEffects found;
        found.first_word = static_cast<std::uint32_t>(program_.words.size());
        found.first_fluent = static_cast<std::uint32_t>(program_.fluents.size());
        std::sort(changes_.begin(), changes_.end(),
                  [](const FluentEffect &one, const FluentEffect &other) { return one.fluent < other.fluent; });
        for (const FluentEffect &effect : changes_) {
            if (effect.literal != pool_.yes() && effect.literal != pool_.no()) {
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

    void put(std::uint32_t node, Literal image, const StepMode &mode) {
        overlay_[node] = image;
        stamp_[node] = stamp_now_;
        for (std::uint32_t at = reader_offsets_[node]; at < reader_offsets_[node + 1]; ++at) queue_.add(readers_[at]);
        for (std::uint32_t at = next_offsets_[node]; at < next_offsets_[node + 1]; ++at) {
            const std::uint32_t fluent = next_readers_[at];
            const Literal literal = image ^ (source_.next[fluent] & 1);
            if (literal != mode.next[fluent]) changes_.push_back({fluent, literal});
        }
    }

    const Network &source_;
    StepProgram &program_;
    GatePool &pool_;
    std::vector<Literal> image_, overlay_, inputs_;
    std::vector<char> now_, later_;
    std::vector<std::int32_t> loop_of_;
    std::vector<std::uint32_t> reader_offsets_, readers_, next_offsets_, next_readers_, stamp_;
    std::uint32_t stamp_now_ = 0;
    OrderedQueue queue_;
    std::vector<FluentEffect> changes_;
    std::uint64_t visits_ = 0;
    bool moves_reach_loops_ = false;
};

}  // namespace

StepProgram::StepProgram(const Network &network) : pool(network.first_gate()) {
    StepCompiler compiler(network, *this);
    if (compiler.split(find_cycle(network))) return;
    // What was tried is dropped with the pool.
    pool = GatePool(network.first_gate());
    loops.clear();
    cycle = {};
    modes.clear();
    words.clear();
    fluents.clear();
    compiler.join();
}

}  // namespace ludorum
