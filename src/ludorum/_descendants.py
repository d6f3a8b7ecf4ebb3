"""Processes that another one has started, and those that these have: how much they hold, and their end.

Linux alone tells who has started whom; elsewhere a process has no descendants here.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path


def adopt_orphans() -> None:
    """Become the parent of descendants whose parent has ended, so that they stay descendants of ours."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    set_child_subreaper = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
    ctypes.CDLL(None).prctl(set_child_subreaper, 1)


def descendants(pid: int) -> list[int]:
    """All processes that one has started and their descendants, parents before children."""
    found: list[int] = []
    left = [pid]
    while left:
        children = _children(left.pop())
        found += children
        left += children
    return found


def tree_megabytes(pid: int) -> float:
    """The memory that a process and its descendants hold; what they share counts for each."""
    return _resident_megabytes(pid) + sum(map(_resident_megabytes, descendants(pid)))


def tree_seconds(pid: int) -> float:
    """Processor seconds of a process, of its descendants, and of those that have ended."""
    return _processor_seconds(pid) + sum(map(_processor_seconds, descendants(pid)))


def end_tree(pid: int) -> None:
    """Kill a process and its descendants; what has become of a child of ours is still to be waited for.

    Each is stopped before its children are looked for, so that none can start another one meanwhile.
    """
    stopped: list[int] = []
    left = [pid]
    while left:
        each = left.pop()
        if each not in stopped and _send(each, signal.SIGSTOP):
            stopped.append(each)
            left += descendants(pid)
    for each in stopped:
        _send(each, signal.SIGKILL)


def _send(pid: int, which: signal.Signals) -> bool:
    """Whether there was such a process that we may send signals to."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, which)
        return True
    return False


def _resident_megabytes(pid: int) -> float:
    with suppress(OSError, IndexError, ValueError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def _processor_seconds(pid: int) -> float:
    with suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _children(pid: int) -> list[int]:
    """By the thread that started them, as the system keeps them."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found
