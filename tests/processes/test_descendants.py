"""What a process has started, and what becomes of it."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from ludorum.processes import descendants, tree_megabytes
from ludorum.processes.descendants import resident_megabytes
from tests.own_process import in_own_process

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

FAMILY = "sleep 100 & setsid sh -c 'sleep 100 & setsid sleep 100 &' & wait; wait"
"""A child, and two of a parent that has ended; one of them in a session of its own."""


def sleepers(pids: list[int]) -> int:
    """How many of the processes sleep."""
    return sum(_name(pid) == "sleep" for pid in pids)


def _name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def test_all_descendants_are_found_counted_and_ended() -> None:
    in_own_process(end_a_family)


def end_a_family() -> None:
    from ludorum.processes.descendants import OwnDescendants, adopt_orphans, end_descendants

    adopt_orphans()
    below = OwnDescendants()
    assert below.pids() == []
    with subprocess.Popen(["sh", "-c", FAMILY]) as family:
        while sleepers(below.pids()) < 3:
            assert family.poll() is None
        assert sleepers(descendants(os.getpid())) == 3
        own = resident_megabytes(os.getpid())
        assert tree_megabytes(os.getpid()) > own > 1
        assert end_descendants(60.0)
    assert below.pids() == descendants(os.getpid()) == []
