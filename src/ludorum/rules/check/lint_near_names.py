"""Names that stand in a sheet once and are one slip of the hand away from another."""

from __future__ import annotations

from collections.abc import Iterator

from ..build import CONNECTIVES
from ..keywords import KEYWORDS
from ..near_names import NearNames
from ..quoting import did_you_mean, quoted
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from .analysis import Analysis, flattened

OFTEN = 2
"""How often the other name must occur in the sheet: names that all occur once are a list of names."""


def lint_near_names(analysis: Analysis) -> Iterator[Diagnostic]:
    places: dict[str, list[Node]] = {}
    told: set[int] = set()
    for rule, nodes in analysis.tokens:
        if rule.head.name == "sees":
            told.update(map(id, flattened(rule.head_node)))
        for node in nodes:
            if node.kind is NodeKind.SYMBOL:
                places.setdefault(node.name, []).append(node)
    words = KEYWORDS | CONNECTIVES
    known = NearNames([*words, *(name for name, where in places.items() if len(where) >= OFTEN)])
    for name, where in places.items():
        if len(where) > 1 or name in words or id(where[0]) in told:
            continue  # a word of a percept occurs once by its nature: no rule reads it
        if near := known.near(name):
            yield analysis.fault(
                "near-name", Severity.WARNING, where[0],
                f"{quoted(name)} occurs only here, and is nearly {quoted(near[0])}",
                did_you_mean(near),
            )  # fmt: skip
