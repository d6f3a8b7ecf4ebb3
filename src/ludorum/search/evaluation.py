"""Evaluation functions: estimates of the value of a state for a role before the game is over, 0..100.

Any callable of a state and a role will do. Those defined here are built into the compiled searches, which run
them without calling Python.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from .._core import StateValues
from ..engine.compiled import CompiledGame
from ..engine.game import State
from ..rules.terms import Term


class Evaluation(Protocol):
    """Estimates the goal value, 0..100, that a role will reach from a state."""

    def __call__(self, state: State, role: Term) -> float: ...


class BoundedEvaluation(Evaluation, Protocol):
    """An evaluation that knows which goal values there are."""

    def goal_values(self, role: Term) -> Collection[int]:
        """Those that a match may end with for a role."""
        ...


@runtime_checkable
class KernelEvaluation(Protocol):
    """An evaluation in compiled code, over the packed states of one game."""

    @property
    def game(self) -> CompiledGame: ...
    @property
    def kernel(self) -> StateValues: ...
    def __call__(self, state: State, role: Term) -> float: ...


@dataclass(frozen=True)
class PlayoutMean:
    """The mean of a few random games. The seed is fixed, so that a value depends on the state alone."""

    count: int = 8
    seed: int = 0
    max_steps: int = 0
    """Steps after which games are cut off and valued by the goals that hold there; 0: never."""

    def __call__(self, state: State, role: Term) -> float:
        means = state.playouts(self.count, seed=self.seed, max_steps=self.max_steps)
        return means[state.game.roles.index(role)]


@dataclass(frozen=True)
class FactWeights:
    """A sum over the facts that hold, by role: ``bias`` and the weight of each fact."""

    weights: Mapping[Term, Mapping[Term, float]] = field(default_factory=dict)
    bias: float = 50.0

    def __call__(self, state: State, role: Term) -> float:
        own = self.weights.get(role, {})
        return self.bias + math.fsum(own[fact] for fact in state.facts() if fact in own)
