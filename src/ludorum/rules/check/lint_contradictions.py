"""Bodies that contradict themselves, and comparisons whose answer is known beforehand."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..ruleset import Atom, Not, Rule
from ..source import Diagnostic, Severity
from ..terms import Term
from .analysis import Analysis


def lint_contradictions(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        yield from _check_body(analysis, rule)
    yield from _check_comparisons(analysis)


def _check_body(analysis: Analysis, rule: Rule) -> Iterator[Diagnostic]:
    held = {part.term for part in rule.body if isinstance(part, Atom)}
    for part in rule.body:
        if isinstance(part, Not) and isinstance(part.body, Atom) and part.body.term in held:
            yield analysis.fault(
                "contradictory-body", Severity.WARNING, part.node,
                f"this rule never fires: it needs {quoted(part.body.term)} and its negation",
                "remove one of the two, or correct the names of their variables",
            )  # fmt: skip


def _check_comparisons(analysis: Analysis) -> Iterator[Diagnostic]:
    for comparison, _, negated in analysis.comparisons:
        left, right = comparison.left, comparison.right
        if negated is not None:
            yield analysis.fault(
                "negated-distinct", Severity.ERROR, negated.node,
                "`not` around `distinct`: GDL negates relations only; we read it as `equal`",
                "write the same variable or term in both places instead",
            )  # fmt: skip
        if left is right:
            yield analysis.fault(
                "same-distinct", Severity.WARNING, comparison.node,
                f"{quoted(left)} is never distinct from itself", "correct one of the two names",
            )  # fmt: skip
        elif left.is_ground and right.is_ground:
            yield analysis.fault(
                "constant-distinct", Severity.NOTE, comparison.node,
                f"{quoted(left)} and {quoted(right)} always differ", "remove the comparison",
            )  # fmt: skip
        elif any(isinstance(side, Term) and side.args for side in (left, right)):
            yield analysis.fault(
                "compound-distinct", Severity.NOTE, comparison.node,
                "`distinct` on a compound term compares forms; some players compare only constants",
                "compare the arguments one by one",
            )  # fmt: skip
