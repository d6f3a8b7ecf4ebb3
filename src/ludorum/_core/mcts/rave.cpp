// See mcts/rave.hpp; the arithmetic is that of the plain tree.

#include "mcts/rave.hpp"

#include <algorithm>

namespace ludorum::mcts {

namespace {

double mixed(const Edge &edge, const EdgeExtra *other, double constant) {
    if (!other || other->rave_visits == 0) return mean_value(edge, 0.0);
    const auto late = static_cast<double>(other->rave_visits);
    const double late_mean = static_cast<double>(other->rave_points) / (100.0 * late);
    if (get(edge.visits) == 0) return late_mean;
    const auto own = static_cast<double>(get(edge.visits));
    const double share = late / (late + own + late * own / constant);
    return (1.0 - share) * mean_value(edge, 0.0) + share * late_mean;
}

}  // namespace

void rave_of(const Tree &tree, Expansion *expansion, std::uint32_t role, Expansion *reference,
             std::vector<const EdgeExtra *> &later) {
    const Range own = expansion->ranges()[role], other = reference->ranges()[role];
    const Edge *mine = tree.edges(expansion) + own.begin, *theirs = tree.edges(reference) + other.begin;
    later.assign(own.count, nullptr);
    for (std::uint32_t at = 0, there = 0; at < own.count; ++at) {  // both are in the order of moves
        while (there < other.count && theirs[there].move < mine[at].move) ++there;
        if (there < other.count && theirs[there].move == mine[at].move)
            later[at] = &reference->extra[other.begin + there];
    }
}

Selected select_by_rave(const Edge *edges, const std::vector<const EdgeExtra *> &later, double visits,
                        std::int16_t highest, double exploration, double constant, SplitMix64 &random) {
    const auto count = static_cast<std::uint32_t>(later.size());
    auto unknown = [&](std::uint32_t at) {
        return get(edges[at].proven) < 0 && get(edges[at].visits) == 0 &&
               (!later[at] || later[at]->rave_visits == 0);
    };
    std::uint32_t fresh = 0;
    std::int32_t winning = -1;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (winning < 0 && get(edges[at].proven) == highest) winning = static_cast<std::int32_t>(at);
        fresh += unknown(at);
    }
    if (fresh) {
        std::uint32_t left = draw(random, fresh);
        for (std::uint32_t at = 0; at < count; ++at)
            if (unknown(at) && left-- == 0) return {at, winning};
    }
    const double log_visits = std::log(visits);
    std::int32_t sure = -1;
    std::uint32_t open = 0;
    double sure_score = -1.0, open_score = -1.0;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (const std::int16_t proven = get(edges[at].proven); proven >= 0) {
            const double score = static_cast<double>(proven) / 100.0;
            if (score > sure_score) {
                sure = static_cast<std::int32_t>(at);
                sure_score = score;
            }
            continue;
        }
        const auto tried = static_cast<double>(std::max(1u, get(edges[at].visits)));
        const double score = mixed(edges[at], later[at], constant) + exploration * std::sqrt(log_visits / tried);
        if (score > open_score) {
            open = at;
            open_score = score;
        }
    }
    if (open_score < 0.0) return {static_cast<std::uint32_t>(sure < 0 ? 0 : sure), -1};
    return {open, winning >= 0 || sure_score > open_score ? sure : -1};
}

std::uint32_t select_by_regret(EdgeExtra *edges, std::uint32_t count, double exploration, SplitMix64 &random) {
    double total = 0.0;
    for (std::uint32_t at = 0; at < count; ++at) total += std::max(0.0, edges[at].regret);
    const double even = 1.0 / static_cast<double>(count);
    double left = unit_interval(random);
    std::int64_t chosen = -1;
    for (std::uint32_t at = 0; at < count; ++at) {
        const double share = total > 0.0 ? std::max(0.0, edges[at].regret) / total : even;
        edges[at].strategy += share;
        left -= (1.0 - exploration) * share + exploration * even;
        if (left < 0.0 && chosen < 0) chosen = at;
    }
    return static_cast<std::uint32_t>(chosen < 0 ? count - 1 : chosen);
}

}  // namespace ludorum::mcts
