"""A thread for each match: what one match does never keeps another waiting, nor the program from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

from ...players.worker import Worker

T = TypeVar("T")


class LoopWorker:
    """A worker that tells the loop what came of its work."""

    def __init__(self, name: str) -> None:
        self._worker = Worker(name)

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """The future of a piece of work; to be called from a running loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(done: Future[T]) -> None:
            if future.done():
                return
            error = done.exception()
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())

        def tell(done: Future[T]) -> None:
            with suppress(RuntimeError):  # the loop has closed: nobody waits
                loop.call_soon_threadsafe(settle, done)

        self._worker.do(work).add_done_callback(tell)
        return future

    def end(self) -> None:
        """No more work after what is under way."""
        self._worker.end()
