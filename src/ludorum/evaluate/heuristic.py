"""Heuristics: the estimated value of a state for a role before the game is over, 0..100, by features."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from json import dumps

import numpy as np

from ..engine.game import State
from ..rules.terms import Term
from .combinations import Combination, Fit, Overlapping, parse_combination
from .feature import Feature
from .features import Direction, Features

LEAST, MOST = 1.0, 99.0
"""Estimates stay below a win and above a loss."""


@dataclass(frozen=True)
class Heuristic:
    """Features and how they combine, for each role. A callable of a state and a role, as searches take it."""

    features: Features
    combinations: Mapping[Term, Combination]
    fits: Mapping[Term, Fit] = field(default_factory=dict)
    """How well each role's combination predicts, where it was fitted and not read from a file."""

    def __call__(self, state: State, role: Term) -> float:
        """The value of a state for a role, 0..100; the goal where the game is over."""
        if state.is_terminal:
            return float(state.goal(role) or 0)
        combination = self.combinations.get(role)
        if combination is None:
            return 50.0
        return min(MOST, max(LEAST, combination.value(self.features.values(state))))

    def weight(self, feature: Feature, role: Term) -> float | None:
        """The goal points that a feature adds as it goes from 0 to 1; None where a table decides."""
        combination = self.combinations.get(role)
        if not isinstance(combination, Overlapping):
            return None
        return combination.weights[self.features.keys.index(feature.key)]

    def direction(self, feature: Feature, role: Term) -> Direction | None:
        """Whether the role maximises or minimises the feature; None where it has no weight of its own."""
        weight = self.weight(feature, role)
        if not weight:
            return None
        return Direction.MAXIMISE if weight > 0 else Direction.MINIMISE

    def fact_weights(self, role: Term, facts: Iterable[Term]) -> tuple[dict[Term, float], float] | None:
        """The weight of each of some facts, and the value without any; None where a table decides.

        Features that are no sums over facts count with their values in the first state. Searches in compiled
        code, and strategy trees, can use these weights.
        """
        combination = self.combinations.get(role)
        if not isinstance(combination, Overlapping):
            return None
        weights = np.array(combination.weights)
        linear = np.array([feature.of_fact is not None for feature in self.features.all])
        first = self.features.values(self.features.game.initial())
        bias = combination.bias + float(np.dot(weights[~linear], first[~linear]))
        added = {fact: float(np.dot(weights, self.features.fact_values(fact))) for fact in facts}
        return {fact: weight for fact, weight in added.items() if weight}, bias

    @property
    def id(self) -> str:
        """A digest of the weights that does not depend on the names of the sheet."""
        return blake2b(dumps(self.as_json(), sort_keys=True).encode(), digest_size=8).hexdigest()

    def as_json(self) -> dict[str, object]:
        """The heuristic as JSON, for any sheet of this shape."""
        return {
            "roles": {
                self.features.role_shape(role): _by_key(combination, self.features.keys)
                for role, combination in self.combinations.items()
            }
        }


def single_feature(features: Features, feature: Feature, direction: Direction) -> Heuristic:
    """The heuristic that maximises or minimises one feature, for every role."""
    sign = 1.0 if direction is Direction.MAXIMISE else -1.0
    weights = tuple(98.0 * sign if key == feature.key else 0.0 for key in features.keys)
    each = Overlapping(weights, 50.0 - 49.0 * sign)
    return Heuristic(features, dict.fromkeys(features.game.info.players, each))


def parse_heuristic(data: Mapping[str, object], features: Features) -> Heuristic:
    """The twin of ``as_json``, for a sheet of the same shape.

    ValueError, KeyError or TypeError where the data are something else, or name features that this sheet
    does not have.
    """
    roles = data["roles"]
    if not isinstance(roles, dict):
        raise TypeError("`roles` is a table")
    found = {
        role: _from_keys(roles[features.role_shape(role)], features.keys)
        for role in features.game.roles
        if features.role_shape(role) in roles
    }
    if not found:
        raise ValueError("it has no entry for any role of this game")
    return Heuristic(features, found)


def _by_key(combination: Combination, keys: tuple[str, ...]) -> dict[str, object]:
    data = combination.as_json()
    if isinstance(combination, Overlapping):
        data["weights"] = {
            key: weight for key, weight in zip(keys, combination.weights, strict=True) if weight
        }
    else:
        data["chosen"] = [keys[at] for at in combination.chosen]
    return data


def _from_keys(data: object, keys: tuple[str, ...]) -> Combination:
    if not isinstance(data, dict):
        raise TypeError("the entry of a role must be a table")
    if data.get("kind") == "overlapping":
        weights = data["weights"]
        _known(weights, keys)
        return parse_combination({**data, "weights": [weights.get(key, 0.0) for key in keys]})
    _known(data["chosen"], keys)
    return parse_combination({**data, "chosen": [keys.index(key) for key in data["chosen"]]})


def _known(wanted: Collection[str], keys: tuple[str, ...]) -> None:
    strange = [key for key in wanted if key not in keys]
    if strange:
        raise ValueError(f"this sheet has no feature {strange[0]!r}")


__all__ = ["Heuristic", "parse_heuristic", "single_feature"]
