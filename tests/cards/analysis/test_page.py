"""The page on the analysis shows what the command prints."""

from __future__ import annotations

import re

from ludorum.cards.analysis import analyse
from ludorum.cards.load import load_card_game
from ludorum.cli.cards_analyse import heuristics_table
from tests.corpus_location import ROOT


def test_the_tables_of_the_page_are_those_of_the_command() -> None:
    page = (ROOT / "docs" / "cards-analysis.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- ludorum cards analyse (\w+) --table -->", page)
    assert names == ["trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card"]
    for name in names:
        assert heuristics_table(analyse(load_card_game(name).chart)) in page
