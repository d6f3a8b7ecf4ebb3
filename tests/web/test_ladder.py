"""Leaderboards follow from the goals of matches that are over."""

from __future__ import annotations

from ludorum.web.ladder import MOST_NAMES, standings

ANN, BOB, MCTS = ("person", "ann"), ("person", "bob"), ("player", "mcts")


def match(*seats: tuple[tuple[str, str], int]) -> list[tuple[str, str, int]]:
    return [(kind, name, goal) for (kind, name), goal in seats]


def test_who_wins_more_is_rated_higher() -> None:
    played = [match((ANN, 100), (BOB, 0))] * 3 + [match((BOB, 100), (ANN, 0)), match((MCTS, 50), (ANN, 50))]
    rows = standings(played)
    assert [(row.rank, row.kind, row.name) for row in rows][-1] == (3, "person", "bob")
    assert [row.matches for row in sorted(rows, key=lambda row: row.name)] == [5, 4, 1]
    assert all(row.low < row.rating < row.high for row in rows)
    assert abs(sum(row.rating for row in rows) / 3 - 1500) < 1e-6


def test_a_person_and_a_player_of_one_name_are_two() -> None:
    rows = standings([match((("person", "mcts"), 100), (MCTS, 0))])
    assert [(row.kind, row.name) for row in rows] == [("person", "mcts"), ("player", "mcts")]


def test_matches_of_one_against_itself_and_puzzles_are_not_rated() -> None:
    assert standings([match((ANN, 100), (ANN, 0)), match((BOB, 100))]) == []
    assert standings([]) == []


def test_every_two_of_several_seats_are_a_duel() -> None:
    rows = standings([match((ANN, 100), (BOB, 50), (MCTS, 0))] * 5)
    assert [row.name for row in rows] == ["ann", "bob", "mcts"]


def test_only_the_most_active_are_rated() -> None:
    played = [match((ANN, 100), (("person", f"p{at}"), 0)) for at in range(2 * MOST_NAMES)]
    assert len(standings(played)) == MOST_NAMES
