"""A cloud: packed states with weights, what the packed worlds are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...engine.simulator import Packed

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words with their bits mixed, each to another one (the finalizer of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * _MIX[0]
    words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return words ^ (words >> np.uint64(31))


def row_keys(rows: Packed) -> NDArray[np.uint64]:
    """A number for each row, the same for the same bytes and hardly ever for others."""
    width = -(-rows.shape[1] // 8)
    padded = np.zeros((len(rows), 8 * width), np.uint8)
    padded[:, : rows.shape[1]] = rows
    words = padded.view(np.uint64)
    places = _GOLDEN * np.arange(1, width + 1, dtype=np.uint64)
    keys: NDArray[np.uint64] = mixed(words + places).sum(axis=1, dtype=np.uint64)
    return keys


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
            keys = mixed(keys + _GOLDEN) + self.views[:, column]
        return keys

    def normalised(self) -> Cloud:
        return Cloud(self.rows, self.weights / self.weights.sum(), self.views)

    def merged(self) -> Cloud:
        """Each different world once, with the weight of all its twins."""
        _, first, place = np.unique(self.keys, return_index=True, return_inverse=True)
        if len(first) == len(self):
            return self
        if not self._is_same(first[place]):  # two worlds of one key: as good as never
            every = np.concatenate([self.rows, self.views.view(np.uint8).reshape(len(self), -1)], axis=1)
            _, first, place = np.unique(every, axis=0, return_index=True, return_inverse=True)
        weights = np.bincount(place.ravel(), self.weights, len(first)).astype(np.float64, copy=False)
        return Cloud(self.rows[first], weights, self.views[first])

    def _is_same(self, twin: NDArray[np.int64]) -> bool:
        return bool((self.rows == self.rows[twin]).all() and (self.views == self.views[twin]).all())


def seen_after(
    views: NDArray[np.uint64], moves: NDArray[np.int32], percepts: list[Packed]
) -> NDArray[np.uint64]:
    """What each role has seen after one more step: its own move, and its percepts as rows of bits."""
    columns = [
        mixed(views[:, role] * _GOLDEN + moves[:, role].astype(np.uint64) + np.uint64(1)) + row_keys(own)
        for role, own in enumerate(percepts)
    ]
    return np.stack(columns, axis=1)
