"""Loops of a chart: their headers, their bodies, and where control continues afterwards.

A loop has the simple form (*while*) where it is entered at one choice, its header, and left only there. Loops
of other forms are brought into it by ``normalise``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ..language.rules import ChoiceNode, Rules, successors

Edges = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class ChartPart:
    """A part of a chart: from its first node up to its last, which does not belong to it."""

    start: int
    end: int


@dataclass(frozen=True)
class Loop:
    """A loop in the simple form: from the header into the body and back, or on to ``exit``."""

    header: int
    entry: int
    exit: int
    body: frozenset[int]
    inner: tuple[Loop, ...] = ()

    def split(self, part: ChartPart) -> tuple[ChartPart, ChartPart, ChartPart]:
        """The part of the chart before the loop, the body, and the part after it."""
        return (
            ChartPart(part.start, self.header),
            ChartPart(self.entry, self.header),
            ChartPart(self.exit, part.end),
        )

    def all(self) -> Iterator[Loop]:
        """This loop and all inside, from the outside to the inside."""
        yield self
        for one in self.inner:
            yield from one.all()

    def as_json(self) -> dict[str, object]:
        return {
            "header": self.header,
            "body": sorted(self.body),
            "exit": self.exit,
            "inner": [one.as_json() for one in self.inner],
        }


@dataclass(frozen=True)
class Knot:
    """A cycle of nodes in some other form."""

    nodes: frozenset[int]
    entries: tuple[int, ...]
    exits: tuple[tuple[int, int], ...]

    @property
    def exit_nodes(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(source for source, _ in self.exits))


def find_loops(rules: Rules) -> tuple[list[Loop], list[Knot]]:
    """All outermost loops in the simple form, with those inside them; and the cycles of other forms."""
    edges = {index: successors(node) for index, node in rules.nodes.items()}
    knots: list[Knot] = []
    return _find(rules, edges, {rules.start}, knots), knots


def all_loops(loops: Collection[Loop]) -> list[Loop]:
    """Loops with all inside them."""
    return [one for loop in loops for one in loop.all()]


def _find(rules: Rules, edges: Edges, starts: set[int], knots: list[Knot]) -> list[Loop]:
    found = []
    for nodes in circles(edges, starts):
        knot = _knot(edges, nodes, starts)
        entry = knot.entries[0]
        node = rules.nodes[entry]
        if len(knot.entries) != 1 or not isinstance(node, ChoiceNode) or knot.exit_nodes != (entry,):
            knots.append(knot)
            continue
        stays, leaves = (node.yes, node.no) if node.yes in nodes else (node.no, node.yes)
        if stays == entry:
            knots.append(knot)  # a choice that only leads to itself does nothing in between
            continue
        body = nodes - {entry}
        within = {index: edges[index] for index in body}  # without the header: edges back to it lead out
        found.append(Loop(entry, stays, leaves, frozenset(body), tuple(_find(rules, within, {stays}, knots))))
    return found


def _knot(edges: Edges, nodes: frozenset[int], starts: set[int]) -> Knot:
    from_outside = {to for index, targets in edges.items() if index not in nodes for to in targets}
    entries = tuple(sorted(nodes & (from_outside | starts)))
    exits = tuple((index, to) for index in sorted(nodes) for to in edges[index] if to not in nodes)
    return Knot(nodes, entries, exits)


def circles(edges: Edges, starts: Collection[int]) -> list[frozenset[int]]:
    """Strongly connected components (Tarjan 1972), in the order in which paths reach them."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    found: list[frozenset[int]] = []
    for start in sorted(starts):
        if start in index:
            continue
        work: list[tuple[int, int]] = [(start, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                waiting.add(node)
            targets = edges.get(node, ())
            for place in range(at, len(targets)):
                to = targets[place]
                if to not in index:
                    work += [(node, place + 1), (to, 0)]
                    break
                if to in waiting:
                    low[node] = min(low[node], low[to])
            else:
                if low[node] == index[node]:
                    part = _unwind(stack, waiting, node)
                    if len(part) > 1 or node in targets:
                        found.append(part)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return found[::-1]


def _unwind(stack: list[int], waiting: set[int], node: int) -> frozenset[int]:
    part = set()
    while True:
        one = stack.pop()
        waiting.discard(one)
        part.add(one)
        if one == node:
            return frozenset(part)
