"""The page of hidden information shows what was measured, and what was measured keeps what is promised."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest

from tests.corpus_location import ROOT

RESULTS = ROOT / "bench" / "results"
PAGE = (ROOT / "docs" / "hidden-information.md").read_text(encoding="utf-8")


def results(name: str) -> Any:
    return json.loads((RESULTS / f"{name}-2026-11-18.json").read_text())


def duels() -> list[dict[str, Any]]:
    names = ["hidden-duels", "hidden-duels-fresh", "hidden-duels-blind", "hidden-duels-16000"]
    return [row for name in names for row in results(name)["rows"]]


def test_every_duel_of_the_page_was_measured_as_it_says() -> None:
    measured = {
        (row["player"], row["other"], row["pairs"], *(_rounded(row[key]) for key in ("goal", "other_goal")))
        for row in duels()
    }
    shown = re.findall(r"\| `(\w+)` \| `(\w+)` \| (\d+) \| (.+?) \| (.+?) \| .+ \|", PAGE)
    assert len(shown) == 13
    for player, other, pairs, goal, other_goal in shown:
        assert (player, other, int(pairs), goal, other_goal) in measured


def _rounded(mean: list[float]) -> str:
    return f"{mean[0]:.1f} ± {mean[1]:.1f}"


@pytest.mark.parametrize(
    "game",
    ["number_guessing", "banker_and_thief", "battleships_in_fog", "krieg_tictactoe", "blind_breakthrough"],
)
@pytest.mark.parametrize("other", ["hyperplay", "random"])
def test_champion_beats_others_by_more_than_its_interval(game: str, other: str) -> None:
    asked = (game, "champion", other)
    rows = [row for row in duels() if (row["game"], row["player"], row["other"]) == asked]
    most = max(row["pairs"] for row in rows)
    for row in rows:
        assert row["pairs"] < most or row["difference"][0] > row["difference"][1]
        assert row["faults"] == 0


def test_policies_are_as_good_as_the_page_says() -> None:
    rows = {row["game"]: row for row in results("hidden-policies")["rows"]}
    assert all(row["given_away"] == 0 for row in rows.values())
    for name in ("mastermind", "Mastermind448__unsw", "number_guessing"):
        assert rows[name]["moves"] <= 1.1 * rows[name]["best_moves"]
        assert rows[name]["goal"] == 100
    assert (rows["minesweeper"]["worlds"], f"{rows['minesweeper']['goal']:.1f}") == (560, "70.7")
    assert "won 396 of 560 (70.7 %)" in PAGE


@pytest.mark.parametrize(("name", "count"), [("knowledge-1000", 13), ("knowledge-faster", 18)])
def test_complete_knowledge_knows_the_legal_moves_in_every_row(name: str, count: int) -> None:
    rows = results(name)["rows"]
    assert len(rows) == count
    for row in rows:
        found = {one["engine"]: one for one in row["found"]}
        best = found.get("complete", found["L0"])  # where L0 leaves nothing open
        assert best["legal"] == best["matches"]
        assert best["undecided"] == 0
        for cell in ("terminal", "goal"):
            assert best[cell] == best["matches"] or row["reasons"][cell].startswith("cannot be known")


def test_knowledge_is_found_faster_than_was_published_on_every_shared_sheet() -> None:
    for row in results("knowledge-faster")["rows"]:
        published = row["published"]["seconds_per_1000"]
        if row["public_sheet"] and published is not None:
            for one in row["found"]:
                times = 1000 if row["row"] == "16" else 1
                assert times * one["seconds_per_1000"] < published, (row["title"], one["engine"])


def test_the_published_method_knows_on_public_sheets_what_was_published() -> None:
    for row in results("knowledge-faster")["rows"]:
        if not row["public_sheet"]:
            continue
        found = next(one for one in row["found"] if one["engine"] == "L0")
        for cell in ("legal", "terminal", "goal"):
            if row["published"][cell] is not None:
                assert (found[cell] == found["matches"]) == row["published"][cell], (row["title"], cell)


def test_worlds_come_as_fast_as_the_page_says() -> None:
    rows = json.loads((RESULTS / "worlds-2026-11-19.json").read_text())["rows"]
    krieg = [row for row in rows if row["game"] == "krieg_tictactoe"]
    assert len(krieg) == 2
    for row in krieg:
        assert row["a_step"] >= 100_000
        assert f"{round(row['a_step'], -3):,}" in PAGE
        assert f"{round(row['whole_matches'], -3):,}" in PAGE


def test_regrets_are_minimised_ten_times_as_fast_as_by_openspiel() -> None:
    rows = [row for row in results("equilibria") if row["method"] in ("cfr", "cfr+")]
    assert {row["game"] for row in rows} == {"kuhn_poker", "leduc_poker", "goofspiel", "liars_dice"}
    assert all(row["ours"] >= 10 * row["theirs"] for row in rows)


def test_the_policy_of_champion_loses_less_the_longer_it_prepares() -> None:
    for game in results("exploitability")["games"]:
        points = [one["exploitability"] for one in game["points"]]
        assert all(later <= before for before, later in pairwise(points))
        assert points[-1] < points[0] / 1000
