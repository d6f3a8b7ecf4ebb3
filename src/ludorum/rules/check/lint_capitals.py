"""One name in different capitals: GDL does not tell them apart, some players do."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from .analysis import Analysis


def lint_capitals(analysis: Analysis) -> Iterator[Diagnostic]:
    source = analysis.ruleset.source
    text = source.text
    if text == text.lower():
        return
    spellings: dict[str, tuple[str, Node]] = {}
    told: set[str] = set()
    for _, nodes in analysis.tokens:
        for node in nodes:
            if node.kind is not NodeKind.SYMBOL:
                continue
            spelling = text[node.span.start : node.span.end]
            if spelling.lower() != node.name:
                continue  # made by a repair, or written between bars: capitals count there
            first, before = spellings.setdefault(node.name, (spelling, node))
            if spelling != first and spelling not in told:
                told.add(spelling)
                yield analysis.fault(
                    "odd-capitals", Severity.WARNING, node,
                    f"{quoted(spelling)} here, {quoted(first)} in line {analysis.line(before)}: the same",
                    "write it the same way everywhere",
                )  # fmt: skip
