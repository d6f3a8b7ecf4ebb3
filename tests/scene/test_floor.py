"""Boards whose places the rules list, because too few things stand on them to be seen in the facts."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum.engine.board import find_grid
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.scene import scene_of, sight_of
from ludorum.scene.floor import find_floor

ROOM = " ".join(f"(floor {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3))
SAMPLE = [frozenset({parse_term(f"(man {place})")}) for place in ("1 1", "1 2", "2 2", "3 2")]


def test_sokoban_has_a_floor_with_targets() -> None:
    game = load_game("sokoban")
    assert find_grid(game) is None
    states = list(islice(game.playout(1), 4))
    board = scene_of(game, sight_of(game, states[:1], None)).board
    assert board is not None
    assert (board.columns, board.rows) == (tuple("1234"), tuple("54321"))
    assert [board.names[at] for at in board.absent] == ["3 4", "1 3", "3 2"]
    words = [look.words for look in board.contents]
    assert {board.names[at]: [words[one] for one in found] for at, found in board.cells.items()} == {
        "4 5": ["target"],
        "2 3": ["crate"],
        "3 3": ["crate"],
        "1 1": ["target"],
        "4 3": ["keeper"],
    }
    assert [look.remark for look in board.contents] == [False, False, True]


def test_cars_drive_on_a_track() -> None:
    game = load_game("racetrack")
    board = scene_of(game, sight_of(game, [game.initial()], None)).board
    assert board is not None
    assert len(board.names) - len(board.absent) == 69
    assert {board.names[at]: board.contents[found[0]].colour for at, found in board.cells.items()} == {
        "1 4": "blue",
        "1 2": "red",
    }


@pytest.mark.parametrize(
    ("rules", "has_board"),
    [
        (ROOM, True),
        (ROOM.replace("floor", "place_of"), True),
        (" ".join(f"(less {x} {y})" for x in range(1, 6) for y in range(x, 6)), False),
        (" ".join(f"(next_to {x} {x + 1})" for x in range(1, 20)), False),
        ("(floor 1 1) (floor 1 2) (floor 2 2) (floor 3 2)", False),
    ],
)
def test_a_list_of_places_is_no_order_and_no_short_list(rules: str, has_board: bool) -> None:
    assert (find_floor(parse_kif(rules), SAMPLE) is not None) == has_board


def test_things_that_do_not_move_make_no_board() -> None:
    assert find_floor(parse_kif(ROOM), SAMPLE[:1]) is None
    assert find_floor(parse_kif(ROOM), [*SAMPLE, frozenset({parse_term("(man 9 9)")})]) is None
