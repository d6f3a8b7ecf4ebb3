"""Breakthrough: how pieces move and capture, the two ways to win, and published counts."""

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import drawn, moves, play

PIECES = {"w": "white", "b": "black"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("breakthrough")


def test_perft(game: Game) -> None:
    assert perft(game, 3) == [22, 484, 11132]


def test_straight_ahead_only_to_a_free_square(game: Game) -> None:
    state = drawn(
        game,
        "...b.... ........ ........ ...b.... ...w.... ........ ........ ........",
        PIECES,
        "(control white)",
    )
    assert moves(state) == ["(move 4 4 3 5)", "(move 4 4 5 5)"]


def test_captures_go_diagonally_and_own_pieces_block(game: Game) -> None:
    state = drawn(
        game,
        "........ ........ ........ ..bw.... ...w.... ........ ........ ........",
        PIECES,
        "(control white)",
    )
    assert moves(state) == [
        "(move 4 4 3 5)",
        "(move 4 4 5 5)",
        "(move 4 5 3 6)",
        "(move 4 5 4 6)",
        "(move 4 5 5 6)",
    ]


def test_a_capture_takes_the_piece_from_the_board(game: Game) -> None:
    before = drawn(
        game,
        "b....... ........ ........ ....b... ...w.... ........ ........ ........",
        PIECES,
        "(control black)",
    )
    after = play(before, "(move 5 5 4 4)")
    assert {str(fact) for fact in after.facts()} == {
        "(cell 1 8 black)",
        "(cell 4 4 black)",
        "(control white)",
    }
    assert after.is_terminal, "white has no piece left"
    assert after.goals() == (0, 100)


def test_black_moves_down_and_the_edge_bounds(game: Game) -> None:
    state = drawn(
        game,
        "........ ........ b....... ........ ........ ........ ........ .......w",
        PIECES,
        "(control black)",
    )
    assert moves(state) == ["(move 1 6 1 5)", "(move 1 6 2 5)"]


def test_the_far_row_wins(game: Game) -> None:
    before = drawn(
        game,
        "bb...... ..w..... ........ ........ ........ ........ .....b.. ........",
        PIECES,
        "(control white)",
    )
    assert moves(before) == ["(move 3 7 2 8)", "(move 3 7 3 8)", "(move 3 7 4 8)"]
    assert not before.is_terminal
    for move in moves(before):
        assert play(before, move).is_terminal
        assert play(before, move).goals() == (100, 0)
