"""Brings the lists of matches in the database up to date with live matches."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from .live import MatchPlan, SeatPlan
from .live.events import End
from .store.database import Database
from .store.matches import SeatRow, add_match, change_match, change_steps, end_match, set_seat_token

STEP_SECONDS = 1.0
"""How late lists may show a step: those of all matches in that time are written by one statement."""
MOST_TOLD = 5000
"""Matches of which it is kept what the lists say; others are written whole."""

_log = logging.getLogger(__name__)


class ListKeeper:
    """What the hub tells of all matches.

    Steps are written after a while, since a match is its events and the lists follow from them: a server that
    was killed tells the lists again when it goes on with its matches. All else is written at once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._announced: dict[str, tuple[bool, Mapping[str, str]]] = {}
        self._told: OrderedDict[str, tuple[str, list[SeatRow]]] = OrderedDict()
        """State and seats of matches, as the lists have them."""
        self._steps: dict[str, int] = {}
        """Steps that the lists do not have yet."""
        self._writing: asyncio.Task[None] | None = None
        self.on_end: list[Callable[[str, End], None]] = []
        """Told of every end, when the lists have it."""

    def announce(self, match_id: str, is_private: bool, tokens: Mapping[str, str]) -> None:
        """Say beforehand whether a match is private, and the tokens of its open seats."""
        self._announced[match_id] = (is_private, tokens)

    def withdraw(self, match_id: str) -> None:
        self._announced.pop(match_id, None)

    async def created(self, plan: MatchPlan) -> None:
        """Add a new match: one that was announced, or a rematch."""
        is_private, tokens = self._announced.pop(plan.id, (False, {}))
        await self._database.write(_add, plan, is_private, tokens)

    async def changed(
        self, match_id: str, state: str, step: int, seats: Mapping[str, SeatPlan], end: End | None
    ) -> None:
        """Note what has changed: a new step soon, a new state, person or end before this returns."""
        now = state, seat_rows(seats)
        if self._told.get(match_id) == now:
            self._steps[match_id] = step
            if self._writing is None:
                self._writing = asyncio.create_task(self._write_steps())
            return
        self._steps.pop(match_id, None)
        await self._database.write(_change, match_id, state, step, now[1], end)
        if end is not None:
            for tell in self.on_end:
                tell(match_id, end)
        self._told[match_id] = now
        while len(self._told) > MOST_TOLD:
            self._told.popitem(last=False)

    async def close(self) -> None:
        """Write the steps that the lists do not have yet."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        if self._steps:
            await self._database.write(change_steps, self._steps)

    async def _write_steps(self) -> None:
        try:
            while self._steps:
                await asyncio.sleep(STEP_SECONDS)
                if self._steps:  # they may have been written with another change meanwhile
                    await self._write_those(dict(self._steps))
        finally:
            self._writing = None

    async def _write_those(self, steps: Mapping[str, int]) -> None:
        try:
            await self._database.write(change_steps, steps)
        except Exception:
            _log.exception("the lists could not be told of %d steps and will be told again", len(steps))
            return
        for match_id, step in steps.items():
            if self._steps.get(match_id) == step:
                del self._steps[match_id]


def _add(connection: sa.Connection, plan: MatchPlan, is_private: bool, tokens: Mapping[str, str]) -> None:
    add_match(connection, plan.id, plan.game.id, plan.game.title, seat_rows(plan.seats), is_private)
    for role, token in tokens.items():
        set_seat_token(connection, plan.id, role, token)


def _change(
    connection: sa.Connection, match_id: str, state: str, step: int, seats: list[SeatRow], end: End | None
) -> None:
    """All in one transaction: nobody finds a match among those that are over before it has its result."""
    change_match(connection, match_id, state, step, seats)
    if end is not None:
        end_match(connection, match_id, end.how, end.result)


def seat_rows(seats: Mapping[str, SeatPlan]) -> list[SeatRow]:
    """Seats as lists have them."""
    return [
        SeatRow(role, seat.kind, seat.name, seat.user.removeprefix("u:") if seat.user else None)
        for role, seat in seats.items()
    ]
