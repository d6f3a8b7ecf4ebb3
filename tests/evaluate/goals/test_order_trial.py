"""Which of two evaluations orders moves as random plays do: shown with evaluations whose order is known."""

from __future__ import annotations

import pytest

from ludorum.engine.game import State
from ludorum.evaluate.goals.order_trial import has_trial, is_clearly_better
from ludorum.rules.terms import Term
from tests.library_games import compiled_game


def of_random_plays(state: State, role: Term) -> float:
    """What the trial itself goes by, with other random numbers."""
    return state.playouts(50, seed=10_000)[state.game.roles.index(role)]


def opposite(state: State, role: Term) -> float:
    return -of_random_plays(state, role)


def silent(_state: State, _role: Term) -> float:
    return 50.0


def test_who_knows_more_is_clearly_better() -> None:
    game = compiled_game("tictactoe")
    assert is_clearly_better(game, of_random_plays, silent)
    assert is_clearly_better(game, silent, opposite)
    assert not is_clearly_better(game, silent, of_random_plays)
    assert not is_clearly_better(game, opposite, silent)
    assert not is_clearly_better(game, of_random_plays, of_random_plays)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("connect_four", True), ("breakthrough", True), ("othello", False), ("maze", False)],
)
def test_games_of_costly_plays_and_puzzles_have_no_trial(name: str, expected: bool) -> None:
    assert has_trial(compiled_game(name)) is expected


def test_games_in_which_all_move_at_once_are_not_judged() -> None:
    assert not is_clearly_better(compiled_game("rock_paper_scissors"), of_random_plays, silent)
