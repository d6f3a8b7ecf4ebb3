"""Descendants of a process: their memory, their processor time, and how to end them.

Only Linux tells which process has started which; elsewhere a process has no descendants here.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

_CHILDREN_FILE = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()
"""Whether the system keeps lists of children; where it does not, all processes have to be looked at."""


def adopt_orphans() -> None:
    """Become the parent of descendants whose parent has ended, so that they stay our descendants."""
    _prctl(36, 1)  # PR_SET_CHILD_SUBREAPER of prctl(2)


def die_with_parent(parent: int) -> None:
    """Ask the system to kill this process when its parent has ended; does nothing elsewhere."""
    _prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG of prctl(2)
    if sys.platform.startswith("linux") and os.getppid() != parent:
        os._exit(1)


def descendants(pid: int) -> list[int]:
    """All descendants of a process, parents before children.

    Ended processes that their parent has not waited for may be among them.
    """
    known = None if _CHILDREN_FILE else _all_children()
    found: list[int] = []
    left = [pid]
    while left:
        each = left.pop()
        children = _children(each) if known is None else known.get(each, [])
        found += children
        left += children
    return found


class OwnDescendants:
    """The descendants of this process, for repeated lookups."""

    def __init__(self) -> None:
        self._strangers = {0, 1}
        """Processes that are not ours, and never will be: they need not be looked at again."""

    def pids(self) -> list[int]:
        own = os.getpid()
        if _CHILDREN_FILE:
            return descendants(own)
        now = set(_all_pids())
        self._strangers = (self._strangers & now) | {0, 1}
        parents = {pid: _parent(pid) for pid in now - self._strangers if pid != own}
        found = []
        for pid in parents:
            line = [pid]
            while line[-1] in parents:
                line.append(parents[line[-1]])
            if line[-1] == own:
                found.append(pid)
            elif line[-1] in self._strangers:  # else a process between has ended: the next lookup finds out
                self._strangers.add(pid)
        return found


def resident_megabytes(pid: int) -> float:
    """The memory that a process holds; 0 where the system does not tell."""
    with suppress(OSError, IndexError, ValueError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def tree_megabytes(pid: int) -> float:
    """The memory that a process and its descendants hold; shared memory counts for each."""
    return resident_megabytes(pid) + sum(map(resident_megabytes, descendants(pid)))


def processor_seconds(pid: int) -> float:
    """Processor seconds of a process and of its ended children; 0 where the system does not tell."""
    return sum(_times(pid))


def own_processor_seconds(pid: int) -> float:
    """Processor seconds of a process alone."""
    return sum(_times(pid)[:2])


def tree_seconds(pid: int) -> float:
    """Processor seconds of a process, of its descendants, and of those that have ended."""
    return processor_seconds(pid) + sum(map(processor_seconds, descendants(pid)))


def end_descendants(seconds: float, below: OwnDescendants | None = None) -> bool:
    """Kill all descendants of this process and wait for them; whether that was done in so many seconds.

    Each process is stopped before its children are looked for, so that none can start another one meanwhile.
    This process should have adopted orphans: it is their parent when those in between have ended.
    """
    deadline = time.monotonic() + seconds
    below = below or OwnDescendants()
    while time.monotonic() < deadline:
        reap()
        stopped: set[int] = set()
        while (new := set(below.pids()) - stopped) and time.monotonic() < deadline:
            for pid in new:
                _send(pid, signal.SIGSTOP)
            stopped |= new
        if not stopped:
            return True
        for pid in stopped:
            _send(pid, signal.SIGKILL)
        time.sleep(0.001)
    return False


def reap() -> dict[int, int]:
    """Collect the exit status of each child that has ended, which the system then forgets."""
    found = {}
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            found[ended[0]] = ended[1]
    return found


def _send(pid: int, which: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, which)


def _times(pid: int) -> list[float]:
    """Processor seconds: of the process in user and in kernel mode, then the same of ended children."""
    with suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15]]
    return []


def _children(pid: int) -> list[int]:
    """The children by thread, as the system keeps them."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def _all_children() -> dict[int, list[int]]:
    """The children of every process on the machine."""
    found: dict[int, list[int]] = {}
    for pid in _all_pids():
        found.setdefault(_parent(pid), []).append(pid)
    return found


def _all_pids() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def _parent(pid: int) -> int:
    """The parent of a process; -1 where it has ended."""
    with suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])
    return -1


def _prctl(option: int, argument: int) -> None:
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(option, argument, 0, 0, 0)
