"""Estimates of the moves that are left until an end with a goal, for hundreds of states at once.

All come from the relaxation (``relaxation.py``), which is run step by step in the kernels:

- *steps*: the first step at which an end with the goal is possible. Never more than the true number of moves,
  so A* with it finds shortest plans; ``NEVER`` where no end with the goal can be reached.
- *sum*: the formula of the goal with the first step at which each of its facts is possible; of several
  conditions the sum, of alternatives the least. Often nearer to the truth, but it may be more.
- *missing*: the same formula where each fact that does not hold now counts 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import Lanes
from ..engine.circuit import Circuit
from ..engine.network import make_network
from .goal_formula import NEVER, GoalFormula, Numbers, Packed
from .relaxation import relax

LONGEST = 400
"""Steps of the relaxation that are looked at; an end that is possible later only counts as so far away."""
OVERHEAD = 8
"""Steps that cost as much as an estimate does beside its steps, about."""
REST = 8
"""Steps between two looks at whether anything still changes."""


@dataclass(frozen=True)
class Estimates:
    """Estimates for some states, a number each."""

    steps: Numbers
    """At least so many moves are left; ``NEVER``: there is no way to the goal."""
    sum: Numbers
    missing: Numbers

    def of(self, chosen: NDArray[np.bool_]) -> Estimates:
        """Those of some of the states."""
        return Estimates(self.steps[chosen], self.sum[chosen], self.missing[chosen])


class Distances:
    """Estimates for ends with a goal value, of packed states of a circuit for one role."""

    def __init__(self, circuit: Circuit, goal: int) -> None:
        self._formula = GoalFormula(circuit, goal)
        self._kernel = Lanes(make_network(relax(circuit, goal)))
        self._bytes = (len(circuit.fluents) + 7) // 8
        self.work = 0
        """Steps of the relaxation made so far for all states together, and what each state costs beside."""

    def estimate(self, rows: Packed) -> Estimates:
        """The estimates of packed states, one row each."""
        self.work += OVERHEAD * len(rows)
        steps = np.full(len(rows), NEVER, np.int32)
        levels = np.full((len(rows), len(self._formula.literals)), NEVER, np.int16)
        playing = np.arange(len(rows))
        now = np.concatenate([rows, rows], axis=1)
        for step in range(LONGEST + 1):
            self._reach(levels, playing, now, step)
            if step == 0:
                missing = self._formula.value(np.minimum(levels, 1))
            possible, going_on = self._look(now)
            steps[playing[possible]] = step
            if not going_on.all():
                now, playing = now[going_on], playing[going_on]
            if not len(playing):
                break
            self.work += len(now)
            after = self._kernel.step(now, np.zeros((len(now), 1), np.int32))
            if step % REST == 0:  # what no longer changes has come to all that is possible
                changed = (after != now).any(axis=1)
                after, playing = after[changed], playing[changed]
            now = after
        steps[playing] = LONGEST
        total = self._formula.value(levels)
        total[steps == NEVER] = NEVER
        return Estimates(steps, total, missing)

    def _look(self, now: Packed) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where the goal is possible, and where it is not and play may go on."""
        legal, over, _ = self._kernel.expand(now)
        possible = over.view(np.bool_)
        return possible, ~possible & (legal[:, 0] & 1).astype(np.bool_)

    def _reach(self, levels: NDArray[np.int16], playing: NDArray[np.int64], now: Packed, step: int) -> None:
        """Notes the step at which literals are possible for the first time."""
        holding = self._formula.holding(now[:, : self._bytes], now[:, self._bytes :])
        at, which = np.nonzero(holding)
        at = playing[at]
        new = levels[at, which] == NEVER
        levels[at[new], which[new]] = step
