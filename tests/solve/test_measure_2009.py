"""The tables of 2009: published, old and new side by side."""

from __future__ import annotations

import pytest

from ludorum.experiments.planning_2009 import measure_2009
from ludorum.experiments.planning_2009.legacy import LegacyPlanner, sent_text
from ludorum.experiments.planning_2009.measure_2009 import (
    PlanBench,
    first_plan,
    measure_match,
    measure_plans,
    modern_grounding_s,
    rules_2009,
)
from ludorum.experiments.planning_2009.published_2009 import SEVERAL, SINGLE, PublishedMatch2009
from ludorum.experiments.planning_2009.tables_2009 import format_markdown, format_text


def quickest_first_plan(game: str, role: str, tries: int = 5) -> float:
    text = sent_text(rules_2009(game, lenient=False))
    return min(measure_2009._timed(lambda: first_plan(text, role)) for _ in range(tries))


@pytest.mark.spec("asp-player", 55)
@pytest.mark.parametrize("match", SINGLE, ids=lambda match: match.game)
def test_single_player_matches_of_2009(match: PublishedMatch2009) -> None:
    """Today's planner finds plans of the published length, and keeps to them without asking again."""
    row = measure_match(match)
    assert len(row.turns) == len(match.turns)
    assert row.published_s == pytest.approx(sum(turn.seconds for turn in match.turns))
    played = [turn.played for turn in row.turns]
    modern = [turn.modern_move for turn in row.turns]
    assert modern[0] == played[0]
    assert row.turns[-1].modern_move == played[-1]
    assert all(turn.legacy_s > 0 for turn in row.turns)


def test_totals_are_those_of_the_source() -> None:
    totals = [round(match.seconds, 3) for match in (*SINGLE, *SEVERAL)]
    assert totals == [0.925, 0.589, 4.386, 14.810, 11.764, 5.096, 5.224]


@pytest.mark.alone
@pytest.mark.parametrize(
    ("game", "role"),
    [("blocks", "robot"), ("buttons", "white"), ("maze", "robot"), ("hodgepodge", "blocksplayer")],
)
def test_the_first_plan_takes_less_than_50_ms(game: str, role: str) -> None:
    """Processor time from the text of the rules on, after import, all shorter horizons among it."""
    assert quickest_first_plan(game, role) < 0.050


@pytest.mark.alone
def test_reused_variables_cost_nothing() -> None:
    """P3: within 10 % of the time with names of their own, and below 0.1 s."""
    best = {
        name: min(modern_grounding_s(name) for _ in range(5)) for name in ("hodgepodge", "hodgepodge_reused")
    }
    assert best["hodgepodge_reused"] < 0.1
    assert best["hodgepodge_reused"] < 1.1 * best["hodgepodge"] + 0.001


def test_reused_variables_were_fatal() -> None:
    """453 moves instead of 21; the rule that excludes one move by another alone has 4.5 million instances."""
    planners = {
        name: LegacyPlanner(sent_text(rules_2009(name, lenient=False)), "blocksplayer").program
        for name in ("hodgepodge", "hodgepodge_reused")
    }
    assert planners["hodgepodge"]._terms("action") == 21
    assert planners["hodgepodge_reused"]._terms("action") == 453
    assert planners["hodgepodge_reused"].count_instances() > 200 * planners["hodgepodge"].count_instances()


@pytest.mark.spec("asp-player", 55)
def test_tables_show_all_three_and_their_ratios() -> None:
    bench = PlanBench([measure_match(SINGLE[0])], [], [], [measure_plans("blocks", "robot", full=False)])
    text = format_text(bench)
    for heading in ("17.1", "17.2", "17.3", "17.4", "legacy / modern", "published / modern", "Geometric"):
        assert heading in text
    assert "3 moves, 1 plans" in text
    assert "1,141 / 3,091" in text
    assert format_markdown(bench).count("| blocks, robot |") == 6
    assert set(bench.as_json()["ratios"]) >= {"legacy/modern, match", "published/modern, match"}
