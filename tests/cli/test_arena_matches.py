"""Which matches the report of a tournament shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludorum.arena.tournament import Ending, Here, Played, TournamentPlan, planned_game, run_tournament
from ludorum.cli import arena_matches
from ludorum.cli.arena_matches import shown_matches
from ludorum.cli.replay_data import StepData
from ludorum.players.realtime import ReadyActor
from tests.arena.tournament.test_by_clock import RACE, STEPS, FlagTaker, plan_of, written


@pytest.fixture(scope="module")
def played() -> Played:
    """Three players at an open and a hidden game."""
    games = (planned_game("tictactoe"), planned_game("kuhn_poker"))
    return run_tournament(TournamentPlan(games, ("random", "legal", "greedy"), 4, engine="lifted"), Here())


def ids(played: Played) -> list[str]:
    return [str(match.data["id"]) for match in shown_matches(played)]  # type: ignore[index]


def test_the_first_match_of_each_meeting_is_shown_one_of_each_game_first(played: Played) -> None:
    meetings = ["random-legal", "random-greedy", "legal-greedy"]
    assert ids(played) == [
        f"{game}/r0/{meeting}/0" for meeting in meetings for game in ("tictactoe", "kuhn_poker")
    ]


def test_long_and_void_matches_are_left_out(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = ids(played)
    void = replace(played.results[shown[0]], ending=Ending.VOID, moves=())
    assert ids(replace(played, results=dict(played.results) | {shown[0]: void})) == shown[1:]
    longest = max(len(played.results[one].moves) for one in shown)
    monkeypatch.setattr(arena_matches, "MOST_STEPS", longest)
    assert ids(played) == [one for one in shown if len(played.results[one].moves) < longest][:1]


def test_a_match_that_the_rules_do_not_allow_is_left_out(played: Played) -> None:
    shown = ids(played)
    result = played.results[shown[0]]
    wrong = replace(result, moves=(result.moves[0], result.moves[0]))
    assert ids(replace(played, results=dict(played.results) | {shown[0]: wrong})) == shown[1:]


def test_the_same_tournament_shows_the_same(played: Played) -> None:
    assert shown_matches(run_tournament(played.plan, Here())) == shown_matches(played)


def test_only_the_view_of_everything_is_kept(played: Played) -> None:
    for match in shown_matches(played):
        assert [view["role"] for view in match.data["views"]] == [None]  # type: ignore[index]


# --- games in realtime -------------------------------------------------------------------------------------


def steps_of(played: Played) -> Iterator[list[StepData]]:
    for match in shown_matches(played):
        (view,) = match.data["views"]  # type: ignore[index]
        yield view["steps"]


def test_a_realtime_match_is_shown_move_by_move_with_its_times(tmp_path: Path) -> None:
    plan = plan_of(written(STEPS, tmp_path), ("legal", "random"), matches=1, seed=3)
    (match,) = shown_matches(run_tournament(plan, Here()))
    assert match.data["caption"] == "game: legal 100, random 0"  # type: ignore[index]
    assert match.result == "over after 0.04 seconds, 4 ticks: ann 100, bob 0"
    (view,) = match.data["views"]  # type: ignore[index]
    assert [(line["step"], line["words"]) for line in view["moves"]] == [
        (at, "ann go") for at in (1, 2, 3, 4)
    ]
    assert [step["milliseconds"] for step in view["steps"]] == [0, 10, 20, 30, 40]
    assert match.last == view["steps"][-1]["scene"]["spoken"]
    assert "ann 4" in match.last


def test_the_last_position_is_shown_where_the_clock_has_changed_it(tmp_path: Path) -> None:
    text = """
    (set realtime) (role ann) (role bob) (init (left 3)) (then 3 2) (then 2 1) (then 1 0)
    (<= (legal ann tap) (true (left 2)))
    (<= (legal bob tap) (true (left 9)))
    (<= tapped (does ann tap))
    (<= (next (left ?n)) (true (left ?n)) tapped)
    (<= (next (left ?m)) (true (left ?n)) (not tapped) (then ?n ?m))
    (<= (next (tapped ?n)) (true (left ?n)) tapped)
    (<= (next (tapped ?n)) (true (tapped ?n)))
    (<= terminal (true (left 0)))
    (goal ann 50) (goal bob 50)
    """
    plan = plan_of(written(text, tmp_path), ("legal", "random"), matches=1)
    (steps,) = steps_of(run_tournament(plan, Here()))
    assert [step["milliseconds"] for step in steps] == [0, 10, 30]


def test_what_a_realtime_game_hides_is_shown_when_all_is_over(tmp_path: Path) -> None:
    text = """
    (set realtime) (role ann) (role bob) (random card 1 red) (init fresh)
    (<= (legal ann (peek (visible ann card))) (true fresh))
    (<= (legal bob look) (true (seen black)))
    (<= moved (does ann (peek ?_c)))
    (<= (next fresh) (true fresh) (not moved))
    (<= (next (seen ?c)) (does ann (peek ?c)))
    (<= terminal (true (seen ?_c)))
    (goal ann 100) (goal bob 0)
    """
    (match,) = shown_matches(
        run_tournament(plan_of(written(text, tmp_path), ("legal", "random"), matches=1), Here())
    )
    assert [line["words"] for line in match.data["views"][0]["moves"]] == ["ann peek red"]  # type: ignore[index]
    assert "red" in match.last


def test_faults_of_realtime_players_stand_at_their_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReadyActor, "think", FlagTaker(2, fails=True).think)
    plan = plan_of(written(RACE, tmp_path), ("legal", "random"), matches=1)
    (steps,) = steps_of(run_tournament(plan, Here()))
    assert [step["faults"] for step in steps] == [[("ann", "CE RuntimeError: lost my mind")], []]


def test_realtime_matches_that_are_too_long_or_not_allowed_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = run_tournament(plan_of(written(RACE, tmp_path), ("legal", "random"), matches=1), Here())
    (shown,) = ids(played)
    result = played.results[shown]
    wrong = replace(result, moves=(*result.moves, result.moves[-1]))
    assert ids(replace(played, results=dict(played.results) | {shown: wrong})) == []
    monkeypatch.setattr(arena_matches, "MOST_TICKS", 1)
    assert ids(played) == [shown]
    monkeypatch.setattr(arena_matches, "MOST_TICKS", 0)
    assert ids(played) == []
    monkeypatch.setattr(arena_matches, "MOST_TICKS", 1)
    monkeypatch.setattr(arena_matches, "MOST_STEPS", 2)
    assert ids(played) == []
