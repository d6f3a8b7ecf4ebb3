"""A line of the player to move is not looked for while games go on, and is seen in states that are given."""

import pytest

from ludorum._core import Lanes
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.engine.load import load_rules
from ludorum.rules.library import find_sheet
from tests.engine.test_lanes import WIDTHS
from tests.how_much import sample

PLANS = ("", "cycle", "timetable")


def game_of(name: str) -> CompiledGame:
    return CompiledGame(load_rules(find_sheet(name)), name)


def board(rows: str, mover: str) -> str:
    """The text of a state of tic-tac-toe."""
    cells = (
        f"(cell {m} {n} {mark})"
        for m, row in enumerate(rows.split(), start=1)
        for n, mark in enumerate(row, start=1)
    )
    return f"({' '.join(cells)} (control {mover}))"


@pytest.mark.parametrize("width", sample(WIDTHS, 3))
@pytest.mark.parametrize("plan", PLANS)
def test_lines_of_whoever_moves_are_seen_in_given_states(plan: str, width: int) -> None:
    game = game_of("tictactoe")
    lanes = Lanes(game.network, width, plan=plan)
    texts = [
        board("xxx oob bbb", "xplayer"),  # a step ago this was the end already
        board("xxx oob bbb", "oplayer"),
        board("ooo xxb xbb", "oplayer"),
        board("bbb bbb bbb", "xplayer"),
    ]
    states = [game.parse_state(text) for text in texts for _ in range(100)]
    rows = game.simulator().pack([state for state in states if isinstance(state, CompiledState)])
    found = lanes.playouts_from(rows, 3, seed=1)
    assert found["playouts"] == 1200
    sums = found["sums"].reshape(4, 100, 2)
    assert (sums[:2] == [300, 0]).all()
    assert (sums[2] == [0, 300]).all()
    assert (sums[3].sum(1) == 300).all()
    assert 300 * 5 <= found["steps"] <= 300 * 9  # of the games that began with nothing


def test_states_that_end_at_once_do_not_hide_in_long_games() -> None:
    game = game_of("connect_four")
    four = " ".join(f"(cell {c} 1 red)" for c in (1, 2, 3, 4))
    others = " ".join(f"(cell {c} 2 yellow)" for c in (1, 2, 3))
    over, begin = game.parse_state(f"({four} {others} (control red))"), game.initial()
    assert isinstance(over, CompiledState)
    rows = game.simulator().pack([over, begin] * 10_000)
    found = Lanes(game.network).playouts_from(rows, 1, seed=1)
    assert (found["sums"][::2] == [100, 0]).all()
    assert found["steps"] > 7 * 10_000
    # One game in four hundred is a draw.
    assert len(set(found["sums"][1::2, 0].tolist())) == 3


def test_only_the_lines_of_the_last_mover_are_looked_for() -> None:
    # Eight lines of three cells, whether one of nine cells is blank, and whether one of these nine ends it.
    lanes = Lanes(game_of("tictactoe").network, plan="cycle")
    assert [legal for legal, _, _ in lanes.phase_literals] == [24 + 9 + 9] * 2


def test_ends_that_moves_of_others_bring_about_are_looked_for() -> None:
    """Pieces of both players leave the board in breakthrough: nobody's last rank is settled."""
    lanes = Lanes(game_of("breakthrough").network, plan="cycle")
    found = lanes.playouts(20_000, seed=1)
    assert found["playouts"] == 20_000
    assert found["stuck"] == 0
