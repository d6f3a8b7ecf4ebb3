"""A thread for each match: what one match does never keeps another waiting, nor the program from ending."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """Does one piece of work after the other, and tells the loop what came of it."""

    def __init__(self, name: str) -> None:
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # A daemon: whatever hangs in it, the program can end.
        threading.Thread(target=self._serve, name=name, daemon=True).start()

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """The future of a piece of work; to be called from a running loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(value: T | None, error: BaseException | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)  # type: ignore[arg-type]

        def run() -> None:
            value, failed = None, None
            try:
                value = work()
            except BaseException as error:
                failed = error
            with suppress(RuntimeError):  # the loop has closed: nobody waits
                loop.call_soon_threadsafe(settle, value, failed)

        self._work.put(run)
        return future

    def end(self) -> None:
        """No more work after what is under way."""
        self._work.put(None)

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            work()
