"""A viewer of a match: gets the newest view whenever something has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from .plan import Json
from .view import without_moving_time


class Viewer:
    """Somebody who looks at a match. Only the newest view is sent: a slow one misses those between."""

    def __init__(self, view: Callable[[], Awaitable[Json]], user: str | None) -> None:
        self.user = user
        self.is_ended = False
        self._view = view
        self._news = asyncio.Event()
        self._news.set()

    def notify(self) -> None:
        self._news.set()

    async def views(self) -> AsyncIterator[Json]:
        """The view now, and after every change, until the match is left or the server stops."""
        last: Json | None = None
        while True:
            await self._news.wait()
            self._news.clear()
            if self.is_ended:
                return
            view = await self._view()
            if (still := without_moving_time(view)) != last:
                last = still
                yield view
