"""W11: what a player lacks is not false. A rule that negates something hidden misleads those who lack it.

A player that keeps its own state from what it is told concludes from a hand it was never shown that there is
no such hand. The match itself knows all, so such rules are right; what players conclude alone may not be.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...check.analysis import signature_of
from ...quoting import written
from ...ruleset import Rule, signed_atoms
from ...source import Diagnostic, Severity
from ...terms import Pattern, Signature, Term
from ...unify import unify
from ..plain_form import move_forms, resolved_rule
from ..sheet import WdlSheet
from ..statements import WdlStatement, private_parts
from .faults import fault

Known = tuple[str, Signature]
"""A relation (``""``) or a fluent (``true``) of that signature."""


def lint_hidden_negation(sheet: WdlSheet) -> Iterator[Diagnostic]:
    hidden = _partly_hidden(sheet)
    if not hidden:
        return
    for one in sheet.statements:
        if one.owner is not None:
            continue
        for atom, positive in signed_atoms(one.rule.body):
            if not positive and (known := _read(atom.term)) in hidden:
                yield fault(
                    sheet, "W11", atom.node,
                    f"{written(known[1])} is hidden from some players, and this rule says what follows "
                    "where it does not hold",
                    "the match is right; what a player may conclude is told by `ludorum knows`",
                    Severity.WARNING,
                )  # fmt: skip


def _partly_hidden(sheet: WdlSheet) -> set[Known]:
    """Relations and fluents that some players cannot tell from what they are told."""
    moves = [
        form
        for rule in sheet.master.by_signature.get(("legal", 2), ())
        if next(private_parts(rule.head.args[1]), None) is not None
        for form in move_forms(resolved_rule(rule, sheet.names).head.args[1])
    ]
    found = {_made(one.rule.head) for one in sheet.statements if _is_hidden(one)}
    while True:
        more = {
            _made(rule.head)
            for rule in sheet.master.rules
            if _made(rule.head) not in found and _reads_hidden(rule, found, moves)
        }
        if not more:
            return found
        found |= more


def _is_hidden(one: WdlStatement) -> bool:
    head = one.rule.head
    return one.owner is not None or (head.name != "legal" and next(private_parts(head), None) is not None)


def _reads_hidden(rule: Rule, found: set[Known], moves: list[Pattern]) -> bool:
    for atom, _ in signed_atoms(rule.body):
        term = atom.term
        if _read(term) in found:
            return True
        if term.signature == ("does", 2) and any(unify(term.args[1], move) is not None for move in moves):
            return True
    return False


def _made(head: Term) -> Known:
    """What a rule makes: ``next`` and ``init`` make fluents."""
    if head.signature in (("next", 1), ("init", 1)):
        return "true", signature_of(head.args[0])
    return "", head.signature


def _read(term: Term) -> Known:
    if term.signature == ("true", 1):
        return "true", signature_of(term.args[0])
    return "", term.signature
