// Reads and checks the arguments of card games that come from Python; see cards/bind.hpp.

#include "cards/bind.hpp"

#include "cards/check.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace nb = nanobind;

namespace ludorum::cards {

using Numbers = std::vector<std::int32_t>;

Program read_program(const nb::dict &parts) {
    Program program;
    auto number = [&](const char *name) { return nb::cast<std::int32_t>(parts[name]); };
    auto list = [&](const char *name) { return nb::cast<Numbers>(parts[name]); };
    program.code = list("code");
    program.initial = list("initial");
    program.players = static_cast<std::uint32_t>(number("players"));
    program.places = static_cast<std::uint32_t>(number("places"));
    program.templates = static_cast<std::uint32_t>(number("templates"));
    program.stack = number("stack");
    program.discard = number("discard");
    program.pack = number("pack");
    program.bottom = number("bottom");
    program.score = number("score");
    program.remaining = number("remaining");
    program.middle = number("middle");
    program.passed = number("passed");
    program.team = number("team");
    program.dealt = number("dealt");
    program.index = number("index");
    program.recycle = nb::cast<bool>(parts["recycle"]);
    program.recycle_slot = number("recycle_slot");
    program.most_decisions = number("most_decisions");
    program.kind_of = list("kind_of");
    program.rank_of = list("rank_of");
    program.suit_of = list("suit_of");
    program.suits = list("suits");
    program.rank_codes = list("rank_codes");
    program.rank_values = list("rank_values");
    program.points = list("points");
    program.low_values = list("low_values");
    check_parts(program);
    program.prepare();
    check_code(program);
    return program;
}

// Whether no way through the lots gives out more cards of a kind than there are. The lots that can be drawn at a step
// are followed together, each with the most cards that may have been given out before.
static bool fits(const Dealing &dealing) {
    std::map<std::int32_t, std::int64_t> now{{0, 0}};
    for (const Numbers &kind : dealing.kinds) {
        for (auto &[lot, gone] : now) gone = 0;
        for (std::size_t owner = 0; owner < dealing.owners.size(); ++owner) {
            std::map<std::int32_t, std::int64_t> later;
            for (const auto &[lot, gone] : now) {
                if (lot < 0 || static_cast<std::size_t>(lot) >= dealing.lots.size()) return false;
                for (const Amount &one : dealing.lots[static_cast<std::size_t>(lot)]) {
                    if (one.amount < 0 || gone + one.amount > static_cast<std::int64_t>(kind.size())) return false;
                    std::int64_t &most = later[one.next];
                    most = std::max(most, gone + one.amount);
                }
            }
            now.swap(later);
        }
    }
    return true;
}

Dealing read_dealing(const Program &program, const nb::dict &parts, const std::vector<std::uint8_t> &table) {
    Dealing dealing;
    dealing.table = table;
    dealing.owners = nb::cast<Numbers>(parts["owners"]);
    dealing.kinds = nb::cast<std::vector<Numbers>>(parts["kinds"]);
    const auto lots = nb::cast<std::vector<std::vector<std::tuple<std::int32_t, double, std::int32_t>>>>(parts["lots"]);
    auto refuse = [](bool wrong) {
        if (wrong) throw std::invalid_argument("this dealing does not fit the game");
    };
    for (std::int32_t owner : dealing.owners) refuse(owner < 0 || static_cast<std::uint32_t>(owner) >= program.places);
    for (const Numbers &kind : dealing.kinds)
        for (std::int32_t card : kind) refuse(card < 0 || static_cast<std::uint32_t>(card) >= program.cards);
    for (const auto &rows : lots) {
        std::vector<Amount> &lot = dealing.lots.emplace_back();
        for (const auto &[amount, up_to, next] : rows) lot.push_back({amount, up_to, next});
        refuse(lot.empty());
    }
    refuse(!fits(dealing));
    check_hidden(program, dealing);
    for (const nb::handle &row : nb::cast<nb::list>(parts["evidence"])) {
        const auto one = nb::cast<nb::dict>(row);
        Evidence seen;
        seen.owner = nb::cast<std::uint32_t>(one["owner"]);
        seen.chosen = nb::cast<double>(one["chosen"]);
        seen.known = nb::cast<double>(one["known"]);
        seen.count = nb::cast<double>(one["count"]);
        seen.random_share = nb::cast<double>(one["random_share"]);
        seen.since = nb::cast<double>(one["since"]);
        seen.passed = nb::cast<bool>(one["passed"]);
        seen.worth.assign(program.cards, 0);
        refuse(seen.owner >= dealing.owners.size() || !(seen.known > 0) || !(seen.count > 0));
        for (const auto &[card, worth] : nb::cast<std::map<std::uint32_t, double>>(one["worth"])) {
            refuse(card >= program.cards || !(worth >= 0));
            seen.mask.words[card / 64] |= 1ull << (card & 63);
            seen.worth[card] = worth;
        }
        dealing.evidence.push_back(std::move(seen));
    }
    for (const nb::handle &row : nb::cast<nb::list>(parts["sayings"])) {
        const auto one = nb::cast<nb::dict>(row);
        Saying said;
        said.owner = nb::cast<std::uint32_t>(one["owner"]);
        said.worth = nb::cast<Numbers>(one["worth"]);
        said.left = nb::cast<std::int64_t>(one["left"]);
        said.limits = nb::cast<Numbers>(one["limits"]);
        said.likely = nb::cast<std::vector<double>>(one["likely"]);
        refuse(said.owner >= dealing.owners.size() || said.worth.size() != program.cards);
        refuse(said.likely.size() != said.limits.size() + 1);
        for (double likely : said.likely) refuse(!(likely >= 0));
        dealing.sayings.push_back(std::move(said));
    }
    return dealing;
}

Habits read_habits(const Program &program, const nb::dict &parts) {
    Habits habits;
    habits.worth = nb::cast<Numbers>(parts["worth"]);
    habits.limits = nb::cast<std::vector<Numbers>>(parts["limits"]);
    auto refuse = [](bool wrong) {
        if (wrong) throw std::invalid_argument("these habits do not fit the game");
    };
    refuse(habits.worth.size() != program.cards || habits.limits.empty());
    const std::size_t kinds = habits.limits[0].size() + 1;
    for (const Numbers &limits : habits.limits) refuse(limits.size() + 1 != kinds);
    for (const nb::handle &row : nb::cast<nb::list>(parts["rows"])) {
        const auto one = nb::cast<nb::dict>(row);
        Habit habit;
        habit.player = nb::cast<std::int32_t>(one["player"]);
        habit.node = nb::cast<std::int32_t>(one["node"]);
        habit.options = nb::cast<Numbers>(one["options"]);
        habit.trust = nb::cast<std::vector<double>>(one["trust"]);
        habit.chances = nb::cast<std::vector<std::vector<double>>>(one["chances"]);
        refuse(habit.trust.size() != kinds || habit.chances.size() != kinds);
        for (const auto &chances : habit.chances) refuse(chances.empty() || chances.size() != habit.options.size());
        habits.rows.push_back(std::move(habit));
    }
    return habits;
}

std::vector<std::uint8_t> copy_table(const Program &program, const nb::bytes &state) {
    if (state.size() != program.bytes) throw std::invalid_argument("this is no table of this game");
    const auto *from = reinterpret_cast<const std::uint8_t *>(state.c_str());
    std::vector<std::uint8_t> table(from, from + program.bytes);
    check_table(program, table.data());
    return table;
}

}  // namespace ludorum::cards
