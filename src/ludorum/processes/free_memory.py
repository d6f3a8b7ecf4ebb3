"""How much memory is still free."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path


def free_megabytes() -> float:
    """The memory that this machine, or the group of processes we are in, can still give; inf if unknown."""
    found = [math.inf]
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("MemAvailable")))
    group = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):  # `max` where there is no limit
        found.append((_number(group / "memory.max") - _number(group / "memory.current")) / 1e6)
    return min(found)


def _number(path: Path) -> int:
    return int(path.read_text())
