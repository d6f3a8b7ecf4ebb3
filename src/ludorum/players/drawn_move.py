"""Decisions by a strategy that is looked up by what a role was told: a history in, a drawn move out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._core import SplitMix64
from ..knowledge.worlds import WorldSampler
from ..rules.terms import Term, format_term
from ..search.budget import Budget
from ..search.decision import Choice
from ..search.mixed import NoAdviceError

ToldHistory: TypeAlias = tuple[tuple[Term, frozenset[Term]], ...]
"""The role's own move and its percepts in each step so far."""
PREPARING_SHARE = 4
"""A decision that finds no strategy yet takes one part of so many of its clock to make one."""


@dataclass(frozen=True)
class DrawnMove:
    """A move that was drawn by its probability, and all moves with theirs: the drawn one first."""

    move: Term
    chance: float
    choices: tuple[Choice, ...]

    def __str__(self) -> str:
        return f"{format_term(self.move)} with probability {self.chance:.3f}"


def told_history(worlds: WorldSampler) -> ToldHistory:
    """What the role was told of every step; NoAdviceError where a message was lost."""
    history = tuple(
        (step.move, step.percepts)
        for step in worlds.steps
        if step.move is not None and step.percepts is not None
    )
    if len(history) < len(worlds.steps):
        raise NoAdviceError("not all steps were told")
    return history


def preparing_seconds(budget: Budget) -> float | None:
    """The seconds that a decision may take to make its strategy; None where its work is counted."""
    is_counted = budget.playouts is not None or budget.nodes is not None
    return None if is_counted or budget.seconds is None else budget.seconds / PREPARING_SHARE


def draw_move(moves: Sequence[Term], chances: ArrayLike, value: float, seed: int) -> DrawnMove:
    """One of the moves by its probability; ``value`` is what the role expects of the strategy."""
    shares = np.asarray(chances, np.float64)
    at = drawn_number(shares.tolist(), seed)
    order = sorted(range(len(moves)), key=lambda one: (one != at, -shares[one], moves[one]))
    choices = tuple(Choice(moves[one], round(1000 * float(shares[one])), value) for one in order)
    return DrawnMove(moves[at], float(shares[at]), choices)


def drawn_number(chances: Sequence[float], seed: int) -> int:
    """A number by its probability, never one that has none."""
    ends = np.cumsum(chances)
    point = (SplitMix64(seed).next() >> 11) * 2.0**-53 * float(ends[-1])  # below the last end
    return int(np.searchsorted(ends, point, side="right"))
