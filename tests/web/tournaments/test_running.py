"""How matches of tournaments are begun: a few at a time, each once, whatever fails in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
import sqlalchemy as sa

from ludorum.arena.tournament import ScheduleKind, TournamentPlan
from ludorum.web.live import (
    End,
    GameText,
    Leases,
    MatchHub,
    MatchPlan,
    OneProcess,
    Refused,
    UnknownMatch,
)
from ludorum.web.store.accounts import add_account
from ludorum.web.store.database import Database, open_database
from ludorum.web.store.matches import end_match, find_match, list_matches
from ludorum.web.store.tournaments import add_fixture, find_tournament, fixtures_of, new_row
from ludorum.web.tournaments import EnteredGame, KeptPlan, RunningTournaments
from ludorum.web.tournaments import running as module
from ludorum.web.watcher import ListKeeper
from tests.arena.tournament.plans import DUEL, names

T = TypeVar("T")
PATIENCE = 30.0
TEXT = GameText("duel", "Duel", "gdl", "", True)
SECRET = EnteredGame(TEXT, has_secrets=True)
OPEN = EnteredGame(TEXT, has_secrets=False)


class ScriptedHub:
    """Makes matches that end when the test says so."""

    def __init__(self) -> None:
        self._lists: ListKeeper | None = None
        self._running: RunningTournaments | None = None
        self.made: list[MatchPlan] = []
        self.live: dict[str, MatchPlan] = {}
        self.stopped: list[str] = []
        self.troubles: list[Exception] = []
        """Raised by the next matches that are made."""
        self.can_open = True
        """Whether random moves can begin a match: realtime games have no rounds for them."""

    def work_for(self, database: Database, running: RunningTournaments) -> None:
        """Matches outlive the process that runs their tournament."""
        self._lists, self._running = ListKeeper(database), running

    async def draw_opening(self, game: GameText, seed: int, moves: int) -> tuple[int, tuple[()]]:
        assert self.can_open
        return seed, ()

    async def create(self, plan: MatchPlan) -> None:
        if self.troubles:
            raise self.troubles.pop(0)
        assert self._lists is not None
        await self._lists.created(plan)
        self.made.append(plan)
        self.live[plan.id] = plan

    async def resume(self, match_id: str) -> None:
        if match_id not in [match.id for match in self.made]:
            raise UnknownMatch(match_id)

    async def stop(self, match_id: str, why: str) -> None:
        self.stopped.append(match_id)
        await self.end(match_id, End("stopped", why=why))

    async def end(self, match_id: str, end: End | None = None) -> None:
        """A match ends; the first seat wins unless something else is said."""
        end = end or End("rules", {"one": 100, "two": 0})
        seats = self.live.pop(match_id).seats
        assert self._lists is not None
        assert self._running is not None
        await self._lists.changed(match_id, "over", 1, seats, end)
        self._running.match_ended(match_id, end)


class Scene:
    """A database with an account, a scripted hub, and what runs tournaments over them."""

    def __init__(self, database: Database, hub: ScriptedHub, leases: Leases | None = None) -> None:
        self.database = database
        self.hub = hub
        self.running = RunningTournaments(database, cast(MatchHub, hub), 1, leases)
        hub.work_for(database, self.running)

    async def begin(self, name: str, plan: TournamentPlan, game: EnteredGame = OPEN) -> None:
        owner = await self.database.write(
            lambda connection: add_account(connection, f"owner of {name}", None, is_guest=False)
        )
        row = new_row(name, name, owner, KeptPlan.of(plan, [game]).as_json())
        await self.running.begin(row, plan, [game], most_own=1, most=9)

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0.005)

    async def state(self, name: str) -> tuple[str, str, int]:
        row = await self.database.read(find_tournament, name)
        assert row is not None
        return row.state, row.why, row.matches_over

    async def ended(self, name: str) -> tuple[str, str, int]:
        async with asyncio.timeout(PATIENCE):
            while (found := await self.state(name))[0] == "running":
                await asyncio.sleep(0.005)
        return found

    async def end_all(self, matches: int) -> None:
        """Let matches end until so many were made and all are over."""
        while len(self.hub.made) < matches or self.hub.live:
            await self.until(lambda: bool(self.hub.live))
            await self.hub.end(next(iter(self.hub.live)))


@asynccontextmanager
async def scene(
    path: Path, hub: ScriptedHub | None = None, leases: Leases | None = None
) -> AsyncIterator[Scene]:
    database = open_database(str(path / "web.db"))
    found = Scene(database, hub or ScriptedHub(), leases)
    await found.running.start()
    try:
        yield found
    finally:
        await found.running.close()
        await database.settle()
        database.close()


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def plan(players: int = 3, matches: int = 2, kind: ScheduleKind = ScheduleKind.ROUND_ROBIN) -> TournamentPlan:
    return TournamentPlan((DUEL,), names(players), matches, kind, seed=5)


def test_two_matches_go_on_at_once_for_each_worker_and_tournaments_share_them(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("first", plan())
            await here.until(lambda: len(here.hub.live) == 2)
            assert {match.tournament for match in here.hub.live.values()} == {"first"}
            await here.begin("second", plan())
            await here.hub.end(here.hub.made[0].id)
            await here.until(lambda: len(here.hub.made) == 3)
            assert here.hub.made[2].tournament == "second"
            assert len(here.hub.live) == 2
            await here.end_all(12)
            assert await here.ended("first") == await here.ended("second") == ("over", "", 6)
            await here.until(lambda: here.running.count == 0)

    run(play())


def test_matches_by_the_clock_are_played_one_after_the_other_from_the_start(tmp_path: Path) -> None:
    chase = TournamentPlan((replace(DUEL, realtime=True),), ("champion", "random", "legal"), seed=5)

    async def play() -> None:
        async with scene(tmp_path) as here:
            here.hub.can_open = False
            await here.begin("first", chase)
            await here.begin("second", chase)
            await here.until(lambda: bool(here.hub.live))
            for number in range(1, 13):
                await here.until(lambda: len(here.hub.made) == number)  # noqa: B023
                assert len(here.hub.live) == 1
                await here.hub.end(here.hub.made[-1].id)
            assert await here.ended("first") == await here.ended("second") == ("over", "", 6)
            assert all(match.opening == () for match in here.hub.made)

    run(play())


def test_a_match_by_the_clock_leaves_others_their_places(tmp_path: Path) -> None:
    chase = TournamentPlan((replace(DUEL, realtime=True),), ("champion", "random"), seed=5)

    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("chase", chase)
            await here.begin("cup", plan(2))
            await here.until(lambda: len(here.hub.live) == 2)
            assert sorted(match.tournament for match in here.hub.live.values()) == ["chase", "cup"]

    run(play())


def test_a_match_that_could_not_be_made_is_tried_again_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.01)

    async def play() -> None:
        async with scene(tmp_path) as here:
            here.hub.troubles = [OSError("the disk is full")] * 2
            await here.begin("cup", plan(2))
            await here.end_all(2)
            assert await here.ended("cup") == ("over", "", 2)
            begun = await here.database.read(fixtures_of, "cup")
            assert [one.match for one in begun] == [match.id for match in here.hub.made]

    run(play())


def test_a_match_that_was_noted_and_not_made_is_made_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("cup", plan(3))
            await here.until(lambda: len(here.hub.made) == 2)
            first = here.hub
            fixtures = [one.fixture for one in await here.database.read(fixtures_of, "cup")]
            await here.running.close()
            third = "duel/r0/p0-p2/0"
            assert third not in fixtures
            assert await here.database.write(add_fixture, "cup", 2, third, "noted")
            await here.hub.end(here.hub.made[0].id)  # while nobody looks
        async with scene(tmp_path, first) as here:
            await here.until(lambda: "noted" in here.hub.live)
            assert here.hub.live["noted"].seats["two"].name == "p2"
            await here.end_all(6)
            assert await here.ended("cup") == ("over", "", 6)
            begun = await here.database.read(fixtures_of, "cup")
            assert len({one.fixture for one in begun}) == 6
            assert [one.match for one in begun] == [match.id for match in here.hub.made]

    run(play())


def test_a_tournament_that_cannot_be_played_fails_with_the_reason(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("cup", plan(3))
            await here.until(lambda: len(here.hub.live) == 2)
            here.hub.troubles = [Refused("there is no player p2")]
            await here.hub.end(here.hub.made[0].id)
            assert await here.ended("cup") == ("failed", "there is no player p2", 1)
            await here.until(lambda: here.hub.stopped == [here.hub.made[1].id])

    run(play())


def test_matches_of_a_tournament_that_has_ended_are_stopped_after_a_restart(tmp_path: Path) -> None:
    """The server was killed between the note that a tournament is stopped, and the end of its matches."""

    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("cup", plan(2))
            await here.until(lambda: len(here.hub.live) == 2)
            first = here.hub
            await here.running.close()
            await here.database.write(
                lambda connection: connection.execute(sa.text("UPDATE web_tournaments SET state = 'stopped'"))
            )
        async with scene(tmp_path, first) as here:
            await here.until(lambda: not here.hub.live)
            assert sorted(here.hub.stopped) == sorted(match.id for match in here.hub.made)
            assert await here.state("cup") == ("stopped", "", 0)

    run(play())


def test_seeds_are_those_of_the_schedule_unless_they_tell_a_secret(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("open", plan(2, 4))
            await here.begin("hidden", plan(2, 4), SECRET)
            await here.end_all(8)
            seeds = {
                name: {match.seed for match in here.hub.made if match.tournament == name}
                for name in ("open", "hidden")
            }
            assert (len(seeds["open"]), len(seeds["hidden"])) == (2, 4)
            assert seeds["open"].isdisjoint(seeds["hidden"])

    run(play())


class OtherLeases(OneProcess):
    """Another process runs everything until it has ended."""

    is_gone = False

    async def has(self, name: str) -> bool:
        return self.is_gone


def test_the_tournaments_of_another_process_are_left_alone_until_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)

    async def play() -> None:
        async with scene(tmp_path) as here:
            await here.begin("cup", plan(2, 4))
            await here.until(lambda: len(here.hub.live) == 2)
            first = here.hub
        leases = OtherLeases()
        async with scene(tmp_path, first, leases) as here:
            await asyncio.sleep(0.1)
            assert here.running.count == 0
            leases.is_gone = True
            await here.until(lambda: here.running.count == 1)
            # Its matches are played by yet another process, which tells nobody here.
            for match in list(here.hub.live):
                del here.hub.live[match]
                await here.database.write(end_match, match, "rules", {"one": 0, "two": 100})
            await here.until(lambda: len(here.hub.made) == 4)
            await here.end_all(4)
            assert await here.ended("cup") == ("over", "", 4)

    run(play())


def test_a_tournament_that_is_stopped_by_another_process_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)

    async def play() -> None:
        leases = OtherLeases()
        leases.is_gone = True
        async with scene(tmp_path, leases=leases) as here:
            await here.begin("cup", plan(2, 4))
            await here.until(lambda: len(here.hub.live) == 2)
            other = RunningTournaments(here.database, cast(MatchHub, here.hub), 1, leases)
            await here.database.write(
                lambda connection: connection.execute(sa.text("UPDATE web_tournaments SET state = 'stopped'"))
            )
            assert not await other.stop("cup")
            await here.until(lambda: here.running.count == 0)
            await here.until(lambda: not here.hub.live)
            assert len(here.hub.made) == 2
            rows, _ = await here.database.read(list_matches, "over")
            assert {row.how for row in rows} == {"stopped"}
            assert await here.database.read(find_match, here.hub.made[0].id) is not None

    run(play())
