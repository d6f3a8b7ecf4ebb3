"""Features of fluents that never change again, or come about after so many steps at least.

They know more than what a leaf counts for: ``lasts`` tells where its truth cannot change any more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import ClassVar, Protocol, runtime_checkable

from ...rules.terms import Term
from .feature_values import TruthValues, soft_minimum
from .fluent_graph import DistanceTable, Source
from .leaf import LeafFeature, LeafFeatures, LeafPosition
from .reach_levels import ReachLevels


@runtime_checkable
class LastingFeature(Protocol):
    """A feature that can tell that a leaf keeps the truth that it has."""

    def lasts(self, position: LeafPosition) -> bool:
        """Whether it does so in all states after this one."""
        ...


@dataclass(frozen=True)
class StaysTrue:
    """A fluent that never ceases to hold."""

    fluent: Term
    kind: ClassVar[str] = "persistence"

    @property
    def text(self) -> str:
        return f"{self.fluent} stays true once it is"

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        return values.ever

    def lasts(self, position: LeafPosition) -> bool:
        return True


@dataclass(frozen=True)
class StaysFalse:
    """A fluent that never comes back."""

    fluent: Term
    kind: ClassVar[str] = "persistence"

    @property
    def text(self) -> str:
        return f"{self.fluent} stays false once it is"

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        return values.never

    def lasts(self, position: LeafPosition) -> bool:
        return True


@dataclass(frozen=True)
class Excluded:
    """A fluent that never holds again once one of some others does."""

    fluent: Term
    others: frozenset[Term]
    otherwise: LeafFeature | None = None
    """What speaks as long as none of them holds."""
    kind: ClassVar[str] = "exclusion"

    @property
    def text(self) -> str:
        others = " or ".join(sorted(map(str, self.others)))
        return f"{self.fluent} stays false once {others} is true"

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        if self._ended(position):
            return values.never
        return values.false if self.otherwise is None else self.otherwise.value(position, values)

    def lasts(self, position: LeafPosition) -> bool:
        return self._ended(position) or (
            isinstance(self.otherwise, LastingFeature) and self.otherwise.lasts(position)
        )

    def _ended(self, position: LeafPosition) -> bool:
        return not position.facts.isdisjoint(self.others)


@dataclass(frozen=True)
class FluentDistance:
    """How many steps a fluent is away at least, looked up in a table."""

    table: DistanceTable
    kind: ClassVar[str] = "admissible distance"

    @property
    def text(self) -> str:
        return f"at least how many steps it is to {self.table.target}"

    @cached_property
    def shares(self) -> Mapping[Source, float]:
        """How far each source is from the fluent, by the longest distance."""
        return {source: steps / self.table.longest for source, steps in self.table.steps.items() if steps}

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        shares, facts = self.shares, position.facts
        if len(shares) < len(facts):
            near = [share for source, share in shares.items() if source is None or source in facts]
        else:
            near = [shares[fact] for fact in facts if fact in shares]
            if None in shares:
                near.append(shares[None])
        return values.of_distance(soft_minimum(near))

    def lasts(self, position: LeafPosition) -> bool:
        return None not in self.shares and position.facts.isdisjoint(self.shares)


@dataclass(frozen=True)
class LevelDistance:
    """The same, more exact, and computed for each state anew."""

    target: Term
    levels: ReachLevels = field(compare=False, repr=False)
    longest: int
    """Levels are told apart up to this one."""
    kind: ClassVar[str] = "admissible level"

    @property
    def text(self) -> str:
        return f"at least how many steps it is to {self.target}, by all that it needs"

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        level = self.levels.distance(position.facts, self.target)
        return values.of_distance(level if level == inf else min(1.0, level / self.longest))

    def lasts(self, position: LeafPosition) -> bool:
        return self.levels.distance(position.facts, self.target) == inf


def has_admissible_distance(features: LeafFeatures) -> bool:
    """Whether a leaf that does not hold counts for as much as it is near, by an admissible distance."""
    distance = features.when_false
    if isinstance(distance, Excluded):
        distance = distance.otherwise
    return isinstance(distance, FluentDistance)


def lasting_truth(features: LeafFeatures, position: LeafPosition, leaf: Hashable) -> bool | None:
    """Whether a leaf is true or false for ever; None where that may change."""
    holds = position.holds(leaf)
    feature = features.when_true if holds else features.when_false
    return holds if isinstance(feature, LastingFeature) and feature.lasts(position) else None
