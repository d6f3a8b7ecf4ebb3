// Chains of worlds for Python: a trace comes in as numbers, worlds go out as rows of tokens.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "cards/chain.hpp"
#include "common/one_user.hpp"

namespace nb = nanobind;

namespace ludorum::cards {

namespace {

using LongNumbers = std::vector<std::int64_t>;

void refuse(bool wrong) {
    if (wrong) throw std::invalid_argument("this is no trace");
}

// Reads what `cards/worlds/quick.py` writes; everything is checked, since the chain trusts it afterwards.
class TraceReader {
  public:
    explicit TraceReader(const nb::dict &parts) {
        const auto cards = nb::cast<std::vector<LongNumbers>>(parts["cards"]);
        refuse(cards.empty() || cards.size() > MOST_CARDS);
        trace_.tokens = static_cast<std::uint32_t>(cards.size());
        trace_.words = (trace_.tokens + 63) / 64;
        for (const LongNumbers &card : cards) {
            refuse(card.size() != 3);
            trace_.cards.push_back({small(card[0]), small(card[1]), small(card[2]), 0});
        }
        trace_.places = small(nb::cast<std::int64_t>(parts["places"]));
        refuse(trace_.places < 2 || trace_.places > MOST_KEPT);
        for (const LongNumbers &tokens : nb::cast<std::vector<LongNumbers>>(parts["sets"])) {
            Mask set;
            for (std::int64_t token : tokens) {
                refuse(token < 0 || token >= trace_.tokens);
                set.words[static_cast<std::size_t>(token) / 64] |= 1ull << (token & 63);
            }
            trace_.sets.push_back(set);
        }
        trace_.points = nb::cast<std::vector<LongNumbers>>(parts["points"]);
        for (const LongNumbers &points : trace_.points) {
            refuse(points.size() != trace_.tokens);
            for (std::int64_t worth : points) refuse(worth < -MOST_POINTS || worth > MOST_POINTS);
        }
        words_ = nb::cast<LongNumbers>(parts["acts"]);
    }

    Trace read() {
        while (at_ < words_.size()) trace_.acts.push_back(word() == 0 ? passage() : check());
        return std::move(trace_);
    }

  private:
    static constexpr std::int32_t MOST_KEPT = 4096;  // places; each has a set of cards
    static constexpr std::int64_t MOST_POINTS = std::int64_t{1} << 32;  // sums over all cards are numbers, too

    static std::int32_t small(std::int64_t number) {
        refuse(number < INT32_MIN || number > INT32_MAX);
        return static_cast<std::int32_t>(number);
    }

    std::int64_t word() {
        refuse(at_ >= words_.size());
        return words_[at_++];
    }

    std::int32_t place() {
        const std::int64_t found = word();
        refuse(found < 0 || found >= trace_.places);
        return static_cast<std::int32_t>(found);
    }

    std::int32_t set() {
        const std::int64_t found = word();
        refuse(found < NO_SET || found >= static_cast<std::int64_t>(trace_.sets.size()));
        return static_cast<std::int32_t>(found);
    }

    std::size_t length(std::size_t most) {
        const std::int64_t found = word();
        refuse(found < 0 || static_cast<std::uint64_t>(found) > most);
        return static_cast<std::size_t>(found);
    }

    Act passage() {
        Act act;
        act.source = place();
        act.target = place();
        refuse(act.source == act.target);
        act.allowed = set();
        act.first = set();
        act.last = word() != 0;
        for (std::size_t left = length(trace_.acts.size()); left > 0; --left) {
            const std::int64_t before = word();
            refuse(before < 0 || static_cast<std::uint64_t>(before) >= trace_.acts.size());
            refuse(trace_.acts[static_cast<std::size_t>(before)].is_check);
            act.queue.push_back(static_cast<std::int32_t>(before));
        }
        if (act.is_ordered()) act.places = {act.source};
        return act;
    }

    Act check() {
        Act act;
        act.is_check = true;
        act.minds = set();
        act.lacks = set();
        for (std::size_t left = length(MOST_PLACES); left > 0; --left) act.places.push_back(place());
        refuse(act.lacks != NO_SET && act.places.empty());
        const std::size_t size = length(words_.size());
        refuse(size > words_.size() - at_);
        act.code.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.begin() + static_cast<std::ptrdiff_t>(at_ + size));
        at_ += size;
        check_code(act);
        return act;
    }

    void check_code(Act &act) {
        std::size_t depth = 0, counts = 0;
        bool only_minded = act.minds != NO_SET;
        const auto below = [](std::int64_t number, std::size_t end) {
            refuse(number < 0 || static_cast<std::uint64_t>(number) >= end);
        };
        for (std::size_t at = 0; at < act.code.size();) {
            const std::int64_t word = act.code[at++];
            refuse(word < 0 || word >= WORDS);
            if (word <= ABOVE) {
                refuse(++depth > MOST_DEEP || at + (word == KNOWN ? 1 : 2) > act.code.size());
                if (word == KNOWN) {
                    refuse(act.code[at] < -MOST_POINTS || act.code[at] > MOST_POINTS);
                    ++at;
                    continue;
                }
                below(act.code[at], act.places.size());
                const bool by_points = word == TOTAL_OF || word == DEADWOOD_OF;
                below(act.code[at + 1], by_points ? trace_.points.size() : trace_.sets.size());
                only_minded = only_minded && word == HELD && act.code[at + 1] == act.minds;
                ++counts;
                at += 2;
                continue;
            }
            const std::size_t needed = word <= LEAST ? 2 : 1;
            refuse(depth < needed);
            depth -= needed - 1;
        }
        refuse(depth != 1);
        act.is_one_count = only_minded && counts == 1;
    }

    Trace trace_;
    LongNumbers words_;
    std::size_t at_ = 0;
};

class CardChain {
  public:
    CardChain(const nb::dict &parts, const Whole &seed)
        : chain_(TraceReader(parts).read(), seed.as<std::uint64_t>("seed")) {}

    // The tokens of all acts in so many worlds, a row each (-1 where nothing passes); fewer rows where none was found.
    nb::ndarray<nb::numpy, std::int32_t> draw(const Whole &wanted) {
        const auto count = wanted.as<std::size_t>("count");
        const OneUser::Hold hold = user_.hold("worlds are being drawn: one user at a time");
        auto *found = new std::vector<std::int32_t>();
        nb::capsule owner(found, [](void *data) noexcept { delete static_cast<std::vector<std::int32_t> *>(data); });
        std::size_t rows = 0;
        {
            nb::gil_scoped_release release;
            AskToStop stop;
            while (rows < count && chain_.next([&] { return stop(); })) {
                found->insert(found->end(), chain_.movers().begin(), chain_.movers().end());
                ++rows;
            }
        }
        return nb::ndarray<nb::numpy, std::int32_t>(found->data(), {rows, chain_.movers().size()}, owner);
    }

  private:
    Chain chain_;
    OneUser user_;
};

}  // namespace

}  // namespace ludorum::cards

namespace ludorum {

void bind_card_chain(nb::module_ &m) {
    using cards::CardChain;
    nb::class_<CardChain>(m, "CardChain", "Worlds of a trace, one after the other.")
        .def(nb::init<const nb::dict &, const Whole &>(), nb::arg("trace"), nb::arg("seed"))
        .def("draw", &CardChain::draw, nb::arg("count"),
             "Which token made which passage in so many worlds, a row each; no rows where no world was found.");
}

}  // namespace ludorum
