"""``role``, ``init``, ``base`` and ``input`` hold before the first position, so they may not look at one."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import STATE_KEYWORDS
from ..quoting import quoted
from ..source import Diagnostic, Severity
from .analysis import Analysis
from .chains import follow, routes_to, spelled

STATIC = ("role", "init", "base", "input")


def check_static_keywords(analysis: Analysis) -> Iterator[Diagnostic]:
    route = routes_to(analysis, STATE_KEYWORDS)
    for edge in analysis.edges:
        if edge.head[0] not in STATIC or not (edge.body[0] in STATE_KEYWORDS or edge.body in route):
            continue
        chain = spelled(analysis, follow(route, edge, STATE_KEYWORDS))
        yield analysis.fault(
            f"{edge.head[0]}-depends-on-state", Severity.ERROR, edge.atom.node,
            f"`{edge.head[0]}` depends on the position: {chain}",
            f"use only relations that never change instead of {quoted(edge.atom.term)}",
        )  # fmt: skip
