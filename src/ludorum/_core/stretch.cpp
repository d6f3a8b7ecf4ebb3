// From runs of gates and slots to values that are defined once, and their order.

#include "stretch.hpp"

#include <unordered_map>
#include <utility>

namespace ludorum {

Stretch read_stretch(const LanePhase &phase, const Segment &segment, const LiveSlots &after, const SlotMap &map) {
    Stretch stretch;
    auto each = [&](auto visit) { each_gate(phase, segment.first_run, segment.end_run, visit); };
    auto size = [](const auto &list) { return static_cast<std::uint32_t>(list.size()); };
    std::vector<std::uint32_t> value_in(after.size(), Stretch::NOWHERE);  // by slot
    std::vector<char> written(after.size(), 0);
    each([&](const LaneRun &run, const std::uint32_t *in, std::uint32_t to) {
        for (std::uint32_t i = 0; i < run.positive + run.negative; ++i) {
            const std::uint32_t slot = in[i] / map.slot_bytes;
            if (written[slot] || value_in[slot] != Stretch::NOWHERE) continue;
            value_in[slot] = size(stretch.inputs);
            stretch.inputs.push_back(in[i]);
        }
        written[to / map.slot_bytes] = 1;
    });
    each([&](const LaneRun &run, const std::uint32_t *in, std::uint32_t to) {
        const std::uint32_t first = size(stretch.terms);
        for (std::uint32_t i = 0; i < run.positive + run.negative; ++i)
            stretch.terms.push_back(2 * value_in[in[i] / map.slot_bytes] + (i >= run.positive));
        value_in[to / map.slot_bytes] = stretch.values();
        stretch.gates.push_back({first, size(stretch.terms), Stretch::ALL, run.flip != 0});
    });
    for (std::uint32_t slot = 0; slot < after.size(); ++slot)
        if (after[slot] && written[slot]) stretch.gates[stretch.gate_of(value_in[slot])].home = slot * map.slot_bytes;
    return stretch;
}

// Depth first from what goes to slots. A gate that writes over an input waits for those who read it.
std::vector<std::uint32_t> order_stretch(const Stretch &stretch) {
    std::unordered_map<std::uint32_t, std::uint32_t> input_at;
    for (std::uint32_t input = 0; input < stretch.inputs.size(); ++input) input_at[stretch.inputs[input]] = input;
    std::vector<std::vector<std::uint32_t>> readers(stretch.inputs.size());
    for (std::uint32_t gate = 0; gate < stretch.gates.size(); ++gate)
        for (std::uint32_t at = stretch.gates[gate].first; at < stretch.gates[gate].end; ++at)
            if (const std::uint32_t value = stretch.terms[at] / 2; stretch.is_input(value)) readers[value].push_back(gate);
    struct Frame {
        std::uint32_t gate;
        std::vector<std::uint32_t> needs;
        std::size_t at = 0;
    };
    std::vector<Frame> stack;
    std::vector<char> seen(stretch.gates.size(), 0);
    auto open = [&](std::uint32_t number) {
        seen[number] = 1;
        const Stretch::Gate &gate = stretch.gates[number];
        Frame frame{number, {}};
        for (std::uint32_t at = gate.first; at < gate.end; ++at)
            if (const std::uint32_t value = stretch.terms[at] / 2; !stretch.is_input(value))
                frame.needs.push_back(stretch.gate_of(value));
        if (auto over = input_at.find(gate.home); over != input_at.end())
            frame.needs.insert(frame.needs.end(), readers[over->second].begin(), readers[over->second].end());
        stack.push_back(std::move(frame));
    };
    std::vector<std::uint32_t> order;
    for (std::uint32_t root = 0; root < stretch.gates.size(); ++root) {
        if (stretch.gates[root].home == Stretch::NOWHERE || seen[root]) continue;
        open(root);
        while (!stack.empty()) {
            Frame &frame = stack.back();
            if (frame.at == frame.needs.size()) {
                order.push_back(frame.gate);
                stack.pop_back();
            } else if (const std::uint32_t need = frame.needs[frame.at++]; !seen[need]) {
                open(need);
            }
        }
    }
    return order;
}

}  // namespace ludorum
