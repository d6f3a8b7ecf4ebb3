"""Which match comes next, what a restart finds, and the table: for every form of tournament."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.tournament import Fixture, PlanError, ScheduleKind, TournamentPlan
from ludorum.web.store.tournaments import FixtureRow, TournamentRow
from ludorum.web.tournaments import KeptPlan, expected_matches
from ludorum.web.tournaments.course import TournamentCourse, result_of
from ludorum.web.tournaments.running import course_of
from ludorum.web.tournaments.standings import table_of
from tests.arena.tournament.plans import DUEL, TRIO, names

Goals = dict[str, int]


def plan(kind: ScheduleKind, players: int, matches: int = 2, seed: int = 1) -> TournamentPlan:
    return TournamentPlan((DUEL,), names(players), matches, kind, seed=seed)


def goals_of(fixture: Fixture) -> Goals:
    """The player with the lower number wins."""
    first_wins = fixture.players[0] < fixture.players[1]
    return {"one": 100 if first_wins else 0, "two": 0 if first_wins else 100}


def play(course: TournamentCourse, most: int | None = None) -> list[FixtureRow]:
    """Play so many matches, several at a time; the rows that the database has of them."""
    rows: list[FixtureRow] = []
    while not course.is_over and (most is None or len(rows) < most):
        under_way: list[Fixture] = []
        while len(under_way) < 3 and (fixture := course.next_fixture()) is not None:
            course.begin(fixture, f"m{len(course.matches)}")
            under_way.append(fixture)
        assert under_way, "nothing is under way, and nothing can begin"
        for fixture in reversed(under_way):  # in another order than they began
            goals = goals_of(fixture)
            course.finish(result_of(course.plan, fixture, goals))
            rows.append(FixtureRow(fixture.match_id, course.matches[fixture.match_id], True, True, 1, goals))
    order = list(course.matches)
    return sorted(rows, key=lambda row: order.index(row.fixture))


@given(st.sampled_from(ScheduleKind), st.integers(2, 7), st.integers(1, 4))
def test_every_form_comes_to_its_end_with_the_matches_that_were_expected(
    kind: ScheduleKind, players: int, matches: int
) -> None:
    course = TournamentCourse(plan(kind, players, matches))
    rows = play(course)
    assert len(rows) == len(course.fixtures) == expected_matches(course.plan)
    assert course.next_fixture() is None
    table = table_of(course)
    assert table.standings[0].player == "p0"
    assert [line.place for line in table.standings] == list(range(1, players + 1))


@given(st.sampled_from(ScheduleKind), st.integers(2, 6), st.integers(0, 40))
def test_a_tournament_that_was_interrupted_goes_on_with_the_same_matches(
    kind: ScheduleKind, players: int, most: int
) -> None:
    whole = TournamentCourse(plan(kind, players, 4))
    play(whole)
    first = TournamentCourse(plan(kind, players, 4))
    rows = play(first, most)
    kept = json.loads(json.dumps(KeptPlan.of(first.plan, []).as_json()))
    row = TournamentRow("t", "", "", "", "running", "", kept, 0)
    again = course_of(row, rows)
    assert (again.results, again.matches) == (first.results, first.matches)
    play(again)
    assert again.results == whole.results
    assert table_of(again) == table_of(whole)


def test_a_round_waits_for_the_one_before() -> None:
    course = TournamentCourse(plan(ScheduleKind.ELIMINATION, 4))
    begun: list[Fixture] = []
    while (fixture := course.next_fixture()) is not None:
        course.begin(fixture, f"m{len(begun)}")
        begun.append(fixture)
    assert [fixture.players for fixture in begun] == [("p0", "p3"), ("p3", "p0"), ("p1", "p2"), ("p2", "p1")]
    for fixture in begun[:3]:
        course.finish(result_of(course.plan, fixture, goals_of(fixture)))
    assert course.next_fixture() is None
    course.finish(result_of(course.plan, begun[3], goals_of(begun[3])))
    final = course.next_fixture()
    assert final is not None
    assert final.players == ("p0", "p1")


def test_a_match_without_a_result_counts_nothing() -> None:
    course = TournamentCourse(plan(ScheduleKind.ROUND_ROBIN, 2))
    for goals in (None, {"one": 100, "two": 0}):
        fixture = course.next_fixture()
        assert fixture is not None
        course.begin(fixture, fixture.match_id)
        course.finish(result_of(course.plan, fixture, goals))
    assert course.is_over
    lines = {line.player: line for line in table_of(course).standings}
    assert (lines["p1"].wins, lines["p0"].losses, lines["p1"].draws) == (1, 1, 0)
    assert table_of(course).cross[0][1] == (1.0, 1)


def test_before_the_first_result_nobody_is_rated() -> None:
    table = table_of(TournamentCourse(plan(ScheduleKind.SWISS, 3)))
    assert {(line.rating, line.low, line.high, line.points) for line in table.standings} == {
        (None, None, None, 0)
    }
    assert [line.player for line in table.standings] == ["p0", "p1", "p2"]


def test_a_knockout_says_how_far_everybody_came() -> None:
    course = TournamentCourse(plan(ScheduleKind.ELIMINATION, 3))
    play(course)
    assert [(line.player, line.note) for line in table_of(course).standings] == [
        ("p0", "winner"),
        ("p1", "out in stage 2"),
        ("p2", "out in stage 1"),
    ]


def test_matches_are_counted_without_being_listed() -> None:
    """There may be more than fit into memory."""
    many = TournamentPlan((DUEL, TRIO), names(16), 1000)
    assert expected_matches(many) == 120 * 1000 + 560 * 1002
    gauntlet = TournamentPlan((DUEL, TRIO), names(16), 1, ScheduleKind.GAUNTLET)
    assert expected_matches(gauntlet) == 15 * 2 + 105 * 6


def test_names_that_run_into_each_other_are_refused() -> None:
    with pytest.raises(PlanError, match="rename one"):
        TournamentCourse(TournamentPlan((DUEL,), ("a", "b-c", "a-b", "c")))
