// Card games for Python: programs, tables as bytes, random games.

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "ask_to_stop.hpp"
#include "bind.hpp"
#include "card_bind.hpp"
#include "card_ismcts.hpp"
#include "card_program.hpp"
#include "card_search.hpp"
#include "card_worlds.hpp"

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
    program.score = number("score");
    program.remaining = number("remaining");
    program.middle = number("middle");
    program.passed = number("passed");
    program.team = number("team");
    program.dealt = number("dealt");
    program.index = number("index");
    program.recycle = nb::cast<bool>(parts["recycle"]);
    program.most_decisions = number("most_decisions");
    program.kind_of = list("kind_of");
    program.rank_of = list("rank_of");
    program.suit_of = list("suit_of");
    program.suits = list("suits");
    program.rank_codes = list("rank_codes");
    program.rank_values = list("rank_values");
    program.points = list("points");
    program.low_values = list("low_values");
    program.prepare();
    return program;
}

// What `cards/hyperplay/dealing.py` gives; everything is checked, since the kernel trusts it afterwards.
Dealing read_dealing(const Program &program, const nb::dict &parts, const std::vector<std::uint8_t> &table) {
    Dealing dealing;
    dealing.table = table;
    dealing.owners = nb::cast<Numbers>(parts["owners"]);
    dealing.kinds = nb::cast<std::vector<Numbers>>(parts["kinds"]);
    dealing.patterns = nb::cast<std::vector<Numbers>>(parts["patterns"]);
    auto refuse = [](bool wrong) {
        if (wrong) throw std::invalid_argument("this dealing does not fit the game");
    };
    for (std::int32_t owner : dealing.owners) refuse(owner < 0 || static_cast<std::uint32_t>(owner) >= program.places);
    for (const Numbers &kind : dealing.kinds)
        for (std::int32_t card : kind) refuse(card < 0 || static_cast<std::uint32_t>(card) >= program.cards);
    refuse(dealing.patterns.empty());
    for (const Numbers &pattern : dealing.patterns) {
        refuse(pattern.size() != dealing.kinds.size() * dealing.owners.size());
        for (std::size_t kind = 0; kind < dealing.kinds.size(); ++kind) {
            std::int64_t sum = 0;
            for (std::size_t owner = 0; owner < dealing.owners.size(); ++owner) {
                const std::int32_t amount = pattern[kind * dealing.owners.size() + owner];
                refuse(amount < 0);
                sum += amount;
            }
            refuse(sum > static_cast<std::int64_t>(dealing.kinds[kind].size()));
        }
    }
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
    return dealing;
}

std::vector<std::uint8_t> copy_table(const Program &program, const nb::bytes &state) {
    if (state.size() != program.bytes) throw std::invalid_argument("this is no table of this game");
    const auto *from = reinterpret_cast<const std::uint8_t *>(state.c_str());
    return {from, from + program.bytes};
}

namespace {

nb::dict as_dict(const Tally &tally) {
    nb::dict found;
    found["games"] = tally.games;
    found["decisions"] = tally.decisions;
    found["options"] = tally.options;
    found["steps"] = tally.steps;
    found["broken_off"] = tally.broken_off;
    found["failed"] = tally.failed;
    found["fault"] = tally.fault;
    found["fault_node"] = tally.fault_node;
    found["goals"] = tally.goals;
    found["squares"] = tally.squares;
    found["scores"] = tally.scores;
    return found;
}

class CardKernel {
  public:
    explicit CardKernel(const nb::dict &parts) : program_(read_program(parts)) {}

    std::size_t bytes() const { return program_.bytes; }

    nb::dict random_games(std::uint64_t count, std::uint64_t seed) const {
        Tally tally = empty();
        {
            nb::gil_scoped_release release;
            Games games(program_, seed);
            AskToStop stop(std::nullopt, std::nullopt);
            games.play_from_start(count, tally, [&] { return stop(); });
        }
        return as_dict(tally);
    }

    nb::dict playouts(const nb::bytes &state, std::uint64_t count, std::uint64_t seed) const {
        const std::vector<std::uint8_t> from = copy(state);
        Tally tally = empty();
        {
            nb::gil_scoped_release release;
            Games games(program_, seed);
            for (std::uint64_t game = 0; game < count; ++game) games.play(from.data(), tally);
        }
        return as_dict(tally);
    }

    std::vector<double> leads(const nb::bytes &world, const Numbers &answers, std::uint64_t seed, double points_worth,
                              double cards_worth) const {
        for (std::int32_t card : answers)
            if (card >= 0) check_card(card);
        IsmctsSettings settings;
        settings.points_worth = points_worth;
        settings.cards_worth = cards_worth;
        return Ismcts(program_, settings, seed).leads(copy(world).data(), answers);
    }

    // Some of the worlds that a search would look at.
    std::vector<nb::bytes> deal(const nb::bytes &world, const nb::dict &dealing, std::size_t count, std::size_t pool,
                                std::uint64_t seed) const {
        Worlds source(program_, read_dealing(program_, dealing, copy(world)), pool, seed);
        std::vector<nb::bytes> found;
        for (std::size_t at = 0; at < count; ++at)
            found.emplace_back(reinterpret_cast<const char *>(source.draw()), program_.bytes);
        return found;
    }

    // Options of the player that is asked in all these worlds, with visits and mean rewards; and what may come next.
    nb::dict ismcts(const std::vector<nb::bytes> &worlds, std::uint64_t iterations, std::uint64_t seed,
                    double exploration, double random_others, double margin_weight, double margin_scale,
                    const std::optional<double> &seconds, const std::optional<nb::callable> &stop_asked,
                    const std::optional<nb::dict> &dealing, std::size_t pool, double greedy, double points_worth,
                    double cards_worth, std::uint32_t longest, double lead_scale, bool halving) const {
        if (worlds.empty()) throw std::invalid_argument("there is no world to search in");
        std::vector<std::vector<std::uint8_t>> tables;
        for (const nb::bytes &world : worlds) tables.push_back(copy(world));
        std::optional<Worlds> source;
        if (dealing) source.emplace(program_, read_dealing(program_, *dealing, tables[0]), pool, seed ^ 0x5DEECE66Dull);
        Ismcts search(program_, 
                      {exploration, random_others, margin_weight, margin_scale, greedy, points_worth, cards_worth,
                       longest, lead_scale},
                      seed);
        std::uint64_t drawn = 0;
        {
            nb::gil_scoped_release release;
            const auto world = [&](std::uint64_t at) {
                drawn = at + 1;
                return source ? source->draw() : tables[at % tables.size()].data();
            };
            if (halving) {
                halve(search, world, iterations, seed, seconds, stop_asked, tables[0].data());
            } else {
                AskToStop stop(seconds, stop_asked);
                for (std::uint64_t at = 0; at < iterations; ++at) {
                    if ((at & 63) == 63 && stop()) break;
                    if (!search.iterate(world(at))) break;
                }
            }
        }
        nb::list options;
        nb::dict replies;
        for (const OptionValue &one : search.values(tables[0].data())) {
            options.append(nb::make_tuple(one.option, one.visits, one.value));
            nb::list answers;
            for (const ReplyValue &reply : search.replies(tables[0].data(), one.option))
                answers.append(nb::make_tuple(reply.key, reply.visits, reply.available, reply.value));
            replies[nb::int_(one.option)] = answers;
        }
        nb::dict found;
        found["options"] = options;
        found["replies"] = replies;
        found["worlds"] = source ? drawn : std::min<std::uint64_t>(drawn, tables.size());
        found["effective"] = source ? source->effective() : 0.0;
        return found;
    }

    nb::bytes start() const {
        std::vector<std::uint64_t> memory(program_.bytes / 8);
        Table table(program_, reinterpret_cast<std::uint8_t *>(memory.data()));
        table.start();
        return out(table);
    }

    // Goes on until somebody is asked; numbers and cards are drawn by the seed.
    nb::bytes run(const nb::bytes &state, std::uint64_t seed) const {
        std::vector<std::uint8_t> memory = copy(state);
        Table table(program_, memory.data());
        SplitMix64 random(seed);
        table.run(random);
        return out(table);
    }

    nb::bytes answer(const nb::bytes &state, std::int32_t option, std::uint64_t seed) const {
        std::vector<std::uint8_t> memory = copy(state);
        Table table(program_, memory.data());
        if (!table.is_asked()) throw std::invalid_argument("nothing is asked");
        bool known = false;
        for (std::uint32_t at = 0; at < table.count_options(); ++at) known |= table.option(at) == option;
        if (!known) throw std::invalid_argument("no such option");
        table.answer(option);
        SplitMix64 random(seed);
        table.run(random);
        return out(table);
    }

    Numbers options(const nb::bytes &state) const {
        std::vector<std::uint8_t> memory = copy(state);
        Table table(program_, memory.data());
        Numbers found;
        if (table.is_asked())
            for (std::uint32_t at = 0; at < table.count_options(); ++at) found.push_back(table.option(at));
        return found;
    }

    // Everything in a table, for whoever wants to see it; and back.
    nb::dict unpack(const nb::bytes &state) const {
        std::vector<std::uint8_t> memory = copy(state);
        Table table(program_, memory.data());
        nb::dict found;
        const char *names[] = {"pc", "node", "steps", "alone", "decisions", "status", "fault", "broken_off", "who",
                               "may_pass", "is_play", "from", "to", "slot", "size", "choices"};
        for (int at = 0; at < Table::HEADS; ++at) found[names[at]] = table.head(static_cast<Table::Head>(at));
        Numbers slots(&table.slot(0), &table.slot(0) + program_.initial.size());
        found["slots"] = slots;
        nb::list places;
        for (std::uint32_t place = 0; place < program_.places; ++place) {
            Numbers cards;
            if (program_.order_at[place] >= 0)
                cards.assign(table.order(place), table.order(place) + table.length(place));
            else
                for (std::uint32_t card = 0; card < program_.cards; ++card)
                    if (table.holds(place, card)) cards.push_back(static_cast<std::int32_t>(card));
            places.append(cards);
        }
        found["places"] = places;
        found["options_of_choice"] = Numbers(table.choices(), table.choices() + table.head(Table::CHOICES));
        Numbers goals(program_.players);
        table.goals(goals.data());
        found["goals"] = goals;
        return found;
    }

    nb::bytes pack(std::int32_t pc, const Numbers &slots, const std::vector<Numbers> &places, std::int32_t decisions,
                   const std::map<std::uint32_t, Numbers> &templates) const {
        if (slots.size() != program_.initial.size() || places.size() != program_.places)
            throw std::invalid_argument("slots or places are missing");
        if (pc < 0 || static_cast<std::size_t>(pc) >= program_.code.size()) throw std::invalid_argument("no such address");
        std::vector<std::uint64_t> memory(program_.bytes / 8);
        Table table(program_, reinterpret_cast<std::uint8_t *>(memory.data()));
        table.start();
        for (std::uint32_t place = 0; place < program_.places; ++place)
            for (std::int32_t card : places[place]) {
                check_card(card);
                table.put(place, static_cast<std::uint32_t>(card));
            }
        for (const auto &[at, cards] : templates) {
            if (at >= program_.templates) throw std::invalid_argument("no such template");
            for (std::int32_t card : cards) {
                check_card(card);
                table.held_template(at)[card / 64] |= 1ull << (card & 63);
            }
        }
        std::copy(slots.begin(), slots.end(), &table.slot(0));
        table.head(Table::PC) = pc;
        table.head(Table::DECISIONS) = decisions;
        return out(table);
    }

    const Program &program() const { return program_; }

  private:
    // Rounds with as many iterations, or as much time, each; every option has had the same worlds when one ends.
    template <typename World>
    void halve(Ismcts &search, const World &world, std::uint64_t iterations, std::uint64_t seed,
               const std::optional<double> &seconds, const std::optional<nb::callable> &stop_asked,
               const std::uint8_t *first) const {
        Halving halving(search.values(first).size());
        if (halving.left().empty()) return;  // nobody is asked
        SplitMix64 luck(seed);
        const std::uint64_t rounds = halving.rounds();
        const auto share = seconds ? std::optional<double>(*seconds / static_cast<double>(rounds)) : std::nullopt;
        std::uint64_t worlds = 0;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::uint64_t each = std::max<std::uint64_t>(1, iterations / rounds / halving.left().size());
            AskToStop stop(share, stop_asked);
            for (std::uint64_t at = 0; at < each && !(at % 16 == 15 && stop()); ++at) {
                const std::uint8_t *here = world(worlds++);
                const std::uint64_t same = luck.next();
                for (std::int32_t option : halving.left()) {
                    search.reseed(same);
                    if (!search.iterate(here, option)) return;
                }
            }
            halving.drop(search.values(first));
        }
    }
    void check_card(std::int32_t card) const {
        if (card < 0 || static_cast<std::uint32_t>(card) >= program_.cards) throw std::invalid_argument("no such card");
    }
    Tally empty() const {
        Tally tally;
        tally.goals.assign(program_.players, 0);
        tally.squares.assign(program_.players, 0);
        tally.scores.assign(program_.players, 0);
        return tally;
    }
    std::vector<std::uint8_t> copy(const nb::bytes &state) const { return copy_table(program_, state); }
    nb::bytes out(const Table &table) const {
        return nb::bytes(reinterpret_cast<const char *>(table.memory()), program_.bytes);
    }

    Program program_;
};

}  // namespace

}  // namespace ludorum::cards

namespace ludorum {

void bind_cards(nb::module_ &m) {
    using cards::CardKernel;
    nb::class_<CardKernel>(m, "CardKernel", "A card game as bytecode; tables are bytes.")
        .def(nb::init<const nb::dict &>(), nb::arg("program"))
        .def_prop_ro("table_bytes", &CardKernel::bytes, "Of a table.")
        .def("start", &CardKernel::start)
        .def("run", &CardKernel::run, nb::arg("state"), nb::arg("seed"))
        .def("answer", &CardKernel::answer, nb::arg("state"), nb::arg("option"), nb::arg("seed"))
        .def("options", &CardKernel::options, nb::arg("state"))
        .def("unpack", &CardKernel::unpack, nb::arg("state"))
        .def("pack", &CardKernel::pack, nb::arg("pc"), nb::arg("slots"), nb::arg("places"), nb::arg("decisions"),
             nb::arg("templates"))
        .def("random_games", &CardKernel::random_games, nb::arg("count"), nb::arg("seed"))
        .def("playouts", &CardKernel::playouts, nb::arg("state"), nb::arg("count"), nb::arg("seed"))
        .def("leads", &CardKernel::leads, nb::arg("world"), nb::arg("answers"), nb::arg("seed"),
             nb::arg("points_worth") = 1.0, nb::arg("cards_worth") = 0.0,
             "How far who is asked leads at once after each answer; not a number where he cannot give it.")
        .def("deal", &CardKernel::deal, nb::arg("world"), nb::arg("dealing"), nb::arg("count"), nb::arg("pool"),
             nb::arg("seed"), "Worlds as the search draws them: tables.")
        .def("ismcts", &CardKernel::ismcts, nb::arg("worlds"), nb::arg("iterations"), nb::arg("seed"), nb::kw_only(),
             nb::arg("exploration") = 0.7, nb::arg("random_others") = 0.0, nb::arg("margin_weight") = 0.0,
             nb::arg("margin_scale") = 1.0, nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(),
             nb::arg("dealing") = nb::none(), nb::arg("pool") = 0, nb::arg("greedy") = 0.0,
             nb::arg("points_worth") = 1.0, nb::arg("cards_worth") = 0.0, nb::arg("longest") = 1000,
             nb::arg("lead_scale") = 5.0, nb::arg("halving") = false,
             "Options in the first world, with visits and mean rewards 0..1 of the player that is asked.");
}

}  // namespace ludorum
