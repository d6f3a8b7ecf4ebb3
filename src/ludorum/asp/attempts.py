"""Two attempts at a sheet within one allowance: as the usual passes leave it, then with guards as well.

Guards (``rules.normalise.demand``) cost up to four times the work on sheets that do not need them, so they
come second, and a sheet that explodes gets most of the time for them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..rules.normalise import PASSES
from ..rules.ruleset import Ruleset
from .session import Limit, LimitError, children_seconds, run_limited

Result = TypeVar("Result")

FIRST, SECOND = tuple(PASSES), (*PASSES, "demand")
"""The passes of each attempt."""

FIRST_SHARE = 0.35
"""Of the time, for grounding in the first attempt: of 649 public sheets most need less than a hundredth."""


def attempt(
    work: Callable[[Ruleset, Sequence[str]], Result],
    ruleset: Ruleset,
    seconds: float,
    megabytes: float,
    *,
    processor_time: bool = False,
    stop: threading.Event | None = None,
) -> Result:
    """What the work makes of a sheet with the first passes that let it end; LimitError if none do.

    Each attempt runs in a child process that is killed at its limits (``run_limited``). The work calls
    ``end_stage`` once the sheet is ground: from there on it may use up the whole time.
    """
    clock = children_seconds if processor_time else time.monotonic
    started = clock()
    try:
        return run_limited(
            work,
            (ruleset, FIRST),
            seconds,
            megabytes,
            processor_time=processor_time,
            first_seconds=seconds * FIRST_SHARE,
            stop=stop,
        )
    except LimitError as error:
        left = seconds - (clock() - started)
        if error.limit in (Limit.CRASH, Limit.STOPPED) or left < (1 - FIRST_SHARE) * seconds / 2:
            raise
    try:
        return run_limited(work, (ruleset, SECOND), left, megabytes, processor_time=processor_time, stop=stop)
    except LimitError as error:
        if error.limit is Limit.TIME:
            raise LimitError(Limit.TIME, f"took more than {seconds:g} s") from error
        raise
