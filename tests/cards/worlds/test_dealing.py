"""Worlds dealt by the kernel: the same ones, as often, as those that are counted and listed in Python."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.language.terms import Term
from ludorum.cards.load import checked_rules, load_card_game
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.reasons import NeedMove
from ludorum.cards.worlds.dealing import any_move, dealing_of
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.cards.worlds.weights import weights_of
from ludorum.cards.worlds.worlds import Sampler
from ludorum.rules.source import Source

Hands = tuple[tuple[Term, ...], ...]


def knowledges(game: CardGame, seed: int, decisions: range) -> list[Knowledge]:
    """What the player who is asked knows in a random game, at some of its decisions."""
    random = SplitMix64(seed)
    state: CardState = game.initial()
    known = [Knowledge.of(game, at) for at in range(len(game.players))]
    found, count = [], 0
    while not state.is_terminal and count < decisions.stop:
        for role, one in zip(game.players, known, strict=True):
            one.observe(state.percepts(role))
        if isinstance(state.reason, NeedMove):
            if count in decisions:
                found.append(known[state.reason.player].copy())
            count += 1
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    return found


def hands_of(table: bytes, compiled: CompiledCards, players: int) -> Hands:
    places = compiled.position_of(table)["places"]
    assert isinstance(places, dict)
    return tuple(tuple(sorted(places[hand(at)], key=str)) for at in range(players))


def listed(sampler: Sampler, weighting: str) -> dict[Hands, float]:
    """Every hand that is possible, and how likely it is."""
    histories = list(sampler.every())
    players = len(sampler.knowledge.game.players)
    found: dict[Hands, float] = {}
    for history, weight in zip(histories, weights_of(histories, weighting), strict=True):
        position = history.position()
        hands = tuple(tuple(sorted(position.cards(hand(at)), key=str)) for at in range(players))
        found[hands] = found.get(hands, 0.0) + weight
    return found


def chi_square(seen: Counter[Hands], expected: dict[Hands, float], count: int) -> float:
    """Per degree of freedom; about 1 where both agree."""
    terms = [(seen[one] - count * share) ** 2 / (count * share) for one, share in expected.items()]
    return sum(terms) / max(1, len(terms) - 1)


@pytest.mark.long
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks"])
@pytest.mark.parametrize("weighting", ["uniform", "inverse_choices"])
def test_worlds_are_dealt_as_often_as_they_are_likely(name: str, weighting: str) -> None:
    game = load_card_game(name)
    compiled = CompiledCards(game.chart)
    tested = 0
    for seed in range(8):
        for knowledge in knowledges(game, seed, range(10, 13)):
            sampler = Sampler(knowledge)
            if not 3 <= sampler.shares.count() <= 120:
                continue
            model = None if weighting == "uniform" else any_move
            dealing = dealing_of(knowledge, compiled, Random(seed), model)
            assert dealing is not None
            assert dealing.worlds == sampler.shares.count()
            expected = listed(sampler, weighting)
            count = 20 * len(expected)
            # A large pool, so that drawing from it is nearly as good as drawing from all worlds.
            tables = compiled.kernel.deal(dealing.table, dealing.as_dict(), count, 200 * len(expected), seed)
            seen = Counter(hands_of(table, compiled, 2) for table in tables)
            assert set(seen) <= set(expected)
            spread = (2 / max(1, len(expected) - 1)) ** 0.5
            assert chi_square(seen, expected, count) < 1.3 + 5 * spread
            tested += 1
    assert tested >= 3


SMALL_TRICKS = """
; players: {players}
0  start
1  Pack.use(card(any,hearts))
2  Pack.add(card(any,spades))
3  Pack.remove({removed})
4  Shuffle
5  Deal({cards})
6  leader=0
10 cardsRemaining(player(leader))>0 ? 11 : 40
11 playCard(player(leader),card(any,any))
12 leadSuit=suit(middle(player(leader)))
13 i=1
14 i<numberOfPlayers ? 15 : 30
15 current=player((leader+i)%numberOfPlayers)
16 playerHas(current,card(any,leadSuit)) ? 17 : 18
17 playCard(current,card(any,leadSuit)) -> 19
18 playCard(current,card(any,any))
19 i=i+1 -> 14
30 score(player(leader))=score(player(leader))+1
31 leader=(leader+1)%numberOfPlayers
32 Stack.empty -> 10
40 end
"""
"""Two suits that must be followed: who did not follow has none of one, and cards become of several kinds."""


def small_tricks(players: int, cards: int, left: str) -> CardGame:
    ranks = [str(rank) for rank in (*range(2, 11), "jack", "queen", "king", "ace")]
    gone = [f"card({rank},any)" for rank in ranks if rank not in left.split()]
    removed = gone[0]
    for one in gone[1:]:
        removed = f"union({removed},{one})"
    text = SMALL_TRICKS.format(players=players, cards=cards, removed=removed)
    return CardGame(checked_rules(Source("tricks", text), "tricks"), "tricks")


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "cards", "left"), [(3, 4, "6 7 8 9 10 king ace"), (4, 2, "8 9 10 king ace")]
)
def test_worlds_of_three_and_four_players_are_dealt_evenly(players: int, cards: int, left: str) -> None:
    """Every hand that is possible comes, as often as it has worlds, where cards are of several kinds."""
    game = small_tricks(players, cards, left)
    compiled = CompiledCards(game.chart)
    tested = 0
    for seed in range(12):
        for knowledge in knowledges(game, seed, range(players, 2 * players + 2)):
            sampler = Sampler(knowledge)
            if len(sampler.shares.kinds) < 2 or not 12 <= sampler.shares.count() <= 60:
                continue
            dealing = dealing_of(knowledge, compiled, Random(seed))
            assert dealing is not None
            expected = listed(sampler, "uniform")
            count = 40 * len(expected)
            tables = compiled.kernel.deal(dealing.table, dealing.as_dict(), count, 0, seed)
            seen = Counter(hands_of(table, compiled, players) for table in tables)
            assert set(seen) == set(expected)
            spread = (2 / (len(expected) - 1)) ** 0.5
            assert chi_square(seen, expected, count) < 1 + 4 * spread
            tested += 1
    assert tested > 8


@pytest.mark.long
def test_hands_of_several_players_and_pick_ups_agree_with_what_is_possible() -> None:
    for name, decisions in (("crazy_eights_simple", range(3, 40, 6)), ("whist", range(5, 50, 8))):
        game = load_card_game(name)
        compiled = CompiledCards(game.chart)
        for seed in range(3):
            for knowledge in knowledges(game, seed, decisions):
                dealing = dealing_of(knowledge, compiled, Random(seed))
                assert dealing is not None
                sampler = Sampler(knowledge)
                for table in compiled.kernel.deal(dealing.table, dealing.as_dict(), 20, 0, seed):
                    for owner, cards in zip(
                        sampler.unknowns.owners,
                        (hands_of(table, compiled, len(game.players))[at] for at in _others(knowledge)),
                        strict=True,
                    ):
                        assert len(cards) == len(knowledge.position.cards(owner.place))
                        spans = {item.card: owner.span(item) for item in sampler.unknowns.items}
                        assert all(spans.get(card, (0, 1)) is not None for card in cards)


def _others(knowledge: Knowledge) -> list[int]:
    return [at for at in range(len(knowledge.game.players)) if at != knowledge.player]


def test_a_dealing_that_does_not_fit_is_refused() -> None:
    game = load_card_game("trumps")
    compiled = CompiledCards(game.chart)
    (knowledge,) = knowledges(game, 1, range(4, 5))
    dealing = dealing_of(knowledge, compiled, Random(1), any_move)
    assert dealing is not None
    parts = dealing.as_dict()
    wrongs: list[dict[str, object]] = [
        {"owners": [99]},
        {"kinds": [[-1]]},
        {"lots": []},
        {"lots": [[(1000, 1.0, 0)]]},
        {"lots": [[] for _ in dealing.lots]},
        {"evidence": [dict(dealing.evidence[0], owner=7)]},
    ]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="does not fit"):
            compiled.kernel.deal(dealing.table, parts | wrong, 1, 10, 1)
