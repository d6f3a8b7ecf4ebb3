"""What people get of one realtime match: views, earlier moments, the record."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict

from ....arena.world import WorldRecord
from ....arena.world.record import goals_of
from ....rules.terms import Term
from ..live_match import LiveMatch
from ..plan import Json, Refused
from ..view import view_of, viewer_role
from .moments import Moments, record_of_events
from .worlds import RealtimeWorld


class RealtimeSights:
    """Shows one realtime match; changes nothing."""

    def __init__(self, live: LiveMatch, world: RealtimeWorld) -> None:
        self.live = live
        self.world = world
        self.moments = self._moments()
        self.has_started = False
        """Whether the clock runs, or has run."""
        self._portraits: dict[str | None, tuple[object, Json]] = {}

    def _moments(self) -> Moments:
        if not self.live.world:
            return Moments(self.world)
        return Moments.of_record(self.world, self._record())

    def _record(self) -> WorldRecord:
        return record_of_events(self.world, self.live.id, self.live.plan.seed, self.live.world)

    def _whole_record(self) -> WorldRecord:
        """The record with the goal values, where the match has ended by its rules."""
        record = self._record()
        if self.live.end is not None and self.live.end.how == "rules":
            record.goals = goals_of(self.world.game.master, self.moments.now.state)
        return record

    @property
    def seconds(self) -> float:
        """How long the match has gone on."""
        return self.moments.now.state.clock * self.world.scenes.tick_seconds

    def view(self, user: str | None, here: Collection[str], spectators: int, now: float) -> Json:
        """The MatchView for a user; None is a spectator without an account."""
        live = self.live
        role = viewer_role(live, user)
        portrait = self._portrait(role)
        view = view_of(
            live,
            role,
            portrait,
            hides=self.world.game.master.sheet.hides,
            has_chance=bool(self.world.game.master.sheet.names),
            here=here,
            spectators=spectators,
            is_thinking=False,
            now=now,
        )
        choices = portrait["choices"] if self.has_started and live.is_running else []
        if choices:
            view |= {"phase": "choice", "choices": choices, "asked": "Act whenever you like."}
        elif live.is_running:
            waiting = "You can do nothing just now." if self.has_started else "The clock starts in a moment."
            view |= {"asked": waiting if role is not None or not self.has_started else "The clock runs."}
        clock = {"seconds": round(self.seconds, 2), "is_running": self.has_started and live.is_running}
        return view | {"step": len(self.moments.steps) - 1, "realtime": clock}

    def _portrait(self, role: str | None) -> Json:
        wanted = self.moments.version, self.live.is_over
        found = self._portraits.get(role)
        if found is None or found[0] != wanted:
            found = wanted, self.moments.portrait(self._role(role), self.live.is_over)
            self._portraits[role] = found
        return found[1]

    def _role(self, role: str | None) -> Term | None:
        return None if role is None else self.world.roles[role]

    async def step_view(self, user: str | None, step: int) -> Json:
        """The moment after so many moves, as a user may see it; Refused where there is none."""
        if not 0 <= step < len(self.moments.steps):
            raise Refused(f"the match has no step {step}")
        return self.moments.at_step(step, self._role(viewer_role(self.live, user)), self.live.is_over)

    async def record(self, user: str | None) -> Json:
        """The record of the match, line by line; Refused while it would tell what is hidden."""
        live = self.live
        lines = [json.loads(line) for line in self._whole_record().lines()]
        if not live.is_over:
            if self.world.game.master.sheet.hides:
                raise Refused("the record is there when the match is over: until then it would tell secrets")
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
