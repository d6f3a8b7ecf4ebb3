"""Every chart of the library is analysed in seconds, or refused with a node and a reason."""

from __future__ import annotations

import time

import pytest

from ludorum.cards.analysis import analyse
from ludorum.cards.faults import CardsError
from ludorum.cards.load import load_card_game
from ludorum.cards.rules import Rules
from ludorum.rules.library import chart_sheets


def found_or_refused_at(rules: Rules) -> int | None:
    """The main loop, or the node that is the reason why there is none."""
    try:
        return analyse(rules).main_loop.header
    except CardsError as error:
        return error.node


@pytest.mark.slow
@pytest.mark.parametrize("name", [sheet.name for sheet in chart_sheets()])
def test_no_chart_takes_long(name: str) -> None:
    rules = load_card_game(name).chart
    before = time.process_time()
    assert found_or_refused_at(rules) in rules.nodes
    assert time.process_time() - before < 8.0  # measured alone: below 5 s
