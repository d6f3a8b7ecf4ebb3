"""A thread that does one thing after the other: for players that may hang, and matches side by side."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class ThreadWorker:
    """One thread. The caller decides how long to wait for its work."""

    def __init__(self, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        # A daemon: whatever hangs in it, the program can end.
        threading.Thread(target=self._serve, name=name, daemon=True).start()

    def do(self, work: Callable[[], T]) -> Future[T]:
        """Queue a piece of work; returns its future."""
        future: Future[T] = Future()
        self._work.put((work, future))
        return future

    def end(self) -> None:
        """Accept no more work; work under way is finished."""
        self._work.put(None)

    def _serve(self) -> None:
        while (item := self._work.get()) is not None:
            work, future = item
            try:
                future.set_result(work())
            except BaseException as error:  # third-party code may raise anything, and others go on
                future.set_exception(error)
            del item, work, future  # finished work is not kept in memory until the next comes
