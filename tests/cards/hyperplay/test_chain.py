"""Worlds from the chain: every decision of every game has some, and all of them can have happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import isclose
from random import Random
from time import process_time

import pytest

from ludorum.cards.deck import sorted_cards
from ludorum.cards.game import CardState
from ludorum.cards.hyperplay import Sampler, sample_worlds
from ludorum.cards.hyperplay.chain import chain_of_worlds
from ludorum.cards.hyperplay.trace import Passage, trace_of
from ludorum.cards.hyperplay.weights import choices
from ludorum.cards.knowledge import Knowledge
from ludorum.cards.load import load_card_game
from ludorum.cards.position import hand
from ludorum.cards.story import Crept
from ludorum.rules.library import chart_sheets
from ludorum.rules.terms import Term

from .brute_force import before_the_end, brute_force, final_positions, hidden, table_game
from .random_charts import random_history
from .replay import replay

MOST_STATES = 240
"""Of a match that is not looked at to its end."""
GAMES = [str(sheet.name) for sheet in chart_sheets()]


def decisions_of(name: str, seed: int, some: int | None) -> Iterator[tuple[list[CardState], Knowledge]]:
    """Moments of a random game at which somebody decides, with what he knows; so many, not late, or all."""
    game = load_card_game(name)
    playout = islice(game.playout(seed), None if some is None else MOST_STATES)
    states = [state for state in playout if isinstance(state, CardState)]
    asked = [at for at, state in enumerate(states) if not state.is_terminal and state.asked in game.players]
    chosen = set(asked if some is None else Random(seed).sample(asked, min(some, len(asked))))
    every = [Knowledge.of(game, index) for index in range(len(game.players))]
    for at, state in enumerate(states[: max(chosen, default=-1) + 1]):
        for role, knowledge in zip(game.players, every, strict=True):
            knowledge.observe(state.percepts(role))
        if at in chosen:
            yield states[: at + 1], every[game.players.index(state.asked)]


def check_game(name: str, seed: int, some: int | None) -> None:
    for states, knowledge in decisions_of(name, seed, some):
        for world in chain_of_worlds(knowledge, 2, Random(seed)):
            again = replay(states, world)
            position = world.position()
            assert again.position.places == position.places
            assert sorted(again.position.undrawn) == sorted(position.undrawn)
        begin = process_time()
        worlds = sample_worlds(knowledge, 4, seed)
        assert process_time() - begin < 3
        assert worlds
        assert isclose(sum(world.weight for world in worlds), 1)


@pytest.mark.spec("card-games-fcdl", 52)
@pytest.mark.parametrize("name", GAMES)
def test_every_world_of_a_game_of_the_library_can_have_happened(name: str) -> None:
    """Played again with the draws and hidden choices of a world, the player perceives the same."""
    check_game(name, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_every_decision_of_random_games_has_worlds_that_can_have_happened(name: str, seed: int) -> None:
    check_game(name, seed, None)


@pytest.mark.parametrize("seed", [5, 9, 14, 22, 34, 41])
def test_the_chain_visits_all_worlds_equally_often(seed: int) -> None:
    """Against all histories by trying, with pick-ups and recycled packs."""
    game, states = random_history(seed, general=seed % 2 == 0)
    expected = final_positions(list(brute_force(states, 0).values()), 0)
    found: Counter[object] = Counter()
    for world in chain_of_worlds(Knowledge.after(states, 0), 1500, Random(seed)):
        found[hidden(CardState(game, world.position(), states[-1].reason, None, ()), 0)] += 1
    assert set(found) == set(expected)
    share = 1500 / expected.total()
    free = len(expected) - 1
    if free:
        off = sum((found[held] - share * often) ** 2 / (share * often) for held, often in expected.items())
        assert off / free < 1 + 5 / free**0.5


def test_worlds_of_the_chain_are_weighted_as_counted_ones() -> None:
    """What players could choose in a world is the same, however the world was found."""
    _, states = random_history(5)
    knowledge = Knowledge.after(states, 0)
    counted = {tuple(choices(history)) for history in Sampler(knowledge).every()}
    assert {tuple(choices(world)) for world in chain_of_worlds(knowledge, 300, Random(1))} == counted


OLD_MAIDS = """; players: 3
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,any))
3 Pile.closed(aside)
4 Shuffle
5 Deal(2)
6 choose(player(0),place,1,2)
7 move(hand(player(1)),pile(aside),place)
8 move(pile(aside),hand(player(2)),1)
9 moveAll(pile(aside),hand(player(1)))
10 moveAll(hand(player(2)),hand(player(1)),card(any,hearts))
11 playCard(player(2),card(any,any))
12 playCard(player(0),card(any,any))
13 end
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_cards_taken_by_their_place_and_by_a_template_are_traced(seed: int) -> None:
    """A sorted hand gives the card at a place: unseen by the third player, but not just any card."""
    game = table_game(OLD_MAIDS)
    states = before_the_end(game, seed)
    knowledge = Knowledge.after(states, 0)
    assert any(isinstance(one, Crept) for one in knowledge.story.happenings)
    expected = final_positions(list(brute_force(states, 0).values()), 0)
    found: Counter[object] = Counter()
    for world in sample_worlds(knowledge, 1200, 1):
        found[hidden(CardState(game, world.position, states[-1].reason, None, ()), 0)] += 1
    assert set(found) == set(expected)
    share = 1200 / expected.total()
    free = max(1, len(expected) - 1)
    off = sum((found[held] - share * often) ** 2 / (share * often) for held, often in expected.items())
    assert off / free < 1 + 5 / free**0.5


def test_equal_cards_that_are_known_to_be_in_a_hand_are_no_hindrance() -> None:
    """One of two equal cards is shown and taken back: it stays there, the other may be anywhere."""
    chart = """
0 start
1 Pack.use(card(2,any),2)
2 Shuffle
3 Deal(2)
4 playCard(player(1),card(any,any))
5 moveAll(stack,hand(player(1)))
6 playCard(player(0),card(any,any))
7 end
"""
    game = table_game(chart)
    states = before_the_end(game, 1)
    knowledge = Knowledge.after(states, 0)
    (shown,) = (
        event.seen.args[1] for state in states for event in state.events if event.seen.name == "played"
    )
    assert isinstance(shown, Term)
    worlds = sample_worlds(knowledge, 2000, 1)
    held = Counter(world.position.cards(hand(1)) for world in worlds)
    assert all(shown in cards for cards in held)
    # Five cards are left over for the other place of that hand, two kinds of which are there twice or once.
    left = Counter(knowledge.story.cards)
    left.subtract([shown, *knowledge.hand])
    for card, often in (+left).items():
        found = held[sorted_cards([shown, card])]
        assert abs(found - 2000 * often / left.total()) < 5 * (2000 * often / left.total()) ** 0.5


THIRD_FROM_ABOVE = """; players: 3
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,any))
3 Pack.add(card(4,any))
4 Pile.closed(aside)
5 Shuffle
6 Deal(3)
7 move(hand(player(1)),pile(aside),3)
8 move(pile(aside),hand(player(0)),1)
9 moveAll(pile(aside),hand(player(1)))
10 playCard(player(2),card(any,any))
11 playCard(player(0),card(any,any))
12 end
"""


@pytest.mark.parametrize("seed", [1, 3])
def test_what_went_before_a_card_that_is_known_was_higher(seed: int) -> None:
    """A sorted hand gives away its highest card first. With seed 3 only one pair can have been higher."""
    game = table_game(THIRD_FROM_ABOVE)
    states = before_the_end(game, seed)
    knowledge = Knowledge.after(states, 0)
    trace = trace_of(knowledge)
    *before, known = [act for act in trace.acts if isinstance(act, Passage) and act.last]
    assert known.allowed is not None
    (shown,) = known.allowed
    higher = frozenset(range(shown + 1, len(trace.names)))
    assert [act.allowed for act in before] == [higher, higher]
    worlds = chain_of_worlds(knowledge, 20, Random(1))
    for world in worlds:
        replay(states, world)
    assert (len({world.position().cards(hand(1)) for world in worlds}) == 1) == (seed == 3)
