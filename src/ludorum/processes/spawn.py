"""A child process with an interpreter of its own that does one piece of work for ``session``.

``multiprocessing`` would run the user's main script again in such a child: a plain script without the
``if __name__ == "__main__"`` idiom would do all its work twice. Here the child imports this package only.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from .descendants import die_with_parent

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from ludorum.processes.spawn import work; "
    "work({answer}, {parent}, {duplex})"
)


class SpawnedProcess:
    """The interface of ``multiprocessing.Process``, as far as ``session`` needs it."""

    def __init__(
        self, sender: Connection, target: Callable[..., None], args: tuple[Any, ...], duplex: bool = False
    ) -> None:
        """``duplex``: whether the child listens at the connection as well."""
        self._sender = sender
        self._duplex = duplex
        self._work = pickle.dumps((target, args))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        answer = self._sender.fileno()
        program = _PROGRAM.format(path=sys.path, answer=answer, parent=os.getpid(), duplex=self._duplex)
        # In a group of its own: only the parent handles Ctrl-C.
        self._process = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, pass_fds=[answer], process_group=0
        )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(self._work)
            self._process.stdin.close()
        except BrokenPipeError:  # it is dead already, which the empty answer will show
            self._process.stdin = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def exitcode(self) -> int | None:
        return None if self._process is None else self._process.returncode

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def join(self) -> None:
        if self._process is not None:
            self._process.wait()

    def close(self) -> None:
        self._process = None


def work(answer: int, parent: int, duplex: bool) -> None:
    """The work of the child: read a function, and call it with the connection for the answer."""
    die_with_parent(parent)
    target, args = pickle.load(sys.stdin.buffer)
    target(Connection(answer, readable=duplex), *args)
