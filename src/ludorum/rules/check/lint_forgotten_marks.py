"""A constant named like a variable of its rule and found nowhere else: was ``?`` forgotten?"""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from .analysis import Analysis


def lint_forgotten_marks(analysis: Analysis) -> Iterator[Diagnostic]:
    # A constant such as `x` that other rules use too is a real constant, whatever the variables are called.
    suspects: dict[str, list[Node]] = {}
    cleared: set[str] = set()
    for _, nodes in analysis.tokens:
        variables = {node.name for node in nodes if node.kind is NodeKind.VARIABLE}
        constants = [item for node in nodes for item in node.items[1:] if item.kind is NodeKind.SYMBOL]
        if not variables:
            cleared.update(node.name for node in constants)
            continue
        for node in constants:
            if node.name in variables:
                suspects.setdefault(node.name, []).append(node)
            else:
                cleared.add(node.name)
    for name, nodes in suspects.items():
        if name not in cleared:
            for node in nodes:
                yield analysis.fault(
                    "forgotten-question-mark", Severity.WARNING, node,
                    f"the constant {quoted(name)} stands only beside a variable ?{quoted(name)}",
                    f"write ?{quoted(name)} if the variable is meant",
                )  # fmt: skip
