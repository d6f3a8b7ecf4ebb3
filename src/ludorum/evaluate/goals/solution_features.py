"""Features that count: how many solutions a query has, and how far the search for one gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ...rules.normalise.expand_connectives import Literal
from ...rules.ruleset import Atom, formula_variables
from ...rules.terms import Variable
from .conjunctions import Conjunction
from .feature_values import TruthValues, partial_value, solutions_value
from .leaf import LeafPosition, LeafQuery


@dataclass(frozen=True)
class SolutionCount:
    """A query that holds is the stabler the more solutions it has."""

    query: LeafQuery
    text: str
    line: int
    at_start: int = 0
    """Its solutions in the first state, by which they are measured."""
    kind: ClassVar[str] = "solutions"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return (self.query,)

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        return values.of_truth(solutions_value(position.count(self.query), self.at_start))


@dataclass(frozen=True)
class PartialSolutions:
    """A conjunction that fails is the nearer the more of its literals, from left to right, have solutions."""

    prefixes: tuple[LeafQuery, ...]
    """The first literal, the first two, and so on, without the whole."""
    text: str
    line: int
    kind: ClassVar[str] = "partial solutions"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        return self.prefixes

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        depth, partial = 0, 0
        for prefix in self.prefixes:
            found = position.count(prefix)
            if not found:
                break
            depth, partial = depth + 1, found
        return values.of_distance(partial_value(depth, len(self.prefixes) + 1, partial))


def query_of(literals: Conjunction) -> LeafQuery:
    """The query for a conjunction; its rows are the values of all variables of its atoms."""
    bound = dict.fromkeys(
        variable for one in literals if isinstance(one, Atom) for variable in formula_variables(one)
    )
    return LeafQuery(literals, tuple(bound))


def prefixes_of(literals: Conjunction) -> tuple[LeafQuery, ...]:
    """All but the whole. A test of variables that are not bound yet waits for the literal that binds them."""
    ordered = tuple(_in_bound_order(literals))
    return tuple(query_of(ordered[:end]) for end in range(1, len(ordered)))


def _in_bound_order(literals: Conjunction) -> Iterator[Literal]:
    waiting = list(literals)
    bound: set[Variable] = set()
    while waiting:
        ready = next(
            (one for one in waiting if isinstance(one, Atom) or bound.issuperset(formula_variables(one))),
            waiting[0],
        )
        waiting.remove(ready)
        bound.update(formula_variables(ready))
        yield ready
