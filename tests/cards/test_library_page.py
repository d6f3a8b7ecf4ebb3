"""docs/card-games.md shows what the results say, and the results are of the games as they are."""

from __future__ import annotations

import importlib.util
import json

from ludorum.cards.compiled import CompiledCards
from ludorum.cards.load import load_card_game
from ludorum.rules.library import chart_sheets
from tests.corpus_location import ROOT

RESULTS = ROOT / "bench" / "results" / "cards-library.json"
spec = importlib.util.spec_from_file_location("cards_library", ROOT / "bench" / "cards_library.py")
assert spec is not None
assert spec.loader is not None
cards_library = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cards_library)


def test_the_page_is_made_of_the_results() -> None:
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert [row["game"] for row in rows] == [sheet.name for sheet in chart_sheets()]
    assert (ROOT / "docs" / "card-games.md").read_text(encoding="utf-8") == cards_library.page(rows)


def test_seats_of_the_library_are_fair() -> None:
    for row in json.loads(RESULTS.read_text(encoding="utf-8")):
        assert row["fairness"] > 0.94, row["game"]


def test_the_results_are_of_these_games() -> None:
    """Games are short or long as they were; who changes a chart measures again."""
    for row in json.loads(RESULTS.read_text(encoding="utf-8")):
        found = CompiledCards(load_card_game(row["game"]).chart).random_games(300, 5)
        assert abs(found.decisions / 300 - row["decisions"]) <= 0.15 * row["decisions"] + 1, row["game"]
