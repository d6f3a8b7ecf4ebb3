"""Which matches the report of a tournament shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum.arena.tournament import Ending, Here, Played, TournamentPlan, planned_game, run_tournament
from ludorum.cli import arena_matches
from ludorum.cli.arena_matches import shown_matches


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
