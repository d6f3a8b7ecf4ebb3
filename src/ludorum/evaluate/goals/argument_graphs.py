"""How far symbols are from each other: graphs of the steps by which rules change an argument of a fluent.

A rule that makes ``(cell ?y)`` of ``(cell ?x)`` where ``(succ ?x ?y)`` holds moves that argument along
``succ``. The distance of two fluents is the sum of such steps over their arguments: an estimate that may be
too large or too small, since no rule says that all of them can be made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from ...rules.normalise.evaluate_static import evaluate_static
from ...rules.ruleset import Atom, Rule, Ruleset
from ...rules.terms import Pattern, Signature, Term, Variable
from .feature_values import soft_minimum

Pair = tuple[Term, Term]
Place = tuple[Signature, int]
"""An argument of a fluent."""


@dataclass(frozen=True)
class StepGraph:
    """Steps from symbol to symbol, and the lengths of shortest paths."""

    steps: frozenset[Pair]
    _from: dict[Term, dict[Term, int]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _after(self) -> Mapping[Term, list[Term]]:
        found: dict[Term, list[Term]] = {}
        for one, other in self.steps:
            found.setdefault(one, []).append(other)
        return found

    def distance(self, start: Term, end: Term) -> float:
        """The number of steps, or infinite."""
        return 0 if start is end else self._distances(start).get(end, inf)

    @cached_property
    def longest(self) -> int:
        """The longest of all shortest paths."""
        return max((max(self._distances(start).values()) for start in self._after), default=0)

    def _distances(self, start: Term) -> dict[Term, int]:
        if start not in self._from:
            found = {start: 0}
            waiting = deque([start])
            while waiting:
                now = waiting.popleft()
                for other in self._after.get(now, ()):
                    if other not in found:
                        found[other] = found[now] + 1
                        waiting.append(other)
            self._from[start] = found
        return self._from[start]


class ArgumentGraphs:
    """The graph of every argument of a fluent that rules move along a relation that never changes."""

    def __init__(self, rules: Ruleset) -> None:
        static = evaluate_static(rules)
        self._rows = dict(fixed_relations(static))
        steps: dict[Place, set[Pair]] = {}
        for rule in static.rules:
            for place, pairs in self._moved(rule):
                steps.setdefault(place, set()).update(pairs)
        self.graphs: dict[Place, StepGraph] = {
            place: StepGraph(frozenset(pairs)) for place, pairs in steps.items()
        }

    def _moved(self, rule: Rule) -> Iterator[tuple[Place, Iterable[Pair]]]:
        """The steps that one rule makes, by the argument that it moves."""
        head = rule.head.args[0] if rule.head.name == "next" and rule.head.args else None
        if not isinstance(head, Term):
            return
        atoms = [part.term for part in rule.body if isinstance(part, Atom)]
        relations = [atom for atom in atoms if is_antisymmetric(self._rows.get(atom.signature, frozenset()))]
        for atom in atoms:
            before = atom.args[0] if atom.name == "true" and atom.args else None
            if not isinstance(before, Term) or before.signature != head.signature:
                continue
            for at, (old, new) in enumerate(zip(before.args, head.args, strict=True)):
                if isinstance(old, Variable) and isinstance(new, Variable) and old != new:
                    for relation in relations:
                        rows = self._rows[relation.signature]
                        if relation.args == (old, new):
                            yield (head.signature, at), rows
                        elif relation.args == (new, old):
                            yield (head.signature, at), [(end, start) for start, end in rows]

    def has_any(self, signature: Signature) -> bool:
        """Whether distances of a fluent can be told at all: one of its arguments has steps."""
        return any((signature, at) in self.graphs for at in range(signature[1]))

    def distance(self, start: Term, end: Pattern) -> float:
        """Steps from one fluent to another, summed over arguments; a variable there is as near as can be."""
        return sum(self._apart(start, end, of_longest=False))

    def share(self, start: Term, end: Pattern) -> float:
        """The mean over arguments of their distance by the longest: 0 to 1, or infinite."""
        apart = list(self._apart(start, end, of_longest=True))
        return sum(apart) / len(apart) if apart else 0.0

    def nearness(self, facts: Iterable[Term], end: Term) -> float:
        """How far the nearest of the facts is from a fluent, less for each other one; or infinite."""
        return soft_minimum(self.share(fact, end) for fact in facts if fact.signature == end.signature)

    def _apart(self, start: Term, end: Pattern, *, of_longest: bool) -> Iterator[float]:
        if not isinstance(end, Term) or start.signature != end.signature:
            yield inf
            return
        for at, (one, other) in enumerate(zip(start.args, end.args, strict=True)):
            if one is other or isinstance(other, Variable):
                yield 0.0
                continue
            graph = self.graphs.get((start.signature, at))
            if graph is None or not isinstance(one, Term):
                yield inf
            else:
                yield graph.distance(one, other) / (graph.longest if of_longest else 1)


class OrderGraph:
    """An order of symbols: how far one is above another."""

    def __init__(self, rows: frozenset[Pair]) -> None:
        """ValueError for relations that are no order."""
        if not is_antisymmetric(rows) or not is_transitive(rows):
            raise ValueError("no order")
        self._steps = StepGraph(frozenset(_reduced(rows)))

    @property
    def longest(self) -> int:
        """The most steps between two symbols."""
        return self._steps.longest

    def margin(self, one: Term, other: Term) -> float | None:
        """0 to 1 where the relation holds, below 0 where its reverse does; None where neither does."""
        for start, end, sign in ((one, other, 1), (other, one, -1)):
            steps = self._steps.distance(start, end)
            if steps != inf:
                return sign * steps / self._steps.longest
        return None


def fixed_relations(static: Ruleset) -> Iterator[tuple[Signature, frozenset[Pair]]]:
    """The rows of relations between two symbols that are the same in every state."""
    for signature, rules in static.by_signature.items():
        if signature[1] == 2 and all(not rule.body for rule in rules):
            yield signature, frozenset(_pair(rule.head) for rule in rules)


def _pair(row: Term) -> Pair:
    one, other = row.args
    assert isinstance(one, Term)
    assert isinstance(other, Term)
    return one, other


def is_antisymmetric(rows: frozenset[Pair]) -> bool:
    """Whether it has rows, and no two different symbols are related both ways."""
    return bool(rows) and not any(one is not other and (other, one) in rows for one, other in rows)


def is_transitive(rows: frozenset[Pair]) -> bool:
    after: dict[Term, set[Term]] = {}
    for one, other in rows:
        after.setdefault(one, set()).add(other)
    return all(after.get(other, set()) <= after[one] for one, other in rows)


def _reduced(rows: frozenset[Pair]) -> Iterator[Pair]:
    """The rows between which nothing lies."""
    after: dict[Term, set[Term]] = {}
    for one, other in rows:
        if one is not other:
            after.setdefault(one, set()).add(other)
    for one, others in after.items():
        beyond = set().union(*(after.get(other, ()) for other in others))
        for other in others - beyond:
            yield one, other
