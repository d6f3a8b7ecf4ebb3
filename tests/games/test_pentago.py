"""Pentago: placing and twisting, when a line counts, and counts by hand.

In diagrams w is white, k black; the lower left cell is (1 1).
"""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import diagram, drawn, moves, play

STONES = {"w": "white", "k": "black"}
SIGNS = {"white": "w", "black": "k"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("pentago")


def test_perft(game: Game) -> None:
    assert perft(game, 3) == [36, 36 * 8, 36 * 8 * 35]


def test_a_turn_is_to_place_and_then_to_twist(game: Game) -> None:
    state = play(game.initial(), "(place 2 2)")
    assert {str(fact) for fact in state.facts()} == {
        "(cell 2 2 white)",
        "(control white)",
        "(stage twisting)",
    }
    assert moves(state) == [
        "(twist left lower anticlockwise)",
        "(twist left lower clockwise)",
        "(twist left upper anticlockwise)",
        "(twist left upper clockwise)",
        "(twist right lower anticlockwise)",
        "(twist right lower clockwise)",
        "(twist right upper anticlockwise)",
        "(twist right upper clockwise)",
    ]
    state = play(state, "(twist left lower clockwise)")
    assert {str(fact) for fact in state.facts()} == {"(cell 2 2 white)", "(control black)", "(stage placing)"}


BEFORE = """
    wk.k..
    w..w..
    ..k..k
    wwk..w
    k..k..
    ..wwk.
"""


@pytest.mark.parametrize(
    ("twist", "after"),
    [
        ("(twist left lower clockwise)", ["wk.k..", "w..w..", "..k..k", ".kw..w", "..wk..", "w.kwk."]),
        ("(twist left lower anticlockwise)", ["wk.k..", "w..w..", "..k..k", "k.w..w", "w..k..", "wk.wk."]),
        ("(twist right upper clockwise)", ["wk..wk", "w.....", "..kk..", "wwk..w", "k..k..", "..wwk."]),
        ("(twist left upper anticlockwise)", ["..kk..", "k..w..", "ww...k", "wwk..w", "k..k..", "..wwk."]),
        ("(twist right lower anticlockwise)", ["wk.k..", "w..w..", "..k..k", "wwkw..", "k....k", "..w.kw"]),
    ],
)
def test_a_twist_turns_one_quarter(game: Game, twist: str, after: list[str]) -> None:
    state = drawn(game, BEFORE, STONES, "(control black) (stage twisting)")
    assert diagram(play(state, twist), SIGNS, 6, 6) == after


def test_placing_five_wins_without_a_twist(game: Game) -> None:
    state = drawn(
        game, "...... ...... ...... ...... kkkk.. .wwww.", STONES, "(control white) (stage placing)"
    )
    assert not state.is_terminal
    state = play(state, "(place 6 1)")
    assert state.is_terminal
    assert state.goals() == (100, 0)


@pytest.mark.parametrize(
    ("rows", "cell"),
    [
        ("...... k..... k..... ...... k..... k.....", "(place 1 3)"),
        (".....k ....k. ...... ..k... .k.... ......", "(place 4 4)"),
        ("k..... .k.... ..k... ...... ....k. ......", "(place 4 3)"),
    ],
)
def test_lines_count_in_all_directions(game: Game, rows: str, cell: str) -> None:
    state = drawn(game, rows, STONES, "(control black) (stage placing)")
    assert not state.is_terminal
    state = play(state, cell)
    assert state.is_terminal
    assert state.goals() == (0, 100)


# A clockwise twist of the lower left quarter turns its left column into its top row, and its right column
# into its bottom row.
ONE = "...... ...... ...... w..ww. w..... w....."
BOTH = "...... ...... ...... w.kww. w.k... w.kkk."


def test_a_twist_can_make_a_line(game: Game) -> None:
    state = drawn(game, ONE, STONES, "(control white) (stage twisting)")
    state = play(state, "(twist left lower clockwise)")
    assert diagram(state, SIGNS, 6, 6)[3] == "wwwww."
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_a_twist_can_make_the_line_of_the_opponent(game: Game) -> None:
    state = drawn(game, ONE, STONES, "(control black) (stage twisting)")
    state = play(state, "(twist left lower clockwise)")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_lines_of_both_are_a_draw(game: Game) -> None:
    state = drawn(game, BOTH, STONES, "(control white) (stage twisting)")
    assert not state.is_terminal
    state = play(state, "(twist left lower clockwise)")
    assert diagram(state, SIGNS, 6, 6)[3:] == ["wwwww.", "......", "kkkkk."]
    assert state.is_terminal
    assert state.goals() == (50, 50)


def test_the_last_stone_is_still_followed_by_a_twist(game: Game) -> None:
    rows = ["wwkkww", "kkwwkk", "wwkkww", "kkwwkk", "wwkkww", "kkwwk."]
    state = drawn(game, " ".join(rows), STONES, "(control black) (stage placing)")
    state = play(state, "(place 6 1)")
    assert not state.is_terminal
    state = play(state, "(twist left lower clockwise)")
    # The quarter kkw / wwk / kkw becomes kwk / kwk / wkw.
    assert diagram(state, SIGNS, 6, 6) == ["wwkkww", "kkwwkk", "wwkkww", "kwkwkk", "kwkkww", "wkwwkk"]
    assert state.is_terminal
    assert state.goals() == (50, 50)
