"""Stratification: no relation may depend on its own negation.

The check is on relations, as GDL asks for; a sheet may fail it and still mean one thing for every ground
atom, so lenient mode only warns and lets the grounder decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..quoting import written
from ..source import Diagnostic, Severity
from ..terms import Signature
from .analysis import Analysis
from .chains import circle, spelled

MAX_SPELLED = 10
"""The most cycles reported in one group of relations, which may have thousands."""


def check_stratification(analysis: Analysis) -> Iterator[Diagnostic]:
    groups = analysis.dependencies.component_of
    seen: Counter[frozenset[Signature]] = Counter()
    for edge in analysis.edges:
        if edge.positive or edge.body not in groups or groups[edge.head] is not groups[edge.body]:
            continue
        group = groups[edge.head]
        seen[group] += 1
        if seen[group] <= MAX_SPELLED:
            chain = spelled(analysis, iter(circle(analysis, edge)))
        else:
            chain = f"one of many circles through {len(group)} relations"
        yield analysis.fault(
            "negation-cycle", Severity.ERROR, edge.atom.node,
            f"{written(edge.head)} depends on its own negation: {chain}",
            "break the circle: define one of these relations without the others",
        )  # fmt: skip
