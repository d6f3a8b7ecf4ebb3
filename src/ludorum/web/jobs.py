"""Long work in processes that can be killed, with its progress; results are kept in the database."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..processes.session import ChildLimitError, run_limited
from .store.database import Database
from .store.jobs import JobRow, fail_unfinished, find_job, job_for, set_job

LOG = logging.getLogger("ludorum.web")

SECONDS = 120.0
MEGABYTES = 1500.0
AT_ONCE = 1
MOST_WAITING = 20


@dataclass(frozen=True)
class JobNow:
    """A job and how far it is, from 0 to 1."""

    row: JobRow
    progress: float


class Jobs:
    """The long work of a server, one piece at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._progress: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        return len(self._tasks)

    @property
    def is_full(self) -> bool:
        return len(self._tasks) >= MOST_WAITING

    async def start(self) -> None:
        await self._database.write(fail_unfinished)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def begin(
        self, kind: str, subject: str, work: Callable[..., dict[str, object]], args: tuple[object, ...]
    ) -> str:
        """The job that does this work: a new one, or the one that has done it or is at it."""
        row, is_new = await self._database.write(job_for, kind, subject)
        if is_new:
            self._progress[row.id] = 0.0
            task = asyncio.create_task(self._run(row.id, work, args))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return row.id

    async def find(self, job_id: str) -> JobNow | None:
        row = await self._database.read(find_job, job_id)
        if row is None:
            return None
        return JobNow(row, 1.0 if row.state == "done" else self._progress.get(job_id, 0.0))

    async def _run(
        self, job_id: str, work: Callable[..., dict[str, object]], args: tuple[object, ...]
    ) -> None:
        def note(share: float) -> None:
            self._progress[job_id] = share

        state: str = "failed"
        result: dict[str, object] = {"error": "the server was stopped"}
        try:
            async with self._turn:
                await self._database.write(set_job, job_id, "running")
                state, result = "done", await _in_child(work, args, note)
        except ChildLimitError as error:
            state, result = "failed", {"error": f"the work {error}"}
        except Exception as error:
            LOG.exception("job %s", job_id)
            state, result = "failed", {"error": str(error)[:500]}
        finally:
            self._progress.pop(job_id, None)
            await asyncio.shield(self._database.write(set_job, job_id, state, result))


async def _in_child(
    work: Callable[..., dict[str, object]], args: tuple[object, ...], note: Callable[[float], None]
) -> dict[str, object]:
    stop = threading.Event()
    try:
        return await asyncio.to_thread(run_limited, work, args, SECONDS, MEGABYTES, stop=stop, on_news=note)
    finally:
        stop.set()  # where the server ends, the thread must not wait for the child
