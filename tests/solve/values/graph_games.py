"""Games on graphs, in which play can go round for ever, and what can be forced in them, worked out apart."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif

SHEET = """
(role left) (role right)
(init (at {first}))
(<= (legal ?p (go ?m)) (owner ?n ?p) (true (at ?n)) (edge ?n ?m))
(<= (legal ?p noop) (role ?p) (true (at ?n)) (not (owner ?n ?p)))
(<= (next (at ?m)) (does ?p (go ?m)))
(<= (base (at ?n)) (owner ?n ?p)) (<= (base (at ?n)) (worth ?n ?v ?w))
(<= (input ?p (go ?m)) (role ?p) (edge ?n ?m)) (<= (input ?p noop) (role ?p))
(<= terminal (true (at ?n)) (worth ?n ?v ?w))
(<= (goal left ?v) (true (at ?n)) (worth ?n ?v ?w))
(<= (goal right ?w) (true (at ?n)) (worth ?n ?v ?w))
(<= (goal ?p 0) (role ?p) (not terminal))
"""


@dataclass(frozen=True)
class Graph:
    """Nodes with an owner and edges, or with what they are worth to the left player."""

    owner: dict[int, str]
    edges: dict[int, list[int]]
    worth: dict[int, int]

    def game(self, name: str = "graph") -> CompiledGame:
        lines = [SHEET.format(first=min(self.owner))]
        lines += [f"(owner {node} {role})" for node, role in self.owner.items()]
        lines += [f"(edge {node} {after})" for node, own in self.edges.items() for after in own]
        lines += [f"(worth {node} {value} {100 - value})" for node, value in self.worth.items()]
        return CompiledGame(parse_kif("\n".join(lines)), name)

    def forced(self, role: str, threshold: int) -> set[int]:
        """Where a role can force an end that gives it as much: the least set that its own rules close."""
        value = {node: own if role == "left" else 100 - own for node, own in self.worth.items()}
        won = {node for node, own in value.items() if own >= threshold}
        while True:
            more = {
                node
                for node, own in self.owner.items()
                if node not in won
                and (any if own == role else all)(after in won for after in self.edges[node])
            }
            if not more:
                return won
            won |= more


def random_graph(seed: int, parts: int, nodes: int, ends: int) -> Graph:
    """Several graphs apart, with cycles of every kind: nodes have one to three edges to any others."""
    chance = Random(seed)
    owner: dict[int, str] = {}
    edges: dict[int, list[int]] = {}
    worth: dict[int, int] = {}
    for part in range(parts):
        first = part * (nodes + ends) + 1
        inner = range(first, first + nodes)
        outer = range(first + nodes, first + nodes + ends)
        worth.update({node: chance.choice((0, 50, 100)) for node in outer})
        for node in inner:
            owner[node] = chance.choice(("left", "right"))
            others = [other for other in (*inner, *inner, *outer) if other != node]
            edges[node] = sorted({chance.choice(others) for _ in range(chance.randint(2, 4))})
    owner[0], edges[0] = "left", sorted(owner)  # the start, from which every node can be reached
    return Graph(owner, edges, worth)


def mirrored(graph: Graph) -> Graph:
    """The graph and a copy of it, from a start that leads to every node of both."""
    shift = max((*graph.owner, *graph.worth)) + 1
    inner = [node for node in graph.owner if node]
    owner = {node + copy: graph.owner[node] for copy in (0, shift) for node in inner}
    edges = {
        node + copy: [after + copy for after in graph.edges[node]] for copy in (0, shift) for node in inner
    }
    worth = {node + copy: value for copy in (0, shift) for node, value in graph.worth.items()}
    return Graph({0: "left", **owner}, {0: sorted(owner), **edges}, worth)
