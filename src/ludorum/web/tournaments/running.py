"""The tournaments that go on: their matches are begun, a few at a time, as ordinary live matches."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...arena.match.seeds import seed_from
from ...arena.tournament import Fixture, TournamentPlan
from ..live import (
    Elsewhere,
    End,
    Leases,
    MatchHub,
    MatchPlan,
    OneProcess,
    Refused,
    SeatPlan,
    UnknownMatch,
    new_match_id,
)
from ..store.database import Database
from ..store.tournaments import (
    FixtureRow,
    TournamentRow,
    add_fixture,
    add_tournament,
    end_tournament,
    fixtures_of,
    games_of,
    running_tournaments,
    stray_matches,
)
from .course import TournamentCourse, result_of
from .plan import EnteredGame, entered_from_json, kept_from_json

MATCHES_A_WORKER = 2
"""Matches at once for each worker, over all tournaments: while one thinks, the rules of another are asked."""
RETRY_SECONDS = 1.0
"""How long everything waits after an error, such as a full disk."""
LOOK_SECONDS = 2.0
"""How often a process looks at the tournaments of others."""
STOPPED = "The tournament was stopped."

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Running:
    """A tournament that goes on."""

    id: str
    course: TournamentCourse
    games: dict[str, EnteredGame]
    secret: str


class RunningTournaments:
    """The tournaments that this process runs. One that was killed takes them up where they were, or another
    does where several share the database."""

    def __init__(self, database: Database, hub: MatchHub, workers: int, leases: Leases | None = None) -> None:
        """``leases``: who runs what, where several processes share the database."""
        self._database = database
        self._hub = hub
        self._most = MATCHES_A_WORKER * workers
        self._leases: Leases = leases or OneProcess()
        self._is_shared = leases is not None
        self._running: dict[str, Running] = {}
        self._playing: dict[str, tuple[Running, Fixture]] = {}
        """Matches that were begun and are not over."""
        self._unmade: deque[str] = deque()
        """Those of them that have to be made."""
        self._ended: deque[tuple[str, Mapping[str, int] | None]] = deque()
        self._wake = asyncio.Event()
        self._lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take up the tournaments of a server that has ended; before any match is loaded."""
        async with self._lock:
            found = await self._take_up_all()
        self._tasks = [asyncio.create_task(self._run(found))]
        if self._is_shared:
            self._tasks.append(asyncio.create_task(self._watch_others()))

    async def close(self) -> None:
        """Begin no more matches."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def count(self) -> int:
        return len(self._running)

    async def begin(
        self,
        row: TournamentRow,
        plan: TournamentPlan,
        games: Sequence[EnteredGame],
        *,
        most_own: int,
        most: int,
    ) -> None:
        """Begin a tournament; TooManyTournaments or PlanError where that is not possible."""
        course = await asyncio.to_thread(TournamentCourse, plan)
        secret = secrets.token_hex(16)
        texts = [game.as_json() for game in games]
        async with self._lock:
            await self._database.write(add_tournament, row, texts, secret, most_own=most_own, most=most)
            if await self._leases.has(row.id):  # else another process has found it already
                by_name = {game.text.id: game for game in games}
                self._running[row.id] = Running(row.id, course, by_name, secret)
        self._wake.set()

    async def stop(self, tournament: str) -> bool:
        """End a tournament and its matches; False where it has ended already."""
        async with self._lock:
            return await self._end(tournament, "stopped", "")

    def match_ended(self, match_id: str, end: End) -> None:
        """A match of this process has ended."""
        if match_id in self._playing:
            self._ended.append((match_id, end.result))
            self._wake.set()

    # -- taking up what others began --------------------------------------------------------------------

    async def _take_up_all(self) -> list[str]:
        """Take up the tournaments that nobody runs; their matches that are not over."""
        found: list[str] = []
        for row in await self._database.read(running_tournaments):
            if row.id not in self._running and await self._leases.has(row.id):
                found += await self._take_up(row)
        return found

    async def _take_up(self, row: TournamentRow) -> list[str]:
        begun = await self._database.read(fixtures_of, row.id)
        games, secret = await self._database.read(games_of, row.id)
        course = await asyncio.to_thread(course_of, row, begun)
        known = [entered_from_json(game) for game in games]
        running = Running(row.id, course, {game.text.id: game for game in known}, secret)
        by_name = {fixture.match_id: fixture for fixture in course.fixtures}
        going_on = {
            one.match: (running, by_name[one.fixture]) for one in begun if one.fixture not in course.results
        }
        self._running[row.id] = running
        self._playing |= going_on
        return list(going_on)

    async def _go_on_with(self, matches: Sequence[str]) -> None:
        """Find out which matches were made before their server was killed."""
        for match_id in matches:
            try:
                await self._hub.resume(match_id)
            except UnknownMatch:
                self._unmade.append(match_id)
            except Elsewhere:  # another process goes on with it
                pass
            except Exception:
                _log.exception("match %s of a tournament cannot be continued", match_id)
        self._wake.set()

    async def _watch_others(self) -> None:
        """Where several processes share the database: matches may end in any of them, and tournaments lose
        their process or are stopped elsewhere."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                async with self._lock:
                    found = await self._take_up_all()
                    await self._drop_lost()
                    await self._look_for_ends()
                await self._go_on_with(found)
            except Exception:
                _log.exception("the tournaments of other processes could not be looked for")

    async def _drop_lost(self) -> None:
        """Forget tournaments that have ended elsewhere, or that another process runs by now."""
        going_on = {row.id for row in await self._database.read(running_tournaments)}
        for tournament in list(self._running):
            if tournament not in going_on:
                self._forget(tournament)
                await self._stop_matches(tournament)
            elif not await self._leases.has(tournament):
                self._forget(tournament)

    async def _look_for_ends(self) -> None:
        for tournament in self._running:
            for one in await self._database.read(fixtures_of, tournament):
                if one.is_over and one.match in self._playing:
                    self._ended.append((one.match, one.goals or None))
                    self._wake.set()

    # -- what goes on by itself -------------------------------------------------------------------------

    async def _run(self, begun: Sequence[str]) -> None:
        await self._go_on_with(begun)
        await self._stop_matches()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                async with self._lock:
                    await self._go_on()
            except Exception:
                _log.exception("tournaments cannot go on and will be tried again")
                await asyncio.sleep(RETRY_SECONDS)
                self._wake.set()

    async def _go_on(self) -> None:
        """Count what has ended, and begin what can."""
        while self._ended:
            match_id, goals = self._ended.popleft()
            if (playing := self._playing.pop(match_id, None)) is not None:
                running, fixture = playing
                running.course.finish(result_of(running.course.plan, fixture, goals))
        while self._unmade:
            await self._make(self._unmade[0])
            self._unmade.popleft()
        while len(self._playing) < self._most and (found := self._next()) is not None:
            await self._begin_match(*found)
        for running in [one for one in self._running.values() if one.course.is_over]:
            await self._end(running.id, "over", "")

    def _next(self) -> tuple[Running, Fixture] | None:
        """The next match, of a tournament with the fewest under way.

        Matches by the clock are played one after the other: their players think all the time.
        """
        counts = Counter(running.id for running, _ in self._playing.values())
        is_clock_taken = any(running.course.plan.is_realtime for running, _ in self._playing.values())
        for running in sorted(self._running.values(), key=lambda one: counts[one.id]):
            if is_clock_taken and running.course.plan.is_realtime:
                continue
            if (fixture := running.course.next_fixture()) is not None:
                return running, fixture
        return None

    async def _begin_match(self, running: Running, fixture: Fixture) -> None:
        """Note the match before it is made: a server that is killed in between makes it then."""
        match_id, number = new_match_id(), len(running.course.matches)
        if not await self._database.write(add_fixture, running.id, number, fixture.match_id, match_id):
            self._forget(running.id)  # stopped by another process
            return
        running.course.begin(fixture, match_id)
        self._playing[match_id] = running, fixture
        self._unmade.append(match_id)
        await self._make(match_id)
        self._unmade.remove(match_id)

    async def _make(self, match_id: str) -> None:
        if (playing := self._playing.get(match_id)) is None:  # its tournament was stopped
            return
        running, fixture = playing
        game, plan = running.games[fixture.game], running.course.plan
        # Matches of a set have one seed, unless one that is over would tell what is drawn in the others.
        seed = seed_from(running.secret, fixture.match_id) if game.has_secrets else fixture.seed
        try:
            nature, joints = await self._opening(plan, game, seed)
            roles = plan.game(fixture.game).roles
            seats = {
                role: SeatPlan("player", player) for role, player in zip(roles, fixture.players, strict=True)
            }
            await self._hub.create(
                MatchPlan(
                    match_id,
                    game.text,
                    seats,
                    base=None,
                    increment=0.0,
                    think=plan.play_seconds,
                    seed=nature,
                    chat=False,
                    opening=joints,
                    tournament=running.id,
                )
            )
        except Refused as error:
            await self._end(running.id, "failed", str(error))

    async def _opening(
        self, plan: TournamentPlan, game: EnteredGame, seed: int
    ) -> tuple[int, tuple[tuple[str, ...], ...]]:
        """The seed of nature and the first moves of a match; realtime games have no rounds to be drawn."""
        if plan.is_realtime:
            return seed, ()
        moves = plan.opening if len(plan.game(game.text.id).roles) > 1 else 0
        return await self._hub.draw_opening(game.text, seed, moves)

    # -- ends -------------------------------------------------------------------------------------------

    async def _end(self, tournament: str, state: str, why: str) -> bool:
        """End a tournament; False where it has ended already. The lock is held."""
        if not await self._database.write(end_tournament, tournament, state, why):
            return False
        self._forget(tournament)
        await self._stop_matches(tournament)
        await self._leases.give_back(tournament)
        return True

    def _forget(self, tournament: str) -> None:
        self._running.pop(tournament, None)
        for match_id in [name for name, (running, _) in self._playing.items() if running.id == tournament]:
            del self._playing[match_id]
        self._wake.set()

    async def _stop_matches(self, tournament: str | None = None) -> None:
        """Stop the matches that go on although their tournament, this one or any, has ended."""
        for match_id in await self._database.read(stray_matches, tournament):
            try:
                await self._hub.stop(match_id, STOPPED)
            except UnknownMatch:  # it was not made yet
                pass
            except Exception:
                _log.exception("match %s of a tournament could not be stopped", match_id)


def course_of(row: TournamentRow, begun: Sequence[FixtureRow]) -> TournamentCourse:
    """The course of a tournament from the database."""
    plan = kept_from_json(row.plan).plan
    over = {one.fixture: one.goals or None for one in begun if one.is_over}
    course = TournamentCourse(plan, {one.fixture: one.match for one in begun})
    while missing := [
        one for one in course.fixtures if one.match_id in over and one.match_id not in course.results
    ]:
        for fixture in missing:
            course.finish(result_of(plan, fixture, over[fixture.match_id]))
    return course
