"""Worlds are exactly those that agree with what was seen, and all are as likely."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ludorum.cards.asp.worlds import every_world
from ludorum.cards.language.terms import Term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.position import DISCARD, STACK, hand
from ludorum.cards.worlds import Sampler, WorldsError, sample_worlds
from ludorum.cards.worlds.knowledge import Knowledge
from tests.how_much import sample

from .brute_force import before_the_end, brute_force, final_positions, hidden, table_game
from .random_charts import SEVERAL_WORLDS, random_history


def check_history(seed: int) -> None:
    """Counting, listing and trying give the same worlds."""
    game, states = random_history(seed, general=seed % 2 == 0)
    for index in (seed % 2,):
        tried = brute_force(states, index)
        sampler = Sampler(Knowledge.after(states, index))
        listed = list(sampler.every())
        assert len(listed) == len(tried), seed
        assert len({history.holdings() for history in listed}) == len(listed)
        ends = [CardState(game, history.position(), states[-1].reason, None, ()) for history in listed]
        assert final_positions(ends, index) == final_positions(list(tried.values()), index)
        if not sampler.unknowns.tests:
            assert sampler.shares.count() == len(tried)


@pytest.mark.spec("card-games-fcdl", 50)
@pytest.mark.parametrize("seed", sample(SEVERAL_WORLDS, 3))
def test_worlds_equal_brute_force_on_histories_with_pick_ups(seed: int) -> None:
    """By trying, by counting and as answer sets: the same cards came with the same draws."""
    game, states = random_history(seed, general=seed % 2 == 0)
    index = seed % 2
    tried = brute_force(states, index)
    assert len(tried) >= 4
    assert picked_up_by_others(states, index)
    knowledge = Knowledge.after(states, index)
    listed = list(Sampler(knowledge).every())
    assert len({history.holdings() for history in listed}) == len(listed) == len(tried)
    ends = [CardState(game, history.position(), states[-1].reason, None, ()) for history in listed]
    assert final_positions(ends, index) == final_positions(list(tried.values()), index)
    solved = Counter(history.holdings() for history in every_world(knowledge))
    assert solved == Counter(history.holdings() for history in listed)


def picked_up_by_others(states: list[CardState], index: int) -> int:
    """How many cards other players have drawn after the deal."""
    drew = [
        str(event.seen.args[0]) for state in states for event in state.events if event.seen.name == "drew"
    ]
    players = len(states[0].game.players)
    dealt = players * (1 if players == 3 else 2)
    return sum(who != f"(player {index})" for who in drew[dealt:])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_worlds_equal_brute_force_on_a_thousand_histories(block: int) -> None:
    for seed in range(60 + 100 * block, 160 + 100 * block):
        check_history(seed)


def test_the_histories_have_pick_ups_recycling_and_tests() -> None:
    """Otherwise the agreement above would mean little."""
    names: Counter[str] = Counter()
    for seed in range(60):
        _, states = random_history(seed)
        names.update({event.seen.name for state in states for event in state.events})
    assert names["packRecycled"] >= 8
    assert names["branch"] >= 30
    assert names["played"] >= 30


def middle_of_trumps(seed: int, tricks: int) -> tuple[Knowledge, CardState]:
    """A game of trumps after some tricks, seen by the player who is asked."""
    states: list[CardState] = []
    for state in load_card_game("trumps").playout(seed):
        assert isinstance(state, CardState)
        states.append(state)
        if state.position.decisions == 2 * tricks and state.asked in state.game.players:
            break
    last = states[-1]
    index = last.game.players.index(last.asked)
    return Knowledge.after(states, index), last


@pytest.mark.spec("card-games-fcdl", 52)
@pytest.mark.parametrize("seed", range(8))
def test_own_hand_and_laid_cards_are_respected(seed: int) -> None:
    knowledge, state = middle_of_trumps(seed, 3)
    for world in sample_worlds(knowledge, 20, seed):
        position = world.position
        own = hand(knowledge.player)
        assert position.cards(own) == state.position.cards(own)
        assert position.cards(STACK) == state.position.cards(STACK)
        assert position.cards(DISCARD) == state.position.cards(DISCARD)
        cards = Counter(position.undrawn)
        for lying in position.places.values():
            cards.update(lying)
        assert set(cards.values()) == {1}
        assert len(cards) == 52
        assert len(position.cards(hand(1 - knowledge.player))) == 4


@pytest.mark.spec("card-games-fcdl", 51)
def test_no_world_gives_a_void_player_that_suit() -> None:
    """Wherever a follower could not follow, no world has that suit in that hand."""
    game = load_card_game("trumps")
    checked = 0
    for seed in range(4):
        knowledge, void = Knowledge.of(game, 0), set()
        for state in game.playout(seed):
            assert isinstance(state, CardState)
            knowledge.observe(state.percepts(game.players[0]))
            variables = state.position.variables
            if any(str(event.seen) == "(branch 25 false)" for event in state.events):
                void |= {variables[Term("leadSuit")]} if str(variables[Term("leader")]) == "0" else set()
            if void and state.asked is game.players[0] and not state.is_terminal:
                for world in sample_worlds(knowledge, 10, seed):
                    assert not {one.args[1] for one in world.position.cards(hand(1))} & void
                    checked += 1
    assert checked > 50


def chi_square_per_degree(counts: Counter[object], kinds: int) -> float:
    expected = counts.total() / kinds
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return (seen + expected * (kinds - len(counts))) / (kinds - 1)


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 53)
@pytest.mark.parametrize(
    "seeds",
    [(5, 16, 39, 84, 85, 98), (40, 65, 89, 155, 191), (135, 147, 157, 215, 305), (103, 127, 301, 362)],
    ids=["certain", "tested", "certain too", "tested too"],
)
def test_the_sampler_is_uniform(seeds: tuple[int, ...]) -> None:
    """Chi-square per degree of freedom is about 1 over all worlds that trying finds, pasts included.

    Seeds are fixed. For all histories together it lies within four of its own deviations of 1 on either side:
    a sampler that goes through the worlds in turn would come out too low.
    """
    squares = degrees = 0.0
    for seed in seeds:
        _, states = random_history(seed, general=seed % 2 == 0)
        worlds = len(brute_force(states, seed % 2))
        assert worlds >= 9
        sampler, chance = Sampler(Knowledge.after(states, seed % 2)), Random(seed)
        counts: Counter[object] = Counter()
        for _ in range(20):  # fewer than there are: each is drawn for itself
            counts.update(history.holdings() for history in sampler.some(worlds // 2, chance))
            counts.update(sampler._one(chance, with_past=True).holdings() for _ in range(worlds // 2))
        assert len(counts) == worlds
        found = chi_square_per_degree(counts, worlds)
        assert found < 1 + 5 * (2 / (worlds - 1)) ** 0.5, seed
        squares, degrees = squares + found * (worlds - 1), degrees + worlds - 1
    assert degrees > 50
    assert abs(squares / degrees - 1) < 4 * (2 / degrees) ** 0.5


@pytest.mark.spec("card-games-fcdl", 53)
@pytest.mark.parametrize("seed", [20, 103, 127, 147, 324, 362])
def test_positions_are_as_likely_as_histories_lead_to_them(seed: int) -> None:
    """Where the past is not asked for: a position counts as often as trying comes to it."""
    game, states = random_history(seed, general=seed % 2 == 0)
    expected = final_positions(list(brute_force(states, seed % 2).values()), seed % 2)
    batch = expected.total() - 1  # fewer than there are: each is drawn for itself
    sampler, chance = Sampler(Knowledge.after(states, seed % 2)), Random(seed)
    found: Counter[object] = Counter()
    for _ in range(1 + 600 // batch):
        for history in sampler.some(batch, chance, with_past=False):
            found[hidden(CardState(game, history.position(), states[-1].reason, None, ()), seed % 2)] += 1
    assert set(found) == set(expected)
    degrees = len(expected) - 1
    each = found.total() / expected.total()
    seen = sum((found[held] - each * often) ** 2 / (each * often) for held, often in expected.items())
    assert degrees >= 2
    assert seen / degrees < 1 + 4 * (2 / degrees) ** 0.5


@pytest.mark.spec("card-games-fcdl", 53)
def test_the_cards_of_a_hand_in_trumps_are_drawn_uniformly() -> None:
    """Every unseen card is in the other hand as often: chi-square per degree of freedom about 1."""
    knowledge, _ = middle_of_trumps(4, 0)
    other = hand(1 - knowledge.player)
    counts: Counter[object] = Counter()
    for world in sample_worlds(knowledge, 2000, 1):
        counts.update(world.position.cards(other))
    assert len(counts) == 45
    assert 0.5 < chi_square_per_degree(counts, 45) < 1.6


@pytest.mark.spec("card-games-fcdl", 54)
@pytest.mark.parametrize("seed", range(10))
def test_where_fewer_worlds_exist_each_is_used_once(seed: int) -> None:
    game, states = random_history(seed)
    tried = brute_force(states, 0)
    worlds = sample_worlds(Knowledge.after(states, 0), len(tried) + 5, 1)
    assert len(worlds) == len(tried)
    assert [world.weight for world in worlds] == [1 / len(tried)] * len(tried)
    ends = [CardState(game, world.position, states[-1].reason, None, ()) for world in worlds]
    assert final_positions(ends, 0) == final_positions(list(tried.values()), 0)


def test_games_go_on_from_worlds() -> None:
    knowledge, state = middle_of_trumps(6, 2)
    for world in sample_worlds(knowledge, 5, 3):
        position, reason = state.game.machine.run(world.position)
        going = CardState(state.game, position, reason, None, ())
        assert going.legal(going.asked) == state.legal(state.asked)
        *_, last = _playout(going)
        assert last.is_terminal


def _playout(state: CardState) -> list[CardState]:
    found = [state]
    while not found[-1].is_terminal:
        found.append(found[-1].play(next(found[-1].joint_moves())))
    return found


def test_the_same_seed_draws_the_same_worlds() -> None:
    knowledge, _ = middle_of_trumps(2, 1)
    assert sample_worlds(knowledge, 5, 9) == sample_worlds(knowledge, 5, 9)
    assert sample_worlds(knowledge, 5, 9) != sample_worlds(knowledge, 5, 10)


def test_closed_piles_are_hidden_cards_too() -> None:
    """Three cards lie closed, one is turned later: worlds are the orders that agree."""
    chart = """
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,hearts))
3 Pile.closed(talon)
4 Shuffle
5 Deal(1)
6 move(pack,pile(talon),2)
7 move(pile(talon),stack,1)
8 playCard(player(0),card(any,any))
9 end
"""
    game = table_game(chart)
    states = before_the_end(game, 1)
    tried = brute_force(states, 0)
    listed = list(Sampler(Knowledge.after(states, 0)).every())
    ends = [CardState(game, history.position(), states[-1].reason, None, ()) for history in listed]
    assert {hidden(state, 0) for state in ends} == {hidden(state, 0) for state in tried.values()}
    assert len(listed) == 6


def test_two_deals_are_two_stories() -> None:
    """What was seen before the cards were shuffled again says nothing about new hands."""
    chart = (
        "0 start\n1 Pack.use(card(any,hearts))\n2 Shuffle\n3 Deal(2)\n4 playCard(player(1),card(any,any))\n"
    )
    chart += "5 Shuffle\n6 Deal(1)\n7 playCard(player(0),card(any,any))\n8 end\n"
    game = table_game(chart)
    states = before_the_end(game, 1)
    assert len(sample_worlds(Knowledge.after(states, 0), 100, 1)) == 12


def test_a_count_below_one_is_misuse() -> None:
    knowledge, _ = middle_of_trumps(2, 1)
    with pytest.raises(WorldsError, match="at least one"):
        sample_worlds(knowledge, 0, 1)


PASSING = """; players: 3
0 start
1 Pack.use(card(2,any))
2 Pack.add(card(3,any))
3 Pile.private(passing)
4 Shuffle
5 Deal(2)
6 playerHas(player(1),card(2,any)) ? 7 : 12
7 chooseCard(player(1),hand(player(1)),pile(passing,player(1)),card(2,any))
8 moveAll(pile(passing,player(1)),hand(player(2)))
9 playerHas(player(1),card(any,hearts)) ? 10 : 10
10 playCard(player(2),card(any,any))
11 playCard(player(0),card(any,any))
12 end
"""


@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_worlds_are_uniform_where_a_card_was_passed_on_unseen(seed: int) -> None:
    """One player gives another a card that the third does not see; histories by trying are the measure."""
    game = table_game(PASSING)
    states = before_the_end(game, seed)
    assert states[-1].position.node == 11
    expected = final_positions(list(brute_force(states, 0).values()), 0)
    worlds = sample_worlds(Knowledge.after(states, 0), 1500, 1)
    found = Counter(
        hidden(CardState(game, world.position, states[-1].reason, None, ()), 0) for world in worlds
    )
    assert set(found) == set(expected)
    share = 1500 / expected.total()
    seen = sum((found[held] - share * often) ** 2 / (share * often) for held, often in expected.items())
    assert seen / max(1, len(expected) - 1) < 1 + 4 / max(1, len(expected) - 1) ** 0.5
