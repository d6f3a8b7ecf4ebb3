"""Brings the lists of matches in the database up to date with live matches."""

from __future__ import annotations

from collections.abc import Mapping

from .live import MatchPlan, SeatPlan
from .store.database import Database
from .store.matches import SeatRow, add_match, change_match, end_match


class ListKeeper:
    """What the hub tells of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def created(self, plan: MatchPlan) -> None:
        """Add a new match; those that the API made are there already, rematches are not."""
        seats = seat_rows(plan.seats)
        await self._database.write(add_match, plan.id, plan.game.id, plan.game.title, seats)

    async def changed(self, match_id: str, state: str, step: int, seats: Mapping[str, SeatPlan]) -> None:
        await self._database.write(change_match, match_id, state, step, seat_rows(seats))

    async def ended(self, match_id: str, how: str, result: Mapping[str, int] | None) -> None:
        await self._database.write(end_match, match_id, how, result)


def seat_rows(seats: Mapping[str, SeatPlan]) -> list[SeatRow]:
    """Seats as lists have them."""
    return [
        SeatRow(role, seat.kind, seat.name, seat.user.removeprefix("u:") if seat.user else None)
        for role, seat in seats.items()
    ]
