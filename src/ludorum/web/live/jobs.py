"""Reports that are being made: each is a job with a name, of which the progress can be asked."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import asdict, dataclass
from typing import Literal

from .plan import GameText, Json
from .pool import Pool, PoolError, PoolTask, Urgency
from .report import GAMES, SLICE_SECONDS, Counts

MOST_KEPT = 200
MOST_RUNNING = 20
MOST_SECONDS = 120.0
"""The longest time for a report, in slices; it has fewer games then."""


@dataclass
class Job:
    """A report on its way."""

    state: Literal["running", "done", "failed"] = "running"
    progress: float = 0.0
    result: Json | None = None
    error: str | None = None


class Jobs:
    """All reports of a hub; those that are done are kept for a while."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        return len(self._tasks) >= MOST_RUNNING

    def begin(self, game: GameText, games: int = GAMES) -> str:
        """Begin a report on a game; returns its name."""
        name, job = secrets.token_urlsafe(9), Job()
        self._jobs[name] = job
        while len(self._jobs) > MOST_KEPT:
            self._jobs.popitem(last=False)
        task = asyncio.create_task(self._work(job, name, game, games))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return name

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    async def _work(self, job: Job, name: str, game: GameText, games: int) -> None:
        counts = Counts()
        slices = 0
        try:
            while counts.games < games and slices * SLICE_SECONDS < MOST_SECONDS:
                args = (asdict(game), slices * games, games - counts.games)
                asked = PoolTask("report_slice", args, SLICE_SECONDS, name, game.id, Urgency.SHOWN)
                counts.add(await self._pool.ask(asked))
                slices += 1
                share = max(counts.games / games, slices * SLICE_SECONDS / MOST_SECONDS)
                job.progress = min(1.0, share)
        except PoolError as error:
            job.state, job.error = "failed", str(error)
        else:
            job.state, job.progress, job.result = "done", 1.0, counts.summary()

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
