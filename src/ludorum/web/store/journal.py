"""The journal of live matches in the database: events are on disk before they are acknowledged.

Events of all matches that arrive while a transaction is written share the next one. A disk that needs five
milliseconds for a commit then serves hundreds of moves a second, and a move waits for two commits at most.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

import sqlalchemy as sa

from .database import Database
from .schema import EVENTS

MatchEvent = dict[str, object]


class SqlJournal:
    """Events of matches in the order in which they were accepted. Belongs to one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[tuple[str, str, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self.written = 0
        """Events written so far."""
        self.commits = 0

    async def append(self, match_id: str, event: Mapping[str, object]) -> None:
        """Add an event to a match; it is on disk when this returns."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((match_id, json.dumps(event, separators=(",", ":")), done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        await done

    async def load(self, match_id: str) -> list[MatchEvent]:
        """All events of a match; empty where there is no such match."""
        return await self._database.read(events_of, match_id)

    async def close(self) -> None:
        """Wait until everything that was given is written."""
        while self._writer is not None:
            with suppress(Exception):
                await asyncio.shield(self._writer)

    async def _write(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._commit(batch)
        finally:
            self._writer = None

    async def _commit(self, batch: list[tuple[str, str, asyncio.Future[None]]]) -> None:
        try:
            await self._database.write(add_events, [(match, body) for match, body, _ in batch])
        except Exception as error:
            for _, _, done in batch:
                if not done.done():
                    done.set_exception(error)
            return
        self.written += len(batch)
        self.commits += 1
        for _, _, done in batch:
            if not done.done():  # its caller may have been cancelled; the event is written all the same
                done.set_result(None)


def add_events(connection: sa.Connection, events: list[tuple[str, str]]) -> None:
    """Add events of several matches, each after the last one of its match.

    Two processes that play the same match collide at the primary key, and the later transaction fails.
    """
    matches = sorted({match for match, _ in events})
    query = sa.select(EVENTS.c.match, sa.func.max(EVENTS.c.number)).where(EVENTS.c.match.in_(matches))
    last = {match: int(number) for match, number in connection.execute(query.group_by(EVENTS.c.match))}
    rows = []
    for match, body in events:
        last[match] = last.get(match, -1) + 1
        rows.append({"match": match, "number": last[match], "body": body})
    connection.execute(sa.insert(EVENTS), rows)


def events_of(connection: sa.Connection, match_id: str) -> list[MatchEvent]:
    query = sa.select(EVENTS.c.body).where(EVENTS.c.match == match_id).order_by(EVENTS.c.number)
    return [json.loads(body) for body in connection.execute(query).scalars()]
