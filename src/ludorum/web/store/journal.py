"""The journal of live matches in the database: events are on disk before they are acknowledged.

Events of all matches that arrive while a transaction is written share the next one. A disk that needs five
milliseconds for a commit then serves hundreds of moves a second, and a move waits for two commits at most.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ..live import Overtaken
from .database import Database
from .schema import EVENTS

MatchEvent = dict[str, object]
Row = dict[str, Any]


@dataclass(frozen=True)
class _Waiting:
    """An event that is not written yet."""

    row: Row
    done: asyncio.Future[None]


class SqlJournal:
    """Events of matches in the order in which they were accepted. Belongs to one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._writer: asyncio.Task[None] | None = None
        self.written = 0
        """Events written so far."""
        self.commits = 0

    async def append(self, match_id: str, number: int, event: Mapping[str, object]) -> None:
        """Add the event of a number to a match; it is on disk when this returns. Overtaken where there is
        one of that number."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        row = {"match": match_id, "number": number, "body": json.dumps(event, separators=(",", ":"))}
        self._waiting.append(_Waiting(row, done))
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

    async def _commit(self, batch: list[_Waiting]) -> None:
        try:
            # In one order by all processes, so that two never wait for each other.
            await self._database.write(add_events, sorted((one.row for one in batch), key=_match_of))
        except IntegrityError as error:
            if len(batch) > 1:  # one match was overtaken, and the others have nothing to do with it
                for one in batch:
                    await self._commit([one])
                return
            _fail(batch, Overtaken(batch[0].row["match"]), error)
        except Exception as error:
            _fail(batch, error)
        else:
            self.written += len(batch)
            self.commits += 1
            for one in batch:
                if (
                    not one.done.done()
                ):  # its caller may have been cancelled; the event is written all the same
                    one.done.set_result(None)


def _match_of(row: Row) -> str:
    return str(row["match"])


def _fail(batch: list[_Waiting], error: Exception, cause: Exception | None = None) -> None:
    error.__cause__ = cause
    for one in batch:
        if not one.done.done():
            one.done.set_exception(error)


def add_events(connection: sa.Connection, rows: list[Row]) -> None:
    """Add events of several matches. Two processes that play the same match collide at the primary key."""
    connection.execute(sa.insert(EVENTS), rows)


def events_of(connection: sa.Connection, match_id: str) -> list[MatchEvent]:
    query = sa.select(EVENTS.c.body).where(EVENTS.c.match == match_id).order_by(EVENTS.c.number)
    return [json.loads(body) for body in connection.execute(query).scalars()]
