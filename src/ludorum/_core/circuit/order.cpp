// Phases by the outputs that need a gate; order by a greedy list of gates with known inputs.

#include "circuit/order.hpp"

#include <map>
#include <utility>

namespace ludorum {

namespace {

std::vector<char> reached_from(const OrderView &circuit, std::span<const std::int32_t> outputs) {
    std::vector<char> reached(circuit.offsets.size() - 1, 0);
    std::vector<std::int32_t> todo;
    auto reach = [&](std::int32_t literal) {
        const std::int32_t gate = (literal >> 1) - circuit.first_gate;
        if (gate < 0 || reached[gate]) return;
        reached[gate] = 1;
        todo.push_back(gate);
    };
    // A loop is evaluated whole: a gate that needs one gate of it needs them all.
    std::vector<std::int32_t> loop_of(reached.size(), -1);
    for (std::size_t at = 0; at < circuit.loops.size(); at += 2)
        for (std::int32_t gate = circuit.loops[at]; gate <= circuit.loops[at + 1]; ++gate)
            loop_of[gate] = static_cast<std::int32_t>(at);
    for (std::int32_t literal : outputs) reach(literal);
    while (!todo.empty()) {
        const std::int32_t gate = todo.back();
        todo.pop_back();
        if (loop_of[gate] >= 0)
            for (std::int32_t one = circuit.loops[loop_of[gate]]; one <= circuit.loops[loop_of[gate] + 1]; ++one)
                reach(2 * (circuit.first_gate + one));
        for (std::int32_t at = circuit.offsets[gate]; at < circuit.offsets[gate + 1]; ++at)
            reach(circuit.literals[at]);
    }
    return reached;
}

// Gates, a loop counting as one, taken when all they need has been taken.
class ReadyList {
  public:
    ReadyList(const OrderView &circuit, std::span<const std::int32_t> phases) : circuit_(circuit), phases_(phases) {
        const auto gates = static_cast<std::int32_t>(circuit.offsets.size()) - 1;
        unit_.resize(gates);
        for (std::int32_t gate = 0; gate < gates; ++gate) unit_[gate] = gate;
        last_ = unit_;
        for (std::size_t at = 0; at < circuit.loops.size(); at += 2) {
            last_[circuit.loops[at]] = circuit.loops[at + 1];
            for (std::int32_t gate = circuit.loops[at]; gate <= circuit.loops[at + 1]; ++gate)
                unit_[gate] = circuit.loops[at];
        }
        missing_.assign(gates, 0);
        first_user_.assign(gates + 1, 0);
        each_need([&](std::int32_t needed, std::int32_t user) {
            ++missing_[user];
            ++first_user_[needed + 1];
        });
        for (std::int32_t gate = 0; gate < gates; ++gate) first_user_[gate + 1] += first_user_[gate];
        users_.resize(first_user_.back());
        std::vector<std::int32_t> filled(first_user_.begin(), first_user_.end() - 1);
        each_need([&](std::int32_t needed, std::int32_t user) { users_[filled[needed]++] = user; });
    }

    std::vector<std::int32_t> run() {
        for (std::int32_t phase = 0; phase < 3; ++phase) {
            for (std::size_t gate = 0; gate < unit_.size(); ++gate)
                if (unit_[gate] == static_cast<std::int32_t>(gate) && phases_[gate] == phase && !missing_[gate])
                    ready_[shape(gate)].push_back(gate);
            phase_ = phase;
            while (take()) {
            }
        }
        return order_;
    }

  private:
    using Shape = std::pair<std::int32_t, std::int32_t>;

    template <class Visit>
    void each_need(Visit visit) const {
        for (std::size_t gate = 0; gate < unit_.size(); ++gate)
            for (std::int32_t at = circuit_.offsets[gate]; at < circuit_.offsets[gate + 1]; ++at) {
                const std::int32_t needed = (circuit_.literals[at] >> 1) - circuit_.first_gate;
                if (needed >= 0 && unit_[needed] != unit_[gate]) visit(unit_[needed], unit_[gate]);
            }
    }

    // Loops have shapes of their own, so that no run takes them in.
    Shape shape(std::int32_t gate) const {
        if (last_[gate] > gate) return {-1, gate};
        Shape found{0, 0};
        for (std::int32_t at = circuit_.offsets[gate]; at < circuit_.offsets[gate + 1]; ++at)
            ++(circuit_.literals[at] & 1 ? found.second : found.first);
        return found;
    }

    // Takes all gates of the shape most of the ready ones have; gates that become ready by it may join.
    bool take() {
        auto best = ready_.end();
        for (auto it = ready_.begin(); it != ready_.end(); ++it)
            if (best == ready_.end() || it->second.size() > best->second.size()) best = it;
        if (best == ready_.end()) return false;
        const Shape chosen = best->first;
        for (std::size_t at = 0; at < ready_[chosen].size(); ++at) emit(ready_[chosen][at]);
        ready_.erase(chosen);
        return true;
    }

    void emit(std::int32_t unit) {
        for (std::int32_t gate = unit; gate <= last_[unit]; ++gate) order_.push_back(gate);
        for (std::int32_t at = first_user_[unit]; at < first_user_[unit + 1]; ++at)
            if (--missing_[users_[at]] == 0 && phases_[users_[at]] == phase_)
                ready_[shape(users_[at])].push_back(users_[at]);
    }

    const OrderView &circuit_;
    std::span<const std::int32_t> phases_;
    std::vector<std::int32_t> unit_, last_, missing_, first_user_, users_, order_;
    std::map<Shape, std::vector<std::int32_t>> ready_;
    std::int32_t phase_ = 0;
};

}  // namespace

std::vector<std::int32_t> gate_phases(const OrderView &circuit, std::span<const std::int32_t> state_outputs,
                                      std::span<const std::int32_t> goal_outputs,
                                      std::span<const std::int32_t> next_outputs) {
    const std::vector<char> state = reached_from(circuit, state_outputs);
    const std::vector<char> goals = reached_from(circuit, goal_outputs);
    const std::vector<char> next = reached_from(circuit, next_outputs);
    std::vector<std::int32_t> phases(state.size());
    for (std::size_t gate = 0; gate < state.size(); ++gate)
        phases[gate] = state[gate] || (goals[gate] && next[gate]) ? 0 : goals[gate] ? 1 : 2;
    return phases;
}

std::vector<std::int32_t> gate_order(const OrderView &circuit, std::span<const std::int32_t> phases) {
    return ReadyList(circuit, phases).run();
}

}  // namespace ludorum
