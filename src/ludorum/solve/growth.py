"""Estimates how long the next piece of a growing program takes to ground, from the last two."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

WORTH_GUESSING = 0.05
"""Seconds below which a piece predicts nothing: the machine's noise is as large."""


class PieceTimes:
    """Times of pieces, each larger than the one before."""

    def __init__(self) -> None:
        self._times: list[float] = []

    @contextmanager
    def piece(self) -> Iterator[None]:
        """Measure a piece of work."""
        begin = time.monotonic()
        yield
        self._times.append(time.monotonic() - begin)

    @property
    def last(self) -> float:
        """Seconds that the last piece took; 0 where there is none."""
        return self._times[-1] if self._times else 0.0

    @property
    def expected(self) -> float:
        """Seconds the next piece will take if it grows as the last one did; 0 where that is unknown."""
        if len(self._times) < 2 or self._times[-1] < WORTH_GUESSING:
            return 0.0
        before, last = self._times[-2:]
        return last * max(1.0, last / max(before, 1e-4))

    def fits(self, seconds_left: float | None) -> bool:
        """Whether there is time for the next piece."""
        return seconds_left is None or self.expected <= seconds_left
