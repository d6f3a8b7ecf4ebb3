// Selection; see mcts_select.hpp.

#include "mcts_select.hpp"

#include <algorithm>

namespace ludorum::mcts {

namespace {

bool untried(const Edge &edge) {
    return get(edge.proven) < 0 && get(edge.visits) == 0 && get(edge.pending) == 0;
}

}  // namespace

Selected select(const Edge *edges, std::uint32_t count, double visits, double mean, std::int16_t highest,
                const SelectParameters &parameters, SplitMix64 &random) {
    std::uint32_t fresh = 0;
    std::int32_t winning = -1;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (winning < 0 && get(edges[at].proven) == highest) winning = static_cast<std::int32_t>(at);
        fresh += untried(edges[at]);
    }
    auto any_fresh = [&]() -> Selected {
        std::uint32_t left = draw(random, fresh), at = 0;
        while (!untried(edges[at]) || left-- > 0) ++at;
        return {at, winning};
    };
    if (fresh && std::isinf(parameters.first_play)) return any_fresh();
    const double log_visits = std::log(std::max(1.0, visits));
    std::int32_t sure = -1;
    std::uint32_t open = 0;
    double sure_score = -1.0, open_score = -1.0;
    for (std::uint32_t at = 0; at < count; ++at) {
        const Edge &edge = edges[at];
        if (const std::int16_t proven = get(edge.proven); proven >= 0) {
            const double score = static_cast<double>(proven) / 100.0;
            if (score > sure_score) {
                sure = static_cast<std::int32_t>(at);
                sure_score = score;
            }
            continue;
        }
        const double tried = static_cast<double>(get(edge.visits)) + static_cast<double>(get(edge.pending));
        if (tried == 0.0) continue;
        const double score =
            mean_value(edge, parameters.virtual_loss) + parameters.exploration * std::sqrt(log_visits / tried);
        if (score > open_score) {
            open = at;
            open_score = score;
        }
    }
    if (fresh && open_score < mean + parameters.first_play) return any_fresh();
    if (open_score < 0.0) return {static_cast<std::uint32_t>(sure < 0 ? 0 : sure), -1};
    return {open, winning >= 0 || sure_score > open_score ? sure : -1};
}

}  // namespace ludorum::mcts
