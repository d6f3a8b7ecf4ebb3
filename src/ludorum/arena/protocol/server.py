"""A small HTTP server: ports, a connection limit, and a function that answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from .wire import PeerLimits, Request, answer_connection, close_writer, format_response, hear_out

CROWDED_SECONDS = 1.0
"""Seconds for reading the rest of a refused request, and for closing its connection."""
WAITING_STEPS, STEP_SECONDS = 25, 0.01
"""How often, and how long, a connection over the limit waits for a place. Bytes that have arrived are read
meanwhile: when many clients connect at once to a busy machine, none that has sent its request is closed."""
WAITING_ROOM = 4
"""How many connections may wait, as a multiple of the limit: the system accepts a hundred at once."""


class HttpServer:
    """Serves one port after ``open``; a second connection never waits for the first."""

    def __init__(
        self,
        answer: Callable[[Request, asyncio.StreamWriter], Awaitable[str]],
        limits: PeerLimits | None = None,
        on_trouble: Callable[[str], None] | None = None,
        origin: str = "",
    ) -> None:
        """``origin``: the web pages that may ask, `*` for all."""
        self.limits = limits or PeerLimits()
        self.port = 0
        self._answer = answer
        self._on_trouble = on_trouble
        self._origin = origin
        self._server: asyncio.Server | None = None
        self._tasks: dict[asyncio.Task[None], bool] = {}
        """Connections in the order of arrival, each with whether its whole request has been read."""
        self._waiting: set[asyncio.Task[None]] = set()
        """Connections that wait for a place."""

    @property
    def connections(self) -> int:
        """How many are open now."""
        return len(self._tasks)

    async def open(self, host: str | Sequence[str] = "127.0.0.1", port: int = 0) -> int:
        """Listen; port 0 takes a free one. Returns the port."""
        self._server = await asyncio.start_server(self._accept, host, port, limit=self.limits.head_bytes)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    async def close(self) -> None:
        """Stop listening and close all open connections."""
        if self._server is not None:
            self._server.close()
        open_ones = [*self._tasks, *self._waiting]
        for task in open_ones:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*open_ones, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            if await self._find_room(task, reader):
                self._tasks[task] = False
                trouble = await answer_connection(reader, writer, self.limits, self._heard, self._origin)
                if trouble and self._on_trouble:
                    self._on_trouble(trouble)
            else:
                writer.write(format_response("busy", 503))
                await hear_out(reader, writer, self.limits.body_bytes, CROWDED_SECONDS)
                await close_writer(writer, CROWDED_SECONDS)
        except asyncio.CancelledError:
            pass  # the server is closing, or needs the place: the connection is closed below
        finally:
            self._tasks.pop(task, None)
            writer.transport.abort()

    async def _find_room(self, task: asyncio.Task[None], reader: asyncio.StreamReader) -> bool:
        """Whether there is a place now or after a moment, or one can be freed."""
        if self._is_full and len(self._waiting) < WAITING_ROOM * self.limits.connections:
            self._waiting.add(task)
            try:
                for _ in range(WAITING_STEPS):
                    await asyncio.sleep(STEP_SECONDS)
                    if not self._is_full:
                        break
                    if reader.exception() is not None:
                        return False  # the client has disconnected
            finally:
                self._waiting.discard(task)
        return not self._is_full or self._make_room()

    @property
    def _is_full(self) -> bool:
        return len(self._tasks) >= self.limits.connections

    def _make_room(self) -> bool:
        """Close the connection longest in sending its request: silent clients must not block others."""
        oldest = next((task for task, heard in self._tasks.items() if not heard), None)
        if oldest is None:
            return False
        del self._tasks[oldest]
        oldest.cancel()
        return True

    async def _heard(self, request: Request, writer: asyncio.StreamWriter) -> str:
        task = asyncio.current_task()
        assert task is not None
        self._tasks[task] = True
        try:
            return await self._answer(request, writer)
        finally:
            if task in self._tasks:
                self._tasks[task] = False
