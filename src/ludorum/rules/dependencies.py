"""Which relation depends on which: the graph behind slices, stratification and static analysis."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from .ruleset import Atom, Rule, Ruleset, signed_atoms
from .terms import Signature

Node = TypeVar("Node", bound=Hashable)


def strong_components(roots: Iterable[Node], uses: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """Groups of nodes that use each other, below some roots, each after those it uses (Tarjan, no recursion).

    >>> list(strong_components("ac", {"a": "b", "b": "a", "c": "a"}.__getitem__))
    [['b', 'a'], ['c']]
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    on_stack: set[Node] = set()
    stack: list[Node] = []
    work: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        work.append((node, iter(uses(node))))

    for root in roots:
        if root not in order:
            enter(root)
        while work:
            node, below = work[-1]
            for step in below:
                if step not in order:
                    enter(step)
                    break
                if step in on_stack:
                    low[node] = min(low[node], order[step])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    group = [stack.pop()]
                    while group[-1] != node:
                        group.append(stack.pop())
                    on_stack.difference_update(group)
                    yield group


@dataclass(frozen=True)
class Edge:
    """A rule for ``head`` uses ``body``, positively or under ``not``."""

    head: Signature
    body: Signature
    positive: bool
    rule: Rule
    atom: Atom


class Dependencies:
    """The dependency graph of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.edges: tuple[Edge, ...] = tuple(
            Edge(rule.signature, atom.term.signature, positive, rule, atom)
            for rule in ruleset.rules
            for atom, positive in signed_atoms(rule.body)
        )

    @cached_property
    def uses(self) -> dict[Signature, frozenset[Signature]]:
        """The relations each relation's rules mention directly."""
        found: dict[Signature, set[Signature]] = {rule.signature: set() for rule in self.ruleset.rules}
        for edge in self.edges:
            found[edge.head].add(edge.body)
        return {head: frozenset(bodies) for head, bodies in found.items()}

    @cached_property
    def edges_from(self) -> dict[Signature, tuple[Edge, ...]]:
        """The edges of each head relation, in text order."""
        found: dict[Signature, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge.head, []).append(edge)
        return {head: tuple(edges) for head, edges in found.items()}

    def reachable(self, roots: Iterable[Signature]) -> set[Signature]:
        """The roots and everything their rules depend on."""
        seen = set(roots)
        todo = list(seen)
        while todo:
            for below in self.uses.get(todo.pop(), ()):
                if below not in seen:
                    seen.add(below)
                    todo.append(below)
        return seen

    def users_of(self, targets: Iterable[Signature]) -> set[Signature]:
        """Every relation whose rules depend on a target, directly or not."""
        users: dict[Signature, list[Signature]] = {}
        for edge in self.edges:
            users.setdefault(edge.body, []).append(edge.head)
        seen: set[Signature] = set()
        todo = list(targets)
        while todo:
            for above in users.get(todo.pop(), ()):
                if above not in seen:
                    seen.add(above)
                    todo.append(above)
        return seen

    def slice(self, roots: Iterable[Signature]) -> list[Rule]:
        """The rules that matter for the roots, unchanged and in text order."""
        needed = self.reachable(roots)
        return [rule for rule in self.ruleset.rules if rule.signature in needed]

    def path(self, start: Signature, ends: Collection[Signature]) -> list[Edge] | None:
        """A shortest chain of dependencies from a relation to one of ``ends``, or None."""
        came: dict[Signature, Edge | None] = {start: None}
        todo = [start]
        for node in todo:
            for edge in self.edges_from.get(node, ()):
                if edge.body in ends:
                    chain = [edge]
                    while (before := came[chain[-1].head]) is not None:
                        chain.append(before)
                    return chain[::-1]
                if edge.body not in came:
                    came[edge.body] = edge
                    todo.append(edge.body)
        return None

    @cached_property
    def components(self) -> list[frozenset[Signature]]:
        """Groups of mutually dependent relations, each after those it depends on."""
        groups = strong_components(self.uses, lambda relation: sorted(self.uses.get(relation, ())))
        return [frozenset(group) for group in groups]

    @cached_property
    def component_of(self) -> dict[Signature, frozenset[Signature]]:
        return {signature: group for group in self.components for signature in group}


def is_stratified(rules: Ruleset) -> bool:
    """Whether no relation depends on its own negation, so that a state has one meaning only."""
    graph = Dependencies(rules)
    groups = graph.component_of
    return not any(
        not edge.positive and edge.body in groups and groups[edge.head] is groups[edge.body]
        for edge in graph.edges
    )
