"""``ludorum check``: everything that is wrong with rule sheets."""

from __future__ import annotations

from typing import Annotated

import typer

from ..rules.library import CHARTS, Sheet, find_sheet
from ..rules.source import Diagnostic, RulesError, Severity
from .common import GamesArgument, JsonOption, LenientOption, readable_errors
from .faults_text import FastOption, report, summary


def run(
    games: GamesArgument,
    lenient: LenientOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="errors and warnings only, no notes")] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="show notes of several sheets, too; else they are counted")
    ] = False,
    portable: Annotated[
        bool, typer.Option("--portable", help="also note what only players of old stumble over")
    ] = False,
    fast: FastOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check rule sheets and report every fault with its place and how to mend it.

    Sheets without errors are also played, within bounds that count work: at random, and through all positions
    near the start. What that shows comes with the play that leads there. Notes of several sheets are counted;
    of a single one they are shown.
    """
    faults: list[Diagnostic] = []
    with readable_errors(as_json):
        for game in games:
            faults += check_game_sheet(game, lenient, portable, fast)
    with_notes = not quiet and (notes or as_json or len(games) == 1)
    shown = [fault for fault in faults if with_notes or fault.severity > Severity.NOTE]
    text = summary(faults, len(games))
    if not with_notes and not quiet and len(shown) < len(faults):
        text += " (--notes shows them)"
    report(faults, shown, text, as_json)


def check_game_sheet(
    name: str, lenient: bool, portable: bool = False, fast: bool = False
) -> list[Diagnostic]:
    """The faults of one sheet; a sheet that cannot be read is a fault, too."""
    from ..rules.check import check_portability, check_source

    try:
        sheet = find_sheet(name)
        if sheet.language == CHARTS:
            from .cards_check import chart_faults

            return chart_faults(name, fast=fast)
        source = sheet.source
        found = check_source(source, lenient) + (check_portability(source) if portable else [])
        if fast or any(fault.severity is Severity.ERROR for fault in found):
            return found
        return found + _faults_in_play(sheet, lenient)
    except RulesError as error:
        return list(error.diagnostics)


def _faults_in_play(sheet: Sheet, lenient: bool) -> list[Diagnostic]:
    from ..engine.load import load_rules
    from ..engine.play_faults import play_faults
    from ..rules.check.lenient import relax

    found = play_faults(load_rules(sheet, lenient), sheet.name)
    return list(map(relax, found)) if lenient else found
