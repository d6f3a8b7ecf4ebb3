"""Gomoku: lines of five or more, draws, and counts by hand."""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import drawn, moves, play

STONES = {"x": "black", "o": "white"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("gomoku")


def line(start: tuple[int, int], step: tuple[int, int], places: list[int]) -> list[tuple[int, int]]:
    return [(start[0] + i * step[0], start[1] + i * step[1]) for i in places]


def test_perft(game: Game) -> None:
    assert perft(game, 2) == [225, 225 * 224]


@pytest.mark.parametrize("step", [(1, 0), (0, 1), (1, 1), (1, -1)])
@pytest.mark.parametrize("black", [True, False])
def test_five_in_a_line_win(game: Game, step: tuple[int, int], black: bool) -> None:
    colour = "black" if black else "white"
    for start, places in [((6, 8), [0, 1, 2, 4]), ((11, 5 if step[1] < 0 else 11), [0, 1, 2, 4])]:
        before = " ".join(f"(cell {x} {y} {colour})" for x, y in line(start, step, places))
        state = game.parse_state(f"({before} (control {colour}))")
        assert not state.is_terminal
        ((x, y),) = line(start, step, [3])
        state = play(state, f"(place {x} {y})")
        assert state.is_terminal
        assert state.goals() == ((100, 0) if black else (0, 100))


def test_six_in_a_line_win_too(game: Game) -> None:
    before = " ".join(f"(cell {x} 1 black)" for x in (1, 2, 3, 5, 6))
    state = play(game.parse_state(f"({before} (control black))"), "(place 4 1)")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_four_and_broken_lines_do_not_win(game: Game) -> None:
    row = " ".join(f"(cell {x} 15 black)" for x in (12, 13, 14, 15))
    mixed = " ".join(f"(cell {x} 9 {'white' if x == 3 else 'black'})" for x in range(1, 6))
    edge = "(cell 1 2 black) (cell 15 1 black)"
    state = game.parse_state(f"({row} {mixed} {edge} (control white))")
    assert not state.is_terminal
    assert state.goals() == (50, 50)
    assert len(moves(state)) == 225 - 11


def test_the_last_stone_can_make_a_draw(game: Game) -> None:
    # Pairs in rows, single stones in columns: no run is longer than two. Black has 113 stones with the last.
    rows = ["xxooxxooxxooxxo", "ooxxooxxooxxoox"] * 7 + ["xxooxxooxxoox.o"]
    before = drawn(game, " ".join(rows), STONES, "(control black)")
    assert sum("black" in str(fact) for fact in before.facts()) == 112 + 1, "112 stones and the turn"
    assert moves(before) == ["(place 14 1)"]
    after = play(before, "(place 14 1)")
    assert after.is_terminal
    assert after.goals() == (50, 50)
