"""Runs a tournament: asks the schedule for matches, plays them, logs their results, and decides when to stop.

Where matches are played (this process, others, a Ray cluster) makes no difference to what is counted: results
are looked at in the order of the schedule, whatever order they arrived in.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol

from .log import MatchLog
from .make_schedule import schedule_of
from .plan import TournamentPlan
from .play import play_fixture
from .result import MatchResult, seat_points
from .schedule import Fixture, Results, grouped, round_fixtures
from .statistics import PairedSprt
from .waiting import Waiting
from .worker import Patience, PlayMatch, Worker


class Runner(Protocol):
    """Plays matches somewhere, and yields the results as they come."""

    def results(
        self, plan: TournamentPlan, fixtures: Sequence[Fixture]
    ) -> Generator[MatchResult, None, None]:
        """Closing the generator early gives up the matches that are still played."""


class Here:
    """Plays in this process, one match after the other: for tests and debuggers. A crash of a player ends
    it."""

    def __init__(self, play: PlayMatch = play_fixture) -> None:
        self._play = play

    def results(
        self, plan: TournamentPlan, fixtures: Sequence[Fixture]
    ) -> Generator[MatchResult, None, None]:
        return (self._play(plan, fixture, _no_watcher) for fixture in fixtures)


def _no_watcher(seat: int, at_work: bool) -> None:
    """Called in place of a watcher, where a crash ends everything anyway."""


class Processes:
    """Plays in so many processes of this machine, which stay for the next round when one is over."""

    def __init__(
        self, count: int = 1, patience: Patience | None = None, play: PlayMatch = play_fixture
    ) -> None:
        if count < 1:
            raise ValueError("matches need at least one process")
        self.count = count
        self._patience = patience
        self._play = play
        self._workers: list[Worker] = []

    def results(
        self, plan: TournamentPlan, fixtures: Sequence[Fixture]
    ) -> Generator[MatchResult, None, None]:
        waiting = Waiting(plan, fixtures)
        done = queue.SimpleQueue[MatchResult | BaseException]()
        stop = threading.Event()
        workers = self._workers_for(plan, len(fixtures))

        def serve(worker: Worker) -> None:
            try:
                while not stop.is_set() and (fixture := waiting.take()) is not None:
                    result = worker.play(fixture, stop)
                    waiting.over(fixture)
                    done.put(result)
            except BaseException as error:  # passed on to the thread that waits for results
                done.put(error)

        with ThreadPoolExecutor(len(workers), thread_name_prefix="watcher") as threads:
            try:
                for worker in workers:
                    threads.submit(serve, worker)
                for _ in fixtures:
                    result = done.get()
                    if isinstance(result, BaseException):
                        raise result
                    yield result
            finally:
                stop.set()
                waiting.give_up()

    def _workers_for(self, plan: TournamentPlan, matches: int) -> list[Worker]:
        if any(worker.plan != plan for worker in self._workers):
            self.close()
        wanted = max(1, min(self.count, matches))
        self._workers += [
            Worker(plan, self._patience, self._play) for _ in range(wanted - len(self._workers))
        ]
        return self._workers[:wanted]

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()
        self._workers = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class Progress:
    """The progress of a tournament, reported after each match."""

    plan: TournamentPlan
    round: int
    done: int
    """Matches of this round that are over, those of an earlier run included."""
    total: int
    fixtures: Sequence[Fixture]
    """All matches there have been so far, and those of this round."""
    results: Results
    test: PairedSprt | None = None


@dataclass(frozen=True)
class Played:
    """A tournament that is over: its matches in the order of the schedule, and their results."""

    plan: TournamentPlan
    fixtures: tuple[Fixture, ...]
    results: dict[str, MatchResult]
    """Only of ``fixtures``: what was played beyond the end of a sequential test does not count."""
    test: PairedSprt | None = None
    placing: tuple[tuple[str, str], ...] | None = None


def run_tournament(
    plan: TournamentPlan,
    runner: Runner,
    log: MatchLog | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Played:
    """Play all matches of the plan that the log does not hold yet, or holds as void."""
    schedule, number = schedule_of(plan), 0
    logged = {} if log is None else log.results
    results = {match_id: result for match_id, result in logged.items() if result.counts}
    counted: list[Fixture] = []
    test = _Test(plan)
    while not test.is_decided:
        fixtures = round_fixtures(plan, schedule, number, results)
        if fixtures is None:
            break
        test.begin(fixtures)
        watch = _Watch(plan, number, fixtures, [*counted, *fixtures], results, test, on_progress)
        missing = [fixture for fixture in fixtures if fixture.match_id not in results]
        watch.look()
        if missing and not test.is_decided:
            with closing(runner.results(plan, missing)) as arriving:
                for result in arriving:
                    if log is not None:
                        log.add([result])
                    results[result.match_id] = result
                    watch.look()
                    if test.is_decided:
                        break
        counted += fixtures[: test.used] if plan.sprt else fixtures
        number += 1
    placing = schedule.placing(results)
    kept = {fixture.match_id: results[fixture.match_id] for fixture in counted}
    return Played(plan, tuple(counted), kept, test.sprt, None if placing is None else tuple(placing))


class _Watch:
    """Looks at a round after each match: for the test, and for progress reports."""

    def __init__(
        self,
        plan: TournamentPlan,
        number: int,
        fixtures: Sequence[Fixture],
        everything: Sequence[Fixture],
        results: Results,
        test: _Test,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._progress = Progress(plan, number, 0, len(fixtures), everything, results, test.sprt)
        # Results of other rounds, and of what a test did not wait for, are in the log too.
        self._others = len(results) - sum(fixture.match_id in results for fixture in fixtures)
        self._results, self._test, self._on_progress = results, test, on_progress

    def look(self) -> None:
        self._test.look(self._results)
        self._on_progress(replace(self._progress, done=len(self._results) - self._others))


class _Test:
    """Feeds a sequential test with whole sets of seatings in the order of the schedule."""

    def __init__(self, plan: TournamentPlan) -> None:
        asked = plan.sprt
        self.sprt = None if asked is None else PairedSprt(asked.elo0, asked.elo1, asked.alpha, asked.beta)
        self.used = 0
        """How many fixtures the test has seen."""
        self._first = plan.players[0]
        self._groups: list[list[Fixture]] = []

    @property
    def is_decided(self) -> bool:
        return self.sprt is not None and self.sprt.result is not None

    def begin(self, fixtures: Iterable[Fixture]) -> None:
        self._groups = list(reversed(grouped(fixtures)))

    def look(self, results: Results) -> None:
        """Count every set that is complete, up to the first that is not, or to the decision."""
        while self.sprt is not None and self._groups and not self.is_decided:
            group = self._groups[-1]
            if any(fixture.match_id not in results for fixture in group):
                return
            self._groups.pop()
            self.used += len(group)
            points = group_points(group, results).get(self._first)
            if points:
                self.sprt.add(points)


def group_points(group: Iterable[Fixture], results: Results) -> dict[str, list[float]]:
    """The points of each player in the matches of a set; void matches are left out.

    In a game for one role the players are compared with all others in the set.
    """
    points: dict[str, list[float]] = {}
    alone: dict[str, int] = {}
    for fixture in group:
        result = results.get(fixture.match_id)
        if result is None or not result.counts:
            continue
        if len(fixture.players) == 1:
            alone[fixture.players[0]] = result.goals[0]
            continue
        for player, share in zip(fixture.players, seat_points(result.goals), strict=True):
            points.setdefault(player, []).append(share)
    if len(alone) > 1:
        for player, share in zip(alone, seat_points(list(alone.values())), strict=True):
            points.setdefault(player, []).append(share)
    return points
