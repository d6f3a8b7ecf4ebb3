"""An event loop whose clock is counted: sleeping costs nothing, and a busy machine can be played."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
LEAST = 1e-6
"""By how much the clock goes on at least whenever the loop waits for it."""


class CountedLoop(asyncio.SelectorEventLoop):
    """Its time goes on where it would wait, and where a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        ready = self._selector.select  # type: ignore[attr-defined]

        def select(timeout: float | None) -> object:
            if timeout is None:
                raise AssertionError("everything waits, and nothing will come")
            if timeout > 0:
                self.now += max(timeout, LEAST)
            return ready(0)

        self._selector.select = select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self.now


def loop() -> CountedLoop:
    """The loop that a test runs in."""
    found = asyncio.get_running_loop()
    assert isinstance(found, CountedLoop)
    return found


def run_counted(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in such a loop."""
    with asyncio.Runner(loop_factory=CountedLoop) as runner:
        return runner.run(main)
