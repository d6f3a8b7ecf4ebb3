// Card games for Python: programs, tables as bytes, random games.

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "cards/bind.hpp"
#include "cards/check.hpp"
#include "cards/ismcts.hpp"
#include "cards/program.hpp"
#include "cards/search.hpp"
#include "cards/worlds.hpp"

namespace nb = nanobind;

namespace ludorum::cards {

using Numbers = std::vector<std::int32_t>;

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

    nb::dict random_games(const Whole &given_count, const Whole &given_seed) const {
        const auto count = given_count.as<std::uint64_t>("count"), seed = given_seed.as<std::uint64_t>("seed");
        Tally tally = empty();
        {
            nb::gil_scoped_release release;
            Games games(program_, seed);
            AskToStop stop;
            games.play_from_start(count, tally, [&] { return stop(); });
        }
        return as_dict(tally);
    }

    nb::dict playouts(const nb::bytes &state, const Whole &given_count, const Whole &given_seed) const {
        const auto count = given_count.as<std::uint64_t>("count"), seed = given_seed.as<std::uint64_t>("seed");
        const std::vector<std::uint8_t> from = copy(state);
        Tally tally = empty();
        {
            nb::gil_scoped_release release;
            Games games(program_, seed);
            AskToStop stop;
            const std::function<bool()> stopped = [&] { return stop(); };
            for (std::uint64_t game = 0; game < count && !((game & 255) == 255 && stopped()); ++game)
                games.play(from.data(), tally, stopped);
        }
        return as_dict(tally);
    }

    std::vector<double> leads(const nb::bytes &world, const Numbers &answers, const Whole &given_seed, double points_worth,
                              double cards_worth) const {
        const auto seed = given_seed.as<std::uint64_t>("seed");
        for (std::int32_t card : answers)
            if (card >= 0) check_card(card);
        IsmctsSettings settings;
        settings.points_worth = number_in(points_worth, "points_worth", -MUCH, MUCH);
        settings.cards_worth = number_in(cards_worth, "cards_worth", -MUCH, MUCH);
        return Ismcts(program_, settings, seed).leads(copy(world).data(), answers);
    }

    // Some of the worlds that a search would look at.
    std::vector<nb::bytes> deal(const nb::bytes &world, const nb::dict &dealing, const Whole &given_count,
                                const Whole &given_pool, const Whole &given_seed) const {
        const auto count = given_count.in<std::size_t>("count", 0, MOST_WORLDS);
        const auto pool = given_pool.in<std::size_t>("pool", 0, MOST_WORLDS);
        const auto seed = given_seed.as<std::uint64_t>("seed");
        Worlds source(program_, read_dealing(program_, dealing, copy(world)), pool, seed);
        std::vector<nb::bytes> found;
        for (std::size_t at = 0; at < count; ++at)
            found.emplace_back(reinterpret_cast<const char *>(source.draw()), program_.bytes);
        return found;
    }

    // Options of the player that is asked in all these worlds, with visits and mean rewards; and what may come next.
    nb::dict ismcts(const std::vector<nb::bytes> &worlds, const Whole &given_iterations, const Whole &given_seed,
                    double exploration, double random_others, double margin_weight, double margin_scale,
                    const std::optional<double> &given_seconds, const std::optional<nb::callable> &stop_asked,
                    const std::optional<nb::dict> &dealing, const Whole &given_pool, double greedy, double points_worth,
                    double cards_worth, const Whole &given_longest, double lead_scale, bool halving,
                    const std::optional<nb::object> &judge, double prior, double prior_looks,
                    const Whole &given_prior_worlds, double policy, double sharpness,
                    const std::optional<nb::dict> &habits) const {
        const auto iterations = given_iterations.as<std::uint64_t>("iterations");
        const auto seed = given_seed.as<std::uint64_t>("seed");
        const auto pool = given_pool.in<std::size_t>("pool", 0, MOST_WORLDS);
        const auto longest = given_longest.in<std::uint32_t>("longest", 0, LONGEST);
        const auto prior_worlds = given_prior_worlds.as<std::uint64_t>("prior_worlds");
        const std::optional<double> seconds = checked_seconds(given_seconds);
        number_in(exploration, "exploration", 0, MUCH);
        for (const auto &[name, share] : {std::pair{"random_others", random_others}, {"margin_weight", margin_weight},
                                          {"greedy", greedy}, {"policy", policy}})
            number_in(share, name, 0, 1);
        for (const auto &[name, scale] : {std::pair{"margin_scale", margin_scale}, {"lead_scale", lead_scale}})
            number_in(scale, name, 1e-9, MUCH);
        for (const auto &[name, number] : {std::pair{"points_worth", points_worth}, {"cards_worth", cards_worth},
                                           {"prior", prior}, {"prior_looks", prior_looks}, {"sharpness", sharpness}})
            number_in(number, name, -MUCH, MUCH);
        if (worlds.empty()) throw std::invalid_argument("there is no world to search in");
        std::vector<std::vector<std::uint8_t>> tables;
        for (const nb::bytes &world : worlds) tables.push_back(copy(world));
        std::optional<Worlds> source;
        if (dealing) source.emplace(program_, read_dealing(program_, *dealing, tables[0]), pool, seed ^ 0x5DEECE66Dull);
        const Valuation *valuation = judge ? &valuation_of(*judge, program_) : nullptr;
        if (!valuation && (prior > 0 || policy > 0)) throw std::invalid_argument("preferences need a judge");
        std::optional<Policy> weights;
        if (policy > 0) weights.emplace(program_, *valuation);
        const std::optional<Habits> known = habits ? std::optional(read_habits(program_, *habits)) : std::nullopt;
        Ismcts search(program_,
                      {exploration, random_others, margin_weight, margin_scale, greedy, points_worth, cards_worth,
                       longest, lead_scale, policy, sharpness, prior, prior_looks, known ? &*known : nullptr},
                      seed, weights ? &*weights : nullptr);
        std::uint64_t drawn = 0;
        std::optional<std::int32_t> best;
        {
            nb::gil_scoped_release release;
            const auto world = [&](std::uint64_t at) {
                drawn = at + 1;
                return source ? source->draw() : tables[at % tables.size()].data();
            };
            AskToStop stop(seconds, stop_asked);
            for (std::uint64_t at = 0; weights && at < prior_worlds && !(at > 0 && stop()); ++at) weights->look(world(at));
            if (prior > 0) {
                std::uint64_t at = 0;
                const auto values = preferences(program_, *valuation, [&] { return world(at++); }, prior_worlds, seed,
                                                [&] { return stop(); });
                search.set_prior(tables[0].data(), values);
            }
            if (halving) {
                const auto left = seconds ? std::optional<double>(std::max(0.0, *seconds - stop.elapsed())) : std::nullopt;
                best = halve(search, world, iterations, seed, left, stop_asked, tables[0].data());
            } else {
                for (std::uint64_t at = 0; at < iterations; ++at) {
                    if ((at & 63) == 63 && stop()) break;
                    if (!search.iterate(world(at))) break;
                }
            }
        }
        nb::list options;
        nb::dict replies;
        for (const OptionValue &one : search.values(tables[0].data())) {
            options.append(nb::make_tuple(one.option, one.visits, one.value, one.bonus));
            nb::list answers;
            for (const ReplyValue &reply : search.replies(tables[0].data(), one.option))
                answers.append(nb::make_tuple(reply.key, reply.visits, reply.available, reply.value));
            replies[nb::int_(one.option)] = answers;
        }
        nb::dict found;
        found["options"] = options;
        found["best"] = best;
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

    // Goes on until a player is asked; numbers and cards are drawn by the seed.
    nb::bytes run(const nb::bytes &state, const Whole &seed) const {
        std::vector<std::uint8_t> memory = copy(state);
        Table table(program_, memory.data());
        SplitMix64 random(seed.as<std::uint64_t>("seed"));
        table.run(random);
        return out(table);
    }

    nb::bytes answer(const nb::bytes &state, const Whole &given_option, const Whole &given_seed) const {
        const auto option = given_option.as<std::int32_t>("option");
        const auto seed = given_seed.as<std::uint64_t>("seed");
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

    // By option: its value by the pseudo-heuristics, the mean over these worlds.
    std::map<std::int32_t, double> preferences_in(const std::vector<nb::bytes> &worlds, const nb::object &judge,
                                                  const Whole &given_seed) const {
        const auto seed = given_seed.as<std::uint64_t>("seed");
        std::size_t at = 0;
        std::vector<std::uint8_t> world;
        const auto next = [&] {
            world = copy(worlds.at(at++));
            return static_cast<const std::uint8_t *>(world.data());
        };
        std::map<std::int32_t, double> found;
        for (const auto &[option, value] :
             preferences(program_, valuation_of(judge, program_), next, worlds.size(), seed, [] { return false; }))
            found[option] = value;
        return found;
    }

    // By option of `state`: its weight in playouts, by a policy that has looked into these worlds.
    std::map<std::int32_t, double> policy_weights(const nb::bytes &state, const std::vector<nb::bytes> &worlds,
                                                  const nb::object &judge, double points_worth, double cards_worth) const {
        Policy policy(program_, valuation_of(judge, program_));
        for (const nb::bytes &one : worlds) policy.look(copy(one).data());
        IsmctsSettings settings;
        settings.points_worth = number_in(points_worth, "points_worth", -MUCH, MUCH);
        settings.cards_worth = number_in(cards_worth, "cards_worth", -MUCH, MUCH);
        const std::vector<double> weights = Ismcts(program_, settings, 0, &policy).weights(copy(state).data());
        const Numbers names = options(run(state, 0));
        std::map<std::int32_t, double> found;
        for (std::size_t at = 0; at < weights.size(); ++at) found[names[at]] = weights[at];
        return found;
    }

    // Everything in a table as plain values, and back.
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

    nb::bytes pack(const Whole &given_pc, const Numbers &slots, const std::vector<Numbers> &places, const Whole &decisions,
                   const std::map<std::uint32_t, Numbers> &templates) const {
        if (slots.size() != program_.initial.size() || places.size() != program_.places)
            throw std::invalid_argument("slots or places are missing");
        const auto pc = given_pc.as<std::int32_t>("pc");
        if (!is_entry(program_, pc)) throw std::invalid_argument("no such address");
        Mask met;
        std::vector<std::uint64_t> memory(program_.bytes / 8);
        Table table(program_, reinterpret_cast<std::uint8_t *>(memory.data()));
        table.start();
        for (std::uint32_t place = 0; place < program_.places; ++place)
            for (std::int32_t card : places[place]) {
                check_card(card);
                if (met.words[card / 64] >> (card & 63) & 1) throw std::invalid_argument("a card is in two places");
                met.words[card / 64] |= 1ull << (card & 63);
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
        table.head(Table::DECISIONS) = decisions.as<std::int32_t>("decisions");
        check_table(program_, table.memory());
        return out(table);
    }

    const Program &program() const { return program_; }

  private:
    static constexpr double MUCH = 1e9;
    static constexpr std::size_t MOST_WORLDS = 1'000'000;
    static constexpr std::uint32_t LONGEST = 1'000'000;  // decisions of a game that is played out

    // Rounds of equally many iterations, or equal time; at the end of a round every option has had the same worlds.
    template <typename World>
    std::optional<std::int32_t> halve(Ismcts &search, const World &world, std::uint64_t iterations, std::uint64_t seed,
               const std::optional<double> &seconds, const std::optional<nb::callable> &stop_asked,
               const std::uint8_t *first) const {
        const std::vector<OptionValue> options = search.values(first);
        Halving halving(options.size());
        if (halving.left().empty()) return std::nullopt;  // no player is asked
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
                    if (!search.iterate(here, option)) return std::nullopt;
                }
            }
            halving.drop(search.values(first));
        }
        return options[static_cast<std::size_t>(halving.left()[0])].option;
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
        .def("preferences", &CardKernel::preferences_in, nb::arg("worlds"), nb::arg("judge"), nb::arg("seed"),
             "What the pseudo-heuristics prefer in the mean over worlds, by option.")
        .def("policy_weights", &CardKernel::policy_weights, nb::arg("state"), nb::arg("worlds"), nb::arg("judge"),
             nb::arg("points_worth") = 1.0, nb::arg("cards_worth") = 0.0,
             "What games are played out by, by option of a state, after a look into worlds.")
        .def("deal", &CardKernel::deal, nb::arg("world"), nb::arg("dealing"), nb::arg("count"), nb::arg("pool"),
             nb::arg("seed"), "Worlds as the search draws them: tables.")
        .def("ismcts", &CardKernel::ismcts, nb::arg("worlds"), nb::arg("iterations"), nb::arg("seed"), nb::kw_only(),
             nb::arg("exploration") = 0.7, nb::arg("random_others") = 0.0, nb::arg("margin_weight") = 0.0,
             nb::arg("margin_scale") = 1.0, nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(),
             nb::arg("dealing") = nb::none(), nb::arg("pool") = 0, nb::arg("greedy") = 0.0,
             nb::arg("points_worth") = 1.0, nb::arg("cards_worth") = 0.0, nb::arg("longest") = 1000,
             nb::arg("lead_scale") = 5.0, nb::arg("halving") = false, nb::arg("judge") = nb::none(),
             nb::arg("prior") = 0.0, nb::arg("prior_looks") = 20.0, nb::arg("prior_worlds") = 8, nb::arg("policy") = 0.0,
             nb::arg("sharpness") = 4.0, nb::arg("habits") = nb::none(),
             "Options in the first world, with visits and mean rewards 0..1 of the player that is asked.");
}

}  // namespace ludorum
