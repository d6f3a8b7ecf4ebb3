"""Reports on games: made by live workers, their results kept in the database under the rules they are of."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from hashlib import sha256

from .live import GameText, MatchHub, Refused
from .store.database import Database
from .store.jobs import JobRow, fail_unfinished, find_job, job_for, set_job, set_progress

LOOK_SECONDS = 0.25
"""How often a report that is being made is looked at."""


class Reports:
    """The reports of a server. The same rules are reported on once."""

    def __init__(self, database: Database, hub: MatchHub, server: str | None = None) -> None:
        """``server``: the name of this process, where several share the database."""
        self._database = database
        self._hub = hub
        self._server = server
        self._names: dict[str, str] = {}
        """The hub's names of reports that are being made."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        return len(self._tasks)

    async def give_up(self, servers: Collection[str] = ()) -> None:
        """Give up the reports of processes that have ended, all but these: they can be asked for anew."""
        await self._database.write(fail_unfinished, servers)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def begin(self, game: GameText) -> str:
        """The report on a game: a new one, or the one that was made or is being made; may be Refused."""
        subject = sha256(f"{game.language} {game.text}".encode()).hexdigest()
        row, is_new = await self._database.write(job_for, "report", subject, self._server)
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

    async def find(self, job_id: str) -> JobRow | None:
        return await self._database.read(find_job, job_id)

    async def _follow(self, job_id: str) -> None:
        """Keep the result of a report as soon as there is one."""
        state = "failed"
        result: dict[str, object] = {"error": "the server was stopped"}
        with suppress(asyncio.CancelledError):
            progress = 0.0
            while (found := self._hub.job(self._names[job_id])) and found["state"] == "running":
                if found["progress"] != progress:
                    progress = found["progress"]
                    await self._database.write(set_progress, job_id, progress)
                await asyncio.sleep(LOOK_SECONDS)
            if found is not None and found["state"] == "done":
                state, result = "done", dict(found["result"])
            elif found is not None:
                result = {"error": str(found["error"])}
        await self._database.write(set_job, job_id, state, result)
        del self._names[job_id]
