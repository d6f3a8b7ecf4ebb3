"""Bounds of the values of states, each with the depth of the search that found it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SOLVED = (1 << 15) - 1
"""The depth of a bound that no deeper search can change."""


class BoundedValue(NamedTuple):
    """A value and whether it follows from ends of the game alone."""

    score: int
    solved: bool


@dataclass
class Bounds:
    """A lower and an upper bound, each with the depth of the search that found it."""

    lower: int = 0
    upper: int = 0
    lower_depth: int = -1
    upper_depth: int = -1
    option: int | None = None

    def raise_lower(self, score: int, depth: int) -> None:
        if depth >= self.lower_depth:
            both = depth == SOLVED == self.lower_depth
            self.lower, self.lower_depth = max(self.lower, score) if both else score, depth

    def drop_upper(self, score: int, depth: int) -> None:
        if depth >= self.upper_depth:
            both = depth == SOLVED == self.upper_depth
            self.upper, self.upper_depth = min(self.upper, score) if both else score, depth
