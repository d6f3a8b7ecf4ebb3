// A Markov chain over worlds, for games where they cannot be counted: the compiled twin of cards/worlds/chain.py.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cards/melds.hpp"
#include "cards/program.hpp"
#include "common/random.hpp"

namespace ludorum::cards {

// As in amounts.py: numbers about the tokens of some places, in postfix.
enum Word : std::int64_t { KNOWN, HELD, TOTAL_OF, DEADWOOD_OF, ABOVE, PLUS, MINUS, LEAST, ABSOLUTE, IS_NOUGHT, NOT_NEGATIVE, WORDS };

constexpr std::int32_t IN_PACK = 0, IN_THE_OPEN = 1, NO_SET = -1;
// Of a check: places that it looks into, and numbers that it keeps at a time.
constexpr std::size_t MOST_PLACES = 256, MOST_DEEP = 256;

inline std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

inline bool has(const Mask &set, std::uint32_t token) { return set.words[token / 64] >> (token & 63) & 1; }

// A passage of a token from a place to another, or a check of what lay in some places (trace.py).
struct Act {
    bool is_check = false, last = false;
    std::int32_t source = 0, target = 0;
    std::int32_t allowed = NO_SET, first = NO_SET, minds = NO_SET, lacks = NO_SET;  // sets of tokens
    std::vector<std::int32_t> places;  // what is looked into
    std::vector<std::int32_t> queue;   // passages that give the order of `first`, where it is not that of tokens
    std::vector<std::int64_t> code;
    bool is_one_count = false;  // then it does not tell tokens in `minds` apart
    bool is_ordered() const { return last || first != NO_SET; }
};

struct Trace {
    std::uint32_t tokens = 0, words = 1;
    std::int32_t places = 2;
    std::vector<Act> acts;
    std::vector<Mask> sets;
    std::vector<std::vector<std::int64_t>> points;  // by token
    std::vector<MeldCard> cards;                    // by token; without points

    // How far a check, or a passage that is still to be made, is from being possible; the order of a queue is ignored.
    std::int64_t excess(const Act &act, const Mask *const *contents) const;
};

// The acts during which two tokens are apart: the one that parts them, and the one that joins them again.
using Span = std::pair<std::int32_t, std::int32_t>;

// One world that is being built: all acts so far agree with the observations (journeys.py).
class Journeys {
  public:
    explicit Journeys(const Trace &trace);

    void restart();
    // One act more; a passage needs the token that makes it.
    void go_on(std::int32_t mover = -1);
    std::int32_t done() const { return done_; }
    const std::vector<std::int32_t> &movers() const { return movers_; }
    const Mask &lying(std::int32_t place) const { return lying_[static_cast<std::size_t>(place)]; }
    std::int32_t place_of(std::uint32_t token) const;
    const std::vector<std::int32_t> &path(std::uint32_t token) const { return paths_[token]; }

    // When two tokens are apart, in the order of time; the last span may be open. Valid until the next call.
    const std::vector<Span> &apart(std::uint32_t one, std::uint32_t other);
    // Exchanges the ways of two tokens if that agrees with the observations; else nothing is changed.
    bool exchange(std::uint32_t one, std::uint32_t other, Span span);
    // The same whatever was observed; the same call undoes it. Adds the acts that do not agree now, `most` at most.
    void force(std::uint32_t one, std::uint32_t other, Span span, std::vector<std::int32_t> *wrong, std::size_t most);
    bool agrees(std::int32_t at) const;
    // The tokens of a place that may make a passage.
    Mask able(const Act &act, const Mask &held) const;
    // The token that should have made a passage by the order of its queue.
    std::int32_t due(std::int32_t at) const;

  private:
    struct Look {
        std::int32_t act, view;
    };
    struct LookRange {
        std::int32_t place;
        std::size_t begin, end;  // looks
    };
    using Path = std::vector<std::int32_t>;

    bool may(std::uint32_t token, const Path &path, Span span) const;
    void flip(std::uint32_t one, std::uint32_t other, Span span);
    void flip_stays(std::uint32_t token, std::uint32_t one, std::uint32_t other, Span span);
    void flip_back(std::uint32_t one, std::uint32_t other);
    void exchange_paths(std::uint32_t one, std::uint32_t other, Span span);
    bool minds(const Act &act, std::uint32_t one, std::uint32_t other) const;
    std::int32_t mover_of(std::int32_t at) const;
    std::int32_t earliest(const Act &act, const Mask &fitting) const;
    // Calls `accept` for every act to which a change of views, or of the token that moves, may matter; stops at a no.
    template <class Accept> bool for_changed(std::uint32_t one, std::uint32_t other, Span span, Accept accept);

    const Trace &trace_;
    std::int32_t done_ = 0;
    std::vector<std::int32_t> movers_;
    std::vector<Path> paths_;           // the passages of every token
    std::vector<Mask> lying_;           // what lies where, after the acts that are done
    std::vector<Mask> views_;           // what lay in a place at some time, until a card came or went
    std::vector<std::vector<Look>> looks_;  // by place, in the order of time
    std::vector<std::int32_t> views_of_;    // by act and place that it looks into
    std::vector<std::size_t> first_view_;   // of an act, in views_of_
    std::vector<std::int32_t> fresh_;       // by place: the view that is still right
    std::vector<Span> spans_;
    std::vector<LookRange> ranges_;
    std::vector<std::int32_t> changed_;     // views
    std::vector<std::uint32_t> seen_;       // by act: the exchange that has asked it last
    std::uint32_t asked_ = 0;
    Path taken_;
    std::vector<std::vector<std::int32_t>> waiting_;  // for passages of a queue, the acts to which their order matters
    // Two tokens that are taken to have exchanged their ways.
    std::int32_t one_ = -1, other_ = -1;
    Span tried_{0, -1};
};

// A Markov chain over all worlds of a trace that it can reach, uniform in the long run.
class Chain {
  public:
    Chain(Trace trace, std::uint64_t seed);
    Chain(const Chain &) = delete;  // its world looks at its trace
    Chain &operator=(const Chain &) = delete;

    // Goes on to another world; false where no first one was found, or `stop` says so.
    bool next(const std::function<bool()> &stop);
    const std::vector<std::int32_t> &movers() const { return world_.movers(); }

  private:
    void look_ahead();
    bool build();
    std::int32_t choose(const Act &act, std::int32_t at);
    std::pair<int, std::int32_t> cost(std::uint32_t token, std::int32_t at, const Act &act) const;
    bool repair(const Act &act);
    bool improve(const Act &act);
    // Exchanges two tokens from some time on, if that brings an act nearer than it is `now`.
    bool exchange_now(const Act &act, std::uint32_t one, std::uint32_t other, std::int64_t now);
    // The same for a token and any of its partners, after the token has been given another way to its place.
    bool detour(const Act &act, std::uint32_t one, std::vector<std::vector<std::int32_t>> &ways, std::int64_t now);
    std::int64_t excess_if(const Act &act, std::uint32_t one, std::uint32_t other);
    void stir(std::size_t times, const std::vector<std::uint32_t> &tokens);
    bool draw_span(std::uint32_t one, std::uint32_t other, Span &found);
    void exchange_twice(std::uint32_t one, std::uint32_t other, std::uint32_t third);
    void exchange_in_queue();
    std::uint32_t any_of(const std::vector<std::uint32_t> &tokens) { return tokens[random_.below(tokens.size())]; }

    Trace trace_;
    SplitMix64 random_;
    Journeys world_;
    bool is_built_ = false;
    std::vector<std::uint32_t> every_, hidden_;
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> shown_;  // by token: acts at which it is seen, and where
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> lacks_;  // by place: acts, and sets it has nothing of
    std::vector<std::int32_t> leads_;  // by act: where the token that it brought goes next
    std::vector<std::vector<std::int32_t>> queues_;  // the passages out of every pile that have the same queue
    std::vector<std::int32_t> wrong_;
    std::vector<Mask> held_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace ludorum::cards
