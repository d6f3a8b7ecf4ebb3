"""Regret minimisation by the compiled kernel: over the whole tree, or over samples of it.

In games of two players with a constant sum the average strategies approach an equilibrium; in others they
approach a coarse correlated one, and the gains say how far they are from being best responses to each other.
The plain twins are ``plain_cfr.py`` and ``plain_sampling.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._core import RegretKernel
from .evaluate import Passes, Profile
from .game_tree import Floats, GameTree
from .method import RegretMethod

EXPLORATION = 0.6
"""How often outcome sampling tries any move, as in the paper (Lanctot and others, 2009)."""


class RegretMinimiser:
    """Regrets and average strategies of all players of a tree; ``run`` goes on where it was."""

    def __init__(
        self,
        tree: GameTree,
        method: RegretMethod = RegretMethod.CFR_PLUS,
        *,
        seed: int = 0,
        simultaneous: bool = False,
        exploration: float = EXPLORATION,
    ) -> None:
        """``simultaneous``: all players update against the strategies before the iteration, not one after the
        other; for methods without samples. ``exploration`` is for outcome sampling."""
        if simultaneous and method.is_sampled:
            raise ValueError(f"{method.full_name} has no simultaneous updates")
        self.tree = tree
        self.method = method
        self._simultaneous = simultaneous
        self._exploration = exploration
        self._passes = Passes(tree)
        self._kernel = RegretKernel(
            player=tree.player,
            first_edge=tree.first_edge,
            child=tree.child,
            weight=tree.weight,
            information_set=tree.information_set,
            set_offsets=tree.set_offsets,
            values=tree.values,
            seed=seed,
        )

    @property
    def iterations(self) -> int:
        """How many have been run."""
        return self._kernel.iterations

    @property
    def regrets(self) -> Floats:
        """By slot."""
        return self._kernel.regrets

    def average(self) -> Profile:
        """The strategies that approach an equilibrium."""
        return self._passes.normalised(self._kernel.weights)

    def run(self, iterations: int, is_up: Callable[[], bool] | None = None) -> None:
        """Iterate so many times, or until time is up, but once."""
        if self.method is RegretMethod.EXTERNAL:
            self._kernel.run_external(iterations, stop=is_up)
        elif self.method is RegretMethod.OUTCOME:
            self._kernel.run_outcome(iterations, exploration=self._exploration, stop=is_up)
        else:
            self._kernel.run_full(
                iterations,
                plus=self.method is RegretMethod.CFR_PLUS,
                simultaneous=self._simultaneous,
                stop=is_up,
            )

    def worth(self, profile: Profile) -> tuple[list[float], list[float]]:
        """By player: what it gets by a profile, and what its best response to the others gains over that."""
        own, best = self._kernel.worth(np.ascontiguousarray(profile, np.float64))
        return own.tolist(), np.maximum(best - own, 0.0).tolist()
