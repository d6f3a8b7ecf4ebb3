"""Banker and Thief: who sees what, and who gets the coins."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step


def deposited(safe: int, deposits: str) -> State:
    """The state after the pick and deposits in these banks."""
    state = step(load_game("banker_and_thief").initial(), random=f"(pick {safe})")
    for bank in deposits:
        state = step(state, banker=f"(deposit {bank})")
    return state


def test_every_step_has_four_ways() -> None:
    # The pick, each deposit and the raid: one of four banks, the other roles have nothing to decide.
    assert perft(load_game("banker_and_thief"), 5) == [4, 16, 64, 256, 1024]
    end = step(deposited(1, "1111111111"), thief="(raid 1)")
    assert end.is_terminal


def test_only_the_banker_learns_the_safe_bank() -> None:
    state = deposited(3, "")
    assert seen(state, "banker") == ["(safe 3)"]
    assert seen(state, "thief") == []
    assert legal(state, "banker") == [f"(deposit {bank})" for bank in (1, 2, 3, 4)]
    assert legal(state, "thief") == legal(state, "random") == ["noop"]


def test_the_thief_watches_the_deposits() -> None:
    state = deposited(3, "2")
    assert seen(state, "thief") == ["(deposit 2)"]
    assert seen(state, "banker") == []
    state = step(state, banker="(deposit 2)")
    assert facts(state, "coins") == ["(coins 1 0)", "(coins 2 20)", "(coins 3 0)", "(coins 4 0)"]


def test_after_ten_deposits_the_thief_raids() -> None:
    assert legal(deposited(3, "123412341"), "thief") == ["noop"]
    state = deposited(3, "1234123412")
    assert legal(state, "banker") == ["noop"]
    assert legal(state, "thief") == [f"(raid {bank})" for bank in (1, 2, 3, 4)]
    assert not state.is_terminal


@pytest.mark.parametrize(
    ("deposits", "raid", "banker", "thief"),
    [
        ("3333333333", 3, 0, 100),  # all in the safe bank, and found
        ("3333333333", 1, 100, 0),
        ("3331112224", 3, 0, 30),
        ("3331112224", 1, 30, 0),  # a raid of another bank yields nothing
        ("1111111111", 1, 0, 0),  # nothing in the safe bank
        ("1111111111", 3, 0, 0),
    ],
)
def test_the_coins_of_the_safe_bank_decide(deposits: str, raid: int, banker: int, thief: int) -> None:
    end = step(deposited(3, deposits), thief=f"(raid {raid})")
    assert seen(end, "banker") == [f"(raid {raid})"]
    assert seen(end, "thief") == ["(safe 3)"]
    assert end.is_terminal
    assert goals(end) == {"random": 100, "banker": banker, "thief": thief}
