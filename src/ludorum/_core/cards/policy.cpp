// See cards/policy.hpp.

#include "cards/policy.hpp"

#include <algorithm>

namespace ludorum::cards {

namespace {

std::vector<Outcome> outcomes(const Program &program, const Valuation &valuation, const std::uint8_t *world,
                              std::uint64_t seed) {
    std::vector<std::uint64_t> memory(program.bytes / 8);
    Table table(program, reinterpret_cast<std::uint8_t *>(memory.data()));
    std::memcpy(table.memory(), world, program.bytes);
    SplitMix64 random(seed);
    table.run(random);
    if (!table.is_asked()) return {};
    return Judge(program, valuation, static_cast<std::uint32_t>(table.head(Table::WHO))).outcomes(table, seed, false);
}

}  // namespace

std::vector<std::pair<std::int32_t, double>> preferences(const Program &program, const Valuation &valuation,
                                                         const std::function<const std::uint8_t *()> &next_world,
                                                         std::uint64_t count, std::uint64_t seed,
                                                         const std::function<bool()> &stop) {
    SplitMix64 luck(seed);
    std::vector<std::pair<std::int32_t, double>> sums;
    double worlds = 0;
    for (std::uint64_t at = 0; at < count && !(at > 0 && stop()); ++at) {
        const std::vector<Outcome> found = outcomes(program, valuation, next_world(), luck.next());
        if (found.empty()) continue;
        if (sums.empty())
            for (const Outcome &one : found) sums.emplace_back(one.option, 0);
        for (std::size_t option = 0; option < std::min(sums.size(), found.size()); ++option)
            sums[option].second += found[option].value;
        worlds += 1;
    }
    for (auto &[option, sum] : sums) sum /= worlds;
    return sums;
}

Policy::Policy(const Program &program, const Valuation &valuation)
    : program_(program), valuation_(valuation), memory_(program.bytes / 8) {
    valuation_.role_mismatch = IGNORE;
    valuation_.active_only = false;
    for (const Heuristic &one : valuation.heuristics) {
        std::vector<std::int32_t> role;
        for (const auto &conditions : one.conditions)
            for (const Condition &condition : conditions)
                if (condition.kind == ROLE) role.push_back(condition.pc);
        std::sort(role.begin(), role.end());
        const auto found = std::find(roles_.begin(), roles_.end(), role);
        role_of_.push_back(static_cast<std::size_t>(found - roles_.begin()));
        if (found == roles_.end()) roles_.push_back(role);
    }
    means_.resize(program.players * (roles_.size() + 1) * program.rank_of.size());
}

void Policy::look(const std::uint8_t *world) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    for (std::uint32_t who = 0; who < program_.players; ++who) {
        for (const Instance &one : Judge(program_, valuation_, who).instances(table)) {
            const double weight = valuation_.heuristics[one.heuristic].weight, far = 1.0 + one.count;
            means_[at(who, none(), one.cards[0])].add(weight / (far * far));
            if (one.count == 0) means_[at(who, role_of_[one.heuristic], one.cards[0])].add(weight);
        }
    }
}

std::size_t Policy::role(Table &table, std::uint32_t who) const {
    const auto &seats = valuation_.seats;
    for (std::size_t seat = 0; seat < seats.size(); ++seat)
        table.slot(static_cast<std::size_t>(seats[seat])) =
            static_cast<std::int32_t>((who + seat) % program_.players) << 3 | PLAYER;
    std::size_t found = 0;
    while (found < roles_.size() && !std::all_of(roles_[found].begin(), roles_[found].end(),
                                                 [&](std::int32_t pc) { return table.evaluate(pc) == TRUE_CODE; }))
        ++found;
    for (std::int32_t slot : seats) table.slot(static_cast<std::size_t>(slot)) = UNSET;
    return found;
}

double Policy::gain(std::uint32_t who, std::size_t role, std::int32_t card) const {
    return role == none() ? 0 : means_[at(who, role, card)].value();
}

double Policy::keep(std::uint32_t who, std::int32_t card) const { return means_[at(who, none(), card)].value(); }

}  // namespace ludorum::cards
