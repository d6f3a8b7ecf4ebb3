"""A child process that does one piece of work for ``session``, forked from a warm process.

A program with threads must not be forked, and a fresh interpreter spends most of its time on imports. The
warm process has no threads and has imported what the work needs.
"""

from __future__ import annotations

import math
import os
import pickle
import socket
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from .fork_server import fork_server
from .process_tree import ProcessTree

IDLE_SECONDS = 20.0
"""How long the warm process waits for more work before it ends: a running match needs none."""
_HERE_IS_THE_WAY = b"w"


class ForkedProcess:
    """The interface of ``multiprocessing.Process``, as far as ``session`` needs it."""

    def __init__(
        self, sender: Connection, target: Callable[..., None], args: tuple[Any, ...], module: str = ""
    ) -> None:
        """``module``: what the work needs, to be imported once for all."""
        self.pid: int | None = None
        self._sender = sender
        self._module = module
        self._work = pickle.dumps((target, args))
        self._tree: ProcessTree | None = None

    def start(self) -> None:
        """Start the process; OSError where no process can be had."""
        # The first warm process may end just as it is asked, having been idle for long enough.
        if not self._has_begun() and not self._has_begun():
            raise OSError("no process could be forked from the warm one")

    def _has_begun(self) -> bool:
        self._tree = fork_server(__name__).start(math.inf, self._module)  # the session watches the memory
        try:
            self._hand_over(self._tree.work)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._tree.close()
            return False
        except BaseException:
            self._tree.close()
            raise
        return True

    def _hand_over(self, work: socket.socket) -> None:
        socket.send_fds(work, [_HERE_IS_THE_WAY], [self._sender.fileno()])
        way = Connection(os.dup(work.fileno()))
        try:
            way.send((sys.path, dict(os.environ), _folder()))
            pid = way.recv()
            way.send_bytes(self._work)
        finally:
            way.close()
        self.pid = pid

    @property
    def death(self) -> str:
        """How it has ended, in words; empty while it lives."""
        return "" if self._tree is None else self._tree.death

    def kill(self) -> None:
        if self._tree is not None:
            self._tree.end()

    def join(self) -> None:
        if self._tree is not None:
            self._tree.wait_for_death(None)

    def close(self) -> None:
        if self._tree is not None:
            self._tree.close()


def _folder() -> str | None:
    """The working folder; None where it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return None


# -- in the warm process, and in those that are forked from it ----------------------------------------------


def warm_up() -> None:
    """Does nothing: every order names the module it needs."""


def serve(connection: Connection) -> None:
    with socket.socket(fileno=os.dup(connection.fileno())) as work:
        _, (answer,), _, _ = socket.recv_fds(work, len(_HERE_IS_THE_WAY), 1)
    sys.path[:], environment, folder = connection.recv()
    os.environ.clear()
    os.environ.update(environment)
    if folder is not None:
        os.chdir(folder)
    connection.send(os.getpid())
    target, args = pickle.loads(connection.recv_bytes())
    connection.close()
    target(Connection(answer, readable=False), *args)
