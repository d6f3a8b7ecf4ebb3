"""Keywords as conditions: ``next`` and ``init`` hardly belong there; ``legal``, ``goal``, ``terminal`` may.

``next`` and ``legal`` in the body of ``sees`` are common: percepts are told together with the next position.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..source import Diagnostic, Severity
from .analysis import Analysis

HELPERS = ("legal", "goal", "terminal")


def check_keyword_bodies(analysis: Analysis) -> Iterator[Diagnostic]:
    for edge in analysis.edges:
        name, node = edge.body[0], edge.atom.node
        if edge.head[0] == "sees" and name in ("next", "legal"):
            yield analysis.fault(
                "percept-condition", Severity.NOTE, node,
                f"a percept depends on `{name}`; it is evaluated in the current position with the joint move",
            )  # fmt: skip
        elif name in ("next", "init"):
            yield analysis.fault(
                f"{name}-in-body", Severity.WARNING, node, f"`{name}` used as a condition",
                "GDL allows it only as a head; give what you need a relation of its own",
            )  # fmt: skip
        elif name == "sees":
            yield analysis.fault(
                "sees-in-body", Severity.WARNING, node,
                "`sees` used as a condition: a percept is told, not asked",
                "give what is seen a relation of its own",
            )  # fmt: skip
        elif name in HELPERS:
            yield analysis.fault(
                "keyword-as-helper", Severity.NOTE, node, f"`{name}` used as a condition",
                "every engine here reads it; for some older players a helper relation is safer",
            )  # fmt: skip
