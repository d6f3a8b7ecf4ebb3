// One world of a trace, and exchanges that lead to others; see cards/chain.hpp and cards/worlds/journeys.py.

#include <algorithm>

#include "cards/chain.hpp"

namespace ludorum::cards {

namespace {

void turn(Mask &set, std::uint32_t token) { set.words[token / 64] ^= 1ull << (token & 63); }

std::int32_t highest(const Mask &set, std::uint32_t words) {
    for (std::uint32_t word = words; word-- > 0;)
        if (set.words[word]) return static_cast<std::int32_t>(64 * word) + 63 - __builtin_clzll(set.words[word]);
    return -1;
}

std::int32_t lowest(const Mask &set, std::uint32_t words) {
    for (std::uint32_t word = 0; word < words; ++word)
        if (set.words[word]) return static_cast<std::int32_t>(64 * word) + __builtin_ctzll(set.words[word]);
    return -1;
}

std::int64_t count(const Mask &set, std::uint32_t words) {
    std::int64_t found = 0;
    for (std::uint32_t word = 0; word < words; ++word) found += __builtin_popcountll(set.words[word]);
    return found;
}

Mask both(const Mask &one, const Mask &other, std::uint32_t words) {
    Mask found;
    for (std::uint32_t word = 0; word < words; ++word) found.words[word] = one.words[word] & other.words[word];
    return found;
}

Mask one_of(std::int32_t token) {
    Mask found;
    if (token >= 0) turn(found, static_cast<std::uint32_t>(token));
    return found;
}

// Tokens of a set above one, or below it.
std::int64_t beyond(const Mask &set, std::int32_t token, bool above, std::uint32_t words) {
    std::int64_t found = 0;
    for (std::uint32_t word = 0; word < words; ++word)
        for (std::uint64_t bits = set.words[word]; bits; bits &= bits - 1) {
            const auto one = static_cast<std::int32_t>(64 * word) + __builtin_ctzll(bits);
            found += above ? one > token : one < token;
        }
    return found;
}

std::int64_t deadwood_of(const Trace &trace, const Mask &held, const std::vector<std::int64_t> &points) {
    MeldCard cards[64];
    std::size_t size = 0;
    for (std::uint32_t word = 0; word < trace.words; ++word)
        for (std::uint64_t bits = held.words[word]; bits && size < 64; bits &= bits - 1) {
            const std::size_t token = 64 * word + static_cast<std::size_t>(__builtin_ctzll(bits));
            cards[size] = trace.cards[token];
            cards[size++].points = points[token];
        }
    return deadwood(cards, size);
}

std::int64_t total_of(const Trace &trace, const Mask &held, const std::vector<std::int64_t> &points) {
    std::int64_t found = 0;
    for (std::uint32_t word = 0; word < trace.words; ++word)
        for (std::uint64_t bits = held.words[word]; bits; bits &= bits - 1)
            found += points[64 * word + static_cast<std::size_t>(__builtin_ctzll(bits))];
    return found;
}

std::int64_t above(const Trace &trace, const Mask &held, const Mask &wanted) {
    const std::int32_t top = highest(both(held, wanted, trace.words), trace.words);
    return top < 0 ? 1 + count(held, trace.words) : beyond(held, top, true, trace.words);
}

std::int64_t value(const Trace &trace, const std::vector<std::int64_t> &code, const Mask *const *contents) {
    std::int64_t stack[MOST_DEEP];
    std::size_t top = 0;
    for (const std::int64_t *word = code.data(), *end = word + code.size(); word < end;) {
        const std::int64_t *args = word + 1;
        switch (*word) {
        case KNOWN:
            stack[top++] = args[0];
            word += 2;
            continue;
        case HELD:
            stack[top++] = count(both(*contents[args[0]], trace.sets[static_cast<std::size_t>(args[1])], trace.words), trace.words);
            word += 3;
            continue;
        case TOTAL_OF:
            stack[top++] = total_of(trace, *contents[args[0]], trace.points[static_cast<std::size_t>(args[1])]);
            word += 3;
            continue;
        case DEADWOOD_OF:
            stack[top++] = deadwood_of(trace, *contents[args[0]], trace.points[static_cast<std::size_t>(args[1])]);
            word += 3;
            continue;
        case ABOVE:
            stack[top++] = above(trace, *contents[args[0]], trace.sets[static_cast<std::size_t>(args[1])]);
            word += 3;
            continue;
        case PLUS:
            --top;
            stack[top - 1] += stack[top];
            break;
        case MINUS:
            --top;
            stack[top - 1] -= stack[top];
            break;
        case LEAST:
            --top;
            stack[top - 1] = std::min(stack[top - 1], stack[top]);
            break;
        case ABSOLUTE:
            stack[top - 1] = std::abs(stack[top - 1]);
            break;
        case IS_NOUGHT:
            stack[top - 1] = stack[top - 1] == 0;
            break;
        case NOT_NEGATIVE:
            stack[top - 1] = std::max<std::int64_t>(0, stack[top - 1]);
            break;
        }
        ++word;
    }
    return stack[0];
}

}  // namespace

Mask Journeys::able(const Act &act, const Mask &held) const {
    const std::uint32_t words = trace_.words;
    Mask found = act.allowed == NO_SET ? held : both(held, trace_.sets[index(act.allowed)], words);
    if (act.last) found = both(found, one_of(highest(held, words)), words);
    if (act.first != NO_SET) {
        const Mask fitting = both(held, trace_.sets[index(act.first)], words);
        found = both(found, one_of(act.queue.empty() ? lowest(fitting, words) : earliest(act, fitting)), words);
    }
    return found;
}

std::int32_t Journeys::earliest(const Act &act, const Mask &fitting) const {
    for (std::int32_t at : act.queue) {
        const std::int32_t token = mover_of(at);
        if (has(fitting, static_cast<std::uint32_t>(token))) return token;
    }
    return -1;
}

std::int32_t Journeys::due(std::int32_t at) const {
    const Act &act = trace_.acts[index(at)];
    const Mask &held = views_[index(views_of_[first_view_[index(at)]])];
    return earliest(act, both(held, trace_.sets[index(act.first)], trace_.words));
}

std::int32_t Journeys::mover_of(std::int32_t at) const {
    const std::int32_t mover = movers_[index(at)];
    if (at < tried_.first || at > tried_.second) return mover;
    return mover == one_ ? other_ : mover == other_ ? one_ : mover;
}

std::int64_t Trace::excess(const Act &act, const Mask *const *contents) const {
    if (act.is_check) return value(*this, act.code, contents);
    const Mask &held = *contents[0];
    const Mask able = act.allowed == NO_SET ? held : both(held, sets[index(act.allowed)], words);
    const std::int32_t top = highest(able, words);
    if (top < 0) return 1 + count(held, words);
    if (act.last) return beyond(held, top, true, words);
    if (act.first != NO_SET && act.queue.empty()) return beyond(both(held, sets[index(act.first)], words), lowest(able, words), false, words);
    return 0;
}

Journeys::Journeys(const Trace &trace)
    : trace_(trace), movers_(trace.acts.size()), paths_(trace.tokens), lying_(index(trace.places)),
      looks_(index(trace.places)), fresh_(index(trace.places)), seen_(trace.acts.size()), waiting_(trace.acts.size()) {
    for (std::size_t at = 0; at < trace.acts.size(); ++at)
        for (std::int32_t before : trace.acts[at].queue) waiting_[index(before)].push_back(static_cast<std::int32_t>(at));
    restart();
}

void Journeys::restart() {
    done_ = 0;
    std::fill(movers_.begin(), movers_.end(), -1);
    for (Path &path : paths_) path.clear();
    std::fill(lying_.begin(), lying_.end(), Mask{});
    for (std::uint32_t token = 0; token < trace_.tokens; ++token) turn(lying_[IN_PACK], token);
    views_.clear();
    for (std::vector<Look> &looks : looks_) looks.clear();
    views_of_.clear();
    first_view_.clear();
    std::fill(fresh_.begin(), fresh_.end(), -1);
}

void Journeys::go_on(std::int32_t mover) {
    const Act &act = trace_.acts[index(done_)];
    first_view_.push_back(views_of_.size());
    for (std::int32_t place : act.places) {
        std::int32_t &view = fresh_[index(place)];
        if (view < 0) {
            view = static_cast<std::int32_t>(views_.size());
            views_.push_back(lying_[index(place)]);
        }
        looks_[index(place)].push_back({done_, view});
        views_of_.push_back(view);
    }
    if (!act.is_check) {
        const auto token = static_cast<std::uint32_t>(mover);
        movers_[index(done_)] = mover;
        paths_[token].push_back(done_);
        turn(lying_[index(act.source)], token);
        turn(lying_[index(act.target)], token);
        fresh_[index(act.source)] = fresh_[index(act.target)] = -1;
    }
    ++done_;
}

std::int32_t Journeys::place_of(std::uint32_t token) const {
    const Path &path = paths_[token];
    return path.empty() ? IN_PACK : trace_.acts[index(path.back())].target;
}

const std::vector<Span> &Journeys::apart(std::uint32_t one, std::uint32_t other) {
    spans_.clear();
    const Path &mine = paths_[one], &others = paths_[other];
    std::int32_t here = IN_PACK, there = IN_PACK, since = -1;
    for (std::size_t i = 0, j = 0; i < mine.size() || j < others.size();) {
        std::int32_t at;
        if (j == others.size() || (i < mine.size() && mine[i] < others[j])) {
            at = mine[i++];
            here = trace_.acts[index(at)].target;
        } else {
            at = others[j++];
            there = trace_.acts[index(at)].target;
        }
        if (since < 0) {
            if (here != there) since = at;
        } else if (here == there) {
            spans_.push_back({since, at});
            since = -1;
        }
    }
    if (since >= 0) spans_.push_back({since, done_});
    return spans_;
}

// Whether the passages of a path are open to a token.
bool Journeys::may(std::uint32_t token, const Path &path, Span span) const {
    for (auto at = std::lower_bound(path.begin(), path.end(), span.first); at != path.end() && *at <= span.second; ++at) {
        const std::int32_t allowed = trace_.acts[index(*at)].allowed;
        if (allowed != NO_SET && !has(trace_.sets[index(allowed)], token)) return false;
    }
    return true;
}

// Exchanges two tokens in all views of the places where they are while they are apart.
void Journeys::flip(std::uint32_t one, std::uint32_t other, Span span) {
    ranges_.clear();
    changed_.clear();
    flip_stays(one, one, other, span);
    flip_stays(other, one, other, span);
}

// A view of a place is as it was until a card comes or goes: looks into it are all within a stay, or none is.
void Journeys::flip_stays(std::uint32_t token, std::uint32_t one, std::uint32_t other, Span span) {
    const Path &path = paths_[token];
    auto next = std::upper_bound(path.begin(), path.end(), span.first);
    std::int32_t place = next == path.begin() ? IN_PACK : trace_.acts[index(*(next - 1))].target;
    for (std::int32_t begin = span.first + 1; begin <= span.second;) {
        const bool leaves = next != path.end() && *next <= span.second;
        const std::int32_t end = leaves ? *next : span.second;
        const std::vector<Look> &looks = looks_[index(place)];
        const auto before = [](const Look &look, std::int32_t act) { return look.act < act; };
        const auto from = std::lower_bound(looks.begin(), looks.end(), begin, before);
        std::int32_t last = -1;
        auto look = from;
        for (; look != looks.end() && look->act <= end; ++look) {
            if (look->view == last) continue;
            last = look->view;
            Mask &view = views_[index(last)];
            if (has(view, one) == has(view, other)) continue;  // in a span of several they meet on the way
            turn(view, one);
            turn(view, other);
            changed_.push_back(last);
        }
        if (look != from)
            ranges_.push_back({place, static_cast<std::size_t>(from - looks.begin()), static_cast<std::size_t>(look - looks.begin())});
        if (!leaves) return;
        place = trace_.acts[index(*next)].target;
        begin = *next + 1;
        ++next;
    }
}

void Journeys::flip_back(std::uint32_t one, std::uint32_t other) {
    for (std::int32_t view : changed_) {
        turn(views_[index(view)], one);
        turn(views_[index(view)], other);
    }
}

bool Journeys::minds(const Act &act, std::uint32_t one, std::uint32_t other) const {
    if (!act.is_check || act.minds == NO_SET) return true;
    const Mask &set = trace_.sets[index(act.minds)];
    return act.is_one_count ? has(set, one) != has(set, other) : has(set, one) || has(set, other);
}

template <class Accept>
bool Journeys::for_changed(std::uint32_t one, std::uint32_t other, Span span, Accept accept) {
    ++asked_;
    for (const LookRange &range : ranges_) {
        const std::vector<Look> &looks = looks_[index(range.place)];
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const Look &look = looks[at];
            if (seen_[index(look.act)] == asked_ || !minds(trace_.acts[index(look.act)], one, other)) continue;
            const Mask &view = views_[index(look.view)];
            if (has(view, one) == has(view, other)) continue;
            seen_[index(look.act)] = asked_;
            if (!accept(look.act)) return false;
        }
    }
    for (std::uint32_t token : {one, other}) {
        const Path &path = paths_[token];
        for (auto at = std::lower_bound(path.begin(), path.end(), span.first); at != path.end() && *at <= span.second; ++at) {
            if (trace_.acts[index(*at)].is_ordered() && seen_[index(*at)] != asked_) {
                seen_[index(*at)] = asked_;
                if (!accept(*at)) return false;
            }
            for (std::int32_t later : waiting_[index(*at)])
                if (later < done_ && seen_[index(later)] != asked_) {
                    seen_[index(later)] = asked_;
                    if (!accept(later)) return false;
                }
        }
    }
    return true;
}

bool Journeys::agrees(std::int32_t at) const {
    const Act &act = trace_.acts[index(at)];
    const Mask *contents[MOST_PLACES];
    const std::int32_t *views = views_of_.data() + first_view_[index(at)];
    for (std::size_t place = 0; place < act.places.size(); ++place) contents[place] = &views_[index(views[place])];
    if (act.is_check) return trace_.excess(act, contents) == 0;
    const auto mover = static_cast<std::uint32_t>(mover_of(at));
    if (act.is_ordered()) return has(able(act, *contents[0]), mover);
    return act.allowed == NO_SET || has(trace_.sets[index(act.allowed)], mover);
}

bool Journeys::exchange(std::uint32_t one, std::uint32_t other, Span span) {
    if (!may(one, paths_[other], span) || !may(other, paths_[one], span)) return false;
    flip(one, other, span);
    one_ = static_cast<std::int32_t>(one);
    other_ = static_cast<std::int32_t>(other);
    tried_ = span;
    const bool agree = for_changed(one, other, span, [&](std::int32_t at) { return agrees(at); });
    tried_ = {0, -1};
    if (agree)
        exchange_paths(one, other, span);
    else
        flip_back(one, other);
    return agree;
}

void Journeys::force(std::uint32_t one, std::uint32_t other, Span span, std::vector<std::int32_t> *wrong,
                     std::size_t most) {
    flip(one, other, span);
    exchange_paths(one, other, span);
    if (!wrong) return;
    for (std::uint32_t token : {one, other}) {
        const Path &path = paths_[token];
        for (auto at = std::lower_bound(path.begin(), path.end(), span.first); at != path.end() && *at <= span.second; ++at) {
            if (wrong->size() >= most) return;
            const Act &act = trace_.acts[index(*at)];
            if (!act.is_ordered() && !agrees(*at)) wrong->push_back(*at);
        }
    }
    for_changed(one, other, span, [&](std::int32_t at) {
        if (wrong->size() >= most) return false;
        if (!agrees(at)) wrong->push_back(at);
        return true;
    });
}

void Journeys::exchange_paths(std::uint32_t one, std::uint32_t other, Span span) {
    Path &mine = paths_[one], &others = paths_[other];
    const auto i = std::lower_bound(mine.begin(), mine.end(), span.first), j = std::upper_bound(i, mine.end(), span.second);
    const auto k = std::lower_bound(others.begin(), others.end(), span.first), m = std::upper_bound(k, others.end(), span.second);
    for (auto at = i; at != j; ++at) movers_[index(*at)] = static_cast<std::int32_t>(other);
    for (auto at = k; at != m; ++at) movers_[index(*at)] = static_cast<std::int32_t>(one);
    taken_.assign(i, j);
    const std::ptrdiff_t into = k - others.begin();
    const auto gap = mine.erase(i, j);
    mine.insert(gap, k, m);
    others.erase(k, m);
    others.insert(others.begin() + into, taken_.begin(), taken_.end());
    if (span.second < done_) return;
    const std::size_t here = index(place_of(one)), there = index(place_of(other));
    for (std::size_t place : {here, there})
        for (std::uint32_t token : {one, other})
            if (has(lying_[place], token)) turn(lying_[place], token);
    turn(lying_[here], one);
    turn(lying_[there], other);
}

}  // namespace ludorum::cards
