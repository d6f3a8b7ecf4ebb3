"""The method of 2009 as a baseline: its plans, their numbers, and how it chose among them."""

from __future__ import annotations

import pytest

from ludorum.experiments.planning_2009.legacy import sent_text
from ludorum.experiments.planning_2009.translation import NO_MOVE, extract_move, shortest_line, turn_bound
from ludorum.experiments.planning_2009.translation.reading import statements
from ludorum.solve.planner import Planner

from .sheets_2009 import ENOUGH, legacy_planner, modern_answer, sheet_2009

FIVE = [
    ("blocks", "robot", 5),
    ("buttons", "white", 8),
    ("maze", "robot", 11),
    ("tictactoe", "xplayer", 21),
    ("hodgepodge", "blocksplayer", 11),
]


@pytest.mark.spec("asp-player", 32)
@pytest.mark.parametrize(("name", "role", "time"), FIVE)
def test_the_turn_bound_is_read_off_a_name(name: str, role: str, time: int) -> None:
    assert legacy_planner(name, role).program.time == time


@pytest.mark.spec("asp-player", 22)
@pytest.mark.spec("asp-player", 32)
def test_the_last_successor_counts_and_twenty_where_there_is_none() -> None:
    assert turn_bound(statements("(succ 1 2) (successor 2 30) (succ 3 4)")) == 4
    assert turn_bound(statements("(role a) (next_number 1 2)")) == 20


@pytest.mark.spec("asp-player", 31)
@pytest.mark.parametrize(
    ("name", "role", "lengths"),
    [
        ("blocks", "robot", {3: 1}),
        ("buttons", "white", {6: 2, 7: 10}),
        ("maze", "robot", {6: 1, 8: 2, 10: 5}),
        pytest.param("hodgepodge", "blocksplayer", {3: 2, 5: 35, 7: 672, 9: 12_831}, marks=pytest.mark.slow),
    ],
)
def test_how_many_answer_sets_there_are(name: str, role: str, lengths: dict[int, int]) -> None:
    planner = legacy_planner(name, role)
    assert dict(planner.lengths()) == lengths
    assert planner.remarks == []


@pytest.mark.slow
@pytest.mark.spec("asp-player", 31)
def test_the_maze_player_of_hodgepodge_plans_past_the_end_of_the_game() -> None:
    """None of these plans can be played: the game is over after three moves."""
    lengths = legacy_planner("hodgepodge", "mazeplayer").lengths()
    assert dict(lengths) == {6: 343, 8: 4_802, 10: 84_035}
    assert sum(lengths.values()) == 89_180


@pytest.mark.spec("asp-player", 31)
@pytest.mark.parametrize(
    ("name", "role", "atoms", "rules", "within"),
    [
        ("blocks", "robot", 1_141, 3_091, 0),
        ("buttons", "white", 360, 518, 0),
        ("tictactoe", "oplayer", 5_722, 13_560, 0),
        ("maze", "robot", 673, 1_109, 0.01),
        ("hodgepodge", "blocksplayer", 3_723, 14_498, 0.001),
        ("hodgepodge", "mazeplayer", 3_721, 14_478, 0.001),
    ],
)
def test_sizes_of_ground_programs(name: str, role: str, atoms: int, rules: int, within: float) -> None:
    """Equal to those of the reference where our words for a game agree with it rule for rule."""
    found = legacy_planner(name, role).answer(most=1)
    assert found.atoms == pytest.approx(atoms, rel=within)
    assert found.rules == pytest.approx(rules, rel=within)


@pytest.mark.spec("asp-player", 31)
@pytest.mark.spec("asp-player", 33)
@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
def test_there_are_more_plans_for_tictactoe_than_were_looked_at(role: str) -> None:
    assert legacy_planner("tictactoe", role).answer().plans == 100


@pytest.mark.spec("asp-player", 33)
def test_the_shortest_text_among_a_hundred_is_chosen() -> None:
    assert shortest_line(["ccc", "b", "aa"]) == "b"
    assert shortest_line([]) is None
    assert legacy_planner("hodgepodge", "blocksplayer").answer().plans == 100


@pytest.mark.parametrize(
    ("name", "role", "moves"),
    [
        ("blocks", "robot", "(u c a), (s b c), (s a b)"),
        ("maze", "robot", "move, move, grab, move, move, drop"),
    ],
)
def test_games_are_played_as_they_were(name: str, role: str, moves: str) -> None:
    planner = legacy_planner(name, role)
    played = []
    while (move := planner.answer().move) != NO_MOVE:
        played.append(move)
        planner.after([move])
    assert ", ".join(played) == moves


def test_buttons_are_played_to_the_end() -> None:
    planner = legacy_planner("buttons", "white")
    for _ in range(6):
        planner.after([planner.answer().move])
    assert extract_move(planner.answer().line, planner.turn, "white") == NO_MOVE


@pytest.mark.spec("asp-player", 7)
def test_strict_reading_finds_no_plan_where_lenient_reading_does() -> None:
    strict, lenient = sheet_2009("blocks", lenient=False), sheet_2009("blocks")
    none = modern_answer(strict, "robot")
    assert (none.plan, none.complete) == (None, True)
    found = modern_answer(lenient, "robot").plan
    assert found is not None
    assert len(found) == 3


@pytest.mark.spec("asp-player", 7)
def test_x_never_wins_under_strict_reading() -> None:
    none = modern_answer(sheet_2009("tictactoe", lenient=False), "xplayer")
    assert (none.plan, none.complete) == (None, True)
    found = modern_answer(sheet_2009("tictactoe"), "xplayer").plan
    assert found is not None
    assert len(found) == 5


@pytest.mark.long
@pytest.mark.spec("asp-player", 22)
@pytest.mark.parametrize(
    ("name", "longest"), [("blocks", 3), ("buttons", 6), ("maze", 9), ("tictactoe", 9), ("hodgepodge", 3)]
)
def test_the_longest_play_is_shorter_than_the_bound_of_2009(name: str, longest: int) -> None:
    rules = sheet_2009(name)
    assert Planner(rules).longest_play(ENOUGH) == longest
    assert turn_bound(statements(sent_text(rules))) > longest
