"""What a process does about the others: signs of life, matches that it takes and lets go of, questions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from ludorum.web.live import Elsewhere
from ludorum.web.peers import OwnPart, Peers
from ludorum.web.peers import peers as module
from ludorum.web.store.database import Database, open_database
from ludorum.web.store.journal import add_events
from ludorum.web.store.matches import SeatRow, add_match
from ludorum.web.store.servers import LEASE_SECONDS, ServerRow, beat, take_match

DEAD = ServerRow("dead", "127.0.0.1:1", "secret")
PATIENCE = 30.0


class Process:
    """A process whose hub only remembers what it is told."""

    def __init__(self, database: Database) -> None:
        self.peers = Peers(database, "127.0.0.1")
        self.loaded: set[str] = set()
        self.lost: list[str] = []
        self.given_up: list[set[str]] = []

    def let_go(self, match_id: str) -> None:
        self.loaded.discard(match_id)
        self.lost.append(match_id)

    async def resume(self, match_id: str) -> None:
        await self.peers.take(match_id, is_match=True)
        self.loaded.add(match_id)

    async def give_up(self, living: Collection[str]) -> None:
        self.given_up.append(set(living))

    async def name(self) -> str:
        return self.peers.name

    def watch(self, args: list[Any]) -> Any:
        raise AssertionError("nobody watches")

    async def start(self) -> None:
        await self.peers.start(OwnPart(self, {"name": self.name}, self.watch, self.give_up))


@asynccontextmanager
async def processes(database: Database, count: int) -> AsyncIterator[list[Process]]:
    found = [Process(database) for _ in range(count)]
    for one in found:
        await one.start()
    try:
        yield found
    finally:
        for one in found:
            await one.peers.leave()


def with_database(url: str, work: Callable[[Database], Awaitable[None]]) -> None:
    database = open_database(url)

    async def do() -> None:
        async with asyncio.timeout(PATIENCE):
            await work(database)

    try:
        asyncio.run(do())
    finally:
        database.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.05)


def add_live(connection: sa.Connection, *names: str) -> None:
    """Add matches that go on, and belong to a process that has died."""
    beat(connection, DEAD)
    for name in names:
        add_match(connection, name, "g", "G", [SeatRow("a", "player", "random", None)])
        add_events(connection, [{"match": name, "number": 0, "body": "{}"}])
        take_match(connection, name, DEAD.id)
    connection.execute(sa.text("UPDATE web_servers SET beat = 0 WHERE id = 'dead'"))


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.01)


@pytest.mark.long
def test_each_match_of_a_process_that_has_died_is_taken_by_one_of_the_others(shared: str) -> None:
    names = {f"m{number}" for number in range(7)}

    async def work(database: Database) -> None:
        await database.write(add_live, *names)
        async with processes(database, 3) as found:
            await until(lambda: set().union(*(one.loaded for one in found)) == names)
            assert sum(len(one.loaded) for one in found) == len(names)
            assert all(one.lost == [] for one in found)

    with_database(shared, work)


def test_a_process_lets_go_of_matches_that_another_has_taken(shared: str) -> None:
    async def work(database: Database) -> None:
        async with processes(database, 2) as (one, other):
            for name in ("mine", "taken"):
                await one.peers.take(name)
                one.loaded.add(name)
            moved = sa.text("UPDATE web_owners SET server = :other WHERE match = 'taken'")
            await database.write(lambda connection: connection.execute(moved, {"other": other.peers.name}))
            await until(lambda: bool(one.lost))
            assert (one.lost, one.loaded) == (["taken"], {"mine"})

    with_database(shared, work)


def test_a_process_that_slept_answers_nothing_before_its_next_sign_of_life(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(database: Database) -> None:
        async with processes(database, 2) as (one, other):
            name = {one.peers.name: one.peers.name}
            assert await other.peers.ask_others("name") == name
            monkeypatch.setattr(module, "BEAT_SECONDS", PATIENCE)  # from the next one on
            await asyncio.sleep(0.2)
            one.peers._beaten -= LEASE_SECONDS
            assert one.peers.is_late
            with pytest.raises(Elsewhere):
                await other.peers.ask_others("name")
            await one.peers._beat()
            assert await other.peers.ask_others("name") == name

    monkeypatch.setattr(module, "LEASE_SECONDS", LEASE_SECONDS + PATIENCE)
    with_database(shared, work)


def test_a_process_that_slept_takes_none_for_dead_for_a_while(shared: str) -> None:
    """All may have slept, or the database was away: the others are about to give signs of life again."""

    async def work(database: Database) -> None:
        async with processes(database, 1) as (one,):
            one.peers._beaten -= 2 * LEASE_SECONDS
            await one.peers._beat()
            await database.write(add_live, "m")
            with pytest.raises(Elsewhere):
                await one.peers.take("m", is_match=True)
            one.peers._sure_from = 0.0
            assert await one.peers.take("m", is_match=True)

    with_database(shared, work)


def test_the_work_of_a_process_is_given_up_when_it_has_died(shared: str) -> None:
    async def work(database: Database) -> None:
        await database.write(beat, DEAD)
        async with processes(database, 1) as (one,):
            both = {one.peers.name, "dead"}
            assert one.given_up == [both]
            past = sa.text("UPDATE web_servers SET beat = 0 WHERE id = 'dead'")
            await database.write(lambda connection: connection.execute(past))
            await until(lambda: len(one.given_up) == 2)
            assert one.given_up == [both, {one.peers.name}]
            assert one.peers.count == 1

    with_database(shared, work)
