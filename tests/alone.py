"""Tests marked `alone` look at the clock: no worker of the same run tests anything beside them.

Other programs of the machine may still have it for a while. So such a test has three tries: what is too slow
by itself is too slow every time.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from tests.corpus_location import ROOT

MARK = "alone"
TRIES = 3
AGAIN = "rerun"
"""The outcome of a try that has failed and is not the last."""
LOCKS = ROOT / ".pytest_cache" / "alone"


@contextmanager
def turn_of(item: pytest.Item) -> Iterator[None]:
    """Hold a lock while a test runs: shared for ordinary tests, exclusive for those marked `alone`."""
    if not hasattr(item.config, "workerinput"):  # one process: every test is alone
        yield
        return
    LOCKS.mkdir(parents=True, exist_ok=True)
    with open(LOCKS / "door", "w") as door, open(LOCKS / "room", "w") as room:
        if item.get_closest_marker(MARK):
            # The door lock keeps new tests out while running ones finish: else this one might never begin.
            with _locked(door, fcntl.LOCK_EX), _locked(room, fcntl.LOCK_EX):
                yield
        else:
            with _locked(door, fcntl.LOCK_SH):
                fcntl.flock(room, fcntl.LOCK_SH)
            with _locked(room, fcntl.LOCK_SH):
                yield


def last_of_all(items: list[pytest.Item]) -> None:
    """Tests that must be alone come last, one after the other, so that workers wait for each other once."""
    items.sort(key=lambda item: item.get_closest_marker(MARK) is not None)
    for item in items:
        if item.get_closest_marker(MARK):
            item.add_marker(pytest.mark.flaky(reruns=TRIES - 1))


@contextmanager
def _locked(file: IO[str], how: int) -> Iterator[None]:
    fcntl.flock(file, how)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
