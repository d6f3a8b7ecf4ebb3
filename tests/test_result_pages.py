"""Pages made from files of results show what these say, and the results keep what is promised."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ludorum.players.registry import make_player
from tests.corpus_location import ROOT

RESULTS = ROOT / "bench" / "results"
ASKED = ("playable", "terminates", "winnable")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """A module of bench/."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    return import_module


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def plan_rows(bench: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    lines = bench("walk").read_lines(RESULTS / "plans.jsonl")
    rows: dict[str, dict[str, Any]] = bench("plans_table").best_rows(lines)
    return rows


def test_the_page_of_puzzles_shows_the_results(bench: Callable[[str], Any]) -> None:
    rows = plan_rows(bench)
    assert bench("plans_table").plans_table(list(rows.values())) == page("puzzles.md")


def test_every_plan_was_played_and_every_puzzle_of_ours_is_solved(bench: Callable[[str], Any]) -> None:
    rows = plan_rows(bench)
    assert not any(row.get("wrong") for row in rows.values())
    ours = {name: row for name, row in rows.items() if not name.endswith(".kif")}
    assert {name: (row["goal"], row["optimal"]) for name, row in ours.items()} == dict.fromkeys(
        ours, (100, True)
    )
    for row in rows.values():
        if row.get("goal") is not None:
            assert row["goal"] <= row["bound"]
            assert row["optimal"] == (row["goal"] == row["bound"])


def test_the_page_of_properties_shows_the_results(bench: Callable[[str], Any]) -> None:
    rows = bench("walk").read_rows(RESULTS / "properties.jsonl")
    assert bench("properties_table").properties_table(list(rows.values()), ASKED) == page("properties.md")
    assert not any(row.get("wrong") for row in rows.values())


@pytest.mark.spec("evaluation-functions", 65)
def test_the_page_of_agents_shows_the_data(bench: Callable[[str], Any]) -> None:
    table = bench("agents_table")
    rows = json.loads((RESULTS / "criteria.json").read_text())
    assert table.agents_page(table.known_data(), rows) == page("evaluation-agents.md")


@pytest.mark.spec("evaluation-functions", 65)
def test_agents_have_their_criteria_and_players_that_are_here(bench: Callable[[str], Any]) -> None:
    table = bench("agents_table")
    data = table.known_data()
    assert {agent["criteria"] for agent in data["agent"] if "criteria" in agent} == set(table.GROUPS)
    assert len(data["agent"]) == 12
    assert all(set(criterion) == {"name", *table.GROUPS} for criterion in data["criterion"])
    for agent in data["agent"]:
        if "here" in agent:
            make_player(agent["here"], 0)
    champions = {year: agent["name"] for agent in data["agent"] for year in agent["won"]}
    assert sorted(champions) == [*range(2005, 2012)]


@pytest.mark.spec("evaluation-functions", 65)
def test_values_from_goals_meet_what_was_measured_of_them() -> None:
    rows = json.loads((RESULTS / "criteria.json").read_text())
    assert {row["version"] for row in rows} == {"v1.0", "v1.1", "final", "fluxplayer"}
    for row in rows:
        verdicts = {name: found["verdict"] for name, found in row["criteria"].items()}
        assert "failed" not in verdicts.values(), row["game"]
        assert verdicts["consistency"] == verdicts["extrapolation"] == "passed"


@pytest.mark.long
def test_a_walk_loses_no_sheet(bench: Callable[[str], Any], tmp_path: Path) -> None:
    """One answers, one hangs, one dies, one takes too much memory; each has its row, the others go on."""
    walk = bench("walk")
    file = tmp_path / "rows.jsonl"
    names = ["fine", "hangs", "dies", "hungry"]
    limits = walk.Limits(seconds=2, bytes=4 << 30, jobs=2)
    rows = walk.walk(names, look, limits, file, lambda row: str(row["sheet"]))
    assert rows["fine"] == {"sheet": "fine", "answer": 42}
    assert rows["hangs"] == {"sheet": "hangs", "failure": "hangs"}
    assert rows["dies"] == {"sheet": "dies", "failure": "the process died"}
    assert rows["hungry"] == {"sheet": "hungry", "answer": "no memory"}
    assert walk.read_rows(file) == rows


def look(name: str) -> dict[str, Any]:
    if name == "hangs":
        while True:
            pass
    if name == "dies":
        raise SystemExit(3)
    try:
        room = bytearray((8 << 30) if name == "hungry" else 1)
    except MemoryError:
        return {"answer": "no memory"}
    return {"answer": 41 + len(room)}
