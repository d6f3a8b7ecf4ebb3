"""Hex on nine and eleven rows: counts, which cells touch, and who wins."""

from itertools import pairwise

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import moves, play

# A red chain without short cuts that uses each of the six ways from a cell to the next.
CHAIN = [
    (4, 1),
    (4, 2),
    (3, 3),
    (2, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (2, 6),
    (3, 6),
    (4, 5),
    (5, 4),
    (5, 3),
    (6, 2),
]
CHAIN += [(7, 2), (7, 3), (7, 4), (7, 5), (7, 6), (7, 7), (7, 8), (7, 9)]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("hex")


def stones(colour: str, cells: list[tuple[int, int]]) -> str:
    return " ".join(f"(cell {x} {y} {colour})" for x, y in cells)


def test_perft_on_nine(game: Game) -> None:
    assert perft(game, 2) == [81, 6480]


def test_perft_on_eleven() -> None:
    assert perft(load_game("hex_11"), 2) == [121, 14520]


@pytest.mark.slow
def test_perft_on_nine_deeper(game: Game) -> None:
    assert perft(game, 3) == [81, 6480, 511920]


def test_the_chain_uses_all_six_directions() -> None:
    steps = {(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(CHAIN)}
    assert steps == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}


def test_a_red_chain_from_bottom_to_top_wins(game: Game) -> None:
    for missing in CHAIN:
        rest = [cell for cell in CHAIN if cell != missing]
        before = game.parse_state(f"({stones('red', rest)} (control red))")
        assert not before.is_terminal, f"joined without {missing}"
        assert before.goals() == (50, 50)
    after = play(before, "(place 7 9)")
    assert after.is_terminal
    assert after.goals() == (100, 0)


def test_a_blue_chain_from_left_to_right_wins(game: Game) -> None:
    turned = [(y, x) for x, y in CHAIN]
    for missing in turned:
        rest = [cell for cell in turned if cell != missing]
        before = game.parse_state(f"({stones('blue', rest)} (control blue))")
        assert not before.is_terminal, f"joined without {missing}"
    after = play(before, "(place 9 7)")
    assert after.is_terminal
    assert after.goals() == (0, 100)


def test_a_line_to_the_right_and_up_is_no_chain(game: Game) -> None:
    state = game.parse_state(f"({stones('red', [(n, n) for n in range(1, 10)])} (control blue))")
    assert not state.is_terminal


def test_a_chain_between_the_wrong_sides_does_not_count(game: Game) -> None:
    state = game.parse_state(f"({stones('red', [(n, 5) for n in range(1, 10)])} (control blue))")
    assert not state.is_terminal


def test_the_larger_board_needs_a_longer_chain() -> None:
    game = load_game("hex_11")
    nine = [(6, n) for n in range(1, 10)]
    state = game.parse_state(f"({stones('red', nine)} (control red))")
    assert len(moves(state)) == 112
    assert not state.is_terminal
    state = game.parse_state(f"({stones('red', [*nine, (6, 10), (6, 11)])} (control blue))")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_taken_cells_cannot_be_taken_again(game: Game) -> None:
    state = play(game.initial(), "(place 5 5)", "(place 4 6)")
    assert len(moves(state)) == 79
    assert not {"(place 5 5)", "(place 4 6)"} & set(moves(state))
