"""What GDL asks of rules holds for WDL as well (W01 to W05): its checks look at the plain form of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...check import check_ruleset
from ...source import NOWHERE, Diagnostic
from ..plain_form import plain_form
from ..sheet import WdlSheet

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
    for fault in check_ruleset(plain_form(sheet.master, sheet.names, sheet.settings.realtime)):
        key = fault.code, fault.span
        if key in seen or fault.span == NOWHERE:  # a move has several forms, and conditions that were added
            continue
        seen.add(key)
        if fault.code == "keyword-arity" and "`role`" in fault.message:
            yield replace(fault, code="W04")
        else:
            yield replace(fault, code=CODES.get(fault.code, fault.code))
