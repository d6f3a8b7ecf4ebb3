// Least fixed points of loops.

#include "single/loop_gates.hpp"

namespace ludorum {

LoopGates::LoopGates(std::uint32_t first_node, std::vector<std::pair<std::uint32_t, std::uint32_t>> loops,
                     const std::vector<std::uint32_t> &offsets, const std::vector<Literal> &literals)
    : base_(first_node), loops_(std::move(loops)), offsets_(offsets), literals_(literals) {
    if (loops_.empty()) return;
    loop_of_.assign(offsets.size() - 1, -1);
    readers_.resize(loop_of_.size());
    for (std::size_t loop = 0; loop < loops_.size(); ++loop)
        for (std::uint32_t gate = loops_[loop].first; gate <= loops_[loop].second; ++gate)
            loop_of_[gate] = static_cast<std::int32_t>(loop);
    for (auto [first, last] : loops_)
        for (std::uint32_t gate = first; gate <= last; ++gate)
            for (std::uint32_t at = offsets[gate]; at < offsets[gate + 1]; ++at) {
                const std::uint32_t node = literals[at] >> 1;
                if (node >= base_ + first && node <= base_ + last) readers_[node - base_].push_back(gate);
            }
}

// One pass over all gates from false, then only over those whose inputs in the loop have changed.
const std::vector<std::uint32_t> &LoopGates::evaluate(std::size_t loop, std::vector<std::uint8_t> &truth) {
    const auto [first, last] = loops_[loop];
    const std::uint32_t count = last - first + 1;
    std::uint8_t *const own = truth.data() + 2 * (base_ + first);
    before_.resize(count);
    for (std::uint32_t at = 0; at < count; ++at) {
        before_[at] = own[2 * at];
        own[2 * at] = 0;
        own[2 * at + 1] = 1;
    }
    dirty_.assign(count, 1);
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t at = 0; at < count; ++at) {
            if (!dirty_[at]) continue;
            dirty_[at] = 0;
            const std::uint32_t gate = first + at;
            std::uint8_t value = 1;
            for (std::uint32_t place = offsets_[gate]; value && place < offsets_[gate + 1]; ++place)
                value = truth[literals_[place]];
            if (value == own[2 * at]) continue;
            own[2 * at] = value;
            own[2 * at + 1] = value ^ 1;
            for (std::uint32_t reader : readers_[gate]) {
                dirty_[reader - first] = 1;
                again |= reader <= gate;
            }
        }
    }
    changed_.clear();
    for (std::uint32_t at = 0; at < count; ++at)
        if (own[2 * at] != before_[at]) changed_.push_back(base_ + first + at);
    return changed_;
}

}  // namespace ludorum
