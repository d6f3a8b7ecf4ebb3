"""Whether a position has something that no position before it had.

Positions are compared with those that miss as much of the goal (Lipovetzky and Geffner, *Best-First Width
Search*, AAAI 2017): rank 0 has a fact that is new among them, rank 1 a new pair of facts, rank 2 neither.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_PAIRED = 700
"""The most fluents of which pairs are remembered."""
MOST_BYTES = 256 << 20
"""Memory for pairs; beyond it only single facts count."""
AT_ONCE = 4096
"""Facts whose pairs are looked at together."""

Packed = NDArray[np.uint8]


class Novelty:
    """What has been seen, by how much was missing."""

    def __init__(self, fluents: int) -> None:
        self._fluents = fluents
        self._single: dict[int, NDArray[np.bool_]] = {}
        self._pairs: dict[int, NDArray[np.bool_]] = {}

    def rank(self, rows: Packed, added: Packed, missing: NDArray[np.int32]) -> NDArray[np.int64]:
        """The rank of each position; ``added``: its facts that the one before it had not."""
        ranks = np.full(len(rows), 2, np.int64)
        for part in np.unique(missing).tolist():
            own = np.flatnonzero(missing == part)
            ranks[own] = self._rank_in_part(part, self._flags(rows[own]), self._flags(added[own]))
        return ranks

    def _flags(self, rows: Packed) -> NDArray[np.bool_]:
        return np.unpackbits(rows, axis=1, count=self._fluents, bitorder="little").view(np.bool_)

    def _rank_in_part(
        self, part: int, facts: NDArray[np.bool_], added: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        seen = self._single.setdefault(part, np.zeros(self._fluents, np.bool_))
        has_new = (facts & ~seen).any(axis=1)
        seen |= facts.any(axis=0)
        ranks = np.where(has_new, 0, 2)
        if part not in self._pairs and not self._has_room():
            return ranks
        pairs = self._pairs.setdefault(part, np.zeros((self._fluents, self._fluents), np.bool_))
        at, fact = np.nonzero(added)
        for begin in range(0, len(at), AT_ONCE):
            here, one = at[begin : begin + AT_ONCE], fact[begin : begin + AT_ONCE]
            others = facts[here]
            fresh = (others & ~pairs[one]).any(axis=1)
            ranks[here[fresh & (ranks[here] == 2)]] = 1
            np.logical_or.at(pairs, one[fresh], others[fresh])
        return ranks

    def _has_room(self) -> bool:
        return self._fluents <= MOST_PAIRED and (len(self._pairs) + 1) * self._fluents**2 <= MOST_BYTES
