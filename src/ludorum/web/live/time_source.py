"""Where the time comes from: the clock of the machine, or one that a test moves."""

from __future__ import annotations

import asyncio
import heapq
import time
from abc import ABC, abstractmethod
from itertools import count


class TimeSource(ABC):
    """Seconds since 1970, and a way to wait for them."""

    @abstractmethod
    def now(self) -> float:
        """The time now."""

    @abstractmethod
    async def wait_until(self, moment: float) -> None:
        """Return when it is as late as that."""


class MachineTime(TimeSource):
    """The clock of this machine. It never goes back, whatever happens to the machine's own."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._ahead

    async def wait_until(self, moment: float) -> None:
        while (left := moment - self.now()) > 0:
            await asyncio.sleep(left)


class SetTime(TimeSource):
    """A clock that stands still until it is moved."""

    def __init__(self, begin: float = 1_000_000.0) -> None:
        self._now = begin
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> float:
        return self._now

    async def wait_until(self, moment: float) -> None:
        if moment <= self._now:
            return
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (moment, next(self._numbers), reached))
        await reached

    def advance(self, seconds: float) -> None:
        """Move on, and wake those that wait for a moment that is reached."""
        self._now += seconds
        while self._waiting and self._waiting[0][0] <= self._now:
            reached = heapq.heappop(self._waiting)[2]
            if not reached.done():
                reached.set_result(None)
