"""Brings the lists of matches in the database up to date with live matches."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from .live import MatchPlan, SeatPlan
from .store.database import Database
from .store.matches import SeatRow, add_match, change_match, end_match, set_seat_token


class ListKeeper:
    """What the hub tells of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._announced: dict[str, tuple[bool, Mapping[str, str]]] = {}

    def announce(self, match_id: str, is_private: bool, tokens: Mapping[str, str]) -> None:
        """Say beforehand whether a match is private, and the tokens of its open seats."""
        self._announced[match_id] = (is_private, tokens)

    def withdraw(self, match_id: str) -> None:
        self._announced.pop(match_id, None)

    async def created(self, plan: MatchPlan) -> None:
        """Add a new match: one that was announced, or a rematch."""
        is_private, tokens = self._announced.pop(plan.id, (False, {}))
        await self._database.write(_add, plan, is_private, tokens)

    async def changed(self, match_id: str, state: str, step: int, seats: Mapping[str, SeatPlan]) -> None:
        await self._database.write(change_match, match_id, state, step, seat_rows(seats))

    async def ended(self, match_id: str, how: str, result: Mapping[str, int] | None) -> None:
        await self._database.write(end_match, match_id, how, result)


def _add(connection: sa.Connection, plan: MatchPlan, is_private: bool, tokens: Mapping[str, str]) -> None:
    add_match(connection, plan.id, plan.game.id, plan.game.title, seat_rows(plan.seats), is_private)
    for role, token in tokens.items():
        set_seat_token(connection, plan.id, role, token)


def seat_rows(seats: Mapping[str, SeatPlan]) -> list[SeatRow]:
    """Seats as lists have them."""
    return [
        SeatRow(role, seat.kind, seat.name, seat.user.removeprefix("u:") if seat.user else None)
        for role, seat in seats.items()
    ]
