"""What people get of one match: views, earlier steps, the record, analyses, what a role knows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any, cast

from .live_match import LiveMatch
from .plan import Json, Refused
from .player_asking import PlayerAsking
from .pool import PoolError
from .remote import MatchRemotes
from .rules_shelf import ArbiterError, GameRules
from .services import Services
from .understanding import check_may_understand, role_to_analyse
from .view import view_of, viewer_role


class MatchSights:
    """Shows one match; changes nothing."""

    def __init__(
        self,
        live: LiveMatch,
        hides: bool,
        has_chance: bool,
        services: Services,
        asking: PlayerAsking,
        remotes: MatchRemotes,
    ) -> None:
        self.live = live
        self.hides = hides
        self.has_chance = has_chance
        self._services = services
        self._asking = asking
        self._remotes = remotes
        self._portraits: dict[str | None, tuple[object, Json]] = {}
        self._premoves: dict[str, tuple[object, Json]] = {}

    @property
    def rules(self) -> GameRules:
        return self._services.shelf.rules_of(self.live.plan.game)

    def course(self, step: int | None = None) -> Json:
        """The match as arbiters are told it."""
        live = self.live
        # The past has a name of its own: the arbiter keeps one line of states for each.
        name = live.id if step is None or step == live.step else f"{live.id} past"
        return {"match": name, "seed": live.plan.seed, "joints": live.joints[:step]}

    async def view(self, user: str | None, here: Collection[str], spectators: int) -> Json | None:
        """The MatchView for a user; None where the match went on while it was made.

        ``user`` is None for a spectator without an account; ``here`` are the users that look at the match,
        ``spectators`` how many only look on.
        """
        role, before = viewer_role(self.live, user), self._version
        portrait = await self._portrait(role)
        if self._version != before or viewer_role(self.live, user) != role:
            return None
        return view_of(
            self.live,
            role,
            portrait,
            hides=self.hides,
            has_chance=self.has_chance,
            here=here,
            spectators=spectators,
            is_thinking=self._asking.is_busy or self._remotes.is_asking,
            remarks=self._remotes.remarks,
            now=self._services.time.now(),
        )

    @property
    def _version(self) -> object:
        return self.live.version, self.live.is_over

    async def _portrait(self, role: str | None) -> Json:
        version, portrait = self._portraits.get(role, (None, {}))
        if version == (wanted := self._version):
            return portrait
        try:
            portrait = cast(Json, await self.rules.ask("portrait", self.course(), role, self.live.is_over))
        except ArbiterError as error:
            return {"scene": None, "choices": [], "asked": str(error), "moves": []}
        self._portraits[role] = (wanted, portrait)
        return portrait

    async def step_view(self, user: str | None, step: int) -> Json:
        """An earlier step as a user may see it; Refused where there is none."""
        if not 0 <= step <= self.live.step:
            raise Refused(f"the match has no step {step}")
        role = viewer_role(self.live, user)
        return await self._asked("scene_at", self.course(), role, self.live.is_over, step)

    async def premoves(self, user: str | None) -> Json:
        """The moves that a user can prepare while others choose, for the step that they belong to."""
        live = self.live
        role, version = viewer_role(live, user), self._version
        if role is None or self.hides or not live.is_running or role in live.choosing:
            return {"step": live.step, "choices": []}
        found = self._premoves.get(role)
        if found is None or found[0] != version:
            step = live.step
            choices = await self._asked("premoves", self.course(), role)
            found = self._premoves[role] = (version, {"step": step, "choices": choices})
        return found[1]

    async def record(self, user: str | None) -> Json:
        """The record of the match as a user may see it."""
        live = self.live
        about = {
            "match": live.id,
            "times": [int(1000 * moment) for moment in live.times],
            "names": {role: seat.name for role, seat in live.seats.all.items()},
            "people": live.seats.persons,
            "think": live.plan.think,
            "end": None if live.end is None else asdict(live.end),
        }
        return await self._asked("record", self.course(), viewer_role(live, user), about)

    async def analysis(self, user: str | None, step: int | None) -> Json:
        """Values, candidates, reasons for a step; Refused where the user may not have them."""
        live = self.live
        own = viewer_role(live, user)
        check_may_understand(live, own, self.hides)
        at = live.step if step is None else step
        if not 0 <= at <= live.step:
            raise Refused(f"the match has no step {at}")
        roles = cast(list[str], await self._asked("choosing", self.course(at)))
        role = role_to_analyse(live, own, self.hides, roles)
        return await self._ask_pool("analyse", role, at)

    async def knowledge(self, user: str | None) -> Json:
        """What the user's role knows, and what worlds say that agree with it."""
        live = self.live
        if not self.hides:
            raise Refused("nothing is hidden in this game")
        role = viewer_role(live, user)
        if role is None:
            raise Refused("only those at the match know something of their own")
        known = await self._asked("knowledge", self.course(), role)
        if role not in live.to_move or not live.is_running:
            return known | {"worlds": None, "is_all": False, "opinion": []}
        return known | await self._ask_pool("opinion", role, live.step)

    async def _ask_pool(self, method: str, role: str, step: int) -> Json:
        sight = await self._asked("sight", self.course(step), role)
        try:
            return await self._asking.analyse(method, self.live.plan, role, sight)
        except PoolError as error:
            raise Refused(str(error)) from error

    async def _asked(self, method: str, *args: Any) -> Json:
        """An answer of the rules to a person; Refused where there is none."""
        try:
            return cast(Json, await self.rules.ask(method, *args))
        except ArbiterError as error:
            raise Refused(str(error)) from error
