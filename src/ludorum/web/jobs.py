"""Reports on games: made by live workers, their results kept in the database under the rules they are of."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from .live import GameText, MatchHub, Refused
from .store.database import Database
from .store.jobs import JobRow, fail_unfinished, find_job, job_for, set_job

LOOK_SECONDS = 0.25
"""How often a report that is being made is looked at."""


@dataclass(frozen=True)
class JobNow:
    """A job and how far it is, from 0 to 1."""

    row: JobRow
    progress: float


class Reports:
    """The reports of a server. The same rules are reported on once."""

    def __init__(self, database: Database, hub: MatchHub) -> None:
        self._database = database
        self._hub = hub
        self._names: dict[str, str] = {}
        """The hub's names of reports that are being made."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        return len(self._tasks)

    async def start(self) -> None:
        """Give up the reports of a process that has ended: they can be asked for anew."""
        await self._database.write(fail_unfinished)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def begin(self, game: GameText) -> str:
        """The report on a game: a new one, or the one that was made or is being made; may be Refused."""
        subject = sha256(f"{game.language} {game.text}".encode()).hexdigest()
        row, is_new = await self._database.write(job_for, "report", subject)
        if is_new:
            try:
                self._names[row.id] = await self._hub.begin_report(game)
            except Refused:
                await self._database.write(set_job, row.id, "failed")
                raise
            task = asyncio.create_task(self._follow(row.id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return row.id

    async def find(self, job_id: str) -> JobNow | None:
        row = await self._database.read(find_job, job_id)
        if row is None:
            return None
        now = self._hub.job(self._names.get(job_id, ""))
        return JobNow(row, 1.0 if row.state == "done" else 0.0 if now is None else float(now["progress"]))

    async def _follow(self, job_id: str) -> None:
        """Keep the result of a report as soon as there is one."""
        state = "failed"
        result: dict[str, object] = {"error": "the server was stopped"}
        with suppress(asyncio.CancelledError):
            while (found := self._hub.job(self._names[job_id])) and found["state"] == "running":
                await asyncio.sleep(LOOK_SECONDS)
            if found is not None and found["state"] == "done":
                state, result = "done", dict(found["result"])
            elif found is not None:
                result = {"error": str(found["error"])}
        await self._database.write(set_job, job_id, state, result)
        del self._names[job_id]
