"""Moves that a role can prepare while another one chooses."""

from __future__ import annotations

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.scene import premoves_of


def after(game: Game, *moves: str) -> State:
    """The position after moves, each of the only role with a choice."""
    state = game.initial()
    for move in moves:
        mover = next(role for role in game.roles if len(state.legal(role)) > 1)
        state = state.play({mover: move})
    return state


def prepared(game: Game, state: State, role: str) -> list[str]:
    return [choice.move for choice in premoves_of(game, state, game.role(role))]


def test_a_capture_that_only_the_next_move_makes_possible_can_be_prepared() -> None:
    game = load_game("chess")
    state = after(game, "(move e 2 e 4)", "(move e 7 e 5)", "(move g 1 f 3)", "(move b 8 c 6)")
    # White is to move, and may take on e5: black can prepare to take back there.
    back = "(move c 6 e 5)"
    assert back in prepared(game, state, "black")
    assert back not in map(str, state.play({"white": "(move d 2 d 3)"}).legal("black"))


def test_moves_that_are_legal_now_can_be_prepared_whatever_the_other_does() -> None:
    game = load_game("connect_four")
    assert prepared(game, after(game, "(drop 4)"), "red") == [f"(drop {column})" for column in range(1, 8)]


@pytest.mark.parametrize(("game", "role"), [("tictactoe", "xplayer"), ("kuhn_poker", "bob")])
def test_nothing_is_prepared_with_a_choice_or_where_something_is_hidden(game: str, role: str) -> None:
    found = load_game(game)
    assert prepared(found, found.initial(), role) == []


def test_of_many_moves_of_the_other_some_are_tried() -> None:
    game = load_game("hex_11")
    start = game.initial()
    assert len(start.legal("red")) == 121
    assert len(prepared(game, start, "blue")) == 121


def test_simultaneous_games_have_nothing_to_prepare() -> None:
    game = load_game("rock_paper_scissors")
    assert prepared(game, game.initial(), str(game.roles[0])) == []
