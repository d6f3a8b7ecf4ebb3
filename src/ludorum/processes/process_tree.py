"""A process that ends with everything it has started.

Between the program and the process stands a supervisor: a small process that adopts everything the process
leaves behind (children of children, also those in sessions of their own), watches the memory of all of them,
and ends all of them when the process ends, when the program asks for it, or when the program is gone, which
it notices by the end of a socket. Code in the process can still kill other processes of the same user: this
is no sandbox.

POSIX only. On systems other than Linux memory is not watched, and processes that leave the group of the
process are not found.
"""

from __future__ import annotations

import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NoReturn
from weakref import finalize

from .descendants import (
    OwnDescendants,
    adopt_orphans,
    die_with_parent,
    end_descendants,
    reap,
    resident_megabytes,
)

SHORTEST_LOOK, LONGEST_LOOK = 0.02, 0.25
"""Seconds between two checks of the memory."""
FASTEST_GROWTH = 4000.0
"""Megabytes a second, twice what one processor can fill: the next check comes before the limit is reached."""
PARTING_SECONDS = 5.0
"""How long a supervisor may take to end its processes before it is killed itself."""
UNSUPERVISED = "died with its supervisor"
"""How a process ended that lost its supervisor, or never had one, since the warm process was killed."""

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from ludorum.processes.process_tree import supervise_target; "
    "supervise_target({work}, {life}, {megabytes}, {target!r})"
)


def is_possible() -> bool:
    """Whether this system supports process trees."""
    return hasattr(os, "fork")


class ProcessTree:
    """One process and all that it starts, from the side of the program that started it.

    ``work`` leads to the process; ``end`` ends all of them at once.
    """

    def __init__(
        self, work: socket.socket, life: socket.socket, supervisor: subprocess.Popen[bytes] | None = None
    ) -> None:
        """``life`` leads to the supervisor, which is a child of ours or of the fork server."""
        self.work = work
        self._life = life
        self._supervisor = supervisor
        self._death = ""
        self._close = finalize(self, _close, work, life, supervisor)

    @property
    def death(self) -> str:
        """How the process ended, in words; empty while it lives."""
        return self.wait_for_death(0.0)

    def wait_for_death(self, seconds: float | None) -> str:
        """How the process ended, after waiting for it a little or, with None, as long as it takes; empty
        where it lives on."""
        if not self._death and select.select([self._life], [], [], seconds)[0]:
            self._death = self._last_words()
        return self._death

    def fileno(self) -> int:
        """A file descriptor that can be read when the process has ended with everything it has started."""
        return self._life.fileno()

    def ask_to_end(self) -> None:
        """Make the supervisor end the process and everything it has started, without waiting for it."""
        with suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        """End the process and everything it has started. May be called from any thread."""
        self._death = self._death or "was ended"
        _end(self._life, self._supervisor)

    def close(self) -> None:
        """End it and close the sockets."""
        self._close()

    def _last_words(self) -> str:
        try:
            return self._life.recv(200).decode(errors="replace") or UNSUPERVISED
        except OSError:
            return UNSUPERVISED


def spawn_tree(target: str, megabytes: float) -> ProcessTree:
    """A process with an interpreter of its own, which calls ``target``, as ``module:function``, with a
    ``Connection``, the other end of ``work``."""
    work, theirs = socket.socketpair()
    life, supervised = socket.socketpair()
    program = _PROGRAM.format(
        path=sys.path, work=theirs.fileno(), life=supervised.fileno(), megabytes=megabytes, target=target
    )
    # A session of its own: only the program handles Ctrl-C. Prints of the code are not our output.
    supervisor = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        stdout=2,
        pass_fds=[theirs.fileno(), supervised.fileno()],
        start_new_session=True,
    )
    theirs.close()
    supervised.close()
    return ProcessTree(work, life, supervisor)


def _end(life: socket.socket, supervisor: subprocess.Popen[bytes] | None) -> None:
    with suppress(OSError):
        life.shutdown(socket.SHUT_WR)
    if supervisor is None:
        with suppress(OSError, ValueError):  # until the supervisor closes its socket, which is when it ends
            while select.select([life], [], [], PARTING_SECONDS)[0] and life.recv(200):
                pass
        return
    try:
        supervisor.wait(PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()


def _close(work: socket.socket, life: socket.socket, supervisor: subprocess.Popen[bytes] | None) -> None:
    if supervisor is None:
        life.close()  # the fork server does the rest
    else:
        _end(life, supervisor)
        life.close()
    work.close()


# -- in the supervisor --------------------------------------------------------------------------------------


def supervise_target(work: int, life: int, megabytes: float, target: str) -> NoReturn:
    module, _, function = target.partition(":")
    supervise(
        work,
        life,
        megabytes,
        lambda connection: getattr(importlib.import_module(module), function)(connection),
    )


def supervise(work: int, life: int, megabytes: float, run: Callable[[Connection], object]) -> NoReturn:
    """Start a process that runs a function, and end when it and everything it has started have ended."""
    adopt_orphans()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(life)
        _run(work, parent, run)
    os.close(work)
    with suppress(OSError):  # the process may have done it itself, or be gone
        os.setpgid(pid, pid)
    below = OwnDescendants()
    death = _watch(pid, life, megabytes, below)
    with suppress(OSError):  # where the system does not tell of descendants
        os.killpg(pid, signal.SIGKILL)
    end_descendants(PARTING_SECONDS - 1, below)
    with suppress(OSError):
        os.write(life, death.encode())
    os._exit(0)


def _run(work: int, parent: int, run: Callable[[Connection], object]) -> NoReturn:
    """The work of the process itself."""
    os.setpgid(0, 0)
    die_with_parent(parent)
    os.set_inheritable(work, False)
    try:
        run(Connection(work))
    finally:
        os._exit(0)


def _watch(pid: int, life: int, megabytes: float, below: OwnDescendants) -> str:
    """How the process ended, or why it must end, in words."""
    wake, woken = os.pipe()
    for end in (wake, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    look = time.monotonic() + SHORTEST_LOOK
    while True:
        status = reap().get(pid)
        if status is not None:
            return describe_status(status)
        if time.monotonic() >= look:
            left = megabytes - sum(map(resident_megabytes, below.pids()))
            if left < 0:
                return f"needed more than {megabytes:g} MB"
            look = time.monotonic() + min(LONGEST_LOOK, max(SHORTEST_LOOK, left / FASTEST_GROWTH))
        found = select.select([life, wake], [], [], max(0.0, look - time.monotonic()))[0]
        if life in found:
            status = reap().get(pid)
            return "was ended" if status is None else describe_status(status)
        if wake in found:
            os.read(wake, 100)


def describe_status(status: int) -> str:
    """The status of a process that has ended, as ``waitpid`` gives it, in words."""
    return describe_exit(os.waitstatus_to_exitcode(status))


def describe_exit(code: int) -> str:
    """The same for an exit code, which is the negative number of the signal where a signal killed it."""
    if code >= 0:
        return f"exited with {code}"
    with suppress(ValueError):
        return f"died of {signal.Signals(-code).name}"
    return f"died of signal {-code}"
