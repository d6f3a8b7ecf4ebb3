"""A worker: a process that plays matches, watched by a process that survives it.

A player of ours may crash the process (in native code, or by using all memory) or block it altogether. The
watcher then knows from a few bytes of shared memory which player was being asked, and that player has lost
the match; the next match gets a new process. Third-party players have their own processes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from ctypes import Array, c_ubyte
from dataclasses import dataclass
from multiprocessing import connection
from types import TracebackType

from ...players.registry import is_foreign
from .plan import TournamentPlan
from .play import play_fixture
from .result import MatchResult, forfeit
from .schedule import Fixture
from .trace import Busy

SEATS = 64
"""So many seats have a byte in the trace, 1 while their player is at work; the last byte counts events."""
COUNTER = SEATS
TRACE_BYTES = SEATS + 1

PlayMatch = Callable[[TournamentPlan, Fixture, Busy], MatchResult]
"""Plays one match of a plan."""

POLL_SECONDS = 0.25
PARTING_SECONDS = 3.0
"""Seconds for telling remote players that their match is given up."""


@dataclass(frozen=True)
class Patience:
    """How long a watcher waits for a sign of life, and how often it tries."""

    grace: float = 10.0
    """Seconds beyond a player's clock. The guard inside the worker is far quicker, if it can run at all."""
    own: float = 600.0
    """Seconds for work of no player: to ground and compile a game, to compute legal moves."""
    crashes: int = 2
    """This many crashes in the same match are a player's fault; a single one may be the machine's."""


class Worker:
    """One process at a time, in which matches are played one after the other."""

    def __init__(
        self, plan: TournamentPlan, patience: Patience | None = None, play: PlayMatch = play_fixture
    ) -> None:
        """``play`` is sent to the process: a function of a module."""
        self.plan = plan
        self._play = play
        self._patience = patience or Patience()
        # Spawned, not forked: the watcher has threads, and a fork would copy their locks.
        self._context = multiprocessing.get_context("spawn")
        self._trace = self._context.RawArray("B", TRACE_BYTES)
        self._pool: ProcessPoolExecutor | None = None
        self._pid = 0
        self._match: Future[MatchResult] | None = None

    def play(self, fixture: Fixture, stop: threading.Event | None = None) -> MatchResult:
        """Play a match; returns a result, whatever its players do, unless it is told to stop."""
        for _ in range(self._patience.crashes):
            self._trace[:] = bytes(TRACE_BYTES)
            try:
                self._match = self._submit(fixture)
                return self._wait(self._match, stop or threading.Event())
            except BrokenProcessPool:
                what = "the process of the match died"
            except _HungError as error:
                return self._forfeit(fixture, self._end_process(), str(error))
            except _StoppedError:
                self._part()
                self._end_process()
                raise
            blamed = self._end_process()
        return self._forfeit(fixture, blamed, what)

    def _forfeit(self, fixture: Fixture, blamed: list[int], what: str) -> MatchResult:
        """The match is lost by the players that were at work, unless third-party code may have been the
        cause.

        Such code runs in processes of its own, and from there it can still kill this one: to blame the
        player that happened to think would let it win so.
        """
        if any(is_foreign(name) for name in fixture.players):
            blamed = []
        return forfeit(fixture.match_id, len(fixture.players), blamed, what)

    def _submit(self, fixture: Fixture) -> Future[MatchResult]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, self._context, initializer=_begin, initargs=(self.plan, self._trace, self._play)
            )
            try:
                self._pid = self._pool.submit(os.getpid).result()
            except BrokenProcessPool:
                self._end_process()
                raise OSError(
                    "no process can be started to play in; a script must run tournaments "
                    "under if __name__ == '__main__'"
                ) from None
        return self._pool.submit(_play, fixture)

    def _wait(self, future: Future[MatchResult], stop: threading.Event) -> MatchResult:
        """The result; _HungError when there was no sign of life for too long."""
        clock = max(self.plan.start_seconds, self.plan.play_seconds)
        seen, since = -1, time.monotonic()
        while True:
            with suppress(TimeoutError):
                return future.result(POLL_SECONDS)
            if stop.is_set():
                raise _StoppedError
            count, now = self._trace[COUNTER], time.monotonic()
            if count != seen:
                seen, since = count, now
            limit = clock + self._patience.grace if any(self._trace[:SEATS]) else self._patience.own
            if now - since > limit:
                raise _HungError(f"no sign of life for {limit:g} s")

    def _part(self) -> None:
        """Give a match with remote players a moment to tell them that it is given up."""
        if self.plan.outside and self._pid and self._match is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGTERM)
            wait([self._match], PARTING_SECONDS)

    def _end_process(self) -> list[int]:
        """End the process; returns the seats whose players were at work then."""
        busy = [seat for seat in range(SEATS) if self._trace[seat]]
        if self._pool is not None:
            if self._pid:
                with suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool, self._pid = None, 0
        return busy

    def close(self) -> None:
        """End the process; no match may be under way."""
        self._end_process()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _HungError(Exception):
    """A worker that gives no sign of life."""


class _StoppedError(Exception):
    """The result is no longer wanted."""


# -- inside the worker's process ---------------------------------------------------------------------------

_plan: TournamentPlan | None = None
_play_match: PlayMatch = play_fixture
_trace: Array[c_ubyte] | None = None


def _begin(plan: TournamentPlan, trace: Array[c_ubyte], play: PlayMatch) -> None:
    global _plan, _trace, _play_match
    _plan, _trace, _play_match = plan, trace, play
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    threading.Thread(target=_leave_with_parent, name="parent watch", daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the process of its tournament is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(fixture: Fixture) -> MatchResult:
    assert _plan is not None
    return _play_match(_plan, fixture, _note)


def _note(seat: int, at_work: bool) -> None:
    assert _trace is not None
    _trace[seat] = at_work
    _trace[COUNTER] = (_trace[COUNTER] + 1) % 256
