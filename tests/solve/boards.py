"""Positions of tic-tac-toe as people write them."""

from __future__ import annotations

from ludorum.engine import load_game
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame


def tictactoe() -> LiftedGame:
    game = load_game("tictactoe")
    assert isinstance(game, LiftedGame)
    return game


def board(text: str, to_move: str) -> State:
    """The position of three rows from top to bottom, ``.`` for a blank; x or o is to move."""
    cells = " ".join(
        f"(cell {row} {column} {'b' if mark == '.' else mark})"
        for row, marks in enumerate(text.split(), start=1)
        for column, mark in enumerate(marks, start=1)
    )
    return tictactoe().parse_state(f"({cells} (control {to_move}player))")


BEFORE_TURN_5 = ("ox. .x. .o.", "x")
"""The first lost game of 2009, where its decisive error was made."""
BEFORE_TURN_7 = ("oxx .x. oo.", "x")
SECOND_BEFORE_TURN_4 = ("x.x ... ..o", "o")
"""The second one, when all was lost; (mark 1 2) would have lasted longest."""
SECOND_BEFORE_TURN_2 = ("x.. ... ...", "o")
