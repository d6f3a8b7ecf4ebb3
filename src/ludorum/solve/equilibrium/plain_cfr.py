"""Counterfactual regret minimisation with whole arrays, level by level: the plain twin of the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .evaluate import Passes, Profile
from .game_tree import Floats, GameTree

ROUNDING = 1e-12
"""Regrets that are less than this part of the greatest value are none: rounding must not choose among moves
that are equally good."""


@dataclass(frozen=True)
class CfrConfig:
    """Which variant."""

    plus: bool = False
    """CFR+: regrets are never negative, and later strategies weigh more in the average."""
    simultaneous: bool = False
    """All players update against the strategies before the iteration, not one after the other."""


class PlainCfr:
    """Regrets and average strategies of all players of a tree."""

    def __init__(self, tree: GameTree, config: CfrConfig | None = None) -> None:
        self.tree = tree
        self.config = config or CfrConfig()
        self.passes = Passes(tree)
        self.iterations = 0
        self._regrets: Floats = np.zeros(tree.slots)
        self._weights: Floats = np.zeros(tree.slots)
        self._least = ROUNDING * np.abs(tree.values).max(initial=0.0)

    def current(self) -> Profile:
        """Probabilities in proportion to positive regrets that cannot come from rounding."""
        return self.passes.normalised(np.where(self._regrets > self._least, self._regrets, 0.0))

    def average(self) -> Profile:
        """The strategies that approach an equilibrium."""
        return self.passes.normalised(self._weights)

    def run(self, iterations: int, is_up: Callable[[], bool] = lambda: False) -> None:
        """Iterate so many times, or until time is up, but once."""
        for number in range(iterations):
            if number and is_up():
                return
            self.iterations += 1
            before = self.current() if self.config.simultaneous else None
            for player in range(len(self.tree.players)):
                self._update(player, self.current() if before is None else before)

    @property
    def regrets(self) -> Floats:
        """By slot."""
        return self._regrets

    def _update(self, player: int, profile: Profile) -> None:
        tree, passes = self.tree, self.passes
        chances = passes.probabilities(profile)
        own, others = passes.reach(chances, player)
        values = passes.values_of(chances)[:, player]
        edges = np.flatnonzero(passes.mover == player)
        nodes, slots = passes.parent[edges], tree.slot[edges]
        gain = others[nodes] * (values[tree.child[edges]] - values[nodes])
        self._regrets += np.bincount(slots, gain, minlength=tree.slots)
        weight = self.iterations if self.config.plus else 1
        # A player reaches all nodes of an information set with the same probability of its own.
        reached = np.zeros(tree.slots)
        reached[slots] = own[nodes]
        self._weights += weight * reached * profile
        if self.config.plus:
            np.maximum(self._regrets, 0.0, out=self._regrets)
