"""The controller of a realtime match: the clock on the wall, listeners, and moves as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Protocol, TypeVar

from ...rules.terms import Term
from ..protocol.realtime_messages import TimeIsUp
from .inbox import Inbox
from .outbox import MOST_APART, Outbox, Send
from .realtime_match import Told

MOST_LATE = 1.0
"""Seconds that a tick may be late. A machine that is busier than that slows the match down."""
PARTING_SECONDS = 2.0
"""How long listeners have, once the match is over, to take what they have not been told yet."""

T = TypeVar("T")


class ClockedMatch(Protocol):
    """A match that goes on with every ``tick`` and ``act``: here, or in another process, which is awaited."""

    match_id: str
    tick_seconds: float

    @property
    def roles(self) -> Sequence[Term]: ...

    @property
    def clock(self) -> int:
        """The number of the last signal."""

    @property
    def is_over(self) -> bool: ...

    def tick(self) -> list[Told] | Awaitable[list[Told]]:
        """A signal of the clock; what players are told, one thing after the other."""

    def act(self, role: Term, move: Term) -> Told | Awaitable[Told]:
        """A player acts; what players are told, which is nothing where the move is not legal."""


@dataclass
class Punctuality:
    """How well the clock was kept."""

    ticks: int = 0
    worst: float = 0.0
    """Seconds that the latest tick was late."""
    slowed: float = 0.0
    """Seconds by which the match was slowed, since the machine was too busy for it."""


class RealtimeController:
    """Drives a match by the clock of the running event loop.

    ``join`` adds a listener, ``offer`` takes a move, ``run`` plays. Tick n is due n tick lengths after the
    beginning; what is late is caught up, no tick is left out. A move counts as made when it came: before the
    tick that is due next, after all moves that came earlier. One that is not legal then is dropped, and
    nobody is told of it. Nobody waits for a listener, nor for a player that sends too many moves.
    """

    def __init__(self, match: ClockedMatch, on_event: Callable[[Told], None] | None = None) -> None:
        self.match = match
        self.punctuality = Punctuality()
        self.on_event = on_event
        """Called at once with all that players are told; the match has the new state then."""
        self.parting_seconds = PARTING_SECONDS
        self._inbox = Inbox(match.roles)
        self._listeners: list[tuple[Term, Outbox]] = []
        self._woken: asyncio.Future[None] | None = None
        self._is_running = False

    def join(self, role: Term, send: Send, apart: int = MOST_APART) -> Outbox:
        """Tell a listener from now on what a role is told; any number may listen, and join at any time.

        ``send`` is an asynchronous function of one view. From ``apart`` waiting views on, signals of the
        clock become one. The outbox that is returned can be closed.
        """
        if role not in self.match.roles:
            raise ValueError(f"{role} is no role of this match")
        outbox = Outbox(send, apart)
        self._listeners = [one for one in self._listeners if one[1].is_open]
        self._listeners.append((role, outbox))
        return outbox

    def offer(self, role: Term, move: Term) -> bool:
        """A player acts now; returns whether the move is heard, which does not say that it is legal."""
        if not self._is_running:
            return False
        heard = self._inbox.put(asyncio.get_running_loop().time(), role, move)
        self._wake()
        return heard

    async def run(self) -> None:
        """Play the match to its end. To give it up, cancel the task."""
        loop = asyncio.get_running_loop()
        match, length = self.match, self.match.tick_seconds
        begin = loop.time() - match.clock * length
        self._is_running = True
        if match.is_over:
            self._tell(dict.fromkeys(match.roles, TimeIsUp(match.match_id)))
        try:
            while not match.is_over:
                due = begin + (match.clock + 1) * length
                if (arrived := self._inbox.take(due)) is not None:
                    self._tell(await _now_or_later(match.act(arrived.role, arrived.move)))
                elif (now := loop.time()) >= due:
                    begin += self._note(now - due)
                    for told in await _now_or_later(match.tick()):
                        self._tell(told)
                else:
                    await self._sleep_until(due)
                    continue
                await asyncio.sleep(0)  # listeners and new moves have their turn, however late the match is
            self._is_running = False
            await asyncio.gather(*(outbox.finish(self.parting_seconds) for _, outbox in self._listeners))
        finally:
            self._is_running = False
            for _, outbox in self._listeners:
                outbox.close()

    def _tell(self, told: Told) -> None:
        if not told:
            return
        for role, outbox in self._listeners:
            outbox.put(told[role])
        if self.on_event is not None:
            self.on_event(told)

    def _note(self, late: float) -> float:
        """Note how late a tick is; returns by how much the match is slowed for it."""
        kept = self.punctuality
        slowed = max(0.0, late - MOST_LATE)
        kept.ticks += 1
        kept.worst = max(kept.worst, late)
        kept.slowed += slowed
        return slowed

    async def _sleep_until(self, due: float) -> None:
        """Sleep until then, or until a move comes."""
        loop = asyncio.get_running_loop()
        self._woken = loop.create_future()
        timer = loop.call_at(due, self._wake)
        try:
            await self._woken
        finally:
            timer.cancel()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)


async def _now_or_later(value: T | Awaitable[T]) -> T:
    """A value, awaited where it is not there yet."""
    return await value if isawaitable(value) else value
