"""A cloud: packed states with weights, what the packed worlds are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...engine.packed_rows import GOLDEN, distinct, mixed, row_keys
from ...engine.simulator import Packed


@dataclass(frozen=True)
class Cloud:
    """States as packed rows, a weight each, and what each role has seen as a number each."""

    rows: Packed
    weights: NDArray[np.float64]
    views: NDArray[np.uint64]
    """A column for each role; no columns where views are not kept."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Cloud:
        return Cloud(self.rows[which], self.weights[which], self.views[which])

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """A number for each world, to find equal ones."""
        keys = row_keys(self.rows)
        for column in range(self.views.shape[1]):
            keys = mixed(keys + GOLDEN) + self.views[:, column]
        return keys

    def normalised(self) -> Cloud:
        return Cloud(self.rows, self.weights / self.weights.sum(), self.views)

    def merged(self) -> Cloud:
        """Each different world once, with the weight of all its twins."""
        first, place = distinct(self.keys, self.rows, self.views)
        if len(first) == len(self):
            return self
        weights = np.bincount(place, self.weights, len(first)).astype(np.float64, copy=False)
        return Cloud(self.rows[first], weights, self.views[first])
