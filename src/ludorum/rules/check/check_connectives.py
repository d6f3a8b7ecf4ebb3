"""``not``, ``and``, ``or`` and ``distinct`` join conditions; they are no facts, functions or constants."""

from __future__ import annotations

from collections.abc import Iterator

from ..build import CONNECTIVES
from ..ruleset import And, Not, Or, Rule, subformulas
from ..source import Diagnostic, Severity
from .analysis import Analysis


def check_connectives(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        if rule.head.name in CONNECTIVES:
            yield analysis.fault(
                "misplaced-connective", Severity.ERROR, rule.head_node,
                f"`{rule.head.name}` as a fact or a head; it only joins conditions",
                "remove it, or name the relation you mean",
            )  # fmt: skip
        yield from _check_negations(analysis, rule)
    for term, node in analysis.inner_terms:
        if term.name in CONNECTIVES:
            what = "function" if term.args else "constant"
            yield analysis.fault(
                "misplaced-connective", Severity.ERROR, node,
                f"`{term.name}` used as a {what} inside a term; it only joins conditions",
                "choose another name, or move the condition out of the term",
            )  # fmt: skip


def _check_negations(analysis: Analysis, rule: Rule) -> Iterator[Diagnostic]:
    for formula in subformulas(rule.body):
        if isinstance(formula, Not) and isinstance(formula.body, (And, Or, Not)):
            yield analysis.fault(
                "negated-formula", Severity.WARNING, formula.node,
                "`not` around more than one relation: we use De Morgan's laws, other players refuse it",
                "give the negated condition a relation of its own",
            )  # fmt: skip
