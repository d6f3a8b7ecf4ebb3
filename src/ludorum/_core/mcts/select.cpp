// Selection; see mcts/select.hpp.

#include "mcts/select.hpp"

#include <algorithm>
#include <bit>

namespace ludorum::mcts {

namespace {

bool untried(const Edge &edge) {
    return get(edge.proven) < 0 && get(edge.visits) == 0 && get(edge.pending) == 0;
}

// Of numbers that are not negative the larger has the larger bits.
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// 1 / sqrt(x) to five digits: a guess from the exponent, and two steps of Newton's.
float reciprocal_root(float x) {
    float root = float_of(0x5F3759DFu - (bits_of(x) >> 1));
    const float half = 0.5f * x;
    root *= 1.5f - half * root * root;
    return root * (1.5f - half * root * root);
}

// Other threads may try moves meanwhile: where fewer are left than were counted, the last one found serves.
Selected any_untried(const Edge *edges, std::uint32_t count, std::uint32_t fresh, std::int32_t winning,
                     SplitMix64 &random) {
    std::uint32_t left = draw(random, fresh), found = 0;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (!untried(edges[at])) continue;
        found = at;
        if (left-- == 0) break;
    }
    return {found, winning};
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
    if (fresh && std::isinf(parameters.first_play)) return any_untried(edges, count, fresh, winning, random);
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
    if (fresh && open_score < mean + parameters.first_play) return any_untried(edges, count, fresh, winning, random);
    if (open_score < 0.0) return {static_cast<std::uint32_t>(sure < 0 ? 0 : sure), -1};
    return {open, winning >= 0 || sure_score > open_score ? sure : -1};
}

Selected select_quickly(const Edge *edges, std::uint32_t count, double visits, double mean, std::int16_t highest,
                        const SelectParameters &parameters, SplitMix64 &random) {
    const auto loss = static_cast<float>(parameters.virtual_loss);
    const float weight =
        static_cast<float>(parameters.exploration) * std::sqrt(std::log(std::max(1.0f, static_cast<float>(visits))));
    std::uint32_t fresh = 0;
    std::int32_t sure = -1, winning = -1;
    std::int16_t sure_value = UNKNOWN;
    std::uint64_t best = 0;  // score and place in one number: the largest is found without a branch to guess
    for (std::uint32_t at = 0; at < count; ++at) {
        const Edge &edge = edges[at];
        if (const std::int16_t proven = get(edge.proven); proven >= 0) {
            if (proven == highest && winning < 0) winning = static_cast<std::int32_t>(at);
            if (proven > sure_value) {
                sure = static_cast<std::int32_t>(at);
                sure_value = proven;
            }
            continue;
        }
        const std::uint32_t played = get(edge.visits), pending = get(edge.pending);
        if (played + pending == 0) {
            ++fresh;
            continue;
        }
        const float root = reciprocal_root(static_cast<float>(played + pending));
        const float counted = static_cast<float>(played) + loss * static_cast<float>(pending);
        const float share = pending == 0 || loss == 1.0f ? root * root : counted > 0 ? 1.0f / counted : 0.0f;
        const float score = 0.01f * static_cast<float>(get(edge.points)) * share + weight * root;
        best = std::max(best, static_cast<std::uint64_t>(bits_of(score)) << 32 | (UINT32_MAX - at));
    }
    const std::uint32_t open = UINT32_MAX - static_cast<std::uint32_t>(best);
    const float open_score = best ? float_of(static_cast<std::uint32_t>(best >> 32)) : -1.0f;
    if (fresh && open_score < mean + parameters.first_play) return any_untried(edges, count, fresh, winning, random);
    if (open_score < 0.0f) return {static_cast<std::uint32_t>(sure < 0 ? 0 : sure), -1};
    return {open, winning >= 0 || 0.01f * sure_value > open_score ? sure : -1};
}

}  // namespace ludorum::mcts
