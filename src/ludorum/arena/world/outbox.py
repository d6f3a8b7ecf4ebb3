"""What one listener of a realtime match has yet to be told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from ..protocol.realtime_messages import ClockSignal, Happened, TimeIsUp

View: TypeAlias = ClockSignal | Happened | TimeIsUp
"""One thing that a player is told while a match goes on."""
Send: TypeAlias = Callable[[View], Awaitable[None]]
"""Tells a listener one thing; called again when it has returned."""

MOST_APART = 50
"""The usual number of waiting views from which on signals of the clock are told as one."""
MOST_WAITING = 1000
"""Views that wait for a listener; with one more the listener is lost."""


class Outbox:
    """Tells a listener one view after the other, in the listener's own time.

    Nobody waits for a listener that is slow: signals of the clock that follow each other become one (its
    number says how many there were), and a listener that takes nothing at all is lost.
    """

    def __init__(self, send: Send, apart: int = MOST_APART) -> None:
        """To be called from a running loop. From ``apart`` waiting views on, signals are told as one."""
        self.lost = ""
        """Why the listener is told nothing any more; empty while it listens."""
        self._send = send
        self._apart = apart
        self._views: deque[View] = deque()
        self._filled = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    @property
    def is_open(self) -> bool:
        """Whether the listener is told more."""
        return not self._task.done()

    @property
    def waiting(self) -> int:
        """How many views the listener has yet to be told."""
        return len(self._views)

    def put(self, view: View) -> None:
        """Add a view; returns at once."""
        if not self.is_open:
            return
        views = self._views
        if len(views) >= MOST_APART and isinstance(view, ClockSignal) and isinstance(views[-1], ClockSignal):
            views[-1] = view
        elif len(views) >= MOST_WAITING:
            self.lost = f"{MOST_WAITING} messages behind"
            self.close()
        else:
            views.append(view)
            self._filled.set()

    def close(self) -> None:
        """Tell the listener nothing more."""
        self._views.clear()
        self._task.cancel()

    async def finish(self, seconds: float) -> None:
        """Wait until the listener has been told all, up to the end of the match; then close."""
        await asyncio.wait([self._task], timeout=seconds)
        self.close()

    async def _run(self) -> None:
        while True:
            await self._filled.wait()
            view = self._views.popleft()
            if not self._views:
                self._filled.clear()
            try:
                await self._send(view)
            except Exception as error:  # whatever it is, it is the listener's, and no match may end by it
                self.lost = f"{type(error).__name__}: {error}"
                self._views.clear()
                return
            if is_last(view):
                return


def is_last(view: View) -> bool:
    """Whether nothing is told after this."""
    return isinstance(view, TimeIsUp) or (isinstance(view, Happened) and view.is_last)
