"""What people get of one realtime match: views, earlier moments, the record."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import asdict

from ..live_match import LiveMatch
from ..plan import Json, Refused
from ..view import view_of, viewer_role
from .table import MatchTable


class RealtimeSights:
    """Shows one realtime match; changes nothing."""

    def __init__(self, live: LiveMatch, table: MatchTable, remarks: Mapping[str, str]) -> None:
        """``remarks``: what is to be said of roles that are played elsewhere."""
        self.live = live
        self._remarks = remarks
        self.table = table
        self.has_started = False
        """Whether the clock runs, or has run."""
        self._portraits: dict[str | None, tuple[object, asyncio.Future[Json]]] = {}

    async def view(self, user: str | None, here: Collection[str], spectators: int, now: float) -> Json:
        """The MatchView for a user; None is a spectator without an account."""
        live, about = self.live, self.table.about
        role = viewer_role(live, user)
        portrait = await self._portrait(role)
        view = view_of(
            live,
            role,
            portrait,
            hides=about.hides,
            has_chance=about.chance,
            here=here,
            spectators=spectators,
            is_thinking=False,
            now=now,
            remarks=self._remarks,
        )
        choices = portrait["choices"] if self.has_started and live.is_running else []
        if choices:
            view |= {"phase": "choice", "choices": choices, "asked": "Act whenever you like."}
        elif live.is_running:
            waiting = "You can do nothing just now." if self.has_started else "The clock starts in a moment."
            view |= {"asked": waiting if role is not None or not self.has_started else "The clock runs."}
        if portrait["scene"] is None:
            view |= {"asked": portrait["asked"]}
        progress = self.table.progress
        seconds = round(progress.clock * self.table.tick_seconds, 2)
        clock = {"seconds": seconds, "is_running": self.has_started and live.is_running}
        return view | {"step": progress.moves, "realtime": clock}

    async def _portrait(self, role: str | None) -> Json:
        """What the viewer sees now, made once for each moment."""
        wanted = self.table.progress, self.live.is_over
        found = self._portraits.get(role)
        if found is None or found[0] != wanted:
            made = asyncio.ensure_future(self.table.portrait(role, self.live.is_over))
            found = self._portraits[role] = wanted, made
        portrait = await asyncio.shield(found[1])
        if portrait["scene"] is None and self._portraits.get(role) is found:
            del self._portraits[role]
        return portrait

    async def step_view(self, user: str | None, step: int) -> Json:
        """The moment after so many moves, as a user may see it; Refused where there is none."""
        return await self.table.at_step(step, viewer_role(self.live, user), self.live.is_over)

    async def record(self, user: str | None) -> Json:
        """The record of the match, line by line; Refused while it would tell what is hidden."""
        live = self.live
        if not live.is_over and self.table.about.hides:
            raise Refused("the record is there when the match is over: until then it would tell secrets")
        has_goals = live.end is not None and live.end.how == "rules"
        lines = await self.table.record(live.world, has_goals)
        if not live.is_over:
            lines[0]["match"]["seed"] = None
        return {
            "match": live.id,
            "names": {role: seat.name for role, seat in live.seats.all.items()},
            "end": None if live.end is None else asdict(live.end),
            "world": lines,
        }

    async def premoves(self, user: str | None) -> Json:
        """Nothing can be prepared where nobody waits for others."""
        return {"step": self.live.step, "choices": []}

    async def analysis(self, user: str | None, step: int | None) -> Json:
        raise Refused("a realtime match has no analysis")

    async def knowledge(self, user: str | None) -> Json:
        raise Refused("nothing is worked out about realtime matches")
