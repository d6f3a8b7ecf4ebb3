"""Regret minimisation by the compiled kernel: over the whole tree, or over samples of it.

In games of two players with a constant sum the average strategies approach an equilibrium; in others they
approach a coarse correlated one, and the gains say how far they are from being best responses to each other.
The plain twins are ``plain_cfr.py`` and ``plain_sampling.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from ..._core import RegretKernel
from .evaluate import Passes, Profile
from .game_tree import Floats, GameTree

EXPLORATION = 0.6
"""How often outcome sampling tries any move, as in the paper (Lanctot and others, 2009)."""


class RegretMethod(StrEnum):
    """How regrets are gathered."""

    CFR = "cfr"
    """The whole tree in every iteration; all strategies weigh the same in the average."""
    CFR_PLUS = "cfr+"
    """The whole tree; regrets are never negative, and later strategies weigh more."""
    EXTERNAL = "mccfr"
    """External sampling: all moves of one player, samples of all others and of nature."""
    OUTCOME = "outcome"
    """Outcome sampling: one game for each player."""

    @property
    def title(self) -> str:
        """The name in the literature."""
        return TITLES[self]

    @property
    def is_sampled(self) -> bool:
        return self in (RegretMethod.EXTERNAL, RegretMethod.OUTCOME)


TITLES = {
    RegretMethod.CFR: "CFR",
    RegretMethod.CFR_PLUS: "CFR+",
    RegretMethod.EXTERNAL: "external-sampling MCCFR",
    RegretMethod.OUTCOME: "outcome-sampling MCCFR",
}


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
            raise ValueError(f"{method.title} has no simultaneous updates")
        self.tree = tree
        self.method = method
        self._simultaneous = simultaneous
        self._exploration = exploration
        self._passes = Passes(tree)
        self._kernel = RegretKernel(
            player=tree.player,
            first_edge=tree.first_edge,
            child=tree.child,
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
