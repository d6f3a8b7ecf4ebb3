"""Worlds from the chain: every decision of every game has some, and all of them can have happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import isclose
from random import Random
from time import process_time

import pytest

from ludorum._core import CardChain
from ludorum.cards.language.deck import sorted_cards
from ludorum.cards.language.terms import ANY, FALSE, card
from ludorum.cards.load import load_card_game
from ludorum.cards.machine import story as told
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.position import CardPosition, hand
from ludorum.cards.worlds import Sampler, WorldsError, sample_worlds
from ludorum.cards.worlds.build import Builder, DeadEnd
from ludorum.cards.worlds.chain import Chain, chain_of_worlds
from ludorum.cards.worlds.journeys import Journeys
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.cards.worlds.passages import DealTrace, Passage
from ludorum.cards.worlds.trace import trace_of
from ludorum.cards.worlds.weights import choices
from ludorum.rules.library import chart_sheets
from ludorum.rules.terms import Term
from tests.how_much import sample, some

from .brute_force import Hands, before_the_end, brute_force, final_positions, hidden, table_game
from .random_charts import random_history
from .replay import replay

MOST_STATES = 240
"""Of a match that is not looked at to its end."""
GAMES = [str(sheet.name) for sheet in chart_sheets()]
BOTH_CHAINS = [False, pytest.param(True, marks=pytest.mark.slow)]
"""The kernel, and the readable chain, which takes a hundred times as long."""


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


def agrees(trace: DealTrace, movers: Sequence[int]) -> bool:
    """Whether every act of a world is as it was seen, by the readable ``Journeys``."""
    world = Journeys(trace)
    for mover in movers:
        world.do(mover)  # KeyError where it is not there
    return len(movers) == len(trace.acts) and all(map(world.agrees, range(len(movers))))


def chi_square(found: Counter[Hands], expected: Counter[Hands]) -> float:
    share = found.total() / expected.total()
    return sum((found[held] - share * often) ** 2 / (share * often) for held, often in expected.items())


def assert_uniform(found: Counter[Hands], expected: Counter[Hands]) -> None:
    assert set(found) == set(expected)
    free = max(1, len(expected) - 1)
    assert chi_square(found, expected) / free < 1 + 5 / free**0.5


def all_hidden(states: Sequence[CardState]) -> Counter[Hands]:
    """The hidden cards of all histories that look to the first player as the true one, by trying."""
    return final_positions(list(brute_force(states, 0).values()), 0)


def found_hidden(states: Sequence[CardState], positions: Iterable[CardPosition]) -> Counter[Hands]:
    last = states[-1]
    return Counter(hidden(CardState(last.game, one, last.reason, None, ()), 0) for one in positions)


def check_game(name: str, seed: int, some: int | None) -> None:
    """All worlds agree with what was seen; those of early decisions and of some later ones are replayed."""
    chance = Random(seed)
    for at, (states, knowledge) in enumerate(decisions_of(name, seed, some)):
        chain = Chain(knowledge, Random(seed))
        assert chain.is_quick
        worlds = chain.some(2)
        assert all(agrees(world.trace, world.movers) for world in worlds)
        if at < 20 or chance.random() < 1 / 6:  # long games take as long again at every decision
            for world in worlds:
                again, position = replay(states, world), world.position()
                assert again.position.places == position.places
                assert sorted(again.position.undrawn) == sorted(position.undrawn)
        begin = process_time()
        worlds_by_all_means = sample_worlds(knowledge, 4, seed)
        assert process_time() - begin < 10
        assert isclose(sum(world.weight for world in worlds_by_all_means), 1)


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 52)
@pytest.mark.parametrize("name", sample(GAMES, 8))
def test_every_world_of_a_game_of_the_library_can_have_happened(name: str) -> None:
    """Played again with the draws and hidden choices of a world, the player perceives the same."""
    check_game(name, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_every_decision_of_random_games_has_worlds_that_can_have_happened(name: str, seed: int) -> None:
    check_game(name, seed, None)


@pytest.mark.long
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("seed", sample([5, 9, 14, 22, 34, 41], 3))
def test_the_chain_visits_all_worlds_equally_often(seed: int, plain: bool) -> None:
    """Against all histories by trying, with pick-ups and recycled packs."""
    _, states = random_history(seed, general=seed % 2 == 0)
    worlds = chain_of_worlds(Knowledge.after(states, 0), 1500, Random(seed), plain=plain)
    assert_uniform(found_hidden(states, (world.position() for world in worlds)), all_hidden(states))


def check_histories(seeds: Iterable[int]) -> None:
    """All worlds are found where there are few, none that cannot be, and over all histories equally often."""
    off = free = 0.0
    for seed in seeds:
        _, states = random_history(seed, general=seed % 2 == 0)
        expected = all_hidden(states)
        chain = Chain(Knowledge.after(states, 0), Random(seed))
        assert chain.is_quick
        worlds = chain.some(min(2000, 40 * len(expected)))
        assert all(agrees(world.trace, world.movers) for world in worlds), seed
        found = found_hidden(states, (world.position() for world in worlds))
        assert set(found) <= set(expected), seed
        if 40 * len(expected) <= 2000:
            assert set(found) == set(expected), seed
        off += chi_square(found, expected)
        free += len(expected) - 1
    assert off / free < 1.2


@pytest.mark.long
def test_worlds_of_random_histories_equal_brute_force() -> None:
    check_histories(range(some(60)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_worlds_of_a_thousand_histories_equal_brute_force(block: int) -> None:
    check_histories(range(60 + 100 * block, 160 + 100 * block))


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


@pytest.mark.long
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("seed", sample([1, 2], 2))
def test_cards_taken_by_their_place_and_by_a_template_are_traced(seed: int, plain: bool) -> None:
    """A sorted hand gives the card at a place: unseen by the third player, but not just any card."""
    states = before_the_end(table_game(OLD_MAIDS), seed)
    knowledge = Knowledge.after(states, 0)
    assert any(isinstance(one, told.Crept) for one in knowledge.story.happenings)
    worlds = chain_of_worlds(knowledge, 1200, Random(1), plain=plain)
    assert_uniform(found_hidden(states, (world.position() for world in worlds)), all_hidden(states))


ASKED = """; players: {players}
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,hearts))
3 Pack.add(card(4,hearts))
4 Pack.add(card(3,spades))
5 Pack.add(card(4,spades))
6 Shuffle
7 Deal({each})
8 {asked}
9 playCard(player(1),card(any,any))
10 playCard(player(0),card(any,any))
11 end
"""


def asked_states(players: int, asked: str, seed: int) -> list[CardState]:
    """A game of eight cards in which something is asked, with as many in a hand as brute force can bear."""
    chart = ASKED.format(players=players, each=5 - players, asked=asked)
    return before_the_end(table_game(chart), seed)


@pytest.mark.parametrize("plain", BOTH_CHAINS)
@pytest.mark.parametrize(
    ("players", "asked"),
    [
        (3, "x=total(hand(player(1)))"),
        (3, "x=total(hand(player(1)))-total(hand(player(2)))"),
        (2, "x=deadwood(hand(player(1)))"),
        (3, "x=deadwood(hand(player(2)))+count(hand(player(1)),card(2,any))"),
        (3, "x=total(hand(player(1)))>5"),
        (2, "x=deadwood(hand(player(1)))<1"),
        (3, "x=count(hand(player(1)),card(2,any))==count(hand(player(2)),card(3,any))"),
        (3, "move(hand(player(1)),hand(player(0)),1)"),
    ],
)
def test_points_melds_and_highest_cards_of_hands_are_known_to_the_kernel(
    players: int, asked: str, plain: bool
) -> None:
    states = asked_states(players, asked, 4)
    chain = Chain(Knowledge.after(states, 0), Random(1), plain=plain)
    assert chain.is_quick is not plain
    found = found_hidden(states, (world.position() for world in chain.some(1500)))
    assert_uniform(found, all_hidden(states))


@pytest.mark.long
def test_what_is_no_arithmetic_is_left_to_the_readable_chain() -> None:
    states = asked_states(2, "x=runLength(hand(player(1)))", 4)
    chain = Chain(Knowledge.after(states, 0), Random(1))
    assert not chain.is_quick
    found = found_hidden(states, (world.position() for world in chain.some(600)))
    assert_uniform(found, all_hidden(states))


@pytest.mark.parametrize("plain", [False, pytest.param(True, marks=pytest.mark.long)])
def test_what_cannot_have_happened_has_no_worlds(plain: bool) -> None:
    """A hand with cards is said to have none of any kind: after so many beginnings the chain gives up."""
    states = asked_states(3, "x=1", 1)
    knowledge = Knowledge.after(states, 0)
    story = knowledge.story
    nothing = Term("has", (hand(1), card(ANY, ANY)))
    story.add(told.Tested(story.time, 6, nothing, FALSE, knowledge.position))
    begin = process_time()
    with pytest.raises(WorldsError, match="none of 400 beginnings led to a world"):
        chain_of_worlds(knowledge, 1, Random(1), plain=plain)
    assert plain or process_time() - begin < 10


def test_a_seed_makes_the_same_worlds_however_many_are_asked_for_at_once() -> None:
    _, states = random_history(9)
    knowledge = Knowledge.after(states, 0)
    at_once = [world.movers for world in Chain(knowledge, Random(7)).some(12)]
    chain = Chain(knowledge, Random(7))
    one_by_one = [world.movers for count in (1, 4, 7) for world in chain.some(count)]
    assert one_by_one == at_once
    assert len(set(map(tuple, at_once))) > 1


@pytest.mark.parametrize(
    "acts",
    [
        [0, 0, 2, -1, -1, 0],
        [0, 0, 3, -1, -1, 0, 0],
        [0, 0, 0, -1, -1, 0, 0],
        [0, 0, 2, 1, -1, 0, 0],
        [0, 0, 2, -1, 0, 0, 1, 0],
        [0, 0, 2, -1, -1, 0, 0, 0, 0, 2, -1, 0, 0, 1, 1],
        [1, 0, -1, 1, 2, 3, 1, 1, 0],
        [1, 0, -1, 1, 2, 3, 1, 0, 1],
        [1, 0, -1, 1, 2, 3, 2, 0, 0],
        [1, 0, -1, 1, 2, 2, 1, 0],
        [1, 0, -1, 1, 2, 1, 5],
        [1, 0, -1, 1, 2, 2, 0, 5, 7],
        [1, 0, -1, 1, 2, 4, 0, 5, 0, 5],
        [1, 0, -1, 1, 2, 4, 1, 0, 0],
    ],
)
def test_the_kernel_takes_no_trace_that_leads_out_of_its_tables(acts: list[int]) -> None:
    parts = {"cards": [[0, 0, 1], [1, 0, 2]], "places": 3, "sets": [[0]], "points": [], "acts": acts}
    with pytest.raises(ValueError, match="this is no trace"):
        CardChain(parts, 1)
    good = {**parts, "acts": [0, 0, 2, -1, -1, 0, 0, 1, 0, -1, 1, 2, 4, 1, 0, 0, 9]}
    assert CardChain(good, 1).draw(2).tolist() == [[0, -1], [0, -1]]


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
    for one, often in (+left).items():
        found = held[sorted_cards([shown, one])]
        assert abs(found - 2000 * often / left.total()) < 5 * (2000 * often / left.total()) ** 0.5


SIFTED = """; players: 3
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,hearts))
3 Pack.add(union(card(3,spades),card(3,clubs)))
4 Pile.closed(aside)
5 Pile.closed(other)
6 Pile.private(own)
7 Shuffle
8 Deal(1)
9 {}
10 {}
11 {}
12 {}
13 playCardOrPass(player(2),card(any,any))
14 playCardOrPass(player(0),card(any,any))
15 end
"""
_LAID = "move(pack,pile(aside),3)"


@pytest.mark.long
@pytest.mark.parametrize(("seed", "plain"), sample([(1, False), (2, False), (3, True)], 3))
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(lines, marks=[pytest.mark.slow] * (at % 3 > 0))
        for at, lines in enumerate(
            [
                (_LAID, "moveAll(pile(aside),hand(player(1)),card(2,any))", "x=1", "x=1"),
                (
                    _LAID,
                    "moveAll(pile(aside),hand(player(1)),card(2,any))",
                    "move(pile(aside),stack,1)",
                    "x=1",
                ),
                (
                    _LAID,
                    "moveAll(pile(aside),hand(player(0)),card(2,any))",
                    "move(pile(aside),stack,1)",
                    "x=1",
                ),
                (_LAID, "moveAll(pile(aside),pile(other),card(2,any))", "move(pile(other),stack,1)", "x=1"),
                (
                    _LAID,
                    "moveAll(pile(aside),stack,card(any,hearts))",
                    "move(pile(aside),hand(player(1)),1)",
                    "x=1",
                ),
                (
                    "move(pack,pile(aside),1)",
                    "chooseCard(player(0),hand(player(0)),pile(aside),card(any,any))",
                    "move(pack,pile(aside),1)",
                    "moveAll(pile(aside),hand(player(1)),card(2,any))",
                ),
                (
                    "moveAll(hand(player(1)),pile(aside))",
                    "move(pack,pile(aside),2)",
                    "moveAll(pile(aside),hand(player(2)),card(2,any))",
                    "move(pile(aside),stack,2)",
                ),
                (
                    _LAID,
                    "moveAll(pile(aside),hand(player(1)),card(2,any))",
                    "moveAll(pile(aside),hand(player(2)),card(any,hearts))",
                    "move(pile(aside),stack,1)",
                ),
                (
                    "move(pack,pile(own,player(1)),3)",
                    "chooseCardOrPass(player(1),pile(own,player(1)),hand(player(2)),card(2,any))",
                    "x=has(pile(own,player(1)),card(any,hearts))",
                    "move(pile(own,player(1)),stack,1)",
                ),
                (
                    "move(pack,pile(own,player(1)),3)",
                    "chooseCard(player(1),pile(own,player(1)),stack,card(any,any))",
                    "move(pile(own,player(1)),hand(player(2)),1)",
                    "x=count(hand(player(2)),card(2,any))",
                ),
            ]
        )
    ],
)
def test_cards_out_of_a_hidden_pile_may_have_lain_anywhere_in_it(
    lines: tuple[str, ...], seed: int, plain: bool
) -> None:
    """A player learns how many went, or which, but not from where; the others keep their order."""
    states = before_the_end(table_game(SIFTED.format(*lines)), seed)
    chain = Chain(Knowledge.after(states, 0), Random(seed), plain=plain)
    assert chain.is_quick is not plain
    worlds = chain.some(1000 if plain else some(5000))
    for world in worlds[:50]:
        assert agrees(world.trace, world.movers)
        replay(states, world)
    assert_uniform(found_hidden(states, (world.position() for world in worlds)), all_hidden(states))


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


TIGHT_GO_FISH = """
50 30 38 9 20 12 10 36 19 41 15 25 24 36 34 0 4 0 18 2 1 30 3 0 9 3 0 0 1 2 0 1 2 1 2 0 0 7 2 0 8 0 0 2 0
13 2 0 19 0 1 20 3 1 8 0 10 5 0 7 8 0 16 9 1 6 1 9 2 1 19 1 0 13 8 1 5 0 0 0 0 1 1 10 6 1 13 2 1 5 5 1 3
0 4 2 0 3 0 10 8 0 0 0 10 1 1 10 0 11 4 1 2 1 8 0 1 5 1 1 2 1 1 2 3 1 5 7 1 0 1 1 0 1 0 5
"""
"""The moves of a game of go fish by their places among the legal ones. Nearly all that the third player has
had is known by then, and it can only have come in a few orders."""


@pytest.mark.long
def test_a_first_world_is_found_where_cards_can_only_have_come_in_few_orders() -> None:
    game = load_card_game("go_fish")
    knowledge = Knowledge.of(game, 0)
    state = game.initial()
    knowledge.observe(state.percepts(game.players[0]))
    for place in map(int, TIGHT_GO_FISH.split()):
        asked = state.asked
        state = state.play([state.legal(role)[place if role is asked else 0] for role in game.roles])
        knowledge.observe(state.percepts(game.players[0]))
    trace = trace_of(knowledge)
    beginnings = [Builder(trace, Random(seed)) for seed in range(20)]
    assert sum(_is_built(one) for one in beginnings) >= 15
    for seed in range(20):
        (world,) = chain_of_worlds(knowledge, 1, Random(seed))
        assert agrees(trace, world.movers)


def _is_built(beginning: Builder) -> bool:
    try:
        return agrees(beginning.trace, beginning.build().movers)
    except DeadEnd:
        return False
