"""What others say with which hands is learnt, tells worlds apart as Bayes has it, and guides the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import isclose, log2
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.language.deck import standard_pack
from ludorum.cards.language.terms import Term, number
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.hand_scale import KINDS, HandScale
from ludorum.cards.machine.position import hand
from ludorum.cards.mind.habits import EVENLY, NEAR, PRIOR, Habits, Topic
from ludorum.cards.mind.mind import CardMind, CardMindConfig
from ludorum.cards.worlds import Sampler, WorldSource, sample_worlds
from ludorum.cards.worlds.dealing import dealing_of
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.engine.sight import position_of
from ludorum.players import make_player
from ludorum.search.budget import Budget
from tests.cards.small_charts import cards

BIDS = tuple(map(number, range(4)))
ANSWERS = (Term("fold"), Term("call"))


def poker() -> CardGame:
    return load_card_game("one_card_poker")


def follow(game: CardGame, *texts: str) -> Iterator[CardState]:
    """The states of a match in which nature and players do these things."""
    state = game.initial()
    yield state
    for text in texts:
        state = state.play(next(joint for joint in state.joint_moves() if text in map(str, joint)))
        yield state


def drawn(rank: str) -> str:
    return f"(draw (card {rank} spades))"


def three_bid_against_the_nine() -> Knowledge:
    """Player 0 has the nine; the other, who is first, has bid three."""
    game = poker()
    draws = [drawn("9"), drawn("ace")]
    return Knowledge.after(follow(game, "(random 1)", *draws, "(choose 3)"), 0)


# Hands.


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_hand_is_compared_with_all_hands_of_its_size(data: st.DataObject) -> None:
    pack = data.draw(st.lists(st.sampled_from(standard_pack()), min_size=2, max_size=9))
    size = data.draw(st.integers(0, min(4, len(pack))))
    worth = {card: data.draw(st.integers(-3, 14)) for card in dict.fromkeys(pack)}
    scale = HandScale(tuple((card, worth[card]) for card in pack))
    held = data.draw(st.permutations(pack))[:size]
    own = sum(worth[card] for card in held)
    sums = [sum(worth[card] for card in other) for other in combinations(pack, size)]
    share = (sum(one < own for one in sums) + sum(one == own for one in sums) / 2) / len(sums)
    assert isclose(scale.share(held), share)
    assert scale.kind(held) == sum(share >= (kind + 1) / KINDS - 1e-9 for kind in range(KINDS - 1))


def test_cards_are_worth_their_points_where_points_count_and_else_their_ranks() -> None:
    found = {}
    for name in ("twenty_one", "oh_hell"):
        game = load_card_game(name)
        found[name] = HandScale.of(game.chart, game.initial().position).worth_of(cards("kh", "9h", "ah"))
    assert found == {"twenty_one": [10, 9, 1], "oh_hell": [13, 9, 14]}


# Learning.


def test_what_is_said_with_a_hand_that_is_shown_counts_once() -> None:
    """Ace, three chips, called: the best kind of hand has bid three once, and what is believed follows."""
    game = poker()
    states = follow(game, "(random 1)", drawn("9"), drawn("ace"), "(choose 3)", "(choose call)")
    knowledge = Knowledge.after(states, 0)
    assert knowledge.last_deal is not None
    habits = Habits(game, 0)
    habits.learn(knowledge.last_deal, Random(1))
    topic = Topic(1, "bid", BIDS)
    assert list(habits.counts) == [topic]
    expected = [[0.0] * 4 for _ in range(KINDS)]
    expected[KINDS - 1][3] = 1.0
    assert habits.counts[topic] == {10: expected}
    habit = habits.habit(topic, 10)
    assert habit is not None
    usual = [EVENLY / 4 / (1 + EVENLY)] * 3 + [(1 + EVENLY / 4) / (1 + EVENLY)]
    for kind in range(KINDS):
        near = NEAR[KINDS - 1 - kind] if KINDS - 1 - kind < len(NEAR) else 0.0
        for option, chance in enumerate(habit.chances[kind]):
            said = near if option == 3 else 0.0
            assert isclose(chance, (said + PRIOR * usual[option]) / (near + PRIOR))
        assert isclose(habit.trust[kind], near / (near + PRIOR))


def test_a_hand_that_stays_hidden_counts_as_all_it_may_have_been() -> None:
    """Who folds shows nothing: the twelve other cards are about as likely, as long as nothing is believed."""
    game = poker()
    states = follow(game, "(random 0)", drawn("9"), drawn("2"), "(choose 3)", "(choose fold)")
    knowledge = Knowledge.after(states, 0)
    assert knowledge.last_deal is not None
    habits = Habits(game, 0)
    habits.learn(knowledge.last_deal, Random(1))
    (rows,) = habits.counts[Topic(1, "answer", ANSWERS)].values()
    scale = habits.scale(game.initial().position)
    pack = [card for card in knowledge.position.composition if card not in cards("9s")]
    kinds = Counter(scale.kind((card,)) for card in pack)
    assert sum(kinds.values()) == 12
    for kind in range(KINDS):
        assert isclose(rows[kind][0], kinds[kind] / 12, abs_tol=0.03)
        assert rows[kind][1] == 0
    assert sum(map(sum, rows)) == pytest.approx(1)


def test_hands_that_stay_hidden_are_guessed_from_those_that_were_shown() -> None:
    """He called with the best cards and was seen to; who folds had a worse one, most likely."""
    game = poker()
    answers = [("ace", "call"), ("king", "call"), ("2", "fold"), ("queen", "call")]
    texts = ["(random 0)"]
    for deal, (other, answer) in enumerate(answers):
        bids = ["(choose 0)"] * (deal % 2) + ["(choose 3)"]
        texts += [drawn("9"), drawn(other), *bids, f"(choose {answer})"]
    habits = Habits(game, 0)
    knowledge = Knowledge.of(game, 0)
    for state in follow(game, *texts):
        before = knowledge.last_deal
        knowledge.observe(state.percepts(game.players[0]))
        if knowledge.last_deal is not None and knowledge.last_deal is not before:
            habits.learn(knowledge.last_deal, Random(1))
    (rows,) = habits.counts[Topic(1, "answer", ANSWERS)].values()
    assert sum(map(sum, rows)) == pytest.approx(4)
    folds = [row[0] for row in rows]
    assert folds[KINDS - 1] < 0.5 * folds[0]


@pytest.mark.parametrize("name", ["one_card_poker", "twenty_one", "oh_hell"])
def test_what_is_known_of_a_deal_outlives_it(name: str) -> None:
    """When the pack is shuffled anew, the true hands are among the worlds of the deal before."""
    game = load_card_game(name)
    random, state, known = SplitMix64(5), game.initial(), Knowledge.of(game, 0)
    deals = heard = 0
    while not state.is_terminal and deals < 4:
        legal = [state.legal(role) for role in game.roles]
        following = state.play([moves[random.below(len(moves))] for moves in legal])
        before = known.last_deal
        known.observe(following.percepts(game.players[0]))
        if known.last_deal is not before and known.last_deal is not None:
            deals += 1
            last = known.last_deal
            sampler = Sampler(last)
            assert sampler.shares.count() >= 1
            said = [one for one in sampler.unknowns.sayings if one.player != 0]
            heard += len(said)
            for history in sampler.some(5, Random(deals)):
                for one in said:
                    held = history.cards(one.before, hand(one.player), one.time)
                    assert len(held) == one.before.count(hand(one.player))
        state = following
    assert deals >= 3
    assert heard


# Worlds.


@pytest.mark.spec("card-games-fcdl", 89)
def test_worlds_are_as_likely_as_bayes_says() -> None:
    """Twelve cards he may have, each as likely before; then by how likely he bids three with it."""
    knowledge = three_bid_against_the_nine()
    habits = Habits(knowledge.game, 0)
    said = [[9.0, 0.0, 0.0, 0.0]] * 3 + [[0.0, 4.0, 4.0, 1.0]] * 3 + [[0.0, 0.0, 1.0, 8.0]]
    habits.counts[Topic(1, "bid", BIDS)] = {10: [list(row) for row in said]}
    usual = (3 * 1 + 8 + EVENLY / 4) / (3 * 9 + 3 * 9 + 9 + EVENLY)
    # By hand: thirteen ranks in seven kinds; the middle of a rank decides.
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a"]
    kind_of = [int((at + 0.5) / 13 * 7) for at in range(13)]
    likely = {}
    for rank, kind in zip(ranks, kind_of, strict=True):
        near = {other: NEAR[abs(kind - other)] for other in range(7) if abs(kind - other) < len(NEAR)}
        heard = sum(near[other] * sum(said[other]) for other in near)
        three = sum(near[other] * said[other][3] for other in near)
        likely[cards(f"{rank}s")[0]] = (three + PRIOR * usual) / (heard + PRIOR)
    del likely[cards("9s")[0]]
    total = sum(likely.values())
    worlds = sample_worlds(knowledge, 100, 1, habits.policy)
    assert len(worlds) == 12
    for world in worlds:
        (card,) = world.position.cards(hand(1))
        assert isclose(world.weight, likely[card] / total, rel_tol=1e-9)
    for one, other in zip(worlds, WorldSource(knowledge, 1).likely(100, habits.likelihood), strict=True):
        assert isclose(one.weight, other.weight, rel_tol=1e-9)
    found = _dealt(knowledge, habits, 6000)
    for card, chance in likely.items():
        expected = 6000 * chance / total
        assert abs(found[card] - expected) < 5 * expected**0.5 + 25, card


def _dealt(knowledge: Knowledge, habits: Habits, count: int) -> Counter[Term]:
    """How often the kernel deals each card to the other player, out of a large pool."""
    compiled = CompiledCards(knowledge.game.chart)
    dealing = dealing_of(knowledge, compiled, Random(1), None, habits.tells)
    assert dealing is not None
    assert len(dealing.sayings) == 1
    tables = compiled.kernel.deal(dealing.table, dealing.as_dict(), count, 60_000, 3)
    found: Counter[Term] = Counter()
    for table in tables:
        places = compiled.position_of(table)["places"]
        assert isinstance(places, dict)
        found.update(places[hand(1)])
    return found


@pytest.mark.long
def test_who_says_what_the_hand_is_worth_is_seen_through() -> None:
    """The true world becomes likelier in the course of a match; of who says anything nothing is learnt."""
    gained = {rival: _bits(poker(), rival) for rival in ("card_honest", "random")}
    assert gained["card_honest"] > 0.3
    assert gained["random"] < 0.1


def _bits(game: CardGame, rival: str) -> float:
    """By how much the true world is likelier than any, in bits, in the second half of some matches."""
    found = []
    for seed in range(2):
        me, other = game.players
        nature, state, chance = SplitMix64(seed), game.initial(), Random(seed)
        known, habits, player = Knowledge.of(game, 0), Habits(game, 0), make_player(rival, seed)
        player.start(game, other, 60)
        while not state.is_terminal:
            before = known.last_deal
            known.observe(state.percepts(me))
            if known.last_deal is not None and known.last_deal is not before:
                habits.learn(known.last_deal, chance)
            if state.asked is me and state.position.decisions > 45:
                worlds = sample_worlds(known, 20, 1, habits.policy)
                true = state.position.cards(hand(1))
                weight = sum(one.weight for one in worlds if one.position.cards(hand(1)) == true)
                found.append(log2(weight * len(worlds)))
            legal = [state.legal(role) for role in game.roles]
            joint = [moves[nature.below(len(moves))] for moves in legal]
            joint[1] = player.choose(position_of(state, other), 60)
            state = state.play(joint)
    return fmean(found)


# The search.


def test_others_do_in_the_search_what_they_use_to_do() -> None:
    """Who always folds is never thought to call, and a bid with the lowest card is a good one then."""
    game = poker()
    compiled = CompiledCards(game.chart)
    state = list(follow(game, "(random 0)", drawn("2"), drawn("9")))[-1]
    table = compiled.table_of(state.position)
    names = {option: term for term, option in compiled.options(compiled.kernel.run(table, 0)).items()}
    worth = {}
    for at, answer in enumerate(ANSWERS):
        habits = Habits(game, 0)
        counts = [[1e6 if option == at else 0.0 for option in range(2)] for _ in range(KINDS)]
        habits.counts[Topic(1, "answer", ANSWERS)] = {16: counts}
        known = habits.as_dict(compiled, state.position)
        found = compiled.kernel.ismcts([table], 2000, 1, longest=0, habits=known)
        bid = next(option for option, term in names.items() if str(term) == "3")
        replies = {compiled.program.codes.term(key) for key, *_ in found["replies"][bid]}
        assert replies == {answer}
        worth[answer] = next(value for option, _, value, _ in found["options"] if option == bid)
    assert worth[ANSWERS[0]] > 0.5 > worth[ANSWERS[1]]


def test_habits_that_do_not_fit_are_refused() -> None:
    game = poker()
    compiled = CompiledCards(game.chart)
    state = list(follow(game, "(random 0)", drawn("2"), drawn("9")))[-1]
    table = compiled.table_of(state.position)
    habits = Habits(game, 0)
    habits.counts[Topic(1, "answer", ANSWERS)] = {16: [[1.0, 1.0] for _ in range(KINDS)]}
    known = habits.as_dict(compiled, state.position)
    assert known is not None
    rows = known["rows"]
    assert isinstance(rows, list)
    wrongs: list[dict[str, object]] = [{"worth": [1]}, {"limits": []}, {"limits": [[1]]}]
    wrongs.append({"rows": [rows[0] | {"trust": []}]})
    for wrong in wrongs:
        with pytest.raises(ValueError, match="do not fit"):
            compiled.kernel.ismcts([table], 10, 1, habits=known | wrong)


def test_the_champion_says_what_it_has_heard() -> None:
    game = poker()
    mind = CardMind(game, game.players[0], 1, CardMindConfig(model="learnt"))
    for state in follow(
        game, "(random 1)", drawn("9"), drawn("ace"), "(choose 3)", "(choose call)", drawn("9"), drawn("2"),
        "(choose 0)", "(choose 0)", drawn("8"), drawn("7"), "(choose 2)",
    ):  # fmt: skip
        mind.observe(state.percepts(game.players[0]))
    decision = mind.decide(Budget(playouts=50))
    assert "player1 mostly says 0 with weak hands and 3 with good ones (bid)" in decision.reasons


@pytest.mark.long
@pytest.mark.parametrize("name", ["twenty_one", "oh_hell"])
def test_learning_players_finish_games_in_which_something_is_said(name: str) -> None:
    """Also where worlds are drawn one by one, and with several others."""
    game = load_card_game(name)
    minds = {
        role: CardMind(game, role, at, CardMindConfig(model="learnt", worlds=8))
        for at, role in enumerate(game.players)
    }
    random, state = SplitMix64(2), game.initial()
    while not state.is_terminal:
        joint = []
        for role in game.roles:
            legal = state.legal(role)
            if role in minds:
                minds[role].observe(state.percepts(role))
            asked = role in minds and role is state.asked
            move = minds[role].decide(Budget(playouts=20)).move if asked else legal[random.below(len(legal))]
            assert move in legal
            joint.append(move)
        state = state.play(joint)
    for mind in minds.values():
        assert mind.habits is not None
        assert mind.habits.counts


def test_an_honest_player_bids_what_the_hand_is_worth() -> None:
    game = poker()
    expected = {"2": "0", "4": "0", "5": "1", "8": "2", "jack": "2", "queen": "3", "ace": "3"}
    for rank, bid in expected.items():
        player = make_player("card_honest", 1)
        player.start(game, game.players[0], 60)
        other = "9"
        for state in follow(game, "(random 0)", drawn(rank), drawn(other)):
            move = player.choose(position_of(state, game.players[0]), 60)
        assert str(move) == f"(choose {bid})", rank
