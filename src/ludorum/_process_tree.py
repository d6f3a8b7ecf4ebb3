"""A process for code of others, which ends with everything it has started.

Between us and the process stands a supervisor: a small process that adopts whatever the code leaves behind
(children of children, also those in sessions of their own), watches the memory of all of them, and ends all
of them when the code's process ends, when we ask for it, or when we are gone ourselves, which it hears from
the end of a socket. What the code could still do is to kill processes of the same user that it was not given:
this is no sandbox.

POSIX only. Elsewhere than on Linux processes that leave the group of the code's process are not found.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from weakref import finalize

POLL_SECONDS = 0.1
"""How often the supervisor looks at memory, and for an end that it was not told of."""
WHOLE_LOOK = 10
"""Every how many of these looks the memory of all children counts as well."""
PARTING_SECONDS = 5.0
"""How long a supervisor may take to end its processes before it is killed itself."""

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from ludorum._process_tree import _supervise; "
    "_supervise({work}, {life}, {megabytes}, {target!r})"
)


def is_possible() -> bool:
    """Whether this system has what it takes."""
    return hasattr(os, "fork")


class ProcessTree:
    """One process and all that it starts. ``connection`` leads to it; ``end`` ends all of them at once."""

    def __init__(self, target: str, megabytes: float) -> None:
        """``target``: ``module:function``, which is called with the other end of the connection."""
        self.connection, theirs = Pipe(duplex=True)
        self._life, life = socket.socketpair()
        program = _PROGRAM.format(
            path=sys.path, work=theirs.fileno(), life=life.fileno(), megabytes=megabytes, target=target
        )
        # A session of its own: Ctrl-C is for us alone to understand. What the code prints is not our output.
        self._supervisor = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.DEVNULL,
            stdout=2,
            pass_fds=[theirs.fileno(), life.fileno()],
            start_new_session=True,
        )
        theirs.close()
        life.close()
        self._death = ""
        self._close = finalize(self, _close, self._supervisor, self._life, self.connection)

    @property
    def death(self) -> str:
        """How the process ended, in words; empty while it lives."""
        return self.wait_for_death(0.0)

    def wait_for_death(self, seconds: float) -> str:
        """How the process ended, waiting for it a little; empty where it lives on."""
        if not self._death and select.select([self._life], [], [], seconds)[0]:
            self._death = self._last_words()
        return self._death

    def fileno(self) -> int:
        """Of what can be read when the process has ended."""
        return self._life.fileno()

    def end(self) -> None:
        """End the process and everything it has started. May be called from any thread."""
        self._death = self._death or "was ended"
        _end(self._supervisor, self._life)

    def _last_words(self) -> str:
        try:
            return self._life.recv(200).decode(errors="replace") or "died with its supervisor"
        except OSError:
            return "died with its supervisor"


def _end(supervisor: subprocess.Popen[bytes], life: socket.socket) -> None:
    with suppress(OSError):
        life.shutdown(socket.SHUT_RDWR)  # tells the supervisor, and those who wait here
    try:
        supervisor.wait(PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()


def _close(supervisor: subprocess.Popen[bytes], life: socket.socket, connection: Connection) -> None:
    _end(supervisor, life)
    life.close()
    connection.close()


# -- in the supervisor --------------------------------------------------------------------------------------


def _supervise(work: int, life: int, megabytes: float, target: str) -> None:
    _adopt_orphans()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(life)
        _run(work, parent, target)
    os.close(work)
    with suppress(OSError):  # the process may have done it itself, or be gone
        os.setpgid(pid, pid)
    death = _watch(pid, life, megabytes)
    _end_descendants(pid)
    with suppress(OSError):
        os.write(life, death.encode())
    os._exit(0)


def _run(work: int, parent: int, target: str) -> None:
    """What the process itself does."""
    os.setpgid(0, 0)
    _die_with(parent)
    os.set_inheritable(work, False)
    module, _, function = target.partition(":")
    try:
        getattr(importlib.import_module(module), function)(Connection(work))
    finally:
        os._exit(0)


def _watch(pid: int, life: int, megabytes: float) -> str:
    """How the process ended, or that it must end, in words."""
    wake, woken = os.pipe2(os.O_NONBLOCK) if hasattr(os, "pipe2") else os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    for turn in count():
        status = _reap(pid)
        if status is not None:
            return describe_status(status)
        found = select.select([life, wake], [], [], POLL_SECONDS)[0]
        if life in found:
            return "was ended"
        if wake in found:
            os.read(wake, 100)
        # Its own memory is looked at every time; to look for all its children takes longer.
        others = _descendants(os.getpid()) if turn % WHOLE_LOOK == 0 else []
        if _resident_megabytes({pid, *others}) > megabytes:
            return f"needed more than {megabytes:g} MB"
    raise AssertionError


def _reap(pid: int) -> int | None:
    """The status of the process if it has ended; adopted children that have ended are let go."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            if ended[0] == pid:
                found = ended[1]
    return found


def describe_status(status: int) -> str:
    """The status of a process that has ended, as ``waitpid`` gives it, in words."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exited with {code}"
    with suppress(ValueError):
        return f"died of {signal.Signals(-code).name}"
    return f"died of signal {-code}"


def _end_descendants(group: int) -> None:
    """Kill until nothing is left: what is killed may have started more meanwhile."""
    end = time.monotonic() + PARTING_SECONDS - 1
    while time.monotonic() < end:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
        left = _descendants(os.getpid())
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        _reap(0)
        if not left:
            return
        time.sleep(0.002)


def _descendants(root: int) -> list[int]:
    """All processes below one, as far as the system tells; those that have ended are not among them."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError, ValueError):
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(file.parent.name))
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def _resident_megabytes(pids: Iterable[int]) -> float:
    pages = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _adopt_orphans() -> None:
    _prctl(36)  # PR_SET_CHILD_SUBREAPER of prctl(2): orphans below us become our children


def _die_with(parent: int) -> None:
    _prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: should the supervisor be killed
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, argument: int = 1) -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(option, argument, 0, 0, 0)
