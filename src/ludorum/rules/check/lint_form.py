"""Odd but readable forms: ``(<= head)`` without a body, brackets around a lone name as in ``(open)``."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..source import Diagnostic, Severity
from ..syntax import NodeKind
from .analysis import Analysis


def lint_form(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule, nodes in analysis.tokens:
        if not rule.body and rule.node.kind is NodeKind.LIST and rule.node.head == "<=":
            yield analysis.fault(
                "empty-body", Severity.WARNING, rule.node,
                f"a rule without conditions: {quoted(rule.head)} always holds",
                "write it as a fact, without `<=`",
            )  # fmt: skip
        for node in nodes:
            if node.kind is NodeKind.LIST and len(node.items) == 1:
                yield analysis.fault(
                    "lone-brackets", Severity.WARNING, node,
                    f"brackets around {quoted(node.head)} alone; we read the plain name, some players do not",
                    f"write {quoted(node.head)}",
                )  # fmt: skip
