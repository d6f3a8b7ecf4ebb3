"""Events of matches come back in their order; an event is on disk before it is acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import pytest

from ludorum.web.live import Overtaken
from ludorum.web.store.database import Database, open_database
from ludorum.web.store.journal import SqlJournal


def test_events_come_back_in_their_order(url: str) -> None:
    async def play(database: Database) -> None:
        journal = SqlJournal(database)
        for number in range(5):
            await journal.append("one", number, {"number": number, "text": "é\ud800 \0"})
            await journal.append("two", number, {"number": -number})
        assert [event["number"] for event in await journal.load("one")] == [0, 1, 2, 3, 4]
        assert (await journal.load("one"))[0]["text"] == "é\ud800 \0"
        assert [event["number"] for event in await journal.load("two")] == [0, -1, -2, -3, -4]
        assert await journal.load("three") == []

    with_database(url, play)


def test_events_that_arrive_together_share_a_transaction(url: str) -> None:
    async def play(database: Database) -> None:
        journal = SqlJournal(database)
        events = [journal.append(f"m{at % 10}", at // 10, {"at": at}) for at in range(200)]
        await asyncio.gather(*events)
        assert journal.written == 200
        assert journal.commits <= 3
        for match in range(10):
            found = [event["at"] for event in await journal.load(f"m{match}")]
            assert found == list(range(match, 200, 10))

    with_database(url, play)


def test_an_event_is_written_although_its_caller_has_gone(url: str) -> None:
    async def play(database: Database) -> None:
        journal = SqlJournal(database)
        task = asyncio.create_task(journal.append("m", 0, {"at": 0}))
        await asyncio.sleep(0)
        task.cancel()
        await journal.close()
        assert await journal.load("m") == [{"at": 0}]

    with_database(url, play)


def test_a_journal_that_fails_acknowledges_nothing(url: str) -> None:
    async def play(database: Database) -> None:
        journal = SqlJournal(database)
        with database.transaction() as connection:
            connection.exec_driver_sql("DROP TABLE web_events")
        with pytest.raises(Exception, match="web_events"):
            await journal.append("m", 0, {"at": 0})
        assert journal.written == 0

    with_database(url, play)


def test_of_two_processes_that_write_the_same_event_one_is_overtaken(url: str) -> None:
    """The events of other matches are written all the same, although they share a transaction with it."""

    async def play(database: Database) -> None:
        one, other = SqlJournal(database), SqlJournal(database)
        await one.append("m", 0, {"by": "one"})
        asked = [other.append(match, 0, {"by": "other"}) for match in ("a", "m", "b")]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(error) for error in found] == [type(None), Overtaken, type(None)]
        assert [await one.load(match) for match in "amb"] == [
            [{"by": by}] for by in ("other", "one", "other")
        ]
        assert other.written == 2

    with_database(url, play)


def with_database(url: str, play: Callable[[Database], Coroutine[None, None, None]]) -> None:
    database = open_database(url)
    try:
        asyncio.run(play(database))
    finally:
        database.close()
