// See cards/ismcts.hpp.

#include "cards/ismcts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ludorum::cards {

// Equal cards are one move, whatever world they come from.
std::int32_t Ismcts::key_of(const Table &table, std::int32_t option) const {
    if (table.status() == ASKED_CHOICE) return table.choices()[option];
    return option < 0 ? -1 : program_.kind_of[static_cast<std::size_t>(option)] << 3 | CARD;
}

std::uint32_t Ismcts::find_child(std::int32_t node, std::int32_t key) {
    std::vector<Child> &children = nodes_[static_cast<std::size_t>(node)];
    for (std::uint32_t at = 0; at < children.size(); ++at)
        if (children[at].key == key) return at;
    children.push_back({key});
    return static_cast<std::uint32_t>(children.size() - 1);
}

std::uint32_t Ismcts::choose(const Table &table, std::int32_t node, std::uint32_t count, bool at_random,
                             std::int32_t wanted, bool &is_new) {
    places_.clear();
    std::uint32_t fresh = 0;
    for (std::uint32_t number = 0; number < count; ++number) {
        places_.push_back(find_child(node, key_of(table, table.option(number))));
        Child &child = nodes_[static_cast<std::size_t>(node)][places_.back()];
        ++child.available;
        fresh += child.visits == 0;
    }
    const std::vector<Child> &children = nodes_[static_cast<std::size_t>(node)];
    if (at_random || wanted >= 0) {
        const auto number = wanted >= 0 ? static_cast<std::uint32_t>(wanted) : static_cast<std::uint32_t>(random_.below(count));
        is_new = children[places_[number]].visits == 0;
        return number;
    }
    is_new = fresh > 0;
    if (fresh && settings_.prior > 0) {  // the option with the best prior first, any of equals
        std::uint32_t best = count, equal = 0;
        for (std::uint32_t number = 0; number < count; ++number) {
            const Child &child = children[places_[number]];
            if (child.visits) continue;
            if (best == count || child.prior > children[places_[best]].prior) {
                best = number;
                equal = 1;
            } else if (child.prior == children[places_[best]].prior && random_.below(++equal) == 0) {
                best = number;
            }
        }
        return best;
    }
    if (fresh) {
        auto left = static_cast<std::uint32_t>(random_.below(fresh));
        for (std::uint32_t number = 0;; ++number)
            if (children[places_[number]].visits == 0 && left-- == 0) return number;
    }
    std::uint32_t best = 0;
    double highest = -1;
    for (std::uint32_t number = 0; number < count; ++number) {
        const Child &child = children[places_[number]];
        const double visits = child.visits;
        const double score = child.sum / visits + bonus(child) +
                             settings_.exploration * std::sqrt(std::log(child.available) / visits);
        if (score > highest) {
            highest = score;
            best = number;
        }
    }
    return best;
}

// A player's points and cards got rid of, by their worth, minus the mean of its opponents.
double Ismcts::lead(const Table &table, std::uint32_t player) const {
    double own = 0, others = 0;
    std::uint32_t count = 0;
    const std::int32_t team = table.slot(program_.team + player);
    for (std::uint32_t one = 0; one < program_.players; ++one) {
        double worth = settings_.points_worth * table.score(one);
        if (settings_.cards_worth != 0) worth -= settings_.cards_worth * (table.slot(program_.remaining + one) >> 3);
        if (one == player) own = worth;
        if (table.slot(program_.team + one) == team) continue;
        others += worth;
        ++count;
    }
    return own - (count ? others / count : 0);
}

double Ismcts::reward(const Table &table, std::uint32_t player) const {
    if (table.is_asked()) return 0.5 + 0.5 * std::tanh(lead(table, player) / settings_.lead_scale);
    std::array<std::int32_t, MOST_PLAYERS> goals{};
    table.goals(goals.data());
    const double won = goals[player] / 100.0;
    if (settings_.margin_weight == 0) return won;
    const double share = 0.5 + 0.5 * std::tanh(lead(table, player) / settings_.margin_scale);
    return (1 - settings_.margin_weight) * won + settings_.margin_weight * share;
}

std::uint32_t Ismcts::best_at_once(const Table &table, std::uint32_t count) {
    const auto who = static_cast<std::uint32_t>(table.head(Table::WHO));
    Table next(program_, reinterpret_cast<std::uint8_t *>(spare_.data()));
    std::uint32_t best = 0, equal = 0;
    double highest = 0;
    for (std::uint32_t number = 0; number < count; ++number) {
        std::memcpy(next.memory(), table.memory(), program_.bytes);
        next.answer(table.option(number));
        next.run(random_);
        const double found = lead(next, who);
        if (equal == 0 || found > highest) {
            highest = found;
            best = number;
            equal = 1;
        } else if (found == highest && random_.below(++equal) == 0) {
            best = number;
        }
    }
    return best;
}

void Ismcts::score_options(Table &table, std::uint32_t count) {
    const auto who = static_cast<std::uint32_t>(table.head(Table::WHO));
    const bool cards = table.status() == ASKED_CARD;
    const std::size_t role = policy_->role(table, who);
    Table next(program_, reinterpret_cast<std::uint8_t *>(spare_.data()));
    scores_.clear();
    for (std::uint32_t number = 0; number < count; ++number) {
        const std::int32_t option = table.option(number);
        std::memcpy(next.memory(), table.memory(), program_.bytes);
        next.answer(option);
        next.run(random_, policy_->header());
        double found = lead(next, who);
        if (cards && option >= 0) {
            found -= policy_->keep(who, option);
            if (next.is_asked()) found += policy_->gain(who, role, option);  // the pass goes on
        }
        scores_.push_back(found);
    }
}

std::uint32_t Ismcts::by_weights(Table &table, std::uint32_t count) {
    score_options(table, count);
    const auto [worst, best] = std::minmax_element(scores_.begin(), scores_.end());
    const double least = *worst, most = *best, spread = most - least;
    if (spread < 1e-9) return static_cast<std::uint32_t>(random_.below(count));
    double sum = 0;
    for (double &one : scores_) sum += one = std::exp(settings_.sharpness * (one - most) / spread);
    double drawn = static_cast<double>(random_.next() >> 11) * 0x1p-53 * sum;
    for (std::uint32_t number = 0; number + 1 < count; ++number)
        if ((drawn -= scores_[number]) < 0) return number;
    return count - 1;
}

std::vector<double> Ismcts::weights(const std::uint8_t *world) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    table.run(random_);
    scores_.clear();
    if (table.is_asked()) score_options(table, table.count_options());
    return scores_;
}

// Worlds that do not belong to one information set may ask different questions.
bool Ismcts::is_offered(const Table &table, std::int32_t option) {
    for (std::uint32_t at = 0; table.is_asked() && at < table.count_options(); ++at)
        if (table.option(at) == option) return true;
    return false;
}

void Ismcts::set_prior(const std::uint8_t *world, const std::vector<std::pair<std::int32_t, double>> &values) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    table.run(random_);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const auto &[option, value] : values) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (!(most - least > 1e-9)) return;
    for (const auto &[option, value] : values)
        if (is_offered(table, option)) nodes_[0][find_child(0, key_of(table, option))].prior = (value - least) / (most - least) - 0.5;
}

std::uint32_t Ismcts::play_out(Table &table, std::uint32_t count, bool at_random) {
    if (count == 1) return 0;
    if (!at_random && policy_ && lot(settings_.policy)) return by_weights(table, count);
    if (!at_random && lot(settings_.greedy)) return best_at_once(table, count);
    return static_cast<std::uint32_t>(random_.below(count));
}

bool Ismcts::iterate(const std::uint8_t *world, std::int32_t first) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    table.run(random_);
    if (!table.is_asked()) return false;
    const auto me = static_cast<std::uint32_t>(table.head(Table::WHO));
    path_.clear();
    std::int32_t node = 0;
    for (std::uint32_t left = settings_.longest; table.is_asked() && (node >= 0 || left > 0); left -= node < 0) {
        const auto who = static_cast<std::uint32_t>(table.head(Table::WHO));
        const std::uint32_t count = table.count_options();
        std::uint32_t number = 0;
        const std::int32_t said = who != me && settings_.habits ? settings_.habits->say(table, random_) : -1;
        const bool at_random = said < 0 && who != me && lot(settings_.random_others);
        if (node >= 0) {
            if (path_.empty() && first >= static_cast<std::int32_t>(count)) return false;  // another question
            bool is_new = false;
            number = choose(table, node, count, at_random, path_.empty() ? first : said, is_new);
            const std::uint32_t at = places_[number];
            path_.push_back({node, at, who});
            std::int32_t &next = nodes_[static_cast<std::size_t>(node)][at].node;
            if (is_new) {
                node = -1;  // what follows is played out
            } else {
                if (next < 0) {
                    next = static_cast<std::int32_t>(nodes_.size());
                    node = next;
                    nodes_.emplace_back();  // `next` dangles from here on
                } else {
                    node = next;
                }
            }
        } else {
            number = said >= 0 ? static_cast<std::uint32_t>(said) : play_out(table, count, at_random);
        }
        table.answer(table.option(number));
        table.run(random_);
    }
    std::array<double, MOST_PLAYERS> rewards{};
    for (std::uint32_t player = 0; player < program_.players; ++player) rewards[player] = reward(table, player);
    for (const Visit &visit : path_) {
        Child &child = nodes_[static_cast<std::size_t>(visit.node)][visit.child];
        ++child.visits;
        child.sum += rewards[visit.who];
    }
    return true;
}

std::vector<OptionValue> Ismcts::values(const std::uint8_t *world) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    table.run(random_);
    std::vector<OptionValue> found;
    for (std::uint32_t number = 0; table.is_asked() && number < table.count_options(); ++number) {
        const std::int32_t option = table.option(number);
        const Child &child = nodes_[0][find_child(0, key_of(table, option))];
        found.push_back({option, child.visits, child.visits ? child.sum / child.visits : 0.5, bonus(child)});
    }
    return found;
}

std::vector<double> Ismcts::leads(const std::uint8_t *world, const std::vector<std::int32_t> &answers) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    Table next(program_, reinterpret_cast<std::uint8_t *>(spare_.data()));
    std::vector<double> found;
    for (std::int32_t answer : answers) {
        found.push_back(std::numeric_limits<double>::quiet_NaN());
        std::memcpy(table.memory(), world, program_.bytes);
        table.run(random_);
        if (table.status() != ASKED_CARD || (answer < 0 && !table.head(Table::MAY_PASS))) continue;
        const auto who = static_cast<std::uint32_t>(table.head(Table::WHO));
        const auto hand = static_cast<std::size_t>(table.head(Table::FROM));
        const auto pack = static_cast<std::size_t>(program_.pack);
        std::memcpy(next.memory(), world, program_.bytes);
        if (answer >= 0 && !table.holds(hand, static_cast<std::uint32_t>(answer))) {
            const auto card = static_cast<std::uint32_t>(answer);
            std::uint32_t other = 0;
            while (other < program_.cards && !table.holds(hand, other)) ++other;
            if (!next.holds(pack, card) || other == program_.cards || !next.holds(hand, other)) continue;
            next.take(pack, card);
            next.take(hand, other);
            next.put(hand, card);
            next.put(pack, other);
        }
        next.run(random_);
        if (!next.is_asked()) continue;
        bool known = false;
        for (std::uint32_t at = 0; at < next.count_options(); ++at) known |= next.option(at) == answer;
        if (!known) continue;
        next.answer(answer);
        next.run(random_);
        if (next.status() != FAILED) found.back() = lead(next, who);
    }
    return found;
}

Halving::Halving(std::size_t options) {
    for (std::size_t at = 0; at < options; ++at) left_.push_back(static_cast<std::int32_t>(at));
    for (std::size_t left = options; left > 1; left = (left + 1) / 2) ++rounds_;
    rounds_ = std::max<std::size_t>(rounds_, 1);
}

void Halving::drop(const std::vector<OptionValue> &values) {
    for (std::int32_t one : left_)
        if (static_cast<std::size_t>(one) >= values.size()) throw std::invalid_argument("a world that asks several things");
    std::stable_sort(left_.begin(), left_.end(), [&](std::int32_t one, std::int32_t other) {
        const OptionValue &first = values[static_cast<std::size_t>(one)], &second = values[static_cast<std::size_t>(other)];
        return first.value + first.bonus > second.value + second.bonus;
    });
    left_.resize((left_.size() + 1) / 2);
}

std::vector<ReplyValue> Ismcts::replies(const std::uint8_t *world, std::int32_t option) {
    Table table(program_, reinterpret_cast<std::uint8_t *>(memory_.data()));
    std::memcpy(table.memory(), world, program_.bytes);
    table.run(random_);
    if (!is_offered(table, option)) return {};
    const std::int32_t next = nodes_[0][find_child(0, key_of(table, option))].node;
    std::vector<ReplyValue> found;
    if (next < 0) return found;
    for (const Child &child : nodes_[static_cast<std::size_t>(next)])
        if (child.visits) found.push_back({child.key, child.visits, child.available, child.sum / child.visits});
    return found;
}

}  // namespace ludorum::cards
