"""Replace the rules of relations that never change by their rows.

``(<= (adjacent ?x ?y) (succ ?x ?y))`` has the same rows in every state, so engines need not derive them for
each state again. Relations with many rows keep their rules.
"""

from __future__ import annotations

from ..dependencies import Dependencies
from ..keywords import KEYWORDS
from ..ruleset import Rule, Ruleset
from ..terms import Signature
from .derive_rows import Rows, TooManyRowsError, derive_rows
from .expand_connectives import expand_connectives

MAX_ROWS = 5000
"""The most rows of a relation that is replaced: plain Python derives them in some tenths of a second."""


def evaluate_static(ruleset: Ruleset, max_rows: int = MAX_ROWS) -> Ruleset:
    """The same answers, with the rows of static relations as facts where their rules stood first."""
    expanded = expand_connectives(ruleset)
    known = Rows()
    evaluated = _evaluate(expanded, known, max_rows)
    rules: list[Rule] = []
    written: set[Signature] = set()
    for rule in expanded.rules:
        signature = rule.signature
        if signature not in evaluated:
            rules.append(rule)
        elif signature not in written:
            written.add(signature)
            rules += [Rule(row, (), rule.node) for row in known.rows.get(signature, ())]
    return ruleset.with_rules(rules)


def _evaluate(ruleset: Ruleset, known: Rows, max_rows: int) -> set[Signature]:
    """The relations whose rows are known now, strata below first."""
    dependencies = Dependencies(ruleset)
    moving = dependencies.users_of([("true", 1), ("does", 2)])
    unknown = {("true", 1), ("does", 2)}
    done: set[Signature] = set()
    for component in dependencies.components:
        rules = [rule for one in component for rule in ruleset.by_signature.get(one, ())]
        below = {signature for one in component for signature in dependencies.uses.get(one, ())} - component
        if component & moving or below & unknown or _runs_in_a_circle(component, dependencies):
            unknown |= component
            continue
        try:
            derive_rows(rules, known, max_rows)
        except TooManyRowsError:
            unknown |= component
            continue
        done |= {one for one in component if one[0] not in KEYWORDS}
    return done


def _runs_in_a_circle(component: frozenset[Signature], dependencies: Dependencies) -> bool:
    """Whether negation leads back into the component: then rows depend on the order of derivation."""
    return any(
        not edge.positive and edge.body in component
        for one in component
        for edge in dependencies.edges_from.get(one, ())
    )
