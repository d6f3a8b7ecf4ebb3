"""Krieg Tic-Tac-Toe: marks that hold, marks that fail in two ways, lines in all directions."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, random_match, seen, step


def marked(x: str, o: str, *tried: str) -> State:
    """The state in which the players hold these cells, written as pairs of digits."""
    owner = dict.fromkeys(x.split(), "xplayer") | dict.fromkeys(o.split(), "oplayer")
    cells = [f"{a}{b}" for a in "12345" for b in "12345"]
    board = " ".join(f"(cell {cell[0]} {cell[1]} {owner.get(cell, 'b')})" for cell in cells)
    return load_game("krieg_tictactoe").parse_state(f"({board} {' '.join(tried)})")


def test_two_steps_have_625_and_360000_paths() -> None:
    # 25 cells each; after one step each player has 24 left, because the own cell, won or failed, is gone.
    assert perft(load_game("krieg_tictactoe"), 2) == [25 * 25, 25 * 25 * 24 * 24]


def test_marks_on_different_cells_both_hold_and_nobody_sees_the_other() -> None:
    state = step(load_game("krieg_tictactoe").initial(), xplayer="(mark 1 1)", oplayer="(mark 2 3)")
    assert seen(state, "xplayer") == ["(got 1 1)"]
    assert seen(state, "oplayer") == ["(got 2 3)"]
    assert state == marked("11", "23")
    assert "(mark 1 1)" not in legal(state, "xplayer")
    assert "(mark 2 3)" in legal(state, "xplayer")
    assert "(mark 1 1)" in legal(state, "oplayer")


def test_marks_on_the_same_cell_both_fail_and_leave_it_blank() -> None:
    state = step(load_game("krieg_tictactoe").initial(), xplayer="(mark 3 3)", oplayer="(mark 3 3)")
    assert seen(state, "xplayer") == ["(failed 3 3)"]
    assert seen(state, "oplayer") == ["(failed 3 3)"]
    assert state == marked("", "", "(tried xplayer 3 3)", "(tried oplayer 3 3)")
    for role in ("xplayer", "oplayer"):
        assert len(legal(state, role)) == 24
        assert "(mark 3 3)" not in legal(state, role)


def test_a_mark_on_a_taken_cell_fails_and_looks_like_a_clash() -> None:
    state = step(load_game("krieg_tictactoe").initial(), xplayer="(mark 1 1)", oplayer="(mark 5 5)")
    state = step(state, xplayer="(mark 2 2)", oplayer="(mark 1 1)")
    assert seen(state, "xplayer") == ["(got 2 2)"]
    assert seen(state, "oplayer") == ["(failed 1 1)"]
    assert state == marked("11 22", "55", "(tried oplayer 1 1)")
    assert len(legal(state, "oplayer")) == 23


def test_what_was_tried_in_vain_is_remembered() -> None:
    state = step(load_game("krieg_tictactoe").initial(), xplayer="(mark 3 3)", oplayer="(mark 3 3)")
    state = step(state, xplayer="(mark 1 1)", oplayer="(mark 1 2)")
    assert facts(state, "tried") == ["(tried oplayer 3 3)", "(tried xplayer 3 3)"]


@pytest.mark.parametrize(
    "line",
    [
        *("11 12 13 14", "32 33 34 35", "15 25 35 45", "24 34 44 54"),
        *("11 22 33 44", "22 33 44 55", "21 32 43 54", "15 24 33 42", "24 33 42 51", "14 23 32 41"),
    ],
)
def test_four_in_a_line_win(line: str) -> None:
    won = marked(line, "")
    assert won.is_terminal
    assert goals(won) == {"xplayer": 100, "oplayer": 0}
    lost = marked("", line)
    assert goals(lost) == {"xplayer": 0, "oplayer": 100}


@pytest.mark.parametrize("cells", ["11 12 13 15", "14 15 21 22", "11 12 13", "14 25 31 42", "11 22 33 45"])
def test_other_sets_of_cells_are_no_line(cells: str) -> None:
    state = marked(cells, "")
    assert not state.is_terminal
    assert goals(state) == {"xplayer": 50, "oplayer": 50}


def test_two_lines_completed_at_once_are_a_draw() -> None:
    state = marked("11 12 13", "51 52 53")
    assert not state.is_terminal
    both = step(state, xplayer="(mark 1 4)", oplayer="(mark 5 4)")
    assert both.is_terminal
    assert goals(both) == {"xplayer": 50, "oplayer": 50}
    # Trying for the same cell, neither gets the line.
    neither = step(marked("11 12 13", "24 34 44"), xplayer="(mark 1 4)", oplayer="(mark 1 4)")
    assert not neither.is_terminal


def test_the_game_ends_when_no_mark_can_hold_any_more() -> None:
    x, o = "11 12 15 23 24 31 32 35 43 44 51 52", "13 14 21 22 25 33 34 41 42 45 53 54"
    assert not marked(x, o, "(tried xplayer 5 5)").is_terminal
    end = marked(x, o, "(tried xplayer 5 5)", "(tried oplayer 5 5)")
    assert end.is_terminal
    assert goals(end) == {"xplayer": 50, "oplayer": 50}


@pytest.mark.parametrize("seed", range(3))
def test_every_step_uses_up_one_cell_of_each_player(seed: int) -> None:
    match = random_match(load_game("krieg_tictactoe"), seed)
    assert len(match) <= 26
    for number, state in enumerate(match[:-1]):
        assert [len(legal(state, role)) for role in ("xplayer", "oplayer")] == [25 - number] * 2
