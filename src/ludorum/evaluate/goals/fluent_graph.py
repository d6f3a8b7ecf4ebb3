"""Fluent graphs: of every fluent in a state one that was needed in the state before, or none at all.

An edge leads to a fluent from one fluent of each way in which it can come about. So a path has an edge for
every step that passes, and the shortest one is never longer than what play takes: the distance is admissible.
Ways are conjunctions of fluents: rules are unfolded down to the state, moves into what makes them legal. What
is negated and what depends on itself is left alone, which only makes distances smaller.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from math import inf
from operator import and_

from ...rules.terms import Pattern, Term
from .step_rules import StepRules

Way = int
"""A set of fluents that are needed together: the bit of each by its place."""
Source = Term | None
"""A fluent; None where nothing is needed."""

MOST_WAYS = 256
"""Ways of an atom that are told apart. Where there are more, only what all have in common is kept."""


class Ways:
    """The ways in which atoms of a step come about: each a set of fluents that must hold."""

    def __init__(self, rules: StepRules, most_ways: int = MOST_WAYS) -> None:
        self.rules = rules
        self.fluents = list(rules.fluents.values())
        self._place = {number: at for at, number in enumerate(rules.fluents)}
        self._most = most_ways
        self._known: dict[int, list[Way]] = {}

    def of_next(self, fluent: Term) -> list[frozenset[Term]]:
        """The ways in which a fluent can come to hold next, those of fewest fluents first."""
        return [frozenset(self.members(way)) for way in self.masks(fluent)]

    def masks(self, fluent: Term) -> list[Way]:
        goal = self.rules.next_of(fluent)
        return [] if goal is None else self._of(goal)

    def members(self, way: Way) -> Iterator[Term]:
        while way:
            lowest = way & -way
            yield self.fluents[lowest.bit_length() - 1]
            way ^= lowest

    def _of(self, atom: int) -> list[Way]:
        if atom not in self._known:
            for group in self.rules.groups([atom], self._known):
                for each in group.atoms:
                    self._known[each] = [0] if group.circular else self._unfolded(each)
        return self._known[atom]

    def _unfolded(self, atom: int) -> list[Way]:
        rules = self.rules
        if atom in self._place:
            return [1 << self._place[atom]]
        if atom in rules.legal_of:
            return self._known[rules.legal_of[atom]]
        if atom in rules.facts:
            return [0]
        found: list[Way] = []
        for body in rules.bodies.get(atom, ()):
            ways = [0]
            for other, is_negated in body:
                if not is_negated:
                    ways = self._joined(ways, self._known[other])
            found += ways
        found = _least(found)
        return found if len(found) <= self._most else [_common(found)]

    def _joined(self, one: list[Way], other: list[Way]) -> list[Way]:
        """All ways of two atoms together."""
        if len(one) * len(other) > self._most:
            one, other = sorted((one, other), key=len)
            other = [_common(other)]
        return _least(first | second for first in one for second in other)


def _common(ways: Iterable[Way]) -> Way:
    """What all ways need."""
    return reduce(and_, ways)


def _least(ways: Iterable[Way]) -> list[Way]:
    """Without those that need more than another one does."""
    kept: list[Way] = []
    for _, same in groupby(sorted(set(ways), key=lambda way: (way.bit_count(), way)), Way.bit_count):
        fewer = tuple(kept)
        kept += [way for way in same if not any(less & way == less for less in fewer)]
    return kept


def similarity(one: Pattern, other: Pattern) -> int:
    """How many symbols two terms have at the same places."""
    if not isinstance(one, Term) or not isinstance(other, Term) or one.signature != other.signature:
        return 0
    if not one.args:
        return 1
    return sum(similarity(*pair) for pair in zip(one.args, other.args, strict=True))


@dataclass(frozen=True)
class DistanceTable:
    """How many steps a fluent is away from others, at least; what is not listed never leads to it."""

    target: Term
    """With variables, if it is the nearest of several."""
    steps: Mapping[Source, int]

    @property
    def longest(self) -> int:
        """The longest of the distances; 1 where there is none."""
        return max(self.steps.values(), default=1) or 1

    def distance(self, facts: Iterable[Term]) -> float:
        """The least number of steps from a state, or infinite."""
        start = self.steps.get(None, inf)
        return min(start, min((self.steps[fact] for fact in facts if fact in self.steps), default=inf))


class FluentGraph:
    """The edges to fluents, each found when it is asked for."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._before: dict[Term, tuple[Source, ...]] = {}

    def before(self, fluent: Term) -> tuple[Source, ...]:
        """Where the edges to a fluent come from."""
        if fluent not in self._before:
            ways = [tuple(self._ways.members(way)) for way in self._ways.masks(fluent)]
            self._before[fluent] = _one_of_each(ways, fluent)
        return self._before[fluent]

    def table(self, target: Term) -> DistanceTable:
        """The lengths of all shortest paths to a fluent."""
        return self.table_to(target, [target])

    def table_to(self, pattern: Term, targets: Iterable[Term]) -> DistanceTable:
        """The lengths of all shortest paths to the nearest of some fluents, which a pattern names."""
        steps: dict[Source, int] = dict.fromkeys(targets, 0)
        waiting: deque[Term] = deque(target for target in steps if target is not None)
        while waiting:
            fluent = waiting.popleft()
            for source in self.before(fluent):
                if source not in steps:
                    steps[source] = steps[fluent] + 1
                    if source is not None:
                        waiting.append(source)
        return DistanceTable(pattern, steps)


def _one_of_each(ways: Iterable[Sequence[Term]], target: Term) -> tuple[Source, ...]:
    """One fluent of each way: one that was chosen before, else the one most similar to the target."""
    chosen: dict[Source, None] = {}
    for way in ways:
        if not way:
            chosen[None] = None
        elif not any(fluent in chosen for fluent in way):
            chosen[max(way, key=lambda fluent: _nearness(fluent, target))] = None
    return tuple(chosen)


def _nearness(fluent: Term, target: Term) -> tuple[int, bool]:
    """Numbers of a counter have nothing in common but its name, which decides between equals."""
    return similarity(fluent, target), fluent.signature == target.signature
