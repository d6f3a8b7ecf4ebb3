"""The outputs of networks for some formulas, state after state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Protocol

from ...rules.terms import Term
from .feature_values import TruthValues
from .lasting_features import lasting_truth
from .leaf import PLAIN, LeafFeatures, LeafPosition
from .network_run import NetworkRun
from .networks import Network
from .settled import LastingTruth, SettlingRun, Specialised, specialised, truth_output
from .theory import Edge, Formula

Features = Mapping[Hashable, LeafFeatures]


class FormulaOutputs(Protocol):
    """What networks say of some formulas."""

    @property
    def leaves(self) -> Sequence[Hashable]:
        """What the formulas depend on."""
        ...

    @property
    def computed(self) -> int:
        """Neurons computed so far."""
        ...

    def of(self, position: LeafPosition, values: TruthValues) -> list[float]:
        """The output of each formula in a state, in their order."""
        ...

    def after(self, position: LeafPosition) -> FormulaOutputs:
        """The same for all states that can come after this one, and for it; maybe faster."""
        ...


class ChangedOutputs:
    """Computes only what changes from state to state."""

    def __init__(
        self, network: Network, formulas: Iterable[Formula], features: Features, *, delta: bool = True
    ) -> None:
        self._formulas = list(formulas)
        self._run = NetworkRun(network, edges(self._formulas))
        self._leaves = _LeafValues(self._run.leaves, features)
        self._delta = delta

    @property
    def leaves(self) -> Sequence[Hashable]:
        return self._run.leaves

    @property
    def computed(self) -> int:
        return self._run.computed

    def of(self, position: LeafPosition, values: TruthValues) -> list[float]:
        self._run.set_leaves(self._leaves.at(position, values), delta=self._delta)
        return [
            truth_output(formula) if isinstance(formula, bool) else self._run.output(formula)
            for formula in self._formulas
        ]

    def after(self, position: LeafPosition) -> FormulaOutputs:
        return self


class SettledOutputs:
    """Looks from the roots down, and not below what is settled for the rest of the match."""

    def __init__(
        self,
        network: Network,
        formulas: Iterable[Formula],
        features: Features,
        left: Specialised | None = None,
    ) -> None:
        """``left`` is what is left of the network in a state of the match: all of it, where none is given."""
        self._network = network
        self._formulas = list(formulas)
        self._features = features
        self._left = left or Specialised(network, {edge: edge for edge in edges(self._formulas)})
        self._run = SettlingRun(self._left.network)

    @property
    def leaves(self) -> Sequence[Hashable]:
        theory = self._left.network.theory
        return [theory.leaves[number] for number in theory.below(self._left_roots) if number in theory.leaves]

    @property
    def computed(self) -> int:
        return self._run.visited

    @property
    def _left_roots(self) -> list[Edge]:
        return edges(self._left.roots.values())

    def of(self, position: LeafPosition, values: TruthValues) -> list[float]:
        def value(leaf: Hashable) -> float:
            return self._features.get(leaf, PLAIN).value(position, leaf, values)

        found = self._run.outputs(self._left_roots, value, self._lasting(position))
        left = (
            formula if isinstance(formula, bool) else self._left.roots[formula] for formula in self._formulas
        )
        return [truth_output(one) if isinstance(one, bool) else found[one] for one in left]

    def after(self, position: LeafPosition) -> FormulaOutputs:
        left = specialised(self._network, edges(self._formulas), self._lasting(position))
        return SettledOutputs(self._network, self._formulas, self._features, left)

    def _lasting(self, position: LeafPosition) -> LastingTruth:
        return lambda leaf: lasting_truth(self._features.get(leaf, PLAIN), position, leaf)


class _LeafValues:
    """What some leaves count for; those that are a plain fluent are looked up in one sweep."""

    def __init__(self, leaves: Sequence[Hashable], features: Features) -> None:
        self._leaves = leaves
        self._asked = [
            (at, leaf, features.get(leaf, PLAIN))
            for at, leaf in enumerate(leaves)
            if leaf in features or not isinstance(leaf, Term)
        ]

    def at(self, position: LeafPosition, values: TruthValues) -> list[float]:
        holds = map(position.facts.__contains__, self._leaves)
        found = [values.true if is_true else values.false for is_true in holds]
        for at, leaf, features in self._asked:
            found[at] = features.value(position, leaf, values)
        return found


def edges(formulas: Iterable[Formula]) -> list[Edge]:
    """Those that are no constants."""
    return [formula for formula in formulas if not isinstance(formula, bool)]
