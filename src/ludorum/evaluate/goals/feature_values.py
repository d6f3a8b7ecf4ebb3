"""Features as numbers that say how likely a formula is to hold at the end, between truth values.

A feature of formulas that hold lies in [0, 1]: the more, the stabler is their truth. One of formulas that do
not is read like a distance: near 0 they are likely to become true, infinite they never will.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, inf, log

NORM = -2.0
"""The exponent of ``soft_minimum``."""
MOST_PARTIAL = 100
"""Partial solutions that are told apart by number; the depth weighs more than any number of them."""


def solutions_value(solutions: int, at_start: int) -> float:
    """How stable a formula with so many solutions is: 0 with one, a half with one more than at the start."""
    return 1 - exp((1 - solutions) / max(at_start, 1) * log(2))


def partial_value(depth: int, literals: int, partial: int) -> float:
    """How far a conjunction is from having a solution, if its first ``depth`` literals have this many."""
    return 1 - depth / literals - min(partial, MOST_PARTIAL - 1) / (literals * MOST_PARTIAL)


def soft_minimum(distances: Iterable[float], norm: float = NORM) -> float:
    """The least of some distances, made less by each other one; infinite ones do not count."""
    finite = [distance for distance in distances if distance != inf]
    if not finite:
        return inf
    if 0 in finite:
        return 0.0
    least = min(finite)  # in front of the sum, or powers of small distances would overflow
    total = sum([exp(norm * log(distance / least)) for distance in finite])
    return least * exp(log(total) / norm)


def margin_value(margin: int, longest: int) -> float:
    """The distance along an order, by its longest: above 0 where the relation holds, else below."""
    return margin / longest


@dataclass(frozen=True)
class TruthValues:
    """Values between which features lie: false for ever, false now, nearly true, true now, true for ever.

    The thesis has one value for ``near`` and ``true``, and at the end of play every leaf is false or true for
    ever. With distances both cannot be: here what is near to be true when play ends is false.
    """

    never: float = -1.0
    false: float = -0.5
    near: float = 0.5
    true: float = 0.5
    ever: float = 1.0

    def at(self, terminality: float) -> TruthValues:
        """Closer to the ends of the scale, the closer the match is to its end."""
        return TruthValues(
            self.never,
            self.false + terminality * (self.never - self.false),
            self.near + terminality * (self.never - self.near),
            self.true + terminality * (self.ever - self.true),
            self.ever,
        )

    def of_truth(self, value: float) -> float:
        """A feature in [0, 1] of a formula that holds."""
        return self.true + value * (self.ever - self.true)

    def of_falsity(self, value: float) -> float:
        """A feature in [-1, 0] of a formula that does not hold: a margin, or persistence."""
        return self.false - value * (self.never - self.false)

    def of_distance(self, value: float) -> float:
        """A distance in (0, 1] of a formula that does not hold, or an infinite one."""
        return self.never if value == inf else self.near - value * (self.near - self.false)

    def default(self, holds: bool) -> float:
        return self.true if holds else self.false
