"""The private door of a process: other processes of the same database ask it about the matches it plays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from ..live import Elsewhere, Overtaken, Refused, UnknownMatch
from .wire import PeerWire, PeerWireError

PROOF_SECONDS = 5.0
"""How long a caller may take for its proof."""
MOST_STRANGERS = 50
"""Callers at once that have not done so yet; further ones are turned away."""
ERRORS: dict[type[Exception], str] = {
    Refused: "refused",
    UnknownMatch: "unknown",
    Overtaken: "overtaken",
    Elsewhere: "elsewhere",
}
"""Errors that are told to the other process, the special ones first."""

Answer = Callable[[str, list[Any]], Awaitable[Any]]
"""Takes the name of a question and its arguments."""
Watch = Callable[[list[Any]], AbstractAsyncContextManager[AsyncIterator[Any]]]
"""Takes the arguments of a subscription; gives what is sent one by one."""

_log = logging.getLogger(__name__)


class Door:
    """Listens for other processes."""

    def __init__(self, server: str, secret: str, answer: Answer, watch: Watch) -> None:
        self._server = server
        self._secret = secret
        self._answer = answer
        self._watch = watch
        self._listener: asyncio.Server | None = None
        self._strangers = 0
        self._callers: set[asyncio.Task[None]] = set()

    async def open(self, host: str) -> str:
        """Begin to listen at a free port; the address that others call."""
        self._listener = await asyncio.start_server(self._receive, host, 0)
        port = self._listener.sockets[0].getsockname()[1]
        return f"{host}:{port}"

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        for task in self._callers:
            task.cancel()
        await asyncio.gather(*self._callers, return_exceptions=True)

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._callers.add(task)
        wire = PeerWire(reader, writer)
        try:
            if self._strangers < MOST_STRANGERS and await self._is_known(wire):
                await Caller(wire, self._answer, self._watch).serve()
        except asyncio.CancelledError:
            pass  # the door is closed; asyncio would log it
        finally:
            self._callers.discard(task)
            wire.close()

    async def _is_known(self, wire: PeerWire) -> bool:
        self._strangers += 1
        try:
            async with asyncio.timeout(PROOF_SECONDS):
                await wire.prove_as_called(self._server, self._secret)
        except (PeerWireError, TimeoutError) as error:
            _log.warning("a caller at the private door was turned away: %s", error or "it said nothing")
            return False
        finally:
            self._strangers -= 1
        return True


class Caller:
    """Another process that asks."""

    def __init__(self, wire: PeerWire, answer: Answer, watch: Watch) -> None:
        self._wire = wire
        self._answer = answer
        self._watch = watch
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Answer until the other process has gone."""
        try:
            while True:
                message = await self._wire.receive()
                number = int(message["number"])
                if message["method"] == "leave":
                    if (left := self._tasks.pop(number, None)) is not None:
                        left.cancel()
                else:
                    self._tasks[number] = asyncio.create_task(self._work(number, message))
        except PeerWireError:
            return
        finally:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, number: int, message: dict[str, Any]) -> None:
        with suppress(PeerWireError):  # the other process has gone
            try:
                if message["method"] == "subscribe":
                    await self._show(number, message["args"])
                else:
                    value = await self._answer(message["method"], message["args"])
                    await self._wire.send({"number": number, "value": value})
            except PeerWireError:
                raise
            except Exception as error:
                await self._wire.send({"number": number} | _told(error))
        self._tasks.pop(number, None)

    async def _show(self, number: int, args: list[Any]) -> None:
        async with self._watch(args) as views:
            await self._wire.send({"number": number, "value": None})
            async for view in views:
                await self._wire.send({"number": number, "view": view})
        await self._wire.send({"number": number, "end": True})


def _told(error: Exception) -> dict[str, str]:
    """An error as the other process is told of it."""
    kind = next((name for kind, name in ERRORS.items() if isinstance(error, kind)), "failed")
    if kind == "failed":
        _log.error("a question of another process failed", exc_info=error)
    return {"error": kind, "message": str(error)}
