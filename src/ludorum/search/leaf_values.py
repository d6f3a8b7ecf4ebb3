"""What leaves of a tree are worth to each role where playouts are cut off: by an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from .._core import SplitMix64, Spread
from ..engine.game import State
from .evaluation import BoundedEvaluation
from .sharpened import Sharpened, sharpened


class LeafValues:
    """Values for searches from one state, those of each role spread apart around it."""

    def __init__(self, evaluation: BoundedEvaluation, state: State) -> None:
        self.evaluation = evaluation
        roles, chance = state.game.roles, state.game.info.chance_seats
        self._by_role: Sequence[Sharpened | None] = [
            None if seat in chance else sharpened(evaluation, state, role, evaluation.goal_values(role))
            for seat, role in enumerate(roles)
        ]

    @property
    def spreads(self) -> list[Spread]:
        """By role, for the compiled tree."""
        return [Spread([]) if one is None else one.spread for one in self._by_role]

    def points(self, state: State, chooser: SplitMix64) -> list[int]:
        """Whole points by role. Estimates are rounded at random, so that the mean of many is exact."""
        return [
            0 if one is None else min(100, floor(one(state, role) + (chooser.next() >> 11) * 2.0**-53))
            for role, one in zip(state.game.roles, self._by_role, strict=True)
        ]
