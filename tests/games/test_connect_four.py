"""Connect Four: falling discs, lines in four directions, draws, and published counts."""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import drawn, moves, play

DISCS = {"r": "red", "y": "yellow"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("connect_four")


def test_perft(game: Game) -> None:
    assert perft(game, 4) == [7, 49, 343, 2401]


@pytest.mark.slow
def test_perft_deeper(game: Game) -> None:
    """Nobody can win within six moves, so six moves are 7^6 paths; no column is full before the sixth."""
    assert perft(game, 6) == [7, 49, 343, 2401, 16807, 117649]


def test_discs_fall_on_each_other(game: Game) -> None:
    state = play(game.initial(), "(drop 4)", "(drop 4)", "(drop 5)", "(drop 4)")
    expected = {"(cell 4 1 red)", "(cell 4 2 yellow)", "(cell 4 3 yellow)", "(cell 5 1 red)", "(control red)"}
    assert {str(fact) for fact in state.facts()} == expected


def test_a_column_takes_six_discs(game: Game) -> None:
    state = play(game.initial(), *["(drop 3)"] * 6)
    assert not state.is_terminal
    assert moves(state) == ["(drop 1)", "(drop 2)", "(drop 4)", "(drop 5)", "(drop 6)", "(drop 7)"]


@pytest.mark.parametrize(
    ("diagram", "move"),
    [
        pytest.param("....... ....... ....... ....... ....... .rrr.yy", "(drop 5)", id="level, right end"),
        pytest.param("....... ....... ....... ....... ....... .rr.ryy", "(drop 4)", id="level, gap"),
        pytest.param("....... ....... ....... r...... r...... r...yyy", "(drop 1)", id="upright"),
        pytest.param("....... ....... ....... ..ryr.. .ryyy.. ryyryr.", "(drop 4)", id="rising"),
        pytest.param("....... ....... ....... ..yyr.. ..yyyr. ..yryyr", "(drop 4)", id="falling"),
    ],
)
def test_four_in_a_line_win(game: Game, diagram: str, move: str) -> None:
    before = drawn(game, diagram, DISCS, "(control red)")
    assert not before.is_terminal
    after = play(before, move)
    assert after.is_terminal
    assert after.goals() == (100, 0)


def test_yellow_wins_too(game: Game) -> None:
    state = play(game.initial(), *["(drop 1)", "(drop 2)"] * 3, "(drop 3)", "(drop 2)")
    assert state.is_terminal
    assert state.goals() == (0, 100)


def test_a_line_does_not_go_round_the_edge(game: Game) -> None:
    state = drawn(game, "....... ....... ....... ....... y..y..y r..yrrr", DISCS, "(control yellow)")
    assert not state.is_terminal


def test_the_last_disc_can_make_a_draw(game: Game) -> None:
    # Pairs in rows, single discs in columns: no run is longer than two.
    full = ["yyrryy.", "rryyrry", "yyrryyr", "rryyrry", "yyrryyr", "rryyrry"]
    before = drawn(game, " ".join(full), DISCS, "(control red)")
    assert moves(before) == ["(drop 7)"]
    after = play(before, "(drop 7)")
    assert after.is_terminal
    assert after.goals() == (50, 50)
