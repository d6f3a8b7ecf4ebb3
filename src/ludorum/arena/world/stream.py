"""One connection for many messages, each with its reply; opened again where a peer closes it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from ..protocol.client import Address, Dial, Streams, dial_any, format_request
from ..protocol.wire import REPLY_LIMITS, STREAM, Response, is_stream, read_response

REPLY_SECONDS = 10.0
"""How long a reply to a message of a realtime match may take. Nobody else waits for it."""


class MessageStream:
    """The way to one peer. A message that may have been read is never sent twice."""

    def __init__(
        self,
        address: Address,
        headers: Mapping[str, str],
        path: str = "/",
        seconds: float = REPLY_SECONDS,
        dial: Dial = dial_any,
    ) -> None:
        self.address = address
        self._headers = {**headers, **STREAM}
        self._path = path
        self._seconds = seconds
        self._dial = dial
        self._streams: Streams | None = None

    async def tell(self, text: str) -> Response:
        """Send a message and read its reply; OSError or WireError where there is none."""
        try:
            async with asyncio.timeout(self._seconds):
                reader, writer = await self._open()
                writer.write(format_request(self.address, text, self._headers, path=self._path))
                await writer.drain()
                response = await read_response(reader, REPLY_LIMITS)
        except BaseException:  # a cancelled message, too, leaves the connection in the middle of something
            self.close()
            raise
        if not is_stream(response.headers):
            self.close()
        return response

    def close(self) -> None:
        """Close the connection; the next message opens another."""
        if self._streams is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._streams[1].transport.abort()
            self._streams = None

    async def _open(self) -> Streams:
        if self._streams is not None and self._streams[0].at_eof():
            self.close()
        if self._streams is None:
            self._streams = await self._dial(self.address, REPLY_LIMITS.head_bytes)
        return self._streams
