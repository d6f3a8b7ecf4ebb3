"""A line to the private door of another process: questions, and subscriptions to matches that it plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from time import monotonic
from typing import Any

from ..live import Elsewhere
from ..store.servers import ServerRow
from .door import ERRORS
from .wire import PeerWire, PeerWireError

CALL_SECONDS = 2.0
"""How long it may take to reach another process."""
PAUSE_SECONDS = 0.5
"""How long a process that was not reached is not called again: many may want to ask it."""


class NotReached(Exception):
    """The other process was not reached: it was asked nothing."""


class LineBroken(Elsewhere):
    """The other process has gone before it answered: it may have done what it was asked, or not."""


class PeerFailed(Exception):
    """The other process failed; its log says why."""


class Stream:
    """What a subscription has sent: only the newest is kept."""

    def __init__(self) -> None:
        self._newest: Any = None
        self._news = asyncio.Event()
        self._is_ended = False

    def put(self, view: Any) -> None:
        self._newest = view
        self._news.set()

    def end(self) -> None:
        self._is_ended = True
        self._news.set()

    async def views(self) -> AsyncIterator[Any]:
        while True:
            await self._news.wait()
            self._news.clear()
            if self._newest is not None:
                view, self._newest = self._newest, None
                yield view
            if self._is_ended:
                return


class Line:
    """An open connection to one process."""

    def __init__(self, wire: PeerWire) -> None:
        self._wire = wire
        self._numbers = count()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._streams: dict[int, Stream] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self.is_broken = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def to(cls, server: ServerRow) -> Line:
        """A line to a process; NotReached where it does not answer, or is another one."""
        host, _, port = server.address.rpartition(":")
        try:
            async with asyncio.timeout(CALL_SECONDS):
                wire = PeerWire(*await asyncio.open_connection(host, int(port)))
                try:
                    await wire.prove_as_caller(server.id, server.secret)
                except BaseException:
                    wire.close()
                    raise
        except (OSError, TimeoutError, PeerWireError) as error:
            raise NotReached(f"{server.id} at {server.address}: {error or 'no answer'}") from error
        return cls(wire)

    async def ask(self, method: str, *args: Any) -> Any:
        """The answer of the other process."""
        number = next(self._numbers)
        try:
            return await self._send(number, method, args)
        except asyncio.CancelledError:
            self._leave(number)
            raise

    @asynccontextmanager
    async def subscribe(self, *args: Any) -> AsyncIterator[AsyncIterator[Any]]:
        """What the other process sends one by one, until it ends or the line breaks."""
        number = next(self._numbers)
        stream = self._streams[number] = Stream()
        try:
            await self._send(number, "subscribe", args)
            yield stream.views()
        finally:
            self._streams.pop(number, None)
            self._leave(number)

    def close(self) -> None:
        """End the line: questions that wait for an answer fail."""
        self._reading.cancel()
        self._break()

    async def _send(self, number: int, method: str, args: tuple[Any, ...]) -> Any:
        if self.is_broken:
            raise NotReached("the line is broken")
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._wire.send({"number": number, "method": method, "args": args})
            return await answer
        except PeerWireError as error:
            raise LineBroken(str(error)) from error
        finally:
            self._answers.pop(number, None)

    def _leave(self, number: int) -> None:
        """Say that an answer, or more views, are not wanted any more."""
        if not self.is_broken:
            task = asyncio.create_task(self._say_leave(number))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _say_leave(self, number: int) -> None:
        with suppress(PeerWireError):
            await self._wire.send({"number": number, "method": "leave", "args": []})

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self._wire.receive())
        except PeerWireError:
            pass
        finally:
            self._break()

    def _take(self, message: dict[str, Any]) -> None:
        number = message["number"]
        if "view" in message or "end" in message:
            if (stream := self._streams.get(number)) is not None:
                stream.put(message["view"]) if "view" in message else stream.end()
            return
        answer = self._answers.get(number)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(_error_of(message["error"], message["message"]))
        else:
            answer.set_result(message["value"])

    def _break(self) -> None:
        self.is_broken = True
        self._wire.close()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(LineBroken("the other process has gone"))
        for stream in self._streams.values():
            stream.end()


def _error_of(kind: str, message: str) -> Exception:
    found = next((error for error, name in ERRORS.items() if name == kind), PeerFailed)
    return found(message)


class Lines:
    """Lines to all processes that were asked something."""

    def __init__(self) -> None:
        self._lines: dict[str, Line] = {}
        self._calling: dict[str, asyncio.Lock] = {}
        self._failed: dict[str, float] = {}
        """When a process was not reached."""

    async def to(self, server: ServerRow) -> Line:
        """The line to a process; NotReached where there is none."""
        async with self._calling.setdefault(server.id, asyncio.Lock()):
            line = self._lines.get(server.id)
            if line is None or line.is_broken:
                if monotonic() < self._failed.get(server.id, 0.0) + PAUSE_SECONDS:
                    raise NotReached(f"{server.id} at {server.address} was not reached a moment ago")
                try:
                    line = self._lines[server.id] = await Line.to(server)
                except NotReached:
                    self._failed[server.id] = monotonic()
                    raise
            return line

    def keep(self, living: set[str]) -> None:
        """Close the lines to processes that give no sign of life: one that hangs answers nothing."""
        for server in self._lines.keys() - living:
            self._lines.pop(server).close()
        for server in self._calling.keys() - living:
            del self._calling[server]
            self._failed.pop(server, None)

    def close(self) -> None:
        self.keep(set())
