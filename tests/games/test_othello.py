"""Othello: turning discs over, passing, the end, and published counts."""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import diagram, drawn, moves, play

DISCS = {"x": "black", "o": "white"}
SIGNS = {"black": "x", "white": "o"}
EMPTY = ["........"] * 8


def squares(line: str) -> list[str]:
    """Moves in the usual notation: ``e6`` is column 5, row 6."""
    return [f"(place {'abcdefgh'.index(name[0]) + 1} {name[1]})" for name in line.split()]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("othello")


def test_perft(game: Game) -> None:
    assert perft(game, 5) == [4, 12, 56, 244, 1396]


@pytest.mark.slow
def test_perft_deeper(game: Game) -> None:
    assert perft(game, 7) == [4, 12, 56, 244, 1396, 8200, 55092]


def test_black_begins_with_four_moves(game: Game) -> None:
    assert moves(game.initial()) == sorted(squares("d3 c4 f5 e6"))


def test_the_shortest_game_wipes_white_out(game: Game) -> None:
    state = play(game.initial(), *squares("e6 f4 e3 f6 g5 d6 e7 f5 c5"))
    assert state.is_terminal
    assert sum(fact.name == "cell" for fact in state.facts()) == 13
    assert "white" not in str({fact for fact in state.facts() if fact.name == "cell"})
    assert state.goals() == (100, 0)


def test_discs_turn_in_every_direction_up_to_the_nearest_own_disc(game: Game) -> None:
    before = """
        x..x..x.
        .o.o.o..
        ..ooo...
        xoo.oooo
        ..ooo...
        .o.o.o..
        x..o..x.
        ...x....
    """
    after = [
        "x..x..x.",
        ".x.x.x..",
        "..xxx...",
        "xxxxoooo",  # nothing closes the line to the east
        "..xxx...",
        ".x.x.x..",
        "x..x..x.",
        "...x....",
    ]
    state = play(drawn(game, before, DISCS, "(control black)"), "(place 4 5)")
    assert diagram(state, SIGNS, 8, 8) == after


def test_discs_beyond_a_gap_or_an_own_disc_do_not_turn(game: Game) -> None:
    rows = [*EMPTY[:7], ".oxox.ox"]
    state = drawn(game, " ".join(rows), DISCS, "(control black)")
    assert moves(state) == ["(place 1 1)", "(place 6 1)"]
    after = play(state, "(place 1 1)")
    assert diagram(after, SIGNS, 8, 8)[7] == "xxxox.ox"
    after = play(state, "(place 6 1)")
    assert diagram(after, SIGNS, 8, 8)[7] == ".oxoxxxx"


def test_who_cannot_place_passes(game: Game) -> None:
    # Black could enclose the white disc from column 3; white can enclose nothing.
    state = drawn(game, " ".join([*EMPTY[:7], "xo......"]), DISCS, "(control white)")
    assert not state.is_terminal
    assert moves(state) == ["pass"]
    state = play(state, "pass")
    assert moves(state) == ["(place 3 1)"]
    assert diagram(state, SIGNS, 8, 8)[7] == "xo......"


def test_nobody_passes_who_can_place(game: Game) -> None:
    assert "pass" not in moves(game.initial())


@pytest.mark.parametrize(
    ("row", "goals"),
    [("xx.o....", (100, 0)), ("x..oo...", (0, 100)), ("xx..oo..", (50, 50))],
)
def test_when_neither_can_place_more_discs_win(game: Game, row: str, goals: tuple[int, int]) -> None:
    state = drawn(game, " ".join([*EMPTY[:7], row]), DISCS, "(control black)")
    assert state.is_terminal
    assert state.goals() == goals


@pytest.mark.parametrize(
    ("black", "goals"), [(64, (100, 0)), (33, (100, 0)), (32, (50, 50)), (31, (0, 100)), (0, (0, 100))]
)
def test_a_full_board_is_counted(game: Game, black: int, goals: tuple[int, int]) -> None:
    discs = "x" * black + "o" * (64 - black)
    rows = [discs[8 * i : 8 * i + 8] for i in range(8)]
    state = drawn(game, " ".join(rows), DISCS, "(control black)")
    assert state.is_terminal
    assert state.goals() == goals
