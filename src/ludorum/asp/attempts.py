"""Two attempts at a sheet within one limit: with the usual passes, then with guards as well.

Guards (``rules.normalise.demand``) cost up to four times the work on sheets that do not need them, so they
come second, and get most of the time. Where the first attempt is estimated to be in vain, it is skipped, and
the passes against the largest joins (``rules.normalise.RESCUE``) get all of the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from ..processes.session import ChildLimitError, Limit, children_seconds, run_limited
from ..rules.normalise import PASSES, RESCUE
from ..rules.normalise.estimate_sizes import estimated_instances
from ..rules.ruleset import Ruleset

Result = TypeVar("Result")

FIRST, SECOND, INSTEAD = tuple(PASSES), (*PASSES, "demand"), tuple(RESCUE)
"""The passes of each attempt, and of the only one where the first would be in vain."""

IN_VAIN = 1.2e10
"""Estimated instances after the usual passes from which the first attempt is skipped: none ever ended."""

FIRST_SHARE = 0.35
"""The share of the time for the first grounding: of 649 public sheets most need less than a hundredth."""


class InVainError(Exception):
    """A first attempt at this sheet would not end."""


def refuse_in_vain(rules: Ruleset, passes: Sequence[str] | None) -> None:
    """Called by the work once rules are rewritten: InVainError if this is a first attempt that cannot end."""
    if passes is not None and tuple(passes) == FIRST and estimated_instances(rules) > IN_VAIN:
        raise InVainError


def attempt(
    work: Callable[[Ruleset, Sequence[str]], Result],
    ruleset: Ruleset,
    seconds: float,
    megabytes: float,
    *,
    processor_time: bool = False,
    stop: threading.Event | None = None,
) -> Result:
    """The result of the work on a sheet with the first passes that let it end; ChildLimitError if none do.

    Each attempt runs in a child process that is killed at its limits (``run_limited``). The work calls
    ``end_stage`` once the sheet is ground: from there on it may use up the whole time.
    """
    clock = children_seconds if processor_time else time.monotonic
    started = clock()
    passes = SECOND
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
    except InVainError:
        passes = INSTEAD
        left = seconds - (clock() - started)
    except ChildLimitError as error:
        left = seconds - (clock() - started)
        if error.limit in (Limit.CRASH, Limit.STOPPED) or left < (1 - FIRST_SHARE) * seconds / 2:
            _raise_naming_all(error, seconds)
    try:
        return run_limited(work, (ruleset, passes), left, megabytes, processor_time=processor_time, stop=stop)
    except ChildLimitError as error:
        _raise_naming_all(error, seconds)


def _raise_naming_all(error: ChildLimitError, seconds: float) -> NoReturn:
    """Raise the error with the seconds that were asked for, not one attempt's share of them."""
    if error.limit is Limit.TIME:
        raise ChildLimitError(Limit.TIME, f"took more than {seconds:g} s") from error
    raise error
