"""Features: numbers from 0 to 1 that describe a state, made from the structures of its rules.

Most are sums over facts: how many markers of a kind there are, how far they have gone along an axis, how
large a quantity is, whose turn it is. Compiled searches can use those without calling Python
(``Heuristic.fact_weights``). Others are functions of the state: how near a role is to its goal, and how many
moves it has. Learning decides whether a feature is to be maximised or minimised (asp-player, section 15.2).
``feature_kinds/`` has a file for each kind of feature.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..engine.game import Game, State
from ..rules.identity import symbol_shapes
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from . import feature_kinds as _feature_kinds  # noqa: F401  registers the kinds
from .feature import FEATURE_KINDS, Feature, FeatureSource, NoFeaturesError
from .structures import Structure, find_structures

Vector = npt.NDArray[np.float64]


class Direction(Enum):
    """Whether a role maximises or minimises a feature."""

    MAXIMISE = "maximise"
    MINIMISE = "minimise"


class Features:
    """The features of a game, and their values in its states."""

    def __init__(self, game: Game, seconds: float | None = None) -> None:
        """``seconds``: for the ground rules that goals are read from; without them, features are fewer.

        None: no clock, but bounds that count work, so that every machine finds the same features.
        """
        assert game.rules is not None
        self.game = game
        self.rules: Ruleset = game.rules
        initial = game.initial()
        self.structures = find_structures(self.rules, initial.facts())
        self._source = FeatureSource(
            game, self.rules, initial, self.structures, symbol_shapes(self.rules), seconds
        )
        self.missing: dict[str, str] = {}
        """The kinds of features that could not be made for this game, each with the reason."""
        self.all: tuple[Feature, ...] = tuple(_by_structure(self._made(), self.structures))
        self._of_fact: dict[Term, Vector] = {}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(feature.key for feature in self.all)

    def values(self, state: State) -> Vector:
        """The value of each feature in a state."""
        facts = state.facts()
        # In an order of their own: sets of facts have another in every run, which changes the last digits.
        total: Vector = np.sort([np.zeros(len(self.all)), *map(self._added_by, facts)], axis=0).sum(axis=0)
        for at, feature in enumerate(self.all):
            if feature.of_state is not None:
                total[at] = feature.of_state(state, facts)
        return total

    def fact_values(self, fact: Term) -> Vector:
        """The summand of a fact in each feature that is a sum over facts."""
        return self._added_by(fact)

    @property
    def facts_met(self) -> Sequence[Term]:
        """The facts of all states whose values were asked for."""
        return tuple(self._of_fact)

    def role_shape(self, role: Term) -> str:
        """The colour of a role in the shape of the rules."""
        return self._source.role_shape(role)

    def _made(self) -> list[Feature]:
        """The features of every kind, kinds in the order of their names."""
        found: list[Feature] = []
        for name in sorted(FEATURE_KINDS):
            try:
                made = list(FEATURE_KINDS[name](self._source))
            except NoFeaturesError as error:
                self.missing[name] = str(error)
                continue
            strange = [feature.key for feature in made if feature.kind != name]
            if strange:
                raise ValueError(f"the key {strange[0]!r} has to begin with the name of its kind: {name}-")
            found += made
        return found

    def _added_by(self, fact: Term) -> Vector:
        known = self._of_fact.get(fact)
        if known is None:
            known = np.array([0.0 if each.of_fact is None else each.of_fact(fact) for each in self.all])
            self._of_fact[fact] = known
        return known


def _by_structure(made: Iterable[Feature], structures: Sequence[Structure]) -> list[Feature]:
    """Features of one structure beside each other, structures in their order, others at the end."""
    place = {structure.key: at for at, structure in enumerate(structures)}
    return sorted(made, key=lambda each: len(place) if each.structure is None else place[each.structure.key])


__all__ = ["Direction", "Feature", "Features", "Vector"]
