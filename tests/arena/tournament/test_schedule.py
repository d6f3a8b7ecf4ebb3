"""Who plays whom, in which seat, with which seed: exactly balanced, and the same every time."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.match.seeds import seed_from
from ludorum.arena.tournament import (
    PlanError,
    ScheduleKind,
    Seatings,
    Sequential,
    TournamentPlan,
    planned_game,
)
from ludorum.arena.tournament.duels import duels_of
from ludorum.arena.tournament.plan import plan_from_json
from tests.arena.tournament.plans import DUEL, SOLO, TRIO, names, pretend


def draw(fixture: object) -> tuple[int, int]:
    return 50, 50


@given(st.integers(2, 6), st.integers(1, 9), st.integers(0, 5))
def test_round_robin_gives_everybody_every_seat_and_seed_equally_often(
    players: int, matches: int, seed: int
) -> None:
    plan = TournamentPlan((DUEL,), names(players), matches, seed=seed)
    ((fixtures),), _ = pretend(plan, draw)
    sets = -(-matches // 2)
    meetings = Counter(frozenset(fixture.players) for fixture in fixtures)
    assert meetings == Counter({frozenset(pair): 2 * sets for pair in combinations(names(players), 2)})
    seats = Counter((name, seat) for fixture in fixtures for seat, name in enumerate(fixture.players))
    assert set(seats.values()) == {sets * (players - 1)}
    # Each seed is met by every player in every seat, against every other.
    seeds = Counter((fixture.seed, fixture.players) for fixture in fixtures)
    assert set(seeds.values()) == {1}
    assert len({fixture.seed for fixture in fixtures}) == sets
    assert len({fixture.match_id for fixture in fixtures}) == len(fixtures)


@given(st.integers(2, 4), st.integers(1, 9), st.sampled_from(Seatings))
def test_on_a_ladder_the_first_meets_each_other_alone_in_every_seat(
    players: int, matches: int, seatings: Seatings
) -> None:
    plan = TournamentPlan((SOLO, DUEL, TRIO), names(players), matches, ScheduleKind.LADDER, seatings=seatings)
    (fixtures,), _ = pretend(plan, lambda fixture: [100] * len(fixture.players))
    for game in (DUEL, TRIO):
        seats = len(game.roles)
        sets = -(-matches // seats)
        own = [fixture for fixture in fixtures if fixture.game == game.name]
        for rival in names(players)[1:]:
            met = [fixture for fixture in own if rival in fixture.players]
            assert all(Counter(one.players) == {"p0": 1, rival: seats - 1} for one in met)
            assert Counter(one.players.index("p0") for one in met) == dict.fromkeys(range(seats), sets)
    alone = Counter(fixture.players for fixture in fixtures if fixture.game == "solo")
    assert alone == {(name,): matches for name in names(players)}


def test_a_ladder_counts_each_player_against_the_first_only() -> None:
    plan = TournamentPlan((TRIO,), names(2), 3, ScheduleKind.LADDER)
    (fixtures,), results = pretend(plan, lambda fixture: [100 * (name == "p0") for name in fixture.players])
    found = duels_of(plan.players, fixtures, results)
    assert found.between("p0", "p1") == (6.0, 6)


@given(st.integers(3, 5), st.sampled_from(Seatings))
def test_three_seats_are_changed_in_all_ways_or_in_turn(players: int, seatings: Seatings) -> None:
    plan = TournamentPlan((TRIO,), names(players), 1, seatings=seatings)
    (fixtures,), _ = pretend(plan, lambda fixture: (100, 0, 0))
    size = factorial(3) if seatings is Seatings.ALL else 3
    assert len(fixtures) == size * len(list(combinations(range(players), 3)))
    for trio in combinations(names(players), 3):
        seats = Counter(
            (name, seat)
            for fixture in fixtures
            if set(fixture.players) == set(trio)
            for seat, name in enumerate(fixture.players)
        )
        assert set(seats.values()) == {size // 3}


@given(st.integers(2, 6), st.integers(1, 5))
def test_a_gauntlet_is_the_round_robin_without_matches_of_the_others(players: int, matches: int) -> None:
    plan = TournamentPlan((DUEL,), names(players), matches, seed=3)
    (everything,), _ = pretend(plan, draw)
    (fixtures,), _ = pretend(replace(plan, schedule=ScheduleKind.GAUNTLET), draw)
    assert fixtures == [fixture for fixture in everything if "p0" in fixture.players]
    assert len(fixtures) == (players - 1) * 2 * -(-matches // 2)
    assert Counter(fixture.players.index("p0") for fixture in fixtures) == dict.fromkeys(
        range(2), len(fixtures) // 2
    )


def test_in_a_gauntlet_for_three_every_two_of_the_others_meet_the_first() -> None:
    plan = TournamentPlan((TRIO,), names(4), 1, ScheduleKind.GAUNTLET)
    (fixtures,), _ = pretend(plan, lambda fixture: (100, 0, 0))
    trios = [frozenset(fixture.players) for fixture in fixtures]
    assert set(trios) == {frozenset(("p0", *pair)) for pair in combinations(("p1", "p2", "p3"), 2)}
    assert set(Counter(trios).values()) == {factorial(3)}


def test_who_plays_alone_shares_seeds_with_everybody() -> None:
    (fixtures,), _ = pretend(TournamentPlan((SOLO,), names(3), 2), lambda fixture: (100,))
    groups = {group: [f for f in fixtures if f.group == group] for group in {f.group for f in fixtures}}
    assert len(groups) == 2
    for group in groups.values():
        assert sorted(fixture.players for fixture in group) == [("p0",), ("p1",), ("p2",)]
        assert len({fixture.seed for fixture in group}) == 1


def test_sets_stay_together_and_games_take_turns() -> None:
    other = replace(DUEL, name="other")
    (fixtures,), _ = pretend(TournamentPlan((DUEL, other), names(2), 4), draw)
    assert [fixture.match_id for fixture in fixtures] == [
        "duel/r0/p0-p1/0",
        "duel/r0/p1-p0/0",
        "other/r0/p0-p1/0",
        "other/r0/p1-p0/0",
        "duel/r0/p0-p1/1",
        "duel/r0/p1-p0/1",
        "other/r0/p0-p1/1",
        "other/r0/p1-p0/1",
    ]


def test_seeds_are_the_same_on_every_machine() -> None:
    assert seed_from("set", 0, "duel", 0, 0) == 1548152662770925378
    assert 0 <= seed_from("x") < 2**62


def test_a_plan_survives_its_log() -> None:
    plan = TournamentPlan(
        (planned_game("tictactoe"), DUEL),
        ("random", "mcts:playouts=5"),
        matches=8,
        seatings=Seatings.ROTATIONS,
        sprt=Sequential(0, 30),
        play_seconds=0.25,
    )
    assert plan_from_json(json.loads(json.dumps(plan.as_json()))) == plan


def test_names_that_run_into_each_other_are_refused() -> None:
    with pytest.raises(PlanError, match="rename one"):
        pretend(TournamentPlan((DUEL,), ("a", "b-c", "a-b", "c")), draw)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: TournamentPlan((), names(2)), "needs a game"),
        (lambda: TournamentPlan((DUEL, DUEL), names(2)), "game 'duel' is named twice"),
        (lambda: TournamentPlan((DUEL,), ("a", "a")), "player 'a' is named twice"),
        (lambda: TournamentPlan((DUEL,), ("a",)), "at least two players"),
        (lambda: TournamentPlan((TRIO,), names(2)), "trio has 3 roles to play: name as many players"),
        (lambda: TournamentPlan((TRIO,), names(4), schedule=ScheduleKind.SWISS), "use round-robin"),
        (
            lambda: TournamentPlan(
                (TRIO,),
                ("a", "b"),
                schedule=ScheduleKind.LADDER,
                start_seconds=1,
                outside=("b=http://h:1",),
            ),
            "leave this game out",
        ),
        (lambda: TournamentPlan((SOLO,), names(2), schedule=ScheduleKind.GAUNTLET), "one role"),
        (lambda: TournamentPlan((DUEL,), names(2), 0), "at least one match"),
        (lambda: TournamentPlan((DUEL,), names(2), play_seconds=0), "more than 0 to move"),
        (lambda: TournamentPlan((DUEL,), names(3), sprt=Sequential(0, 5)), "name exactly two"),
        (lambda: Sequential(5, 0), "the lower first"),
    ],
)
def test_plans_that_cannot_be_played_are_refused_with_the_reason(build: object, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        build()  # type: ignore[operator]
