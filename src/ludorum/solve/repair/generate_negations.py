"""A `not` that was forgotten, or one too many."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.binding import free_variables
from ...rules.keywords import HINTS
from ...rules.ruleset import Atom, Not, subformulas
from . import costs
from .focus import Focus
from .proposal import Edit, Proposal, insert
from .sheet import TextUnderRepair


def propose_negations(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Each condition of forms with symptoms negated, at a higher cost where the sheet never has it so."""
    negated = {
        part.body.term.signature
        for rule in sheet.rules.rules
        for part in subformulas(rule.body)
        if isinstance(part, Not) and isinstance(part.body, Atom)
    }
    for number in sorted(focus.forms):
        rule = sheet.forms[number].rule
        if rule is None or rule.head.name in HINTS or free_variables(rule):
            continue
        inside = {id(part.body) for part in subformulas(rule.body) if isinstance(part, Not)}
        for part in subformulas(rule.body):
            if isinstance(part, Atom) and id(part) not in inside:
                node = part.node
                text = sheet.text_of(node)
                cost = costs.NEGATION + (0 if part.term.signature in negated else 1)
                edits = (insert(node.span.start, "(not "), insert(node.span.end, ")"))
                yield Proposal(f"`not` is missing around {text}", edits, cost)
            elif isinstance(part, Not):
                inner = sheet.text_of(part.body.node)
                reason = f"`not` does not belong around {inner}"
                yield Proposal(reason, (Edit(part.node.span, inner),), costs.NEGATION + 3)
