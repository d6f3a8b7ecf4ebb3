"""Token buckets: how often one account or one address may do something."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from .config import Rate

MOST_BUCKETS = 50_000
"""Buckets that are remembered. Of more, the one that was idle longest is forgotten, which is full again by
then, unless someone commands that many addresses."""


class RateLimiter:
    """Buckets by kind and key; one that is not asked for fills again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self.refusals = 0

    def wait_for(self, kind: str, key: str, rate: Rate) -> float:
        """0 if it may be done now, and it is counted; else the seconds until it may."""
        at = self._clock()
        tokens, before = self._buckets.pop((kind, key), (float(rate.burst), at))
        tokens = min(float(rate.burst), tokens + (at - before) * rate.a_second)
        is_free = tokens >= 1
        self._buckets[kind, key] = (tokens - 1 if is_free else tokens, at)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if is_free:
            return 0.0
        self.refusals += 1
        return (1 - tokens) / rate.a_second
