"""``ludorum cards check``: everything that is wrong with flow charts."""

from __future__ import annotations

from typing import Annotated

import typer

from ..rules.library import find_sheet
from ..rules.source import Diagnostic, RulesError, Severity
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


def chart_faults(name: str, ai: bool = False, fast: bool = False) -> list[Diagnostic]:
    """The faults of one chart; a chart that cannot be read is a fault, too."""
    from ..cards.load import read_chart

    try:
        sheet = find_sheet(name)
    except RulesError as error:
        return list(error.diagnostics)
    rules, faults = read_chart(sheet.source, sheet.name)
    found: list[Diagnostic] = list(faults)
    if rules is None or any(one.severity is Severity.ERROR for one in found):
        return found
    if not fast:
        from ..cards.check.play import check_play
        from ..cards.check.speed import check_speed

        found += [*check_play(rules, sheet.name), *check_speed(rules, sheet.name)]
    if ai:
        from ..cards.check.loops import check_for_player

        found += [one for one in check_for_player(rules, sheet.name) if one not in found]
    return found
