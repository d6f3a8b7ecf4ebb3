"""Negations and comparisons that stand before what binds their variables.

We read rules declaratively: the order of conditions does not matter. A Prolog prover goes from left to
right and takes an unbound variable under ``not`` as "there is none", so the two readings differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..binding import bound_by, unbound
from ..quoting import quoted
from ..ruleset import Atom, Distinct, Not, Rule, variable_span
from ..source import Diagnostic, Severity
from ..terms import Pattern, Variable
from .analysis import Analysis


def lint_binding_order(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        if len(rule.body) > 1 and any(isinstance(part, (Not, Distinct)) for part in rule.body):
            yield from _check(analysis, rule)


def _check(analysis: Analysis, rule: Rule) -> Iterator[Diagnostic]:
    in_the_end = bound_by(rule.body)
    so_far: set[Variable] = set()
    for part in rule.body:
        patterns: tuple[Pattern, ...] = ()
        match part:
            case Not(Atom(term)):
                patterns = (term,)
            case Distinct(left, right) | Not(Distinct(left, right)):
                patterns = (left, right)
            case _:
                so_far |= bound_by((part,))
        late = [variable for variable in unbound(patterns, so_far) if variable in in_the_end]
        if late:
            name = quoted(str(late[0]))
            negated = isinstance(part, Not) and isinstance(part.body, Atom)
            yield analysis.fault(
                "early-negation" if negated else "early-distinct", Severity.WARNING,
                variable_span(part.node, late[0]),
                f"{name} is bound only further right: we read rules declaratively, a left-to-right prover "
                + (f'reads "there is no {name}"' if negated else "compares an unbound variable"),
                "move the condition behind those that bind its variables",
            )  # fmt: skip
