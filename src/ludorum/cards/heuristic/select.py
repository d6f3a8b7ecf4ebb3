"""From values in worlds to a move: the mean over the worlds, the best, and a random one of several best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..._core import SplitMix64
from ..language.terms import Term

LEVEL = 1e-9
"""Values closer than this are equal: sums of fractions differ in their last digits."""


def expected_values(
    worlds: Sequence[Mapping[Term, float]], weights: Sequence[float] | None = None
) -> dict[Term, float]:
    """The mean value of every move, each world weighted (all alike without weights)."""
    if not worlds:
        raise ValueError("there is no world to look at")
    shares = [1.0] * len(worlds) if weights is None else list(weights)
    if len(shares) != len(worlds) or min(shares) < 0 or sum(shares) <= 0:
        raise ValueError("every world has a weight from 0 on, and not all are 0")
    total = sum(shares)
    return {
        move: sum(share * world[move] for share, world in zip(shares, worlds, strict=True)) / total
        for move in worlds[0]
    }


def best_moves(values: Mapping[Term, float]) -> list[Term]:
    """The moves that no other is better than."""
    best = max(values.values())
    return [move for move, value in values.items() if value >= best - LEVEL]


def choose_best(values: Mapping[Term, float], random: SplitMix64) -> Term:
    """A best move; among several each is as likely, by a seeded generator."""
    best = best_moves(values)
    return best[random.below(len(best))]
