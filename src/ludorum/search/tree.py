"""The interface of a Monte Carlo search tree, for both implementations: plain and compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..engine.game import State
from ..rules.terms import Term
from .budget import Stopwatch
from .leaf_values import LeafValues


@dataclass(frozen=True)
class MoveStats:
    """The statistics of a role's move in a state."""

    move: Term
    visits: int
    points: int
    """Goal values of the role, summed over visits."""
    proven: int | None
    """The exact goal value, where it is known."""
    weight: float = 0.0
    """Share of the average strategy where regrets are matched, else 0."""

    @property
    def mean(self) -> float:
        """Average goal value, 0..100; the middle where there is none."""
        return self.points / self.visits if self.visits else 50.0


@dataclass(frozen=True)
class StateStats:
    """The tree's knowledge of a state."""

    stats: tuple[tuple[MoveStats, ...], ...]
    """By role, in the order of the legal moves."""
    values: tuple[int | None, ...]
    """Exact goal values by role, where they are known."""
    visits: int
    means: tuple[float, ...]
    """Average goal values by role, 0..100."""


@dataclass(frozen=True)
class TreeGrowth:
    """The work of one search."""

    nodes: int
    playouts: int
    """Games valued, those that are over at a leaf among them."""
    depth: int


class Tree(Protocol):
    """A tree that grows from a root and is kept between searches."""

    def grow(self, state: State, role: int, watch: Stopwatch, values: LeafValues | None = None) -> TreeGrowth:
        """Search from a state; nodes that cannot be reached from it are dropped first.

        Ends early when the value of the role is proven.
        """
        ...

    def look(self, state: State) -> StateStats | None:
        """What is known of a state; None where the tree does not have it with its moves."""
        ...

    def forget(self) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def memory(self) -> int:
        """Bytes in use, estimated where Python owns them."""
        ...


def best_place(stats: Sequence[MoveStats], highest: int) -> int:
    """The place of the move to play: a proven best; else the most visited, if no proven one is better.

    Among proven moves of the same value, the one that did better in random games is harder for a fallible
    opponent.
    """
    places = range(len(stats))
    known = [
        (move.proven, move.mean, move.visits, -at) for at, move in enumerate(stats) if move.proven is not None
    ]
    sure = -max(known)[3] if known else None
    if sure is not None and stats[sure].proven == highest:
        return sure
    still_open = [at for at in places if stats[at].proven is None]
    if not still_open:
        return sure or 0
    robust = max(still_open, key=lambda at: (stats[at].visits, stats[at].mean, -at))
    if sure is not None and (stats[sure].proven or 0) >= stats[robust].mean:
        return sure
    return robust
