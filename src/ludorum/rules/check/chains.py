"""Why one relation depends on another: chains of rules, found in one sweep and spelled out in a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..dependencies import Edge
from ..quoting import written
from ..terms import Signature
from .analysis import Analysis

MAX_STEPS = 8
"""Longest chain written out; a circle may run through thousands of rules."""


def routes_to(analysis: Analysis, targets: Collection[str]) -> dict[Signature, Edge]:
    """For each relation that depends on a target keyword, the first edge of a shortest path there."""
    users: dict[Signature, list[Edge]] = {}
    for edge in analysis.edges:
        users.setdefault(edge.body, []).append(edge)
    todo = [signature for signature in users if signature[0] in targets]
    route: dict[Signature, Edge] = {}
    for signature in todo:
        for edge in users.get(signature, ()):
            if edge.head not in route:
                route[edge.head] = edge
                todo.append(edge.head)
    return route


def follow(route: dict[Signature, Edge], edge: Edge, targets: Collection[str]) -> Iterator[Edge]:
    """An edge and the steps from its body to a target."""
    yield edge
    while edge.body[0] not in targets:
        edge = route[edge.body]
        yield edge


def spelled(analysis: Analysis, chain: Iterator[Edge]) -> str:
    """A chain of dependencies: ``legal/2 (line 3) -> helper/1 (line 7) -> does/2``."""
    parts: list[str] = []
    last: Edge | None = None
    for edge in chain:
        last = edge
        if len(parts) == MAX_STEPS:
            return " ".join([*parts, "…"])
        sign = "->" if edge.positive else "-> not"
        parts.append(f"{written(edge.head)} (line {analysis.line(edge.atom.node)}) {sign}")
    return " ".join(parts) + (f" {written(last.body)}" if last else "")


def circle(analysis: Analysis, edge: Edge) -> list[Edge]:
    """A shortest cycle through an edge: on from its body back to its head inside their group."""
    group = analysis.dependencies.component_of[edge.head]
    came: dict[Signature, Edge] = {}
    todo = [edge.body]
    for node in todo:
        if node == edge.head:
            break
        for step in analysis.dependencies.edges_from.get(node, ()):
            if step.body in group and step.body not in came and step.body != edge.body:
                came[step.body] = step
                todo.append(step.body)
    back: list[Edge] = []
    node = edge.head
    while node != edge.body:
        back.append(came[node])
        node = came[node].head
    return [edge, *reversed(back)]
