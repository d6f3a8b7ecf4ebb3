"""Checks of WDL sheets, one a file: every fault with its code, its place and how to mend it.

W01 to W05 are what GDL forbids, too; the other codes of GDL's checks keep their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...source import Diagnostic, Severity, Source
from ..modules import ModulePath
from ..sheet import WdlSheet, read_wdl
from .check_events import check_events
from .check_gdl import check_gdl
from .check_names import check_names
from .check_ticks import check_ticks
from .check_visible import check_visible
from .check_words import check_words
from .lint_hidden_negation import lint_hidden_negation

Check = Callable[[WdlSheet], Iterator[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    check_gdl,
    check_words,
    check_names,
    check_events,
    check_visible,
    check_ticks,
    lint_hidden_negation,
)


def check_wdl(
    source: Source, path: ModulePath | None = None, *, private_random: bool = False
) -> list[Diagnostic]:
    """Every fault of a text and of its modules, each at its place in its own file.

    A text that cannot be read has faults of form alone: others would only follow from them.
    """
    sheet, faults = read_wdl(source, path, private_random=private_random)
    return check_read(sheet, faults)


def check_read(sheet: WdlSheet, faults: list[Diagnostic]) -> list[Diagnostic]:
    """The faults of form that reading a sheet has found and, where none is an error, all others, by place."""
    if not any(fault.severity is Severity.ERROR for fault in faults):
        faults = [*faults, *check_sheet(sheet)]
    return sorted(
        faults, key=lambda fault: (fault.source.name, fault.span.start, -fault.severity, fault.code)
    )


def check_sheet(sheet: WdlSheet) -> list[Diagnostic]:
    """The faults of a sheet that could be read."""
    found = [sheet.texts.placed(fault) for check in CHECKS for fault in check(sheet)]
    own = sheet.source.name
    # Nobody uses all of a module, and what it leaves to style is not for the sheet to mend.
    return [fault for fault in found if fault.source.name == own or fault.severity is Severity.ERROR]
