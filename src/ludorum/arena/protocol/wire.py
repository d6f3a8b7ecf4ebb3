"""HTTP as GGP programs speak it: one request, one reply, then the connection closes.

Between programs of ours a realtime match has hundreds of messages a second: a request with ``STREAM`` asks
that the connection stays open for the next one.

Liberal in what is read: header names in any case, lines that end in LF alone, no Content-Length (then the
text goes to the close, or to where its brackets balance), lengths counted in characters, chunks, GET with
the message in the path. Strict about bounds: a peer can make us read so many bytes and no more. What we
write is ASCII, so that lengths in bytes and in characters are the same.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote_plus

from .brackets import Brackets, is_balanced


class WireError(Exception):
    """A peer breaks the protocol; says how."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class PeerLimits:
    """Limits on what a peer may make the program read."""

    head_bytes: int = 16 * 1024
    """Request or status line and headers."""
    body_bytes: int = 4 * 1024 * 1024
    """Twice the largest rule sheet that is read."""
    discard_bytes: int = 128 * 1024 * 1024
    """Bytes of a refused message that are read and dropped: many peers send everything before they read."""
    read_seconds: float = 10.0
    """Seconds from the first byte awaited to the last one read: a peer that sends too slowly is cut off."""
    connections: int = 64
    """Connections at the same time; further ones are refused with 503."""


STREAM = {"Connection": "keep-alive", "Keep-Alive": "realtime"}
"""The headers of messages and replies after which the connection stays open. Other programs write the first
one alone, and do not mean it."""
DEFAULT_LIMITS = PeerLimits()
REPLY_LIMITS = PeerLimits(body_bytes=64 * 1024)
"""Limits on a reply: a move, a word, and perhaps a remark."""


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: dict[str, str]
    """The headers by name in lower case."""
    body: str

    @property
    def message(self) -> str:
        """The text meant for the player: the body, or what is written in the path of a GET."""
        if self.method == "GET":
            return unquote_plus(re.sub(r"^(?:\w+://[^/]*)?/?\??", "", self.target))
        return self.body


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: str
    complete: bool
    """Whether the body has the length that was promised."""


# -- reading ----------------------------------------------------------------------------------------------


_REQUEST = re.compile(r"([a-zA-Z]+)\s+(\S.*?)(?:\s+HTTP/\S+)?", re.IGNORECASE)
"""The path may contain blanks: some peers do not encode them."""


async def read_request(reader: asyncio.StreamReader, limits: PeerLimits) -> Request:
    """Read a request; WireError where it is malformed or too long, TimeoutError where it is too slow."""
    async with asyncio.timeout(limits.read_seconds):
        first, headers = await _read_head(reader, limits)
        found = _REQUEST.fullmatch(first)
        if not found:
            raise WireError("this is not HTTP")
        method, target = found[1].upper(), found[2]
        if method in ("GET", "OPTIONS", "HEAD"):
            return Request(method, target, headers, "")
        if method != "POST":
            raise WireError(f"{method[:20]} is not supported: use POST, GET or OPTIONS", 405)
        return Request(method, target, headers, await _read_message(reader, headers, limits))


async def read_response(reader: asyncio.StreamReader, limits: PeerLimits) -> Response:
    """Read a reply, in whatever time the caller allows. Old peers leave out nearly everything."""
    first, headers = await _read_head(reader, limits, _STATUS)
    found = _STATUS.match(first)
    assert found is not None
    length: int | None = None
    if _is_chunked(headers):
        data = await _read_chunks(reader, limits)
    else:
        length = _length(headers, limits)
        # A body that is shorter than promised still holds what the peer sent.
        data = await _read_up_to(reader, limits.body_bytes + 1 if length is None else length)
        if length is None and len(data) > limits.body_bytes:
            raise _too_long(limits.body_bytes)
    return Response(int(found[1]), headers, _decode(data), length is None or len(data) == length)


_STATUS = re.compile(r"HTTP/\d(?:\.\d)?\s+(\d{3})", re.IGNORECASE)


async def _read_head(
    reader: asyncio.StreamReader, limits: PeerLimits, begins: re.Pattern[str] | None = None
) -> tuple[str, dict[str, str]]:
    left = limits.head_bytes
    first, headers = "", {}
    while True:
        line = await _read_line(reader)
        left -= len(line)
        if left < 0:
            raise _too_long(limits.head_bytes, "headers", 431)
        if not line.endswith(b"\n"):
            raise WireError("the connection closed in the middle of the headers" if line or first else "")
        text = _decode(line).strip()
        if text and not first:
            first = text
            if begins is not None and not begins.match(first):
                raise WireError(f"the reply is not HTTP: {first[:60]!r}")
        elif text:
            name, _, value = text.partition(":")
            headers[name.strip().lower()] = value.strip()
        elif first:
            return first, headers


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError as error:  # longer than the stream's buffer
        raise WireError("a header line without end", 431) from error


async def _read_message(reader: asyncio.StreamReader, headers: dict[str, str], limits: PeerLimits) -> str:
    if _is_chunked(headers):
        return _decode(await _read_chunks(reader, limits))
    length = _length(headers, limits)
    data = b"" if length is None else await _read_up_to(reader, length)
    if length is not None and (data.isascii() or is_balanced(data)):
        return _decode(data)
    # No length, or one in characters of a text beyond ASCII: the brackets tell the end.
    received, brackets = bytearray(data), Brackets()
    brackets.feed(data)
    while not (received[-64:].rstrip().endswith(b")") and brackets.balanced):
        more = await reader.read(65536)
        if not more:
            break
        received += more
        brackets.feed(more)
        if len(received) > limits.body_bytes:
            raise _too_long(limits.body_bytes)
    return _decode(bytes(received))


async def _read_up_to(reader: asyncio.StreamReader, count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        more = await reader.read(min(65536, count - len(received)))
        if not more:
            break
        received += more
    return bytes(received)


async def _read_chunks(reader: asyncio.StreamReader, limits: PeerLimits) -> bytes:
    received = bytearray()
    while True:
        line = (await _read_line(reader)).split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", line):
            raise WireError("a chunk without its length")
        count = int(line, 16)
        if len(received) + count > limits.body_bytes:
            raise _too_long(limits.body_bytes)
        if count == 0:
            return bytes(received)
        received += await _read_up_to(reader, count)
        await _read_line(reader)


def _is_chunked(headers: dict[str, str]) -> bool:
    return "chunked" in headers.get("transfer-encoding", "").lower()


def _length(headers: dict[str, str], limits: PeerLimits) -> int | None:
    text = headers.get("content-length")
    if text is None or not re.fullmatch(r"[0-9]{1,18}", text):
        return None
    if int(text) > limits.body_bytes:
        raise _too_long(limits.body_bytes)
    return int(text)


def _too_long(limit: int, what: str = "text", status: int = 413) -> WireError:
    return WireError(f"{what} longer than {limit} bytes", status)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


# -- writing ----------------------------------------------------------------------------------------------

_REASONS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed",
            408: "Request Timeout", 413: "Content Too Large", 431: "Request Header Fields Too Large",
            500: "Internal Server Error", 503: "Service Unavailable"}  # fmt: skip


def format_response(body: str, status: int = 200, origin: str = "", stays_open: bool = False) -> bytes:
    """A reply as ggp-base writes it. Only echoes of the host's rules have letters beyond ASCII.

    ``origin``: the web pages that may read it, `*` for all.
    """
    text = body.encode("utf-8", errors="replace")
    stays = "".join(f"{name}: {value}\r\n" for name, value in STREAM.items()) if stays_open else ""
    head = (
        f"HTTP/1.0 {status} {_REASONS.get(status, 'OK')}\r\n"
        f"Content-type: text/acl\r\nContent-length: {len(text)}\r\n{stays}{_leave_for(origin)}\r\n"
    )
    return head.encode("ascii") + text


def _leave_for(origin: str) -> str:
    """The headers that let pages of an origin read the answer; none where no page may."""
    if not origin:
        return ""
    return (
        f"Access-Control-Allow-Origin: {origin}\r\n"
        "Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
        "Access-Control-Allow-Headers: Content-Type\r\n"
        "Access-Control-Max-Age: 86400\r\n"
    )


# -- serving ----------------------------------------------------------------------------------------------


async def answer_connection(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    limits: PeerLimits,
    answer: Callable[[Request, asyncio.StreamWriter], Awaitable[str]],
    origin: str = "",
) -> str:
    """Read one request, write one reply, close. Returns what was wrong with the peer, or an empty text.

    ``origin``: the web pages that may ask, `*` for all.
    """
    trouble, answered = "", 0
    try:
        while await _answer_one(reader, writer, limits, answer, origin):
            answered += 1
            await writer.drain()
    except WireError as error:
        trouble = str(error)
        if trouble or not answered:  # a stream may end after any message
            writer.write(format_response("nil", error.status))
            await hear_out(reader, writer, limits.discard_bytes, limits.read_seconds)
    except TimeoutError:
        if not answered:
            trouble = f"no whole request within {limits.read_seconds:g} s"
            writer.write(format_response("nil", 408))
    except ConnectionError as error:
        trouble = f"{type(error).__name__}"
    except Exception as error:  # a mistake of this program, but no reason to leave a peer waiting
        trouble = f"{type(error).__name__}: {error}"
        writer.write(format_response("nil", 500))
    await close_writer(writer, limits.read_seconds)
    return trouble


async def _answer_one(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    limits: PeerLimits,
    answer: Callable[[Request, asyncio.StreamWriter], Awaitable[str]],
    origin: str,
) -> bool:
    """Read a request and write the reply; whether the connection stays open."""
    request = await read_request(reader, limits)
    if not may_ask(request, origin):
        raise WireError(f"a web page asked ({_page_of(request)}), which --allow-origin does not name", 403)
    body = "" if request.method in ("OPTIONS", "HEAD") else await answer(request, writer)
    stays_open = is_stream(request.headers)
    writer.write(format_response(body, origin=origin, stays_open=stays_open))
    return stays_open


def is_stream(headers: Mapping[str, str]) -> bool:
    """Whether the sender of these headers leaves the connection open for more messages."""
    return headers.get("keep-alive", "").lower() == STREAM["Keep-Alive"]


def may_ask(request: Request, origin: str) -> bool:
    """Whether a request comes from a program, a browser's address line, or a page of the origin.

    Browsers send what a page asks for before they look whether the page may read the answer, so without
    this any page could begin matches with a player on the machine of its visitor.
    """
    page = _page_of(request)
    return not page or origin == "*" or page == origin


def _page_of(request: Request) -> str:
    """The origin of the page behind a request, as its browser says; empty where there is none."""
    origin = request.headers.get("origin", "")
    if origin:
        return origin[:100]
    site = request.headers.get("sec-fetch-site", "none").lower()
    if site != "none":
        return site[:20]
    return request.headers.get("referer", "")[:100]


async def hear_out(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int, seconds: float
) -> None:
    """Send what is left, and read on until the peer has seen the end of the reply.

    A connection that is closed while bytes are unread is reset, and the peer never sees the reply.
    """
    with suppress(TimeoutError, ConnectionError, OSError):
        async with asyncio.timeout(seconds):
            await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
            while most > 0 and (data := await reader.read(65536)):
                most -= len(data)


async def close_writer(writer: asyncio.StreamWriter, seconds: float) -> None:
    """Send what is left and close; a peer that does not read it is cut off."""
    try:
        async with asyncio.timeout(seconds):
            await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
            writer.close()
            await writer.wait_closed()
    except (TimeoutError, ConnectionError, OSError):
        writer.transport.abort()
