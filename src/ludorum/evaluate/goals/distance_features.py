"""Features of what does not hold: how far symbols are from where they would make it hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

from ...rules.ruleset import Atom, Rule
from ...rules.terms import Pattern, Signature, Term, Variable, match, substitute, variables_of
from ...rules.unify import unify
from .argument_graphs import ArgumentGraphs, Pair, StepGraph, is_antisymmetric
from .conjunctions import Conjunction, fluent_of
from .count_chains import CountChain
from .feature_values import TruthValues, soft_minimum
from .leaf import LeafPosition, LeafQuery, Row
from .relations import Relations


@dataclass(frozen=True)
class FixedDistance:
    """How many steps the facts of a state are from a fluent, whatever its variables stand for."""

    end: Term
    graphs: ArgumentGraphs = field(compare=False, repr=False)
    text: str
    line: int
    kind: ClassVar[str] = "fixed distance"
    _known: dict[Term, float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return ()

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        return values.of_distance(self.nearness(position))

    def nearness(self, position: LeafPosition) -> float:
        """The distance of the nearest fact by the longest, less for each other one; or infinite."""
        return soft_minimum(self._shares(position.facts))

    def _shares(self, facts: Iterable[Term]) -> Iterator[float]:
        known = self._known
        for fact in facts:
            share = known.get(fact)
            if share is None:
                share = self.share(fact)
            if share != inf:
                yield share

    def share(self, fact: Term) -> float:
        """The distance of one fact by the longest, or infinite."""
        if fact not in self._known:
            same = fact.signature == self.end.signature
            self._known[fact] = self.graphs.share(fact, self.end) if same else inf
        return self._known[fact]


@dataclass(frozen=True)
class Mobility:
    """Instead of a distance that is to stay large: how many moves the role has that could make it small.

    A role with a choice is not forced to come near. What can never come needs no choice.
    """

    distance: FixedDistance
    moves: LeafQuery
    text: str
    line: int
    at_start: int = 0
    kind: ClassVar[str] = "mobility"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return (self.moves,)

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        if self.distance.nearness(position) == inf:
            return values.never
        return values.of_falsity(-min(1.0, position.count(self.moves) / max(1, self.at_start)))


def moves_of(role: Term) -> LeafQuery:
    """The legal moves of a role."""
    move = Variable("move")
    return LeafQuery((Atom(Term("legal", (role, move))),), (move,))


def is_confirmed(end: Term, graphs: ArgumentGraphs) -> bool:
    """Whether some argument of a fluent can be reached by steps at all."""
    found = ((graphs.graphs.get((end.signature, at)), arg) for at, arg in enumerate(end.args))
    return any(
        graph is not None and any(after is arg and before is not arg for before, after in graph.steps)
        for graph, arg in found
    )


@dataclass(frozen=True)
class Meeting:
    """How far two fluents are from having the same values at some of their arguments."""

    left: Term
    right: Term
    places: tuple[int, ...]
    graphs: ArgumentGraphs = field(compare=False, repr=False)
    text: str
    line: int
    kind: ClassVar[str] = "variable distance"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return ()

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        signature = self.left.signature
        facts = [fact for fact in position.facts if fact.signature == signature]
        left, right = (self._fitting(pattern, facts) for pattern in (self.left, self.right))
        return values.of_distance(soft_minimum(self.apart(one, other) for one in left for other in right))

    def _fitting(self, pattern: Term, facts: Iterable[Term]) -> list[Term]:
        """The facts of one of the two, whatever they have where they are to meet."""
        freed = freed_at(pattern, self.places)
        return [fact for fact in facts if match(freed, fact, {}) is not None]

    def apart(self, one: Term, other: Term) -> float:
        """The mean over arguments in that direction in which they meet sooner: who moves is not known."""
        there = sum(self._share(at, one.args[at], other.args[at]) for at in self.places)
        back = sum(self._share(at, other.args[at], one.args[at]) for at in self.places)
        return min(there, back) / len(self.places)

    def _share(self, at: int, start: Pattern, end: Pattern) -> float:
        if start is end:
            return 0.0
        graph = self.graphs.graphs.get((self.left.signature, at))
        assert isinstance(start, Term)
        assert isinstance(end, Term)
        return inf if graph is None else graph.distance(start, end) / graph.longest


def freed_at(pattern: Term, places: Iterable[int]) -> Term:
    """The pattern with variables of their own at some places."""
    args = list(pattern.args)
    for at in places:
        args[at] = Variable(f"free {at}")
    return Term(pattern.name, tuple(args))


def meeting_places(
    literals: Conjunction, graphs: ArgumentGraphs
) -> tuple[Term, Term, tuple[int, ...]] | None:
    """Two fluents of a conjunction, and the arguments at which they are to meet; None without such a pair.

    Where either could be the other there is no distance: of stones that stand in a line none moves to where
    another stands. Nor is there one between three.
    """
    by_name: dict[Signature, list[Term]] = {}
    for literal in literals:
        fluent = fluent_of(literal)
        if fluent is not None:
            by_name.setdefault(fluent.signature, []).append(fluent)
    for signature, fluents in by_name.items():
        if len(fluents) != 2:
            continue
        left, right = fluents
        pairs = zip(left.args, right.args, strict=True)
        places = tuple(at for at, (one, other) in enumerate(pairs) if one is other and not one.is_ground)
        variables = tuple(at for at in places if isinstance(left.args[at], Variable))
        if not any((signature, at) in graphs.graphs for at in variables):
            continue
        if not _may_be_the_same(freed_at(left, variables), freed_at(right, variables)):
            return left, right, variables
    return None


def _may_be_the_same(left: Term, right: Term) -> bool:
    """Whether two patterns, their variables apart, have an instance in common."""
    return unify(left, _apart_from(right)) is not None


def _apart_from(pattern: Term) -> Term:
    other = substitute(pattern, {one: Variable(f"{one.name} '") for one in variables_of(pattern)})
    assert isinstance(other, Term)
    return other


@dataclass(frozen=True)
class TwinValues:
    """How far two arguments of a recursive relation are from being the same: counts that are to be equal."""

    opened: LeafQuery
    """The relation with variables of their own at both arguments."""
    chain: CountChain | None
    """How to count where the relation has no rows yet."""
    graph: StepGraph = field(compare=False, repr=False)
    text: str
    line: int
    kind: ClassVar[str] = "variable distance"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return (self.opened, *(self.chain.asks if self.chain is not None else ()))

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        rows = position.rows(self.opened)
        if not rows and self.chain is not None:
            rows = self.chain.rows(position, self.opened.variables)
        apart = list(map(self.share, rows))
        return values.of_distance(soft_minimum(apart)) if apart else values.default(False)

    def share(self, row: Row) -> float:
        """How far the two are from each other in one row of the opened relation."""
        one, other = (row[self.opened.variables.index(variable)] for variable in (LEFT, RIGHT))
        return min(self.graph.distance(one, other), self.graph.distance(other, one)) / self.graph.longest


LEFT, RIGHT = Variable("left"), Variable("right")


def twin_places(atom: Term) -> tuple[int, int] | None:
    """The two arguments of an atom that are the same variable, which is nowhere else in it."""
    for variable in dict.fromkeys(variables_of(atom)):
        places = [at for at, arg in enumerate(atom.args) if arg is variable]
        if len(places) == 2 == sum(one is variable for one in variables_of(atom)):
            return places[0], places[1]
    return None


def opened_at(atom: Term, places: tuple[int, int]) -> Term:
    args = list(atom.args)
    args[places[0]], args[places[1]] = LEFT, RIGHT
    return Term(atom.name, tuple(args))


def counting_graph(signature: Signature, places: Iterable[int], relations: Relations) -> StepGraph | None:
    """The steps by which a recursive relation moves some of its arguments; None where it moves neither."""
    steps: set[Pair] = set()
    for rule in relations.by_signature.get(signature, ()):
        for at in places:
            steps |= set(_steps_of(rule, at, relations))
    graph = StepGraph(frozenset(steps))
    return graph if graph.longest else None


def _steps_of(rule: Rule, at: int, relations: Relations) -> Iterator[Pair]:
    atoms = [literal.term for literal in rule.body if isinstance(literal, Atom)]
    after = rule.head.args[at]
    for before in [atom.args[at] for atom in atoms if atom.signature == rule.signature]:
        if not (isinstance(before, Variable) and isinstance(after, Variable)) or before is after:
            continue
        for atom in atoms:
            rows = relations.pairs(atom.signature)
            if rows is None or not is_antisymmetric(rows):
                continue
            if atom.args == (before, after):
                yield from rows
            elif atom.args == (after, before):
                yield from ((end, start) for start, end in rows)
