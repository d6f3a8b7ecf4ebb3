"""Tic-Tac-Toe, of which everything is known."""

from collections import Counter

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore, perft
from tests.games.board_play import moves, play


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("tictactoe")


def test_start_has_nine_blanks_and_x_begins(game: Game) -> None:
    cells = {f"(cell {m} {n} b)" for m in (1, 2, 3) for n in (1, 2, 3)}
    assert {str(fact) for fact in game.initial().facts()} == cells | {"(control xplayer)"}
    assert moves(game.initial()) == [f"(mark {m} {n})" for m in (1, 2, 3) for n in (1, 2, 3)]


def test_a_mark_takes_its_cell_and_the_turn_passes(game: Game) -> None:
    state = play(game.initial(), "(mark 2 3)")
    facts = {str(fact) for fact in state.facts()}
    assert len(facts) == 10
    assert {"(cell 2 3 x)", "(control oplayer)"} <= facts
    assert "(cell 2 3 b)" not in facts
    assert len(moves(state)) == 8
    assert "(mark 2 3)" not in moves(state)


@pytest.mark.parametrize(
    ("cells", "goals"),
    [
        pytest.param("11 21 12 22 13", (100, 0), id="row"),
        pytest.param("12 11 22 21 32", (100, 0), id="column"),
        pytest.param("11 12 22 13 33", (100, 0), id="diagonal"),
        pytest.param("11 13 12 22 33 31", (0, 100), id="other diagonal, for o"),
        pytest.param("22 11 33 12 13 31 21 23 32", (50, 50), id="draw"),
    ],
)
def test_games_end_with_a_line_or_a_full_board(game: Game, cells: str, goals: tuple[int, int]) -> None:
    state = play(game.initial(), *(f"(mark {cell[0]} {cell[1]})" for cell in cells.split()))
    assert state.is_terminal
    assert state.goals() == goals


def test_perft_of_the_opening(game: Game) -> None:
    assert perft(game, 4) == [9, 72, 504, 3024]


@pytest.mark.slow
def test_perft_to_the_end(game: Game) -> None:
    assert perft(game, 9) == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.slow
def test_exhaustive_search_finds_the_published_numbers(game: Game) -> None:
    found = explore(game)
    assert (found.states, found.terminal, found.stuck) == (5478, 958, 0)
    assert (found.longest, found.games) == (9, 255168)


@pytest.mark.slow
def test_plays_by_length_and_winner(game: Game) -> None:
    """131184 games are won by x, 77904 by o, 46080 are drawn."""
    ends: Counter[tuple[int, tuple[int | None, ...]]] = Counter()
    layer: Counter[State] = Counter({game.initial(): 1})
    for length in range(10):
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            if state.is_terminal:
                ends[length, state.goals()] += ways
            for joint in state.joint_moves():
                following[state.play(joint)] += ways
        layer = following
    x, o, draw = (100, 0), (0, 100), (50, 50)
    assert ends == {(5, x): 1440, (6, o): 5328, (7, x): 47952, (8, o): 72576, (9, x): 81792, (9, draw): 46080}
