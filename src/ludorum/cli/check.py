"""``ludorum check``: every fault of rule sheets."""

from __future__ import annotations

from typing import Annotated

import typer

from ..api.check import sheet_faults
from ..rules.source import Diagnostic, Severity
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
        bool, typer.Option("--portable", help="also note what only old players cannot read")
    ] = False,
    fast: FastOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check rule sheets and report every fault with its place and how to mend it.

    Sheets without errors are also played, within bounds that count work: at random, and through all positions
    near the start. A fault found so comes with the play that leads there. Notes of several sheets are
    counted; of a single one they are shown.
    """
    faults: list[Diagnostic] = []
    with readable_errors(as_json):
        for game in games:
            faults += sheet_faults(game, lenient, portable, fast)
    with_notes = not quiet and (notes or as_json or len(games) == 1)
    shown = [fault for fault in faults if with_notes or fault.severity > Severity.NOTE]
    text = summary(faults, len(games))
    if not with_notes and not quiet and len(shown) < len(faults):
        text += " (--notes shows them)"
    report(faults, shown, text, as_json)
