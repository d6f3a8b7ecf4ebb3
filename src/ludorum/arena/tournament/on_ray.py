"""Plays the matches of a tournament on a Ray cluster: one machine's or many machines' processors.

A Ray task hands its match to the same watched worker as everywhere (``worker``), so players that crash or
hang are found and noted in the same words.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from types import ModuleType, TracebackType
from typing import Any

from .plan import TournamentPlan
from .result import MatchResult
from .schedule import Fixture
from .waiting import Waiting
from .worker import Patience, Worker

AHEAD = 2
"""Tasks in flight for each processor: the next match is there when one ends."""

STORE_BYTES = 100 * 2**20
"""Memory for objects that tasks share on a cluster of our own: a plan is small, and containers have
little."""


class OnRay:
    """Matches as Ray tasks. Joins the cluster that ``RAY_ADDRESS`` names, else starts one on this machine."""

    def __init__(self, processors: int | None = None, patience: Patience | None = None) -> None:
        """``processors``: how many to use of this machine, where the cluster is started here."""
        self._ray = _import_ray()
        self._patience = patience or Patience()
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            self._ray.init(**_init_options(processors))

    def results(
        self, plan: TournamentPlan, fixtures: Sequence[Fixture]
    ) -> Generator[MatchResult, None, None]:
        ray = self._ray
        # A machine that leaves the cluster is no player's fault: its matches are played again elsewhere.
        task = ray.remote(num_cpus=1, max_retries=3)(_play_on_ray)
        shared, patience, folder = ray.put(plan), ray.put(self._patience), os.getcwd()
        width = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting = Waiting(plan, fixtures)
        flying: dict[Any, Fixture] = {}
        try:
            while waiting or flying:
                while len(flying) < width and (fixture := waiting.take_now()) is not None:
                    flying[task.remote(shared, patience, fixture, folder)] = fixture
                for landed in ray.wait(list(flying))[0]:
                    waiting.over(flying.pop(landed))
                    yield ray.get(landed)
        finally:
            for one in flying:
                ray.cancel(one, force=True)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._is_ours and self._ray.is_initialized():
            self._ray.shutdown()

    def __enter__(self) -> OnRay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _import_ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise ValueError("Ray is not installed: pip install 'ludorum[ray]', or use --processes") from None
    return ray


def _init_options(processors: int | None) -> dict[str, object]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no data about the matches leaves the machine
    quiet: dict[str, object] = {"log_to_driver": False, "logging_level": "ERROR"}
    if os.environ.get("RAY_ADDRESS"):
        return quiet
    os.environ.setdefault("RAY_worker_niceness", "0")  # matches have clocks: a niced process would be late
    here = {"address": "local", "num_cpus": processors, "include_dashboard": False}
    return quiet | here | {"object_store_memory": STORE_BYTES}


# -- inside a Ray process ----------------------------------------------------------------------------------

_worker: Worker | None = None


def _play_on_ray(plan: TournamentPlan, patience: Patience, fixture: Fixture, folder: str) -> MatchResult:
    """One match, by the worker that this process keeps for the tournament it serves.

    ``folder`` is where the tournament was started: players may be files that are named from there.
    """
    global _worker
    with suppress(OSError):  # another machine may not have it
        os.chdir(folder)
    if _worker is None or _worker.plan != plan:
        if _worker is not None:
            _worker.close()
        _worker = Worker(plan, patience)
    return _worker.play(fixture)
