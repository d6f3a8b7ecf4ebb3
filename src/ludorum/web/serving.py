"""Runs the web application with uvicorn: sockets, signals, a graceful end."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import uvicorn
from fastapi import FastAPI

from ..processes import fork_server, is_possible
from .app import make_app
from .config import SiteConfig
from .live.child import PROGRAM
from .store.database import open_database

TRIED_PORTS = 20
"""Ports after the usual one that are tried where it is taken."""
LEAVING_SECONDS = 5
"""How long requests that are being answered may take when the server ends."""
PING_SECONDS = 20.0
"""How often a websocket is asked whether the other side is there; it has as long to answer."""
SWITCH_SECONDS = 0.001
"""After so long a thread that works lets the event loop go on; Python's own value is five milliseconds."""
COLLECTOR = (3_000, 10, 100)
"""The thresholds of the garbage collector; Python's own are 700, 10 and 10."""
BACKLOG = 512
LARGEST_MESSAGE = 64 * 1024


class PortTaken(OSError):
    """Another program listens at the port that was asked for."""


def listen(host: str, port: int, is_asked_for: bool) -> socket.socket:
    """A socket that listens; a port that nobody has asked for gives way to a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    more = [] if is_asked_for else [*range(port + 1, port + 1 + TRIED_PORTS), 0]
    for one in (port, *more):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, one))
            found.listen(BACKLOG)
            return found
        except OSError as error:
            found.close()
            if error.errno != errno.EADDRINUSE:
                raise OSError(f"cannot listen at {host}: {error.strerror or error}") from error
    raise PortTaken(f"port {port} is taken: end the program that listens there, or choose another --port")


def address_of(listener: socket.socket) -> str:
    """The address of a server as browsers write it."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def serve(config: SiteConfig, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; calls ``on_ready`` when requests are answered."""
    if is_possible():
        fork_server(PROGRAM)  # it imports what matches need meanwhile
    database = open_database(config.database)
    app = make_app(config, database)
    keep_answering()
    asyncio.run(_run(Server(options_for(app), on_ready), listener))


def keep_answering() -> None:
    """Bound the time for which the event loop waits for other threads, and for the garbage collector.

    What is there now stays: the collector need not look at a hundred thousand objects of modules again. It
    looks at everything that lives some hundred times less often, since that takes a tenth of a second for two
    hundred matches; what dies young, as nearly all does, is found as before.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


def options_for(app: FastAPI) -> uvicorn.Config:
    """How uvicorn serves the app."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_graceful_shutdown=LEAVING_SECONDS,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
    )


class Server(uvicorn.Server):
    """A server that says when it is ready, and leaves signals to its caller."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        # uvicorn's own would raise them again at the end: a server that was told to end has not failed.
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._on_ready()


async def _run(server: Server, listener: socket.socket) -> None:
    loop = asyncio.get_running_loop()

    def end() -> None:
        # A second signal does not wait for those that are still being answered.
        server.force_exit = server.should_exit
        server.should_exit = True

    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, end)
    await server.serve([listener])
