"""``legal``, ``goal`` and ``terminal`` are asked before a joint move, so they may not depend on ``does``."""

from __future__ import annotations

from collections.abc import Iterator

from ..source import Diagnostic, Severity
from .analysis import Analysis
from .chains import follow, routes_to, spelled

BEFORE_MOVING = ("legal", "goal", "terminal")
DOES = ("does",)


def check_does_dependence(analysis: Analysis) -> Iterator[Diagnostic]:
    route = routes_to(analysis, DOES)
    for edge in analysis.edges:
        if edge.head[0] not in BEFORE_MOVING or not (edge.body[0] == "does" or edge.body in route):
            continue
        chain = spelled(analysis, follow(route, edge, DOES))
        yield analysis.fault(
            "depends-on-does", Severity.ERROR, edge.atom.node,
            f"`{edge.head[0]}` depends on the moves of this step: {chain}",
            "remember the move in a fluent by a `next` rule, and test that fluent",
        )  # fmt: skip
