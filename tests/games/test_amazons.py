"""Amazons: counts of first moves, how arrows fly, and the end.

In diagrams w and b are amazons, # an arrow.
"""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import drawn, moves, play
from tests.games.plain_rules import STARTS

PIECES = {"w": "white", "b": "black", "#": "arrow"}
WALL = ["########"] * 7


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("amazons_8")


def test_first_moves_on_ten_rows() -> None:
    assert perft(load_game("amazons"), 1) == [2176]


def test_first_moves_on_eight_rows(game: Game) -> None:
    """Counted by plain Python."""
    assert len(STARTS["amazons_8"].moves()) == 1232
    assert perft(game, 1) == [1232]


def test_starts_mirror_each_other(game: Game) -> None:
    for sheet, size, places in [
        (load_game("amazons"), 10, [(1, 4), (4, 1), (7, 1), (10, 4)]),
        (game, 8, [(1, 3), (3, 1), (6, 1), (8, 3)]),
    ]:
        white = {f"(cell {x} {y} white)" for x, y in places}
        black = {f"(cell {x} {size + 1 - y} black)" for x, y in places}
        assert {str(fact) for fact in sheet.initial().facts()} == white | black | {"(control white)"}


def test_an_arrow_may_hit_the_square_just_left(game: Game) -> None:
    state = drawn(game, " ".join([*WALL, "w..#####"]), PIECES, "(control white)")
    assert moves(state) == [
        "(move 1 1 2 1 1 1)",
        "(move 1 1 2 1 3 1)",
        "(move 1 1 3 1 1 1)",
        "(move 1 1 3 1 2 1)",
    ]


def test_an_arrow_may_fly_over_the_square_just_left(game: Game) -> None:
    state = drawn(game, " ".join([*WALL, ".w.#####"]), PIECES, "(control white)")
    assert moves(state) == [
        "(move 2 1 1 1 2 1)",
        "(move 2 1 1 1 3 1)",
        "(move 2 1 3 1 1 1)",
        "(move 2 1 3 1 2 1)",
    ]


def test_nothing_passes_an_amazon_or_an_arrow(game: Game) -> None:
    state = drawn(game, " ".join([*WALL[:6], "#.######", "w#.b####"]), PIECES, "(control white)")
    assert moves(state) == ["(move 1 1 2 2 1 1)", "(move 1 1 2 2 3 1)"]
    state = drawn(game, " ".join([*WALL, "w#.b..##"]), PIECES, "(control white)")
    assert state.is_terminal


def test_a_move_takes_amazon_and_arrow_to_their_squares(game: Game) -> None:
    state = play(game.initial(), "(move 3 1 3 7 8 2)")
    facts = {str(fact) for fact in state.facts()}
    assert {"(cell 3 7 white)", "(cell 8 2 arrow)", "(control black)"} <= facts
    assert "(cell 3 1 white)" not in facts
    assert len(facts) == 10


@pytest.mark.parametrize(("mover", "goals"), [("white", (0, 100)), ("black", (100, 0))])
def test_who_cannot_move_loses(game: Game, mover: str, goals: tuple[int, int]) -> None:
    state = drawn(game, " ".join([*WALL, "w##b####"]), PIECES, f"(control {mover})")
    assert state.is_terminal
    assert state.goals() == goals


def test_the_last_move_wins(game: Game) -> None:
    state = drawn(game, " ".join([*WALL, "w.#b.###"]), PIECES, "(control white)")
    state = play(state, "(move 1 1 2 1 1 1)", "(move 4 1 5 1 4 1)")
    assert state.is_terminal
    assert state.goals() == (0, 100)
