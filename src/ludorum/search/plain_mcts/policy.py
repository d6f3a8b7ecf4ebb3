"""Playout policies that learn from the results of moves, in whatever state they were made.

MAST (Finnsson and Björnsson 2008) keeps an average for each role and move; NST (Tak, Winands and Björnsson
2012) also for pairs of a move and the one before it. Moves are drawn in proportion to exp(average / heat).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from ..._core import SplitMix64
from ...rules.terms import Term
from .select import draw

Chosen = tuple[int, Term]
"""A role with a choice and its move."""
History = list[list[Chosen]]
"""What was chosen, step by step; nature's moves are left out."""

FEWEST_PAIRS = 7
"""Times a pair must have been seen before it counts."""


class Average:
    """Goal values of a move, and the weight it is drawn with."""

    __slots__ = ("count", "points", "weight")

    def __init__(self, weight: float) -> None:
        self.count = 0
        self.points = 0
        self.weight = weight

    @property
    def value(self) -> float:
        return self.points / (100.0 * self.count) if self.count else 0.5


def unit_interval(chooser: SplitMix64) -> float:
    """A random number of at least 0 and below 1."""
    return (chooser.next() >> 11) * 2.0**-53


def draw_weighted(weights: Sequence[float], chooser: SplitMix64) -> int:
    """A random place, in proportion to the weights."""
    total = 0.0
    for weight in weights:
        total += weight
    left = unit_interval(chooser) * total
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return at
    return len(weights) - 1


class Policy:
    """Draws moves of playouts: evenly, or by their results so far."""

    def __init__(self, kind: str, heat: float) -> None:
        self.kind = kind
        self._heat = heat
        self._unseen = exp(0.5 / heat)
        self._moves: dict[Chosen, Average] = {}
        self._pairs: dict[tuple[Chosen, Chosen], Average] = {}

    def choose(self, role: int, moves: Sequence[Term], before: Chosen | None, chooser: SplitMix64) -> Term:
        """A move of a role that has several."""
        if self.kind == "uniform":
            return moves[draw(chooser, len(moves))]
        weights = [self._weight((role, move), before) for move in moves]
        return moves[draw_weighted(weights, chooser)]

    def _weight(self, chosen: Chosen, before: Chosen | None) -> float:
        single = self._moves.get(chosen)
        if self.kind == "nst" and before is not None:
            pair = self._pairs.get((before, chosen))
            if pair is not None and pair.count >= FEWEST_PAIRS:
                value = single.value if single is not None else 0.5
                return exp((value + pair.value) / 2.0 / self._heat)
        return single.weight if single is not None else self._unseen

    def learn(self, history: History, points: list[int], games: int = 1) -> None:
        """Update with the games in which these moves were made; goal values are summed over the games."""
        if self.kind == "uniform":
            return
        before: Chosen | None = None
        for step in history:
            for chosen in step:
                self._add(self._moves.setdefault(chosen, Average(self._unseen)), points[chosen[0]], games)
                if self.kind == "nst" and before is not None:
                    pair = self._pairs.setdefault((before, chosen), Average(self._unseen))
                    self._add(pair, points[chosen[0]], games)
            before = step[0] if step else None

    def _add(self, average: Average, points: int, games: int) -> None:
        average.count += games
        average.points += points
        average.weight = exp(average.value / self._heat)
