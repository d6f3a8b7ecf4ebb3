"""What is ours beyond the language is off unless a sheet, or a caller, asks for it."""

from __future__ import annotations

import pytest

from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.source import Source
from ludorum.rules.wdl.sheet import WdlSheet, read_wdl
from ludorum.rules.wdl.statements import Settings
from ludorum.rules.wdl.words import OPTIONS, REALTIME
from tests.rules.wdl.sheets import COIN, DECK, DICE, MYCIN, sheet_of

EXTENSIONS = {"tick-inertia": "", "tick": "5", "force": "50", "range": "0 9"}
"""Our own settings, with arguments."""


def core_sheets() -> list[WdlSheet]:
    """The sheets by which tests show the language itself."""
    games = [read_wdl_sheet(find_sheet(name))[0] for name in ("backgammon", "black_jack", "pig")]
    return [*map(sheet_of, (COIN, DECK, DICE, MYCIN)), *games]


@pytest.mark.spec("wdl", 54)
def test_the_language_needs_none_of_our_extensions() -> None:
    assert {REALTIME, *EXTENSIONS} == set(OPTIONS)
    for sheet in core_sheets():
        assert sheet.settings == Settings()
        assert (sheet.built_in, sheet.numbers) == ((), ())


@pytest.mark.spec("wdl", 54)
@pytest.mark.parametrize("option", EXTENSIONS)
def test_an_extension_is_on_where_a_sheet_sets_it(option: str) -> None:
    sheet = sheet_of(f"(role ann) (set {option} {EXTENSIONS[option]})")
    assert sheet.settings != Settings()
    setattr(sheet.settings, option.replace("-", "_"), getattr(Settings(), option.replace("-", "_")))
    assert sheet.settings == Settings()


@pytest.mark.spec("wdl", 54)
def test_odds_that_one_alone_knows_are_allowed_by_the_caller_only() -> None:
    source = Source("private", "(role ann) (visible ann (random coin 1 up)) (legal ann (flip coin))")
    assert [fault.code for fault in read_wdl(source)[1]] == ["W07"]
    assert read_wdl(source, private_random=True)[1] == []
