"""What GDL asks of rules holds for WDL as well (W01 to W05): its checks look at the plain form of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...check import check_ruleset
from ...source import NOWHERE, Diagnostic
from ...terms import Pattern, Term
from ..plain_form import plain_form
from ..sheet import WdlSheet
from ..statements import private_parts

CODES = {
    "unsafe-head": "W01",
    "variable-in-fact": "W01",
    "unsafe-distinct": "W01",
    "unsafe-negation": "W01",
    "negation-only-variable": "W01",
    "negation-cycle": "W02",
    "recursion-restriction": "W03",
    "growing-term": "W03",
    "role-depends-on-state": "W04",
    "init-depends-on-state": "W04",
    "keyword-head": "W05",
    "depends-on-does": "W05",
}
"""Our names of faults that WDL has codes for."""


def check_gdl(sheet: WdlSheet) -> Iterator[Diagnostic]:
    seen = set()
    shortened = {f"the function {name} with" for name in _with_private_parts(sheet)}
    for fault in check_ruleset(plain_form(sheet.master, sheet.names, sheet.settings.realtime)):
        key = fault.code, fault.span
        if key in seen or not _is_of(sheet, fault):  # a move has several forms, and added conditions
            continue
        if fault.code == "function-arities" and any(name in fault.message for name in shortened):
            continue
        seen.add(key)
        if fault.code == "keyword-arity" and "`role`" in fault.message:
            yield replace(fault, code="W04")
        else:
            yield replace(fault, code=CODES.get(fault.code, fault.code))


def _with_private_parts(sheet: WdlSheet) -> set[str]:
    """Functions of moves that some players see with fewer arguments."""
    found: set[str] = set()
    for rule in sheet.master.by_signature.get(("legal", 2), ()):
        _collect_around_private(rule.head.args[1], found)
    return found


def _collect_around_private(pattern: Pattern, found: set[str]) -> None:
    if isinstance(pattern, Term) and next(private_parts(pattern), None) is not None:
        found.add(pattern.name)
        for part in pattern.args:
            _collect_around_private(part, found)


def _is_of(sheet: WdlSheet, fault: Diagnostic) -> bool:
    """Whether a fault is one of the sheet, which may lack a relation, and not of rules that were added."""
    if fault.code == "missing-terminal" and sheet.settings.realtime:
        return False  # time ends it
    return fault.span != NOWHERE or fault.code.startswith("missing-")
