// The worth of positions; see cards/judge.hpp.

#include "cards/judge.hpp"

#include <algorithm>
#include <limits>

namespace ludorum::cards {

namespace {

constexpr std::size_t DEEPEST = 64;  // decisions in one pass
constexpr double INFINITE = std::numeric_limits<double>::infinity();

// The cards of a set, one after the other.
template <typename Action>
void each_card(const std::uint64_t *set, std::uint32_t words, Action &&action) {
    for (std::uint32_t word = 0; word < words; ++word)
        for (std::uint64_t bits = set[word]; bits; bits &= bits - 1)
            action(static_cast<std::int32_t>(64 * word + static_cast<std::uint32_t>(__builtin_ctzll(bits))));
}

}  // namespace

Judge::Judge(const Program &program, const Valuation &valuation, std::uint32_t me)
    : program_(program), valuation_(valuation), me_(me), peek_(program.bytes / 8) {
    std::size_t symbols = 0;
    for (const Heuristic &one : valuation.heuristics) symbols = std::max(symbols, one.symbols.size());
    chosen_.assign(symbols, -1);
}

void Judge::name_players(Table &table) const {
    for (std::size_t seat = 0; seat < valuation_.seats.size(); ++seat) {
        const auto who = static_cast<std::int32_t>((me_ + seat) % program_.players);
        table.slot(static_cast<std::size_t>(valuation_.seats[seat])) = who << 3 | PLAYER;
    }
}

// Clears the names of cards and players: a table goes back to its caller as it came.
void Judge::forget_names(Table &table) const {
    for (std::int32_t slot : valuation_.seats) table.slot(static_cast<std::size_t>(slot)) = UNSET;
    for (const Heuristic &one : valuation_.heuristics)
        for (const Symbol &symbol : one.symbols) table.slot(static_cast<std::size_t>(symbol.slot)) = UNSET;
}

double Judge::properties(const Table &table) const {
    double sum = 0;
    for (std::size_t at = 0; at < valuation_.properties.size(); ++at) {
        const std::int32_t found = table.evaluate(valuation_.properties[at]);
        if (found != UNSET && (found & 7) == NUMBER) sum += valuation_.signs[at] * static_cast<double>(found >> 3);
    }
    return sum;
}

// All ways to assign cards to the symbols: a condition is tested as soon as its last symbol has a card.
void Judge::join(Table &table, const Heuristic &heuristic, std::size_t depth, std::int32_t count) {
    for (const Condition &condition : heuristic.conditions[depth]) {
        const std::int32_t found = table.evaluate(condition.pc);
        if (condition.kind == ABSENT) {
            if (found == UNSET) return;
            count += found >> 3;
        } else if (found != TRUE_CODE) {
            if (condition.kind == PLAIN || valuation_.role_mismatch == EXCLUDE || valuation_.active_only) return;
            if (valuation_.role_mismatch == COUNT_ONE) ++count;
        }
        if (valuation_.active_only && count > 0) return;
    }
    if (depth == heuristic.symbols.size()) {
        const auto own = static_cast<std::size_t>(chosen_[0]);
        const double far = 1.0 + count;
        sums_[own] += heuristic.weight / (far * far);
        ++counts_[own];
        if (found_) {
            const auto end = chosen_.begin() + static_cast<std::ptrdiff_t>(depth);
            found_->push_back({current_, count, {chosen_.begin(), end}});
        }
        return;
    }
    const Symbol &symbol = heuristic.symbols[depth];
    const std::size_t hand = (me_ + static_cast<std::uint32_t>(symbol.seat)) % program_.players;
    std::array<std::int32_t, MOST_CARDS> cards;
    std::size_t count_of = 0;
    each_card(table.mask(hand), program_.words, [&](std::int32_t card) { cards[count_of++] = card; });
    // Where there are too many ways to try them all, the ones that are tried should be random.
    const std::size_t first = depth > 0 && count_of > 1 && program_.players > 2 ? order_.below(count_of) : 0;
    for (std::size_t at = 0; at < count_of; ++at) {
        const std::int32_t card = cards[(first + at) % count_of];
        const auto before = chosen_.begin() + static_cast<std::ptrdiff_t>(depth);
        if (std::find(chosen_.begin(), before, card) != before) continue;
        if (depth == 0) tried_ = 0;
        if (tried_++ >= valuation_.most_tries) return;
        chosen_[depth] = card;
        table.slot(static_cast<std::size_t>(symbol.slot)) = program_.kind_of[static_cast<std::size_t>(card)] << 3 | CARD;
        join(table, heuristic, depth + 1, count);
    }
}

// The sum of the mean worth of cards to `me`: its own, and those of others that heuristics name.
double Judge::hand_value(Table &table) {
    sums_.fill(0);
    counts_.fill(0);
    for (current_ = 0; current_ < valuation_.heuristics.size(); ++current_)
        join(table, valuation_.heuristics[current_], 0, 0);
    double sum = 0;
    for (std::size_t at = 0; at < program_.cards; ++at)
        if (counts_[at]) sum += sums_[at] / counts_[at];
    return sum;
}

double Judge::leaf(Table &table, SplitMix64 random) {
    if ((++states_ & 255) == 0 && poll) (*poll)();
    // A line of play on which the chart fails ends there, and is valued as it stands.
    const auto is_over = [](const Table &one) { return one.status() == FINISHED || one.status() == FAILED; };
    Table *end = is_over(table) ? &table : nullptr;
    Table last(program_, reinterpret_cast<std::uint8_t *>(peek_.data()));
    if (table.status() == STOPPED) {  // the loop may be over, and the game with it
        std::memcpy(last.memory(), table.memory(), program_.bytes);
        last.head(Table::STATUS) = RUNNING;
        last.run(random);
        if (is_over(last)) end = &last;
    }
    Table &here = end ? *end : table;
    name_players(here);
    double found = properties(here);
    if (end) {
        std::array<std::int32_t, MOST_PLAYERS> goals{};
        end->goals(goals.data());
        found += valuation_.decided * (goals[me_] - 50) / 50.0;
    } else {
        found += hand_value(table);
    }
    forget_names(here);
    return found;
}

double Judge::value(Table &table) {
    states_ = 0;
    SplitMix64 random(0);
    table.run(random, valuation_.header);
    return leaf(table, random);
}

std::vector<Instance> Judge::instances(Table &table) {
    std::vector<Instance> found;
    found_ = &found;
    name_players(table);
    hand_value(table);
    forget_names(table);
    found_ = nullptr;
    return found;
}

bool Judge::is_friend(const Table &table, std::int32_t who) const {
    return table.slot(program_.team + static_cast<std::size_t>(who)) == table.slot(program_.team + me_);
}

Table Judge::table_at(std::size_t depth) {
    while (memory_.size() <= depth) memory_.emplace_back(program_.bytes / 8);
    return {program_, reinterpret_cast<std::uint8_t *>(memory_[depth].data())};
}

// Minimax from the table of a depth, which has just been answered, to the start of the next pass or a later one.
double Judge::fold(std::size_t depth, std::uint32_t passes, SplitMix64 random, double least, double most,
                   std::vector<std::uint8_t> *decides) {
    Table table = table_at(depth);
    table.run(random, valuation_.header);
    while (table.status() == STOPPED && passes > 1) {  // on through the next pass
        --passes;
        table.head(Table::STATUS) = RUNNING;
        table.run(random, valuation_.header, true);
    }
    const bool mine_again = valuation_.header < 0 && table.is_asked() && table.head(Table::WHO) == static_cast<std::int32_t>(me_);
    if (!table.is_asked() || mine_again || depth + 1 >= DEEPEST) {
        if (decides) decides->assign(table.memory(), table.memory() + program_.bytes);
        return leaf(table, random);
    }
    const bool mine = is_friend(table, table.head(Table::WHO));
    std::vector<std::int32_t> options;
    for (std::uint32_t at = 0; at < table.count_options(); ++at) options.push_back(table.option(at));
    for (std::size_t left = options.size(); left > 1; --left)  // a random order, where not all can be tried
        std::swap(options[left - 1], options[order_.below(left)]);
    double best = mine ? -INFINITE : INFINITE;
    std::vector<std::uint8_t> state;
    for (std::int32_t option : options) {
        Table next = table_at(depth + 1);
        std::memcpy(next.memory(), table_at(depth).memory(), program_.bytes);
        next.answer(option);
        const double found = fold(depth + 1, passes, random, least, most, decides ? &state : nullptr);
        if (mine ? found > best : found < best) {
            best = found;
            if (decides) decides->swap(state);
        }
        (mine ? least : most) = mine ? std::max(least, best) : std::min(most, best);
        if (least >= most || states_ >= valuation_.most_states) break;
    }
    return best;
}

std::vector<Outcome> Judge::outcomes(const Table &table, std::uint64_t seed, bool keep_states) {
    std::vector<Outcome> found;
    order_ = SplitMix64(seed ^ 0x5DEECE66Dull);
    for (std::uint32_t at = 0; at < table.count_options(); ++at) {
        Outcome one;
        one.option = table.option(at);
        Table next = table_at(0);
        std::memcpy(next.memory(), table.memory(), program_.bytes);
        next.answer(one.option);
        states_ = 0;
        one.value = fold(0, valuation_.passes, SplitMix64(seed), -INFINITE, INFINITE, keep_states ? &one.state : nullptr);
        one.states = states_;
        found.push_back(std::move(one));
    }
    return found;
}

}  // namespace ludorum::cards
