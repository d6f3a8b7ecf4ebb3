"""The pool: worker processes that answer requests, which are queued while all are busy.

Requests are stateless, so a worker that dies is replaced and its request given to another. A worker that has
answered for a match is preferred for the same match.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from .child import AnswerError, Child, ChildError
from .plan import Json

MEGABYTES = 3000.0
"""Memory that a worker and everything it starts may hold."""
GRACE_SECONDS = 20.0
"""How much longer than its thinking a request may take: it may be the first of its game."""
HURRY_SECONDS = 2.0
"""How long a worker may take to come back when its answer is not wanted any more."""
MOST_DEATHS = 2
"""Workers that may die of one request, and of one game, before it is refused."""
MOST_KNOWN = 5000
"""Matches of which it is known which worker has answered for them."""
LOOK_AHEAD = 8
"""Requests at the head of the queue among which a worker looks for one of a match that it knows."""

_log = logging.getLogger(__name__)


class Urgency(IntEnum):
    """Which requests go first."""

    AWAITED = 0
    """A match waits for it."""
    SHOWN = 1
    """Analyses and reports."""
    TOURNAMENT = 2
    """It gives way: its worker is taken from it where others wait, and it begins anew."""


class PoolError(Exception):
    """A request had no answer; the text says why."""


@dataclass(eq=False)
class PoolTask:
    """One question to some worker."""

    method: str
    args: tuple[Any, ...]
    seconds: Callable[[], float] | float
    """How long it may take, without the grace."""
    match: str
    game: str
    """Names the game, so that one that kills workers is known."""
    urgency: Urgency = Urgency.AWAITED
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    deaths: int = 0
    is_put_back: bool = False
    """Whether its worker is being taken from it."""


class Pool:
    """Some worker processes."""

    def __init__(self, workers: int = 1, megabytes: float = MEGABYTES) -> None:
        if workers < 1:
            raise ValueError("a pool has one worker or more")
        self._count = workers
        self._megabytes = megabytes
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")
        self._queue: list[PoolTask] = []
        self._wake = asyncio.Condition()
        self._loops: list[asyncio.Task[None]] = []
        self._children: dict[int, Child] = {}
        self._under_way: dict[int, PoolTask] = {}
        self._knows: dict[str, int] = {}
        """The worker that has answered last for a match."""
        self._deaths: dict[str, int] = {}
        self._is_closed = False
        self.answered = 0
        self.replaced = 0
        """Workers that had to be replaced."""

    async def start(self) -> None:
        self._loops = [asyncio.create_task(self._serve(number)) for number in range(self._count)]

    async def close(self) -> None:
        """End all workers; requests that wait are refused."""
        self._is_closed = True
        for request in (*self._queue, *self._under_way.values()):
            _fail(request, "the server stops")
        self._queue.clear()
        for child in self._children.values():
            child.end()
        for task in self._loops:
            task.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown)
        for child in self._children.values():
            child.close()
        self._children.clear()

    @property
    def waiting(self) -> int:
        """Requests that no worker has begun."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        return len(self._under_way)

    @property
    def crowd(self) -> int:
        """Requests that share the workers: under way or waiting, without those that give way."""
        requests = (*self._queue, *self._under_way.values())
        return sum(one.urgency is not Urgency.TOURNAMENT for one in requests)

    @property
    def workers(self) -> int:
        return self._count

    async def ask(self, request: PoolTask) -> Any:
        """The answer to a request; PoolError where there is none. Cancelling this call ends the work."""
        if self._is_closed:
            raise PoolError("the server stops")
        if self._deaths.get(request.game, 0) >= MOST_DEATHS:
            raise PoolError("its rules have ended several processes")
        self._queue.append(request)
        self._make_way()
        await self._notify()
        try:
            return await request.answer
        except asyncio.CancelledError:
            self._abandon(request)
            raise

    async def _notify(self) -> None:
        async with self._wake:
            self._wake.notify_all()

    def _make_way(self) -> None:
        """Take workers from tournaments as long as more others wait than will be free."""
        waiting = sum(one.urgency is not Urgency.TOURNAMENT for one in self._queue)
        free = self._count - len(self._under_way) + sum(one.is_put_back for one in self._under_way.values())
        for number, running in self._under_way.items():
            if free >= waiting:
                return
            if running.urgency is Urgency.TOURNAMENT and not running.is_put_back and number in self._children:
                running.is_put_back = True
                # It may still read its rules, which cannot be hurried: that is no reason to end it.
                self._children[number].hurry(GRACE_SECONDS)
                free += 1

    def _abandon(self, request: PoolTask) -> None:
        if request in self._queue:
            self._queue.remove(request)
        for number, running in self._under_way.items():
            if running is request and number in self._children:
                self._children[number].hurry(HURRY_SECONDS)

    async def _serve(self, number: int) -> None:
        """One worker: answer requests one after the other."""
        while True:
            async with self._wake:
                await self._wake.wait_for(lambda: self._queue)
                request = self._take(number)
            self._under_way[number] = request
            try:
                await self._answer(number, request)
            finally:
                del self._under_way[number]

    def _take(self, number: int) -> PoolTask:
        """The next request: at the head, one of a match that this worker knows, or that none does."""
        first = min(one.urgency for one in self._queue)
        head = [one for one in self._queue if one.urgency is first][:LOOK_AHEAD]
        mine = next((one for one in head if self._knows.get(one.match, number) == number), head[0])
        self._queue.remove(mine)
        return mine

    async def _answer(self, number: int, request: PoolTask) -> None:
        if request.answer.done():
            return
        request.is_put_back = False
        loop = asyncio.get_running_loop()
        seconds = request.seconds if isinstance(request.seconds, float | int) else request.seconds()
        try:
            value = await loop.run_in_executor(self._threads, self._ask, number, request, seconds)
        except AnswerError as error:
            _fail(request, str(error) or error.kind)
        except ChildError as error:
            self._bury(number, request, error)
        except OSError as error:
            _fail(request, f"no process can be had: {error}")
        else:
            self.answered += 1
            self._knows[request.match] = number
            if len(self._knows) > MOST_KNOWN:
                del self._knows[next(iter(self._knows))]
            if request.answer.done():
                return
            if request.is_put_back:
                self._queue.append(request)
                await self._notify()
            else:
                request.answer.set_result(value)

    def _ask(self, number: int, request: PoolTask, seconds: float) -> Json:
        """In a thread: the answer of the worker, which is started where there is none."""
        child = self._children.get(number)
        if child is None or not child.is_alive:
            child = self._children[number] = Child("players", self._megabytes)
        if self._is_closed:  # since it was started: it was too late to be ended with the others
            child.end()
        if request.answer.done():
            raise AnswerError("CancelledError", "the answer is not wanted any more")
        value: Json = child.ask(request.method, *request.args, seconds=seconds + GRACE_SECONDS)
        return value

    def _bury(self, number: int, request: PoolTask, error: ChildError) -> None:
        """A worker has died or was too slow: another one takes its place, and its request if that is still
        wanted."""
        child = self._children.pop(number, None)
        if child is not None:
            child.close()
        self._knows = {match: known for match, known in self._knows.items() if known != number}
        if request.answer.done() or self._is_closed:
            return
        self.replaced += 1
        request.deaths += 1
        _log.warning("a worker was lost while it was asked about %s: %s", request.match, error)
        if request.deaths < MOST_DEATHS:
            self._queue.insert(0, request)
            return
        self._deaths[request.game] = self._deaths.get(request.game, 0) + 1
        _fail(request, str(error))


def _fail(request: PoolTask, why: str) -> None:
    if not request.answer.done():
        request.answer.set_exception(PoolError(why))
