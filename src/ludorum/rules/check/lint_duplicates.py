"""The same rule twice, up to the names of its variables."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ..quoting import quoted
from ..ruleset import And, Atom, Distinct, Formula, Not, Rule
from ..source import Diagnostic, Severity
from ..terms import Pattern, Variable
from .analysis import Analysis


def lint_duplicates(analysis: Analysis) -> Iterator[Diagnostic]:
    seen: dict[Hashable, Rule] = {}
    for rule in analysis.ruleset.rules:
        first = seen.setdefault(_form(rule), rule)
        if first is not rule:
            yield analysis.fault(
                "duplicate-rule", Severity.WARNING, rule.node,
                f"the rule for {quoted(rule.head)} is already in line {analysis.line(first.node)}",
                "remove one of the two",
            )  # fmt: skip


def _form(rule: Rule) -> Hashable:
    """The rule with its variables numbered as they come."""
    if rule.head.is_ground and not rule.body:
        return rule.head  # most rules are facts, and terms are interned
    numbers: dict[Variable, int] = {}
    return (_pattern(rule.head, numbers), tuple(_formula(part, numbers) for part in rule.body))


def _formula(formula: Formula, numbers: dict[Variable, int]) -> Hashable:
    match formula:
        case Atom(term):
            return _pattern(term, numbers)
        case Distinct(left, right):
            return ("distinct", _pattern(left, numbers), _pattern(right, numbers))
        case Not(body):
            return ("not", _formula(body, numbers))
    kind = "and" if isinstance(formula, And) else "or"
    return (kind, *(_formula(part, numbers) for part in formula.parts))


def _pattern(pattern: Pattern, numbers: dict[Variable, int]) -> Hashable:
    if isinstance(pattern, Variable):
        return numbers.setdefault(pattern, len(numbers))
    if pattern.is_ground:
        return pattern
    return (pattern.name, *(_pattern(arg, numbers) for arg in pattern.args))
