"""Several processes that serve at one socket, begun and ended by the first, which answers no requests."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from ..arena.records.store_address import address
from .config import SiteConfig
from .serving import serve
from .store.database import open_database

RESTART_SECONDS = 1.0
"""How long a process that has ended by itself is not replaced: one that cannot live would take all power."""
SPAWN = multiprocessing.get_context("spawn")
"""Spawned, not forked: a fork would share what the database's driver holds."""

_log = logging.getLogger(__name__)


class NotBegun(OSError):
    """A process of a server has ended before it answered anything."""


def check_database(database: str, processes: int) -> None:
    """ValueError where a database is not for so many processes."""
    if processes > 1 and not address(database).startswith("postgresql"):
        raise ValueError(
            f"{processes} processes need PostgreSQL: name one by --database postgresql://user@host/name. "
            "SQLite is for one process: leave --processes out"
        )


def shares(workers: int, processes: int) -> list[int]:
    """How many workers each process has; one at least.

    >>> shares(7, 3), shares(1, 2)
    ([3, 2, 2], [1, 1])
    """
    each, more = divmod(workers, processes)
    return [max(1, each + (at < more)) for at in range(processes)]


def serve_several(
    config: SiteConfig,
    listener: socket.socket,
    processes: int,
    on_ready: Callable[[], None],
    begin: Callable[[], None],
) -> None:
    """Serve with several processes until SIGINT or SIGTERM.

    ``on_ready`` is called here when all of them answer, and ``begin`` in each before anything else.
    """
    open_database(config.database).close()  # what is wrong with it is told once
    asyncio.run(_Family(config, listener, begin).live(processes, on_ready))


class _Family:
    """The processes of a server."""

    def __init__(self, config: SiteConfig, listener: socket.socket, begin: Callable[[], None]) -> None:
        self._config = config
        self._listener = listener
        self._begin = begin
        self._living: set[BaseProcess] = set()
        self._ending = asyncio.Event()

    async def live(self, processes: int, on_ready: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, self._end)
        configs = [replace(self._config, workers=share) for share in shares(self._config.workers, processes)]
        ready = [asyncio.Event() for _ in configs]
        keeping = [asyncio.create_task(self._keep(*both)) for both in zip(configs, ready, strict=True)]
        waiting = asyncio.gather(*(one.wait() for one in ready))
        either: list[asyncio.Future[Any]] = [waiting, *keeping]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done() and not self._ending.is_set():
            on_ready()
        try:
            await asyncio.gather(*keeping)
        finally:
            waiting.cancel()
            self._end()
            await asyncio.gather(*keeping, return_exceptions=True)

    def _end(self) -> None:
        self._ending.set()
        for process in self._living:
            process.terminate()

    async def _keep(self, config: SiteConfig, ready: asyncio.Event) -> None:
        """Let one process serve, and another in its place whenever it ends by itself."""
        while not self._ending.is_set():
            ours, its = SPAWN.Pipe()
            process = SPAWN.Process(target=_serve, args=(config, self._listener, its, self._begin))
            process.start()
            its.close()
            self._living.add(process)
            try:
                if await asyncio.to_thread(_answers, process, ours):
                    ready.set()
                elif not ready.is_set() and not self._ending.is_set():
                    raise NotBegun("a process of the server has not begun: its log says why")
                await asyncio.to_thread(process.join)
            finally:
                self._living.discard(process)
                ours.close()
            if not self._ending.is_set():
                _log.warning("a process has ended (%s), and another takes its place", process.exitcode)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), RESTART_SECONDS)


def _answers(process: BaseProcess, pipe: Connection) -> bool:
    """Wait until a process answers requests; whether it does before it ends."""
    wait([process.sentinel, pipe])
    try:
        return pipe.poll() and bool(pipe.recv())
    except EOFError:
        return False


def _serve(
    config: SiteConfig, listener: socket.socket, parent: Connection, begin: Callable[[], None]
) -> None:
    """In a process of its own: serve until the first process says so, or has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the first process ends the others
    begin()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    serve(config, listener, lambda: parent.send(True))


def _end_with(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv()
    os.kill(os.getpid(), signal.SIGTERM)
