// A first world and the way to others; see cards/chain.hpp, cards/worlds/build.py and stir.py.

#include "cards/chain.hpp"

#include <algorithm>

namespace ludorum::cards {

namespace {

// As in chain.py, build.py and stir.py, which explain them.
constexpr std::size_t MOST_STARTS = 400, STIRS_AT_FIRST = 12, STIRS = 2, LEAST_STIRS = 80;
constexpr std::size_t ROUNDS = 6, STIRS_OF_REPAIR = 40, MOST_WAYS = 4, MOST_WRONG = 8;

bool is_empty(const Mask &set) {
    return std::all_of(set.words.begin(), set.words.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace

Chain::Chain(Trace trace, std::uint64_t seed) : trace_(std::move(trace)), random_(seed), world_(trace_) {
    for (std::uint32_t token = 0; token < trace_.tokens; ++token) every_.push_back(token);
    look_ahead();
}

bool Chain::next(const std::function<bool()> &stop) {
    const bool is_first = !is_built_;
    for (std::size_t start = 0; !is_built_; ++start) {
        if (start == MOST_STARTS || stop()) return false;
        is_built_ = build();
    }
    if (is_first)
        for (std::uint32_t token : every_)
            if (world_.place_of(token) != IN_THE_OPEN) hidden_.push_back(token);
    const std::size_t times = std::max(LEAST_STIRS, (is_first ? STIRS_AT_FIRST : STIRS) * hidden_.size());
    stir(times, hidden_);
    stir(times / 4, every_);  // the past of cards that are open by now
    return !stop();
}

void Chain::look_ahead() {
    shown_.resize(trace_.tokens);
    lacks_.resize(index(trace_.places));
    leads_.resize(trace_.acts.size());
    std::vector<std::int32_t> came(index(trace_.places), -1);
    for (std::size_t at = 0; at < trace_.acts.size(); ++at) {
        const Act &act = trace_.acts[at];
        const auto time = static_cast<std::int32_t>(at);
        if (act.is_check) {
            if (act.lacks != NO_SET) lacks_[index(act.places[0])].push_back({time, act.lacks});
            continue;
        }
        leads_[at] = act.target;
        if (!act.queue.empty()) {
            if (queues_.empty() || trace_.acts[index(queues_.back()[0])].queue != act.queue) queues_.emplace_back();
            queues_.back().push_back(time);
        }
        if (act.allowed != NO_SET) {
            std::vector<std::uint32_t> named;
            for (std::uint32_t token : every_)
                if (has(trace_.sets[index(act.allowed)], token)) named.push_back(token);
            if (named.size() == 1) shown_[named[0]].push_back({time, act.source});
        }
        std::int32_t &before = came[index(act.source)];
        if (before >= 0) leads_[index(before)] = act.target;
        before = -1;
        came[index(act.target)] = time;
    }
}

bool Chain::build() {
    world_.restart();
    for (std::size_t at = 0; at < trace_.acts.size(); ++at) {
        const Act &act = trace_.acts[at];
        if (!repair(act)) return false;
        world_.go_on(act.is_check ? -1 : choose(act, static_cast<std::int32_t>(at)));
    }
    return true;
}

// One of the tokens that fit later observations best.
std::int32_t Chain::choose(const Act &act, std::int32_t at) {
    const Mask options = world_.able(act, world_.lying(act.source));
    std::vector<std::uint32_t> best;
    std::pair<int, std::int32_t> least;
    for (std::uint32_t token : every_) {
        if (!has(options, token)) continue;
        const auto costs = cost(token, at, act);
        if (best.empty() || costs < least) {
            best.clear();
            least = costs;
        }
        if (costs == least) best.push_back(token);
    }
    return static_cast<std::int32_t>(best.size() == 1 ? best[0] : any_of(best));
}

// How badly a passage fits the later observations of a token; the next of them is the most urgent.
std::pair<int, std::int32_t> Chain::cost(std::uint32_t token, std::int32_t at, const Act &act) const {
    std::int32_t when = static_cast<std::int32_t>(trace_.acts.size()), where = -1;
    const auto &shown = shown_[token];
    const auto next = std::upper_bound(shown.begin(), shown.end(), std::pair(at, trace_.places));
    if (next != shown.end()) std::tie(when, where) = *next;
    const std::int32_t targets[] = {act.target, leads_[index(at)]};
    for (std::int32_t target : targets) {
        const auto &lacks = lacks_[index(target)];
        for (auto lack = std::upper_bound(lacks.begin(), lacks.end(), std::pair(at, INT32_MAX));
             lack != lacks.end() && lack->first < when; ++lack)
            if (has(trace_.sets[index(lack->second)], token)) return {5, 0};
    }
    if (where < 0) return {1, 0};
    if (where == targets[0] || where == targets[1]) return {0, when};
    return {where == act.source ? 4 : 2, 0};
}

// Exchanges ways until the next act is possible; the order of a queue is left to stirring.
bool Chain::repair(const Act &act) {
    for (std::size_t round = 0; round < ROUNDS; ++round) {
        bool is_right;
        while (!(is_right = excess_if(act, 0, 0) == 0) && improve(act)) {
        }
        if (is_right && (act.queue.empty() || !is_empty(world_.able(act, world_.lying(act.source))))) return true;
        stir(STIRS_OF_REPAIR, every_);
    }
    return false;
}

// How far the next act would be from being possible if two tokens were where the other is.
std::int64_t Chain::excess_if(const Act &act, std::uint32_t one, std::uint32_t other) {
    const std::size_t count = act.is_check ? act.places.size() : 1;
    const Mask *contents[MOST_PLACES];
    held_.resize(std::max(held_.size(), count));
    for (std::size_t at = 0; at < count; ++at) {
        contents[at] = &world_.lying(act.is_check ? act.places[at] : act.source);
        if (has(*contents[at], one) == has(*contents[at], other)) continue;
        held_[at] = *contents[at];
        for (std::uint32_t token : {one, other}) held_[at].words[token / 64] ^= 1ull << (token & 63);
        contents[at] = &held_[at];
    }
    return trace_.excess(act, contents);
}

// One exchange that brings the next act nearer.
bool Chain::improve(const Act &act) {
    Mask inside;
    const std::vector<std::int32_t> places = act.is_check ? act.places : std::vector<std::int32_t>{act.source};
    bool is_there = act.is_check || act.allowed == NO_SET;
    for (std::int32_t place : places)
        for (std::size_t word = 0; word < MOST_WORDS; ++word) inside.words[word] |= world_.lying(place).words[word];
    for (std::size_t word = 0; word < MOST_WORDS && !is_there; ++word)  // perhaps below others
        is_there = inside.words[word] & trace_.sets[index(act.allowed)].words[word];
    pairs_.clear();
    for (std::uint32_t one : every_) {
        if (!has(inside, one)) continue;
        for (std::uint32_t other : every_) {
            if (one == other || (places.size() == 1 && has(inside, other))) continue;
            if (!has(inside, other) && has(world_.lying(IN_THE_OPEN), other)) continue;
            if (!is_there && !has(trace_.sets[index(act.allowed)], other)) continue;
            pairs_.push_back({one, other});
        }
    }
    for (std::size_t left = pairs_.size(); left > 1; --left) std::swap(pairs_[left - 1], pairs_[random_.below(left)]);
    const std::int64_t now = excess_if(act, 0, 0);
    for (const auto &[one, other] : pairs_)
        if (exchange_now(act, one, other, now)) return true;
    for (std::uint32_t one : every_) {
        if (!has(inside, one)) continue;
        std::vector<std::vector<std::int32_t>> ways{world_.path(one)};
        if (detour(act, one, ways, now)) return true;
    }
    return false;
}

bool Chain::exchange_now(const Act &act, std::uint32_t one, std::uint32_t other, std::int64_t now) {
    if (world_.place_of(one) == world_.place_of(other) || excess_if(act, one, other) >= now) return false;
    const std::vector<Span> &spans = world_.apart(one, other);
    for (std::size_t at = spans.size(); at-- > 0;)
        if (world_.exchange(one, other, {spans[at].first, world_.done()})) return true;
    return false;
}

bool Chain::detour(const Act &act, std::uint32_t one, std::vector<std::vector<std::int32_t>> &ways, std::int64_t now) {
    const auto first = static_cast<std::uint32_t>(random_.below(every_.size()));
    for (std::uint32_t step = 0; step < every_.size(); ++step) {
        const std::uint32_t partner = every_[(first + step) % every_.size()];
        if (partner == one) continue;
        const std::vector<Span> spans = world_.apart(one, partner);
        for (const Span &span : spans) {
            if (span.second == world_.done() || !world_.exchange(one, partner, span)) continue;
            if (std::find(ways.begin(), ways.end(), world_.path(one)) == ways.end()) {
                ways.push_back(world_.path(one));
                for (const auto &[each, other] : pairs_)
                    if (each == one && exchange_now(act, one, other, now)) return true;
                if (ways.size() < MOST_WAYS && detour(act, one, ways, now)) return true;
            }
            world_.exchange(one, partner, span);
        }
    }
    return false;
}

void Chain::stir(std::size_t times, const std::vector<std::uint32_t> &tokens) {
    if (tokens.size() < 2) return;
    for (std::size_t time = 0; time < times; ++time) {
        if (!queues_.empty() && random_.below(4) == 0) {
            exchange_in_queue();
            continue;
        }
        const std::uint32_t one = any_of(tokens), other = any_of(tokens);
        if (one == other) continue;
        if (tokens.size() > 2 && random_.below(4) == 0) {
            exchange_twice(one, other, any_of(tokens));
            continue;
        }
        Span span;
        if (draw_span(one, other, span)) world_.exchange(one, other, span);
    }
}

// The last span in which two tokens are apart, or several such spans in a row.
bool Chain::draw_span(std::uint32_t one, std::uint32_t other, Span &found) {
    const std::vector<Span> &spans = world_.apart(one, other);
    if (spans.empty()) return false;
    found = spans.back();
    if (spans.size() > 1 && random_.below(2) == 1) {
        const std::size_t some = random_.below(spans.size()), more = random_.below(spans.size());
        found = {spans[std::min(some, more)].first, spans[std::max(some, more)].second};
    }
    return true;
}

// Two exchanges; after the first alone the world need not agree with the observations.
void Chain::exchange_twice(std::uint32_t one, std::uint32_t other, std::uint32_t third) {
    Span span, again;
    if (third == one || third == other || !draw_span(one, other, span)) return;
    wrong_.clear();
    world_.force(one, other, span, &wrong_, MOST_WRONG + 1);
    if (wrong_.size() <= MOST_WRONG && draw_span(other, third, again)) {
        const std::size_t before = wrong_.size();
        world_.force(other, third, again, &wrong_, before + 1);
        const bool agree = wrong_.size() == before &&
                           std::all_of(wrong_.begin(), wrong_.end(), [&](std::int32_t at) { return world_.agrees(at); });
        if (agree) return;
        world_.force(other, third, again, nullptr, 0);
    }
    world_.force(one, other, span, nullptr, 0);
}

// Two cards of a pile exchange their ways up to a passage out of it. The cards that are left keep their order, and each
// goes on as the card went on that was left at its place before.
void Chain::exchange_in_queue() {
    const std::vector<std::int32_t> &passages = queues_[random_.below(queues_.size())];
    const std::vector<std::int32_t> &queue = trace_.acts[index(passages[0])].queue;
    const std::int32_t some = queue[random_.below(queue.size())], more = queue[random_.below(queue.size())];
    if (some == more || passages.back() >= world_.done()) return;
    const std::vector<std::int32_t> &movers = world_.movers();
    struct Forced {
        std::uint32_t one, other;
        Span span;
    };
    std::vector<Forced> forced;
    wrong_.clear();
    const auto force = [&](std::int32_t one, std::int32_t other, Span span) {
        forced.push_back({static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(other), span});
        world_.force(forced.back().one, forced.back().other, span, &wrong_, SIZE_MAX);
    };
    const std::int32_t one = movers[index(some)], other = movers[index(more)];
    for (Span span : world_.apart(static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(other)))
        if (span.second == std::max(some, more)) {
            force(one, other, span);
            break;
        }
    for (std::int32_t at : passages) {
        const std::int32_t due = world_.due(at), mover = movers[index(at)];
        if (due >= 0 && due != mover) force(mover, due, {at, world_.done()});
    }
    if (std::all_of(wrong_.begin(), wrong_.end(), [&](std::int32_t at) { return world_.agrees(at); })) return;
    for (auto last = forced.rbegin(); last != forced.rend(); ++last)
        world_.force(last->one, last->other, last->span, nullptr, 0);
}

}  // namespace ludorum::cards
