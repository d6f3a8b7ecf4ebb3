"""The generic checks keep quiet on good games and name each broken promise."""

from collections.abc import Callable

import pytest

from ludorum.engine import ReferenceGame, check_game
from ludorum.rules.kif import parse_kif
from tests.small_games import CIRCLE, DOOR, circle, coin, door


@pytest.mark.parametrize("make", [door, coin, circle])
def test_good_games_keep_every_promise(make: Callable[[], ReferenceGame]) -> None:
    assert check_game(make(), max_steps=10) == []


def messages(text: str) -> set[str]:
    game = ReferenceGame(parse_kif(text), "bad")
    return {fault.message for fault in check_game(game, plays=5, max_steps=20)}


def test_missing_moves_are_found() -> None:
    stuck = DOOR.replace("(<= (legal ?r wait) (role ?r))", "").replace(
        "(<= (legal ?r push) (role ?r))", "(<= (legal ?r push) (role ?r) (true (step 0)))"
    )
    without_end = stuck.replace("(<= terminal (true open))", "")
    assert messages(without_end) == {
        "left has no legal move although the game is not over",
        "right has no legal move although the game is not over",
    }


def test_double_goals_are_found() -> None:
    double = DOOR + "(<= (goal left 50) (true (step ?n)))"
    assert messages(double) == {
        "the game is over and left has not exactly one goal value: 0 50",
        "the game is over and left has not exactly one goal value: 50 100",
    }


def test_goals_out_of_range_are_found() -> None:
    assert messages(CIRCLE.replace("(goal walker 0)", "(goal walker 101)")) == {
        "the goal of walker is 101, outside 0..100"
    }


def test_a_game_without_roles_is_refused() -> None:
    assert messages("(init a)") == {"the game has no roles"}
