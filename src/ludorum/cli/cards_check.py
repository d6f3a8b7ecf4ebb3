"""``ludorum cards check``: every fault of flow charts."""

from __future__ import annotations

from typing import Annotated

import typer

from ..api.check import chart_faults
from ..rules.source import Diagnostic
from .common import GamesArgument, JsonOption, readable_errors
from .faults_text import FastOption, report, summary


def run(
    games: GamesArgument,
    ai: Annotated[
        bool, typer.Option("--ai", help="also warn of what the analysis for a player cannot use as it is")
    ] = False,
    fast: FastOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check charts in any form and report every fault with its node, its column and how to mend it."""
    faults: list[Diagnostic] = []
    with readable_errors(as_json):
        for game in games:
            faults += chart_faults(game, ai, fast)
    report(faults, faults, summary(faults, len(games)).replace("sheet", "chart", 1), as_json)
