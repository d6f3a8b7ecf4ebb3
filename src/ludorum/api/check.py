"""Rule sheets: their faults, and how they can be repaired."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..rules.library import CHARTS, LOGIC, WDL, Sheet, find_sheet
from ..rules.source import Diagnostic, RulesError, Severity
from ..show.markup import listing, markup, report

if TYPE_CHECKING:
    from ..solve.repair import Mended

REALTIME = "T03"
"""The code of a warning: a game that is played in realtime, not in rounds."""
WDL_CODES = {"end-without-goal": "W13", "no-move": "W14"}
"""What the specification of WDL calls faults that play shows."""


@dataclass(frozen=True)
class CheckReport:
    """The faults of a sheet; true where it can be played."""

    game: str
    faults: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The faults that keep the sheet from being played."""
        return tuple(fault for fault in self.faults if fault.severity is Severity.ERROR)

    def __bool__(self) -> bool:
        return not self.errors

    def __str__(self) -> str:
        counts = Counter(str(fault.severity) for fault in self.faults)
        told = ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items())
        return "\n".join([f"{self.game}: {told or 'no faults'}", *map(str, self.faults)])

    def _repr_html_(self) -> str:
        """The faults as a table."""
        rows = [
            (f"{fault.line}:{fault.column}", str(fault.severity), fault.code, fault.message, fault.hint)
            for fault in self.faults
        ]
        if not rows:
            return markup(report(self.game, [("faults", "none")]))
        return markup(report(self.game, [], listing(("place", "severity", "code", "fault", "hint"), rows)))


def check_rules(game: str, *, lenient: bool = False, fast: bool = False) -> CheckReport:
    """Every fault of a sheet, by its name or path, each with its place and a hint.

    A sheet without errors is also played, within bounds that count work; ``fast`` leaves that out.
    ``lenient`` accepts the peculiarities of old sheets.

    >>> import ludorum
    >>> found = ludorum.check_rules("tictactoe")
    >>> bool(found), [fault for fault in found.faults if fault.code == "no-goal"]
    (True, [])
    """
    return CheckReport(game, tuple(sheet_faults(game, lenient, fast=fast)))


def repair_rules(game: str) -> Mended:
    """The most likely changes after which a faulty sheet, by its name or path, can be played.

    >>> import ludorum
    >>> ludorum.repair_rules("tictactoe").offers
    ()
    """
    from ..solve.repair import mend

    sheet = find_sheet(game)
    if sheet.language == CHARTS:
        raise ValueError(f"{sheet.name} is a flow chart: repair reads rules in logic")
    if sheet.language == WDL:
        raise ValueError(f"{sheet.name} is written in WDL: repair reads GDL")
    return mend(sheet.source)


def sheet_faults(name: str, lenient: bool, portable: bool = False, fast: bool = False) -> list[Diagnostic]:
    """The faults of one sheet; a sheet that cannot be read is a fault, too."""
    from ..rules.check import check_portability
    from ..rules.logic_sheets import faults_of

    try:
        sheet = find_sheet(name)
        if sheet.language == CHARTS:
            return chart_faults(name, fast=fast)
        if sheet.language not in LOGIC:
            from ..engine.load import make_game

            make_game(sheet)  # its own package reads it, and reports its faults
            return []
        source = sheet.source
        found = faults_of(sheet, lenient) + (check_portability(source) if portable else [])
        if fast or any(fault.severity is Severity.ERROR or fault.code == REALTIME for fault in found):
            return found
        return found + _faults_in_play(sheet, lenient)
    except RulesError as error:
        return list(error.diagnostics)


def _faults_in_play(sheet: Sheet, lenient: bool) -> list[Diagnostic]:
    from ..engine.load import load_rules
    from ..engine.play_faults import play_faults
    from ..rules.check.lenient import relax

    found = play_faults(load_rules(sheet, lenient), sheet.name)
    if sheet.language == WDL:
        return [replace(fault, code=WDL_CODES.get(fault.code, fault.code)) for fault in found]
    return list(map(relax, found)) if lenient else found


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
