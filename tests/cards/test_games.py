"""Every card game of the library is a game like any other, and its chart has no fault."""

from __future__ import annotations

import pytest

from ludorum.cards.check import check_rules
from ludorum.cards.load import load_card_game, read_chart
from ludorum.engine.check_game import check_game
from ludorum.engine.load import load_game
from ludorum.rules.library import chart_sheets

NAMES = [sheet.name for sheet in chart_sheets()]


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_of_the_library_has_no_fault(name: str) -> None:
    game = load_card_game(name)
    assert check_rules(game.chart, name) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["higher_card", "crazy_eights", "twenty_one"])
def test_a_card_game_keeps_all_promises_of_a_game(name: str) -> None:
    assert check_game(load_game(name), plays=1, max_steps=40) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_card_game_keeps_all_promises_of_a_game(name: str) -> None:
    assert check_game(load_game(name), plays=1, max_steps=60) == []


@pytest.mark.parametrize("sheet", list(chart_sheets()), ids=lambda sheet: sheet.name)
def test_a_sheet_says_what_it_is(sheet: object) -> None:
    from ludorum.rules.library import Sheet

    assert isinstance(sheet, Sheet)
    assert sheet.info.title
    assert sheet.info.rules
    rules, faults = read_chart(sheet.source, sheet.name)
    assert rules is not None
    assert faults == []
    assert sheet.info.players == rules.players
