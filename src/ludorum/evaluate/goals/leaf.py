"""Leaves of goals: what tells whether one holds, and what it counts for in a network.

A leaf is a fluent, or something that was not expanded. Features say how likely it is to hold at the end:
one of them speaks while it holds, another while it does not. A leaf without a feature counts for what holds
now.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from ...rules.ruleset import Formula
from ...rules.terms import Term, Variable
from .feature_values import TruthValues

Row = tuple[Term, ...]


@dataclass(frozen=True)
class LeafQuery:
    """A leaf that is a conjunction, asked of the rules: it holds where it has a solution."""

    body: tuple[Formula, ...]
    variables: tuple[Variable, ...]
    """Those whose values tell one solution from another, in the order of rows."""


class LeafPosition(Protocol):
    """A state, as leaves and their features read it."""

    @property
    def facts(self) -> frozenset[Term]: ...

    def holds(self, leaf: Hashable) -> bool:
        """Whether a leaf holds: a fluent, a query, or whatever else its theory has for leaves."""
        ...

    def rows(self, query: LeafQuery) -> list[Row]:
        """The solutions of a query."""
        ...

    def count(self, query: LeafQuery) -> int:
        """How many solutions a query has."""
        ...


class LeafFeature(Protocol):
    """A feature of one leaf, for the states in which it holds, or for those in which it does not."""

    @property
    def kind(self) -> str:
        """Its name: ``solutions``, ``order``, ``persistence``…"""
        ...

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        """What the leaf counts for in a state, -1 to 1."""
        ...


@dataclass(frozen=True)
class LeafFeatures:
    """The features of a leaf; without one it counts for ``values.true`` or ``values.false``."""

    when_true: LeafFeature | None = None
    when_false: LeafFeature | None = None

    def value(self, position: LeafPosition, leaf: Hashable, values: TruthValues) -> float:
        holds = position.holds(leaf)
        feature = self.when_true if holds else self.when_false
        return values.default(holds) if feature is None else feature.value(position, values)


PLAIN = LeafFeatures()
