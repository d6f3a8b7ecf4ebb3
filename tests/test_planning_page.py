"""The page on the planning method of 2009 shows the newest results, and they keep what is promised."""

import json

import pytest

from ludorum.experiments.planning_2009.measure_2009 import PlanBench
from ludorum.experiments.planning_2009.tables_2009 import format_markdown
from tests.corpus_location import ROOT

NEWEST = sorted((ROOT / "bench" / "results").glob("plan-*.json"))[-1]
KEPT = json.loads(NEWEST.read_text(encoding="utf-8"))


def test_the_page_shows_the_newest_results() -> None:
    page = (ROOT / "docs" / "planning-2009.md").read_text(encoding="utf-8")
    assert format_markdown(PlanBench.from_json(KEPT)) in page
    assert NEWEST.name in page


@pytest.mark.spec("asp-player", 55)
def test_results_hold_every_table_and_keep_the_promises() -> None:
    assert KEPT["complete"]
    assert [len(KEPT[table]) for table in ("matches", "as_first_written", "grounding", "plans")] == [
        7,
        4,
        2,
        7,
    ]
    for row in KEPT["plans"]:
        assert row["published"] == [row["length"], row["plans"]]
        assert row["answer_sets"] in (None, row["published_answer_sets"])
    named = [row for row in KEPT["plans"] if row["game"] != "tictactoe"]
    assert max(row["modern_s"] for row in named) < 0.050
    assert KEPT["ratios"]["legacy/modern, match from rules as first written"] >= 10
    assert KEPT["ratios"]["published/modern, match"] >= 10
