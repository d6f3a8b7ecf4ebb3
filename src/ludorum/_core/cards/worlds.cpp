// See cards/worlds.hpp.

#include "cards/worlds.hpp"

#include <algorithm>

namespace ludorum::cards {

Worlds::Worlds(const Program &program, Dealing dealing, std::size_t pool, std::uint64_t seed)
    : program_(program), dealing_(std::move(dealing)), random_(seed), memory_(program.bytes / 8) {
    Table table(program_, dealing_.table.data());
    for (const std::vector<std::int32_t> &kind : dealing_.kinds)
        for (std::int32_t hidden : kind) {
            const auto card = static_cast<std::uint32_t>(hidden);
            for (std::int32_t owner : dealing_.owners)
                table.mask(static_cast<std::size_t>(owner))[card / 64] &= ~(1ull << (card & 63));
            table.mask(static_cast<std::size_t>(program_.pack))[card / 64] &= ~(1ull << (card & 63));
        }
    if (dealing_.evidence.empty() && dealing_.sayings.empty()) return;
    double sum = 0, squares = 0;
    for (std::size_t at = 0; at < pool; ++at) {
        seeds_.push_back(random_.next());
        deal(seeds_.back());
        const double likely = likelihood();
        sum += likely;
        squares += likely * likely;
        sums_.push_back(sum);
    }
    effective_ = squares > 0 ? sum * sum / squares : 0;
    if (sum <= 0) sums_.clear();  // no world explains the observations: all count alike
}

const Amount &Worlds::draw_amount(std::int32_t lot, SplitMix64 &random) const {
    const std::vector<Amount> &rows = dealing_.lots[static_cast<std::size_t>(lot)];
    if (rows.size() == 1) return rows[0];
    const double wanted = static_cast<double>(random.next() >> 11) * 0x1p-53;
    std::size_t at = 0;
    while (at + 1 < rows.size() && wanted >= rows[at].up_to) ++at;
    return rows[at];
}

void Worlds::deal(std::uint64_t seed) {
    SplitMix64 random(seed), shares(random.next());
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), dealing_.table.data(), program_.bytes);
    std::int32_t lot = 0;
    for (const std::vector<std::int32_t> &kind : dealing_.kinds) {
        cards_ = kind;
        std::size_t at = 0;
        for (std::int32_t owner : dealing_.owners) {
            const Amount &drawn = draw_amount(lot, shares);
            lot = drawn.next;
            for (std::int32_t left = drawn.amount; left > 0; --left, ++at) {
                std::swap(cards_[at], cards_[at + random.below(cards_.size() - at)]);
                const auto card = static_cast<std::uint32_t>(cards_[at]);
                table.mask(static_cast<std::size_t>(owner))[card / 64] |= 1ull << (card & 63);
            }
        }
        for (; at < cards_.size(); ++at) {
            const auto card = static_cast<std::uint32_t>(cards_[at]);
            table.mask(static_cast<std::size_t>(program_.pack))[card / 64] |= 1ull << (card & 63);
        }
    }
    for (std::int32_t owner : dealing_.owners) resize(table, static_cast<std::size_t>(owner));
    resize(table, static_cast<std::size_t>(program_.pack));
}

// A place is as large as the cards it has been dealt.
void Worlds::resize(Table &table, std::size_t place) const {
    table.length(place) = static_cast<std::uint16_t>(table.count(place));
    table.recount(place);
}

// The likelihood of the choices of the other players in the present world.
double Worlds::likelihood() const {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(memory_.data());
    Table table(program_, const_cast<std::uint8_t *>(bytes));
    double found = 1;
    for (const Evidence &one : dealing_.evidence) {
        const std::uint64_t *hand = table.mask(static_cast<std::size_t>(dealing_.owners[one.owner]));
        double fitting = 0, worth = 0, size = 0;
        for (std::uint32_t word = 0; word < program_.words; ++word)
            for (std::uint64_t bits = hand[word] & one.mask.words[word]; bits; bits &= bits - 1) {
                const std::size_t card = 64 * word + static_cast<std::uint32_t>(__builtin_ctzll(bits));
                fitting += 1;
                worth += one.worth[card];
            }
        for (std::uint32_t word = 0; word < program_.words; ++word)
            size += __builtin_popcountll(hand[word]);
        const double then = size > 0 ? 1 - std::min(1.0, one.since / size) : 0;  // chance that a card was there
        double thinking = one.chosen / (one.known + then * worth);
        if (one.passed && one.since > 0) {
            double none = 1;  // the chance that all cards that fit came later
            for (double at = 0; at < fitting; ++at) none *= std::max(0.0, (one.since - at) / (size - at));
            thinking = none + (1 - none) * one.chosen / (one.known + worth);
        }
        found *= one.random_share / (one.count + then * fitting) + (1 - one.random_share) * thinking;
    }
    for (const Saying &one : dealing_.sayings) {
        const std::uint64_t *hand = table.mask(static_cast<std::size_t>(dealing_.owners[one.owner]));
        found *= one.likely[kind_of_sum(one.limits, one.left + sum_of(program_, hand, one.worth))];
    }
    return found;
}

const std::uint8_t *Worlds::draw() {
    std::uint64_t seed = random_.next();
    if (!sums_.empty()) {
        const double wanted = static_cast<double>(seed >> 11) * 0x1p-53 * sums_.back();
        const auto at = std::upper_bound(sums_.begin(), sums_.end() - 1, wanted) - sums_.begin();
        seed = seeds_[static_cast<std::size_t>(at)];
    }
    deal(seed);
    return reinterpret_cast<const std::uint8_t *>(memory_.data());
}

}  // namespace ludorum::cards
