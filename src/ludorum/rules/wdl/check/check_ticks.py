"""W10: a fluent that is kept only where somebody moves is gone at the next signal of the clock."""

from __future__ import annotations

from collections.abc import Iterator

from ...check.analysis import ANYTHING, signature_of
from ...quoting import written
from ...ruleset import And, Atom, Formula, Or, Rule
from ...source import Diagnostic, Severity
from ...terms import Signature
from ..sheet import WdlSheet
from .faults import fault


def check_ticks(sheet: WdlSheet) -> Iterator[Diagnostic]:
    if not sheet.settings.realtime or sheet.settings.tick_inertia:
        return
    waiting = _needing_a_move(sheet)
    rules: dict[Signature, list[Rule]] = {}
    for rule in sheet.master.by_signature.get(("next", 1), ()):
        rules.setdefault(signature_of(rule.head.args[0]), []).append(rule)
    if ANYTHING in rules:
        return
    for fluent, own in rules.items():
        if all(_needs(rule.body, waiting) for rule in own):
            yield fault(
                sheet, "W10", own[0].head_node,
                f"every rule for {written(fluent)} needs a move, so it is gone at the next tick",
                "add a rule that keeps it when nobody moves, or (set tick-inertia)",
                Severity.WARNING,
            )  # fmt: skip


def _needing_a_move(sheet: WdlSheet) -> set[Signature]:
    """Relations that hold only where somebody moves: the least set that agrees with the rules."""
    found: set[Signature] = {("does", 2)}
    while True:
        more = {
            signature
            for signature, rules in sheet.master.by_signature.items()
            if signature not in found and all(_needs(rule.body, found) for rule in rules)
        }
        if not more:
            return found
        found |= more


def _needs(body: tuple[Formula, ...], relations: set[Signature]) -> bool:
    return any(_needs_part(part, relations) for part in body)


def _needs_part(part: Formula, relations: set[Signature]) -> bool:
    match part:
        case Atom(term):
            return term.signature in relations
        case And(parts):
            return any(_needs_part(one, relations) for one in parts)
        case Or(parts):
            return all(_needs_part(one, relations) for one in parts)
        case _:
            return False
