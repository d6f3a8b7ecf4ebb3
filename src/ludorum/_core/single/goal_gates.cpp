// Goals: one phase of their own.

#include "single/goal_gates.hpp"

#include "single/byte_gates.hpp"

namespace ludorum {

GoalGates::GoalGates(const Network &network) {
    auto program = std::make_shared<Program>();
    LaneLayout layout(network, std::vector<std::uint32_t>(network.moves, zero_slot(network)), first_free_slot(network),
                      {{network.goals}});
    program->phase = layout.next_phase();
    std::vector<char> used(layout.size(), 0);
    for (Literal literal : network.goals) {
        program->goals.push_back(layout.slot(literal));
        used[layout.slot(literal) >> 1] = 1;
    }
    for (std::uint32_t slot : program->phase.inputs) used[slot] = 1;
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent)
        if (used[fluent]) program->fluents.push_back(fluent);
    slots_.assign(layout.size(), 0);
    slots_[one_slot(network)] = 0xFF;
    saved_.resize(program->phase.carried.size());
    program_ = std::move(program);
}

const std::vector<std::uint32_t> &GoalGates::held(const Words &fluents) {
    held_.clear();
    for (std::uint32_t fluent : program_->fluents)
        slots_[fluent] = fluents[fluent / 64] >> (fluent & 63) & 1 ? 0xFF : 0;
    evaluate_bytes(program_->phase, slots_.data(), saved_.data());
    for (std::uint32_t goal = 0; goal < program_->goals.size(); ++goal)
        if ((slots_[program_->goals[goal] >> 1] != 0) != (program_->goals[goal] & 1)) held_.push_back(goal);
    return held_;
}

}  // namespace ludorum
