"""Test doubles for authors of GGP players and hosts: a scripted player, a scripted server, a bad network.

All three use real sockets on free ports of this machine and remember every byte::

    async with ScriptedPlayer(moves=["(mark 1 1)", "noop"]) as player:
        ...                                    # let a host play against player.url
        assert player.texts[0] == "( START ..."

    server = ScriptedServer(url)               # be the host of the player at url
    assert await server.say("( INFO )") == "((name me) (status available))"

    async with FaultyProxy(url, troubles) as proxy:
        ...                                    # reach the player by proxy.url instead

They do not use the reader and writer that Ludorum itself uses: a mistake there is not hidden here.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import unquote_plus, urlsplit

MOST_BYTES = 16 * 1024 * 1024


# -- what a scripted player may do ------------------------------------------------------------------------


@dataclass(frozen=True)
class Raw:
    """Write exactly these bytes and close."""

    data: bytes


@dataclass(frozen=True)
class Later:
    """Do something after so many seconds."""

    seconds: float
    act: Act


@dataclass(frozen=True)
class Silence:
    """Read the message and say nothing, as long as the host waits."""


@dataclass(frozen=True)
class Reset:
    """Cut the connection without a word."""


@dataclass(frozen=True)
class Endless:
    """Say the same again and again, for ever."""

    data: bytes = b"x" * 1024
    head: bytes = b"HTTP/1.0 200 OK\r\n\r\n"


Act: TypeAlias = str | Raw | Later | Silence | Reset | Endless
"""A text is sent as the body of a proper reply."""

POLITE: Mapping[str, Act] = {
    "info": "((name scripted) (status available))",
    "start": "ready",
    "stop": "done",
    "abort": "aborted",
    "preview": "ready",
    "ping": "ready",
}


def reply_bytes(body: str) -> bytes:
    """A proper reply around a text."""
    head = f"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {len(body)}\r\n\r\n"
    return (head + body).encode()


@dataclass(frozen=True)
class Heard:
    """A request: all its bytes, and the message in it."""

    data: bytes
    text: str

    @property
    def keyword(self) -> str:
        found = re.match(r"[\s(]*([a-zA-Z]+)", self.text)
        return found[1].lower() if found else ""


class _Listener:
    """A server that listens on a free port between ``async with`` and its end."""

    def __init__(self) -> None:
        self.url = ""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MOST_BYTES)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # broken connections are what is tested
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError


class ScriptedPlayer(_Listener):
    """A player that follows a script, and remembers what it was asked."""

    def __init__(
        self,
        moves: Iterable[Act] = (),
        script: Mapping[str, Act] | Callable[[Heard], Act | Awaitable[Act]] | None = None,
    ) -> None:
        """``moves`` answer one PLAY after the other, then ``nil``; ``script`` says what to do for other
        keywords, or for every message if it is a function."""
        super().__init__()
        self.heard: list[Heard] = []
        self._moves = list(moves)
        self._script = script

    @property
    def texts(self) -> list[str]:
        """The messages, as they were written."""
        return [heard.text for heard in self.heard]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard = await _hear(reader)
        self.heard.append(heard)
        act = await self._act(heard)
        while isinstance(act, Later):
            await asyncio.sleep(act.seconds)
            act = act.act
        await _perform(act, reader, writer)

    async def _act(self, heard: Heard) -> Act:
        if callable(self._script):
            act = self._script(heard)
            return await act if isinstance(act, Awaitable) else act
        if heard.keyword == "play":
            return self._moves.pop(0) if self._moves else "nil"
        return {**POLITE, **(self._script or {})}.get(heard.keyword, "nil")


async def _perform(act: Act, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    match act:
        case str():
            writer.write(reply_bytes(act))
        case Raw(data):
            writer.write(data)
        case Silence():
            while await reader.read(65536):
                pass
        case Reset():
            reset(writer)
            return
        case Endless(data, head):
            writer.write(head)
            while True:
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(0)  # lets other tasks run between two pieces
    await writer.drain()


def reset(writer: asyncio.StreamWriter) -> None:
    """Cut a connection so that the peer sees a failure, not an end."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _hear(reader: asyncio.StreamReader) -> Heard:
    """One request, however it is written."""
    head = b""
    while line := await reader.readline():
        head += line
        if not line.strip():
            break
    length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
    body = b""
    wanted = min(int(length[1]) if length else 0, MOST_BYTES)
    while len(body) < wanted:
        more = await reader.read(wanted - len(body))
        if not more:
            break
        body += more
    if head.upper().startswith(b"GET "):
        return Heard(head, unquote_plus(head.split()[1].decode()[1:]))
    return Heard(head + body, body.decode(errors="replace"))


# -- being the host ---------------------------------------------------------------------------------------


class ScriptedServer:
    """A host that sends the given messages; ``exchanges`` are all bytes sent and received."""

    def __init__(self, url: str, seconds: float = 30.0) -> None:
        """``seconds``: how long any reply is waited for."""
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 9147
        self.seconds = seconds
        self.exchanges: list[tuple[bytes, bytes]] = []

    async def say(self, text: str) -> str:
        """Send a message as ggp-base does; the body of the reply."""
        request = (
            f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {self.host}\r\nSender: GAMESERVER\r\n"
            f"Receiver: player\r\nContent-Type: text/acl\r\nContent-Length: {len(text)}\r\n\r\n{text}"
        )
        return (await self.send(request.encode())).partition(b"\r\n\r\n")[2].decode()

    async def send(self, data: bytes, *, half_close: bool = False) -> bytes:
        """Send bytes as they are; all bytes that come back before the player closes.

        ``half_close``: tell the player that nothing more will come, as peers without a length do.
        """
        reader, writer = await asyncio.open_connection(self.host, self.port)
        received = b""
        try:
            async with asyncio.timeout(self.seconds):
                writer.write(data)
                await writer.drain()
                if half_close:
                    writer.write_eof()
                received = await reader.read(MOST_BYTES)
                while more := await reader.read(MOST_BYTES):
                    received += more
        except ConnectionError:
            pass  # bytes before the cut count
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        self.exchanges.append((data, received))
        return received


# -- a bad network ----------------------------------------------------------------------------------------


class Trouble(Enum):
    """The faults of a bad network."""

    NONE = "none"
    DROP = "drop"
    """The connection is closed before the player receives anything."""
    RESET = "reset"
    """The player receives the message, but the connection is cut instead of its reply."""
    DELAY = "delay"
    """The reply comes after ``delay`` seconds."""
    RUBBISH = "rubbish"
    """The reply is something that is not HTTP."""
    HTML = "html"
    """The reply is a page, as from a gateway that is out of order."""
    TRUNCATE = "truncate"
    """Half of the reply is missing."""
    STALL = "stall"
    """The reply begins and never ends."""


_PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>"


class FaultyProxy(_Listener):
    """Stands between a host and a player and does what ``troubles`` says for each message."""

    def __init__(self, url: str, troubles: Callable[[Heard], Trouble], delay: float = 0.2) -> None:
        super().__init__()
        self.injected: list[tuple[str, Trouble]] = []
        """The keyword of each message that was disturbed, and the trouble."""
        self._target = ScriptedServer(url)
        self._troubles = troubles
        self._delay = delay

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard = await _hear(reader)
        trouble = self._troubles(heard)
        if trouble is not Trouble.NONE:
            self.injected.append((heard.keyword, trouble))
        if trouble is Trouble.DROP:
            return
        reply = await self._target.send(heard.data)
        match trouble:
            case Trouble.NONE:
                writer.write(reply)
            case Trouble.RESET:
                reset(writer)
                return
            case Trouble.DELAY:
                await asyncio.sleep(self._delay)
                writer.write(reply)
            case Trouble.RUBBISH:
                writer.write(bytes(range(256)) * 4)
            case Trouble.HTML:
                page = f"HTTP/1.1 502 Bad Gateway\r\nContent-Length: {len(_PAGE)}\r\n\r\n{_PAGE}"
                writer.write(page.encode())
            case Trouble.TRUNCATE:
                head, gap, body = reply.partition(b"\r\n\r\n")
                writer.write(head + gap + body[: len(body) // 2])
            case Trouble.STALL:
                writer.write(reply.partition(b"\r\n\r\n")[0])
                while await reader.read(65536):
                    pass
        await writer.drain()
