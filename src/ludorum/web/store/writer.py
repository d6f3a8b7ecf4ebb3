"""Changes of a database that share transactions: all that arrive while one is written go into the next.

One thread writes. Several would take turns at the lock of SQLite, which sleeps up to a tenth of a second
between two tries, and each would wait for a commit of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

Work = Callable[[sa.Connection], Any]


@dataclass
class _Change:
    work: Work
    done: asyncio.Future[Any]


@dataclass
class _Outcome:
    value: Any = None
    error: Exception | None = None


class SharedWriter:
    """Writes changes in the order in which they arrive. Belongs to one event loop at a time."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[sa.Connection]]) -> None:
        self._transaction = transaction
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[_Change] = []
        self._task: asyncio.Task[None] | None = None
        self.commits = 0

    async def write(self, work: Work) -> Any:
        """What some work with a connection returns; all of its changes are on disk then.

        Where it fails, none of them is, and the changes of others are not touched.
        """
        change = _Change(work, asyncio.get_running_loop().create_future())
        self._waiting.append(change)
        if self._task is None:
            self._task = asyncio.create_task(self._write())
        return await change.done

    async def settle(self) -> None:
        """Wait until everything that was given is written."""
        while self._task is not None:
            with suppress(Exception):
                await asyncio.shield(self._task)

    def close(self) -> None:
        self._thread.shutdown()

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                work = [change.work for change in batch]
                try:
                    outcomes = await loop.run_in_executor(self._thread, self._commit, work)
                except RuntimeError as error:  # the thread has ended: the database is closed
                    outcomes = [_Outcome(error=error) for _ in batch]
                for change, outcome in zip(batch, outcomes, strict=True):
                    _tell(change.done, outcome)
        finally:
            self._task = None

    def _commit(self, batch: Sequence[Work]) -> list[_Outcome]:
        """In the thread: the outcome of each change, all of them on disk."""
        try:
            with self._transaction() as connection:
                if len(batch) == 1:
                    found = [_Outcome(batch[0](connection))]
                else:
                    found = [_in_savepoint(connection, work) for work in batch]
        except Exception as error:  # nothing of it is on disk
            return [_Outcome(error=error) for _ in batch]
        self.commits += 1
        return found


def _in_savepoint(connection: sa.Connection, work: Work) -> _Outcome:
    """The outcome of a change that leaves the transaction as it was where it fails."""
    savepoint = connection.begin_nested()
    try:
        value = work(connection)
    except Exception as error:
        # Where the disk is full SQLite has given up the whole transaction: this fails then, and so do all.
        savepoint.rollback()
        return _Outcome(error=error)
    savepoint.commit()
    return _Outcome(value)


def _tell(done: asyncio.Future[Any], outcome: _Outcome) -> None:
    if done.done():  # its caller may have been cancelled; the change is written all the same
        return
    if outcome.error is not None:
        done.set_exception(outcome.error)
    else:
        done.set_result(outcome.value)
