"""The machine a measurement was taken on, in words that name its kind and not its owner."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from pathlib import Path

from .._core import build_info, vector_width

ARM_PARTS = {
    "0xd0c": "Neoverse-N1",
    "0xd40": "Neoverse-V1",
    "0xd49": "Neoverse-N2",
    "0xd4f": "Neoverse-V2",
}
"""Linux names ARM cores by number only."""


def describe_machine() -> dict[str, object]:
    """Processor, cores, vector width, system and Python; no names of hosts or people."""
    return {
        "processor": processor_name(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "vector_bits": vector_width(),
        "compiler": build_info()["compiler"],
        "system": platform.system(),
        "python": platform.python_version(),
        "load": _load(),
    }


def processor_name() -> str:
    """What the processor calls itself, as far as the system tells."""
    if platform.system() == "Darwin":
        return _output("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    known = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    part = known.get("CPU part", "")
    return known.get("model name") or ARM_PARTS.get(part) or f"{platform.machine()} {part}".strip()


def commit_of(folder: Path) -> str | None:
    """The commit a clone stands at, with a ``+`` where files differ from it; None outside of clones."""
    commit = _output("git", "-C", str(folder), "rev-parse", "--short=12", "HEAD")
    if not commit:
        return None
    return commit + ("+" if _output("git", "-C", str(folder), "status", "--porcelain", "-uno") else "")


def version_of(folder: Path) -> str | None:
    """The commit of a clone; where files differ from it, with digits that are different for other changes."""
    commit = commit_of(folder)
    if commit is None or not commit.endswith("+"):
        return commit
    changes = _output("git", "-C", str(folder), "diff", "HEAD")
    return commit + hashlib.sha256(changes.encode()).hexdigest()[:6]


def _load() -> float | None:
    """Programs that wanted a core in the last minute; more than there are cores spoils a measurement."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
