"""Tests that look at the memory of their process run in one that nobody used before them."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable

from tests.corpus_location import ROOT

PYTHON = [sys.executable, *(["-S"] if sys.flags.no_site else [])]
"""This Python, without hooks of its packages where this process has none: sanitized kernels need it."""


def in_own_process(part: Callable[..., None], *given: object, seconds: float = 120) -> None:
    """Call a function of a test module, with arguments that can be written down, in a new process."""
    call = f"from {part.__module__} import {part.__name__}; {part.__name__}(*{given!r})"
    subprocess.run([*PYTHON, "-c", call], cwd=ROOT, check=True, timeout=seconds)


def most_megabytes() -> float:
    """The most memory this process has ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
