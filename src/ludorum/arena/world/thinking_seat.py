"""A player of ours in a realtime match: it thinks in a process of its own, so that the clock never waits."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from ...players.realtime import make_realtime_player
from ...processes import ProcessTree, fork_server, is_possible
from ...rules.terms import Term
from ..protocol.messages import MessageError, Start, format_message
from ..protocol.realtime_messages import OwnMove, format_realtime, parse_realtime
from .mind_process import MODULE, READY, serve
from .outbox import View, is_last

MEGABYTES = 2000.0
"""Memory that a player may hold."""
MOST_BYTES = 1 << 20
"""The longest text that is read from a player."""
_SIZE = struct.Struct("!i")
"""What stands before each text, as ``Connection`` writes it."""


class ThinkingSeat:
    """One role of one match, played by one of our players."""

    def __init__(
        self,
        name: str,
        seed: int,
        offer: Callable[[Term, Term], object],
        megabytes: float = MEGABYTES,
    ) -> None:
        """``name``: one of ``realtime_names()``, else ValueError. ``offer`` is called with the role and each
        of its moves."""
        make_realtime_player(name, seed)
        self.name = name
        self.trouble = ""
        """Why the player plays no more, or never did; empty while it plays."""
        self._seed = seed
        self._is_over = False
        self._offer = offer
        self._megabytes = megabytes
        self._tree: ProcessTree | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self, message: Start, seconds: float) -> bool:
        """Whether the player is ready to play, after so many seconds at most."""
        try:
            async with asyncio.timeout(seconds):
                work = await asyncio.to_thread(self._open)
                reader, self._writer = await asyncio.open_connection(sock=work)
                await self._write(json.dumps([self.name, self._seed]))
                await self._write(format_message(message))
                answer = await _read(reader)
        except TimeoutError:
            answer = f"not ready after {seconds:g} s"
        except (OSError, asyncio.IncompleteReadError) as error:
            answer = f"its process ended: {error}"
        if answer != READY:
            self.trouble = answer
            self.close()
            return False
        self._reading = asyncio.create_task(self._read_moves(reader, message.role))
        return True

    async def send(self, view: View) -> None:
        """Tell the player what has happened; OSError where it is gone."""
        self._is_over = is_last(view)
        await self._write(format_realtime(view))

    def close(self) -> None:
        """End the player, whatever it is doing."""
        if self._reading is not None:
            self._reading.cancel()
        if self._writer is not None:
            self._writer.close()
        if self._tree is not None:
            self._tree.ask_to_end()

    def _open(self) -> socket.socket:
        if is_possible():
            server = fork_server(MODULE)
            server.wait_until_warm()
            self._tree = server.start(self._megabytes)
            return self._tree.work
        work, theirs = socket.socketpair()
        connection = Connection(theirs.detach())
        threading.Thread(target=serve, args=(connection,), name="realtime player", daemon=True).start()
        return work

    async def _write(self, text: str) -> None:
        if self._writer is None or self._writer.is_closing():
            raise ConnectionResetError(f"{self.name} is gone")
        data = text.encode()
        self._writer.write(_SIZE.pack(len(data)) + data)
        await self._writer.drain()

    async def _read_moves(self, reader: asyncio.StreamReader, role: Term) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, MessageError):
            while True:
                said = parse_realtime(await _read(reader))
                if isinstance(said, OwnMove):
                    self._offer(role, said.move)
        if not self._is_over:
            self.trouble = "its process ended"


async def _read(reader: asyncio.StreamReader) -> str:
    size = _SIZE.unpack(await reader.readexactly(_SIZE.size))[0]
    if size not in range(MOST_BYTES):
        raise OSError("it wrote no message")
    return (await reader.readexactly(size)).decode(errors="replace")
