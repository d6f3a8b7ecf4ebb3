"""Leaves of goals and their features as tables, which compiled code reads."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from math import inf
from typing import Any, Generic, TypeVar

from ...rules.terms import Term, match
from .atom_circuit import AtomCircuit
from .chain_atoms import chain_atoms
from .count_chains import CountChain
from .distance_features import FixedDistance, Meeting, Mobility, TwinValues, freed_at
from .goal_theory import DerivedAtom
from .ground_atoms import NoCompiledFormError, Solutions
from .lasting_features import Excluded, FluentDistance, StaysFalse, StaysTrue
from .leaf import LeafFeature, LeafFeatures, LeafQuery, Row
from .order_feature import OrderMargin, Side
from .positions import Avoided
from .solution_features import PartialSolutions, SolutionCount

Key = TypeVar("Key", bound=Hashable)
NO_FEATURE = -1
MOST_PAIRS = 100_000
"""The most pairs of facts of which a feature is told apart."""


class FeatureKind(IntEnum):
    """As in ``_core/evaluation/value_program.hpp``."""

    LASTS = 0
    SOLUTIONS = 1
    DISTANCE = 2
    NEAREST = 3
    PARTIAL = 4
    MARGIN = 5
    MOBILITY = 6
    ENDED = 7


@dataclass(frozen=True)
class CompiledFeature:
    """One feature: places are sums, or atoms, whatever its kind reads."""

    kind: FeatureKind
    places: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()
    lasts: bool = False
    otherwise: int = NO_FEATURE


@dataclass(frozen=True)
class CompiledLeaf:
    """The atom by which a leaf holds, and its features."""

    atom: int
    when_true: int = NO_FEATURE
    when_false: int = NO_FEATURE


Sum = tuple[tuple[int, float], ...]
"""Atoms and their weights; a weight is infinite where the distance is 0."""


class ValueTables:
    """Collects what some leaves need, each thing once."""

    def __init__(
        self,
        circuit: AtomCircuit,
        fluents: Sequence[Term],
        solutions: Mapping[LeafQuery, Solutions],
        derived: Mapping[int, int],
    ) -> None:
        self.circuit = circuit
        self.leaves: list[CompiledLeaf] = []
        self._fluents = fluents
        self.solutions = solutions
        self._derived = derived
        self._atoms = Places[int]()
        self._sums = Places[Sum]()
        self._features = Places[CompiledFeature]()

    @property
    def atoms(self) -> list[int]:
        """The atoms of the circuit that are read, by their places."""
        return list(self._atoms.found)

    @property
    def sums(self) -> list[Sum]:
        return list(self._sums.found)

    @property
    def features(self) -> list[CompiledFeature]:
        return list(self._features.found)

    def add_leaf(self, leaf: Hashable, features: LeafFeatures) -> None:
        """NoCompiledFormError for features that compiled code does not know."""
        self.leaves.append(
            CompiledLeaf(
                self.place(self._truth(leaf)),
                self._feature(features.when_true),
                self._feature(features.when_false),
            )
        )

    def place(self, atom: int) -> int:
        """Where an atom is among those that are read."""
        return self._atoms.of(atom)

    def count(self, query: LeafQuery) -> int:
        """The place of the number of solutions of a query."""
        return self.sum((atom, 1.0) for atom in self.solutions[query].values())

    def sum(self, terms: Iterable[tuple[int, float]]) -> int:
        """The place of a sum over atoms; what never holds is left out."""
        kept = [(self.place(atom), weight) for atom, weight in terms if atom != self.circuit.never]
        return self._sums.of(tuple(kept))

    def _truth(self, leaf: Hashable) -> int:
        while isinstance(leaf, Avoided):
            leaf = leaf.leaf
        if isinstance(leaf, LeafQuery):
            return self.circuit.any_of(self.solutions[leaf].values())
        if isinstance(leaf, DerivedAtom):
            return self._derived[leaf.number]
        if isinstance(leaf, Term):
            return self.circuit.fluent(leaf)
        raise NoCompiledFormError(f"no compiled code reads {leaf}")

    def _feature(self, feature: LeafFeature | None) -> int:
        if feature is None:
            return NO_FEATURE
        make = _MAKERS.get(type(feature))
        if make is None:
            raise NoCompiledFormError(f"features of the kind {feature.kind} have no compiled form")
        return self._features.of(make(self, feature))

    def _nearness(self, distances: Iterable[tuple[int, float]]) -> int:
        """The sum by which the nearest of atoms at some distances is found."""
        return self.sum((atom, weight_of(distance)) for atom, distance in distances if distance != inf)

    # The features, by their kinds.

    def solution_count(self, feature: SolutionCount) -> CompiledFeature:
        return CompiledFeature(FeatureKind.SOLUTIONS, (self.count(feature.query),), (feature.at_start,))

    def partial_solutions(self, feature: PartialSolutions) -> CompiledFeature:
        return CompiledFeature(FeatureKind.PARTIAL, tuple(map(self.count, feature.prefixes)))

    def fixed_distance(self, feature: FixedDistance) -> CompiledFeature:
        return CompiledFeature(FeatureKind.DISTANCE, (self._fixed(feature),))

    def _fixed(self, feature: FixedDistance) -> int:
        same = [fluent for fluent in self._fluents if fluent.signature == feature.end.signature]
        return self._nearness((self.circuit.fluent(fluent), feature.share(fluent)) for fluent in same)

    def mobility(self, feature: Mobility) -> CompiledFeature:
        places = self._fixed(feature.distance), self.count(feature.moves)
        return CompiledFeature(FeatureKind.MOBILITY, places, (feature.at_start,))

    def fluent_distance(self, feature: FluentDistance) -> CompiledFeature:
        near = self._nearness(
            (self.circuit.always if source is None else self.circuit.fluent(source), share)
            for source, share in feature.shares.items()
        )
        return CompiledFeature(FeatureKind.DISTANCE, (near,), lasts=True)

    def lasts(self, _feature: StaysTrue | StaysFalse) -> CompiledFeature:
        return CompiledFeature(FeatureKind.LASTS, lasts=True)

    def excluded(self, feature: Excluded) -> CompiledFeature:
        others = sorted(map(self.circuit.fluent, feature.others))
        return CompiledFeature(
            FeatureKind.ENDED, tuple(map(self.place, others)), otherwise=self._feature(feature.otherwise)
        )

    def meeting(self, feature: Meeting) -> CompiledFeature:
        same = [fluent for fluent in self._fluents if fluent.signature == feature.left.signature]
        left, right = (
            [fluent for fluent in same if match(freed_at(pattern, feature.places), fluent, {}) is not None]
            for pattern in (feature.left, feature.right)
        )
        _refuse_many(len(left) * len(right), feature)
        near = self._nearness(
            (self.circuit.both(self.circuit.fluent(one), self.circuit.fluent(other)), apart)
            for one, other in product(left, right)
            if (apart := feature.apart(one, other)) != inf
        )
        return CompiledFeature(FeatureKind.DISTANCE, (near,))

    def twin_values(self, feature: TwinValues) -> CompiledFeature:
        rows = self._rows(feature.opened, feature.chain)
        near = self._nearness((atom, feature.share(row)) for row, atom in rows.items())
        return CompiledFeature(FeatureKind.NEAREST, (near, self.sum((atom, 1.0) for atom in rows.values())))

    def order_margin(self, feature: OrderMargin) -> CompiledFeature:
        sides = [self._side_values(feature, side) for side in feature.sides]
        size = 1
        for side in sides:
            size *= len(side)
        _refuse_many(size, feature)
        atoms: dict[float, list[int]] = {}
        for chosen in product(*(side.items() for side in sides)):
            values = {name: value for bound, _ in chosen for name, value in bound}
            margin = feature.order.margin(values[feature.greater], values[feature.less])
            if margin is not None:
                held = self.circuit.always
                for _, atom in chosen:
                    held = atom if held == self.circuit.always else self.circuit.both(held, atom)
                atoms.setdefault(margin, []).append(held)
        margins = sorted(atoms, reverse=True)
        places = tuple(self.place(self.circuit.any_of(atoms[margin])) for margin in margins)
        return CompiledFeature(FeatureKind.MARGIN, places, tuple(margins))

    def _side_values(self, feature: OrderMargin, side: Side) -> dict[tuple[tuple[object, Term], ...], int]:
        """The values that one side gives to the two that are compared, with their atoms."""
        found: dict[tuple[tuple[object, Term], ...], list[int]] = {}
        for row, atom in self._rows(side.query, side.chain).items():
            pairs = zip(side.query.variables, row, strict=True)
            bound = tuple((name, value) for name, value in pairs if name in (feature.greater, feature.less))
            found.setdefault(bound, []).append(atom)
        return {bound: self.circuit.any_of(atoms) for bound, atoms in found.items()}

    def _rows(self, query: LeafQuery, chain: CountChain | None) -> dict[Row, int]:
        """The solutions of a query; where it has none, what comes out of a chain."""
        rows = dict(self.solutions[query])
        if chain is None:
            return rows
        circuit = self.circuit
        any_row = circuit.any_of(rows.values())
        for row, atom in chain_atoms(chain, query.variables, self.solutions, circuit).items():
            counted = circuit.atom_of([[(atom, False), (any_row, True)]])
            rows[row] = circuit.any_of([rows[row], counted]) if row in rows else counted
        return rows


def weight_of(distance: float) -> float:
    """What an atom at a distance adds to the sum of which the root is the inverse of the soft minimum."""
    return inf if distance == 0 else distance**-2


def _refuse_many(pairs: int, feature: LeafFeature) -> None:
    if pairs > MOST_PAIRS:
        raise NoCompiledFormError(f"{feature.kind}: {pairs} pairs of values are too many")


class Places(Generic[Key]):
    """Things in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.found: dict[Key, int] = {}

    def of(self, key: Key) -> int:
        return self.found.setdefault(key, len(self.found))


_MAKERS: Mapping[type, Callable[[ValueTables, Any], CompiledFeature]] = {
    SolutionCount: ValueTables.solution_count,
    PartialSolutions: ValueTables.partial_solutions,
    FixedDistance: ValueTables.fixed_distance,
    Mobility: ValueTables.mobility,
    FluentDistance: ValueTables.fluent_distance,
    StaysTrue: ValueTables.lasts,
    StaysFalse: ValueTables.lasts,
    Excluded: ValueTables.excluded,
    Meeting: ValueTables.meeting,
    TwinValues: ValueTables.twin_values,
    OrderMargin: ValueTables.order_margin,
}
