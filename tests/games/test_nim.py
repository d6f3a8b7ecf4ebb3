"""Nim against the theorem of Bouton (1901): the player to move has lost exactly where the nim-sum is 0."""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from ludorum.engine.check_game import check_game
from ludorum.engine.game import State, parse_move
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore, perft

GAME = load_game("nim")
LEFT, RIGHT = GAME.roles
NOOP = parse_move("noop")
SIZES = (1, 3, 5, 7)
Heaps = tuple[int, ...]


def position(heaps: Heaps, player: str = "left") -> State:
    facts = " ".join(f"(heap {name} {size})" for name, size in zip("abcd", heaps, strict=True))
    return GAME.parse_state(f"({facts} (control {player}))")


def heaps_of(state: State) -> Heaps:
    return tuple(int(str(fact.args[1])) for fact in sorted(state.facts(), key=str) if fact.name == "heap")


def takes(heaps: Heaps) -> Iterator[tuple[str, Heaps]]:
    """The moves of a position and what they leave."""
    for at, name in enumerate("abcd"):
        for count in range(1, heaps[at] + 1):
            yield f"(take {name} {count})", (*heaps[:at], heaps[at] - count, *heaps[at + 1 :])


def play(state: State, *line: str) -> State:
    for move in line:
        joint = [parse_move(move), NOOP] if state.legal(RIGHT) == (NOOP,) else [NOOP, parse_move(move)]
        state = state.play(joint)
    return state


def test_random_play_keeps_every_promise() -> None:
    assert check_game(GAME, plays=5, seed=1) == []


def test_counts_from_the_start() -> None:
    # After k of the 16 sticks are gone there are 16 - k moves: 15 + 42 + 65 + 84 for the four heaps.
    assert perft(GAME, 2) == [16, 206]


def test_the_last_stick_wins() -> None:
    before = play(GAME.initial(), "(take d 7)", "(take c 5)", "(take b 2)", "(take a 1)")
    assert heaps_of(before) == (0, 1, 0, 0)
    assert not before.is_terminal
    end = play(before, "(take b 1)")
    assert end.is_terminal
    assert end.goals() == (100, 0)
    other = play(GAME.initial(), "(take d 7)", "(take c 5)", "(take b 3)", "(take a 1)")
    assert other.is_terminal
    assert other.goals() == (0, 100)


def test_sixteen_single_sticks_are_the_longest_game() -> None:
    state = GAME.initial()
    for name, size in zip("abcd", SIZES, strict=True):
        for _ in range(size):
            assert not state.is_terminal
            state = play(state, f"(take {name} 1)")
    assert state.is_terminal
    assert state.goals() == (0, 100)


@cache
def is_lost(heaps: Heaps) -> bool:
    """Whether the player to move loses, found by search over the moves the rules allow."""
    state = position(heaps)
    if state.is_terminal:
        assert state.goals() == (0, 100)
        return True
    expected = dict(takes(heaps))
    assert {str(move) for move in state.legal(LEFT)} == set(expected)
    assert state.legal(RIGHT) == (NOOP,)
    return not any(is_lost(following) for following in expected.values())


def test_a_position_is_lost_exactly_where_the_nim_sum_is_zero() -> None:
    every = list(product(*(range(size + 1) for size in SIZES)))
    assert len(every) == 384
    assert all(is_lost(heaps) == (reduce(xor, heaps) == 0) for heaps in every)
    assert is_lost(SIZES)  # 1 xor 3 xor 5 xor 7 = 0


@pytest.mark.parametrize(
    ("heaps", "winning"),
    [
        ((1, 3, 5, 6), {"(take a 1)", "(take b 1)", "(take c 1)"}),
        ((0, 0, 2, 7), {"(take d 5)"}),
        ((0, 3, 4, 0), {"(take c 1)"}),
    ],
)
def test_winning_moves_lead_to_a_nim_sum_of_zero(heaps: Heaps, winning: set[str]) -> None:
    state = position(heaps)
    found = {str(move) for move in state.legal(LEFT) if reduce(xor, heaps_of(state.play([move, NOOP]))) == 0}
    assert found == winning


@cache
def games_from(heaps: Heaps) -> int:
    return sum(games_from(following) for _, following in takes(heaps)) if any(heaps) else 1


@pytest.mark.slow
def test_all_states() -> None:
    # Every one of the 384 positions with either player to move, but where no heap has lost two sticks (16
    # positions) the number of moves made, and so the player, is fixed.
    found = explore(GAME)
    assert (found.states, found.terminal, found.stuck, found.longest) == (2 * 384 - 16, 2, 0, 16)
    assert found.games == games_from(SIZES)
