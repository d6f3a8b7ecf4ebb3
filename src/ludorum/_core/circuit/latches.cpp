// Fluents that never go back: evaluation in three values, many fluents at once, each bit a world of its own.

#include "circuit/latches.hpp"

#include <algorithm>
#include <array>

namespace ludorum {

namespace {

constexpr std::size_t WORDS = 8;
constexpr std::int32_t AT_ONCE = 64 * WORDS;

using Worlds = std::array<std::uint64_t, WORDS>;

// In which worlds a node holds for certain, and in which it can hold.
struct Known {
    Worlds must, may;
    bool operator==(const Known &) const = default;
};

constexpr Known never() { return {}; }

Known unknown() {
    Known found = never();
    found.may.fill(~0ull);
    return found;
}

Known always() {
    Known found = unknown();
    found.must = found.may;
    return found;
}

class Worldly {
  public:
    explicit Worldly(const OrderView &circuit)
        : circuit_(circuit), gates_(static_cast<std::int32_t>(circuit.offsets.size()) - 1),
          nodes_(circuit.first_gate + gates_, never()), last_(gates_) {
        for (std::int32_t gate = 0; gate < gates_; ++gate) last_[gate] = gate;
        for (std::size_t at = 0; at < circuit.loops.size(); at += 2) last_[circuit.loops[at]] = circuit.loops[at + 1];
    }

    // Which of the fluents from `first` on keep this value once they have it, in every state.
    void find(std::int32_t first, std::int32_t end, std::int32_t sign, std::span<const std::int32_t> next,
              std::vector<std::int32_t> &found) {
        std::fill_n(nodes_.begin(), circuit_.first_gate - 1, unknown());
        nodes_[circuit_.first_gate - 1] = always();
        std::fill(nodes_.begin() + circuit_.first_gate, nodes_.end(), never());
        for (std::int32_t fluent = first; fluent < end; ++fluent) {
            const std::uint64_t world = 1ull << ((fluent - first) & 63);
            if (sign)
                nodes_[fluent].may[(fluent - first) / 64] ^= world;
            else
                nodes_[fluent].must[(fluent - first) / 64] |= world;
        }
        evaluate();
        for (std::int32_t fluent = first; fluent < end; ++fluent) {
            const Known &after = nodes_[next[fluent] >> 1];
            const std::size_t word = (fluent - first) / 64;
            const std::uint64_t certain = (next[fluent] ^ sign) & 1 ? ~after.may[word] : after.must[word];
            if (certain >> ((fluent - first) & 63) & 1) found.push_back(2 * fluent + sign);
        }
    }

  private:
    void evaluate() {
        for (std::int32_t gate = 0; gate < gates_; gate = last_[gate] + 1)
            for (bool again = true; again;) {
                again = false;
                for (std::int32_t at = gate; at <= last_[gate]; ++at) {
                    const Known value = value_of(at);
                    Known &known = nodes_[circuit_.first_gate + at];
                    again |= last_[gate] > gate && !(value == known);
                    known = value;
                }
            }
    }

    Known value_of(std::int32_t gate) const {
        Known value = always();
        for (std::int32_t at = circuit_.offsets[gate]; at < circuit_.offsets[gate + 1]; ++at) {
            const std::int32_t literal = circuit_.literals[at];
            const Known &input = nodes_[literal >> 1];
            for (std::size_t word = 0; word < WORDS; ++word) {
                value.must[word] &= literal & 1 ? ~input.may[word] : input.must[word];
                value.may[word] &= literal & 1 ? ~input.must[word] : input.may[word];
            }
        }
        return value;
    }

    const OrderView &circuit_;
    std::int32_t gates_;
    std::vector<Known> nodes_;
    std::vector<std::int32_t> last_;  // of the loop that begins at a gate; the gate itself elsewhere
};

}  // namespace

std::vector<std::int32_t> find_latches(const OrderView &circuit, std::span<const std::int32_t> next,
                                       const std::function<void()> &poll) {
    Worldly worlds(circuit);
    const auto fluents = static_cast<std::int32_t>(next.size());
    std::vector<std::int32_t> found;
    for (std::int32_t first = 0; first < fluents; first += AT_ONCE)
        for (std::int32_t sign : {0, 1}) {
            poll();
            worlds.find(first, std::min(first + AT_ONCE, fluents), sign, next, found);
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace ludorum
