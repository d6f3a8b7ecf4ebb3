"""The host's end of the wire: connect to a player, send it a message, wait for the reply.

Only the connection is tried again: a message that may have been read is never sent twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias
from urllib.parse import quote, urlsplit

from .wire import REPLY_LIMITS, PeerLimits, Response, WireError, read_response

USUAL_PORT = 9147
RETRY_SECONDS = (0.05, 0.2, 0.5)
"""Pauses before a refused connection is tried again, as long as the connect limit lasts."""


class Failure(Enum):
    """How an exchange can fail."""

    UNREACHABLE = "unreachable"
    LATE = "late"
    BROKEN = "broken"
    """Cut off, not HTTP, or without end."""


class ExchangeError(Exception):
    """There is no reply; ``seconds`` since the message was sent."""

    def __init__(self, failure: Failure, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.failure = failure
        self.seconds = seconds


@dataclass(frozen=True)
class Address:
    """The address of a player."""

    host: str
    port: int = USUAL_PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial: TypeAlias = Callable[[Address, int], Awaitable[Streams]]
"""Opens a connection to an address; the number is the longest line that is read. OSError where it cannot."""


async def dial_any(address: Address, longest: int) -> Streams:
    """A connection to an address, wherever it is."""
    return await asyncio.open_connection(address.host, address.port, limit=longest)


def parse_address(url: str) -> Address:
    """``http://host:port/``, ``host:port`` or ``host``; ValueError with what is wrong."""
    parts = urlsplit(url if "://" in url else f"//{url}")
    if parts.scheme not in ("", "http"):
        raise ValueError(f"{url!r}: players are reached by http, not {parts.scheme}")
    try:
        port = parts.port or USUAL_PORT
    except ValueError as error:
        raise ValueError(f"{url!r}: {error}") from error
    if not parts.hostname:
        raise ValueError(f"{url!r}: write a player's address as http://host:port")
    return Address(parts.hostname, port)


@dataclass(frozen=True)
class Sent:
    """A reply and how long it took, counted from when the last byte of the message was sent."""

    response: Response
    seconds: float
    connect_seconds: float


def format_request(
    address: Address, body: str, headers: Mapping[str, str], method: str = "POST", path: str = "/"
) -> bytes:
    """A request as the known hosts write it. A GET carries the message in its path."""
    target = path if method == "POST" else "/" + quote(body, safe="")
    lines = [f"{method} {target} HTTP/1.0"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if method == "POST":
        lines += ["Content-Type: text/acl", f"Content-Length: {len(body)}"]
    head = "\r\n".join(lines) + "\r\n\r\n"
    return (head + (body if method == "POST" else "")).encode("ascii")


async def exchange(
    address: Address,
    request: bytes,
    *,
    connect_seconds: float,
    reply_seconds: float,
    retry: bool = True,
    limits: PeerLimits = REPLY_LIMITS,
    dial: Dial = dial_any,
) -> Sent:
    """Send a request and read the reply; ExchangeError where no reply comes within the time.

    ``retry``: whether a refused connection is tried again; a player that could not be reached is tried once.
    """
    begin = time.monotonic()
    pauses = RETRY_SECONDS if retry else ()
    reader, writer = await _connect(
        lambda: dial(address, limits.head_bytes), address, connect_seconds, pauses
    )
    connected = time.monotonic() - begin
    try:
        return await _ask(reader, writer, request, connected, reply_seconds, limits)
    finally:
        writer.transport.abort()  # anything that arrives later is ignored


async def _ask(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    request: bytes,
    connected: float,
    reply_seconds: float,
    limits: PeerLimits,
) -> Sent:
    sent = time.monotonic()

    def taken() -> float:
        return time.monotonic() - sent

    # A peer that does not read must not block the host: sending has the time of the reply at most.
    try:
        writer.transport.set_write_buffer_limits(high=0)
        writer.write(request)
        async with asyncio.timeout(reply_seconds):
            await writer.drain()
        sent = time.monotonic()
        async with asyncio.timeout(reply_seconds):
            response = await read_response(reader, limits)
    except TimeoutError as error:
        raise ExchangeError(Failure.LATE, f"no answer in {reply_seconds:g} s", taken()) from error
    except WireError as error:
        raise ExchangeError(Failure.BROKEN, str(error) or "closed without a reply", taken()) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ExchangeError(Failure.BROKEN, f"the connection broke: {reason}", taken()) from error
    return Sent(response, taken(), connected)


async def _connect(
    open_streams: Callable[[], Awaitable[Streams]],
    address: Address,
    seconds: float,
    pauses: tuple[float, ...],
) -> Streams:
    deadline = time.monotonic() + seconds
    for pause in (*pauses, None):
        try:
            async with asyncio.timeout(max(0.001, deadline - time.monotonic())):
                return await open_streams()
        except TimeoutError as error:
            text = f"{address} cannot be reached in {seconds:g} s"
            raise ExchangeError(Failure.UNREACHABLE, text) from error
        except OSError as error:
            if pause is None or time.monotonic() + pause >= deadline:
                reason = error.strerror or str(error)
                text = f"{address} cannot be reached: {reason}"
                raise ExchangeError(Failure.UNREACHABLE, text) from error
            await asyncio.sleep(pause)
    raise AssertionError("the last try returns or raises")
