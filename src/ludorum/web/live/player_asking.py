"""The questions of one match to players of the server that are under way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict

from ...arena.match.seeds import seed_from
from .plan import Json, MatchPlan
from .pool import Pool, PoolError, PoolTask, Urgency
from .rules_shelf import GameRules

ANALYST = "champion"
ANALYSIS_SECONDS = 2.0
"""The player that is asked for analyses, and how long it thinks."""
LEAST_SECONDS = 0.02
"""The shortest time that a player is given, however many wait."""
TOURNAMENT_SECONDS = 0.05
"""The shortest time between moves in a tournament: each costs the server more than its thinking."""

OnMove = Callable[[str, object, str, str, float], Awaitable[None]]
"""Takes the role, the version of the match that was asked about, the move, why it is not the player's own,
and how long it took."""


class PlayerAsking:
    """Asks players, and takes back questions whose answers are not wanted any more."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tasks: dict[str, tuple[object, asyncio.Task[None]]] = {}

    @property
    def is_busy(self) -> bool:
        return bool(self._tasks)

    @property
    def count(self) -> int:
        return len(self._tasks)

    def is_asked(self, role: str) -> bool:
        return role in self._tasks

    def keep(self, version: object, roles: Collection[str]) -> None:
        """Take back all questions but those of these roles about this version of the match."""
        for role, (asked, task) in list(self._tasks.items()):
            if asked != version or role not in roles:
                del self._tasks[role]
                if task is not asyncio.current_task():
                    task.cancel()

    def ask(
        self, plan: MatchPlan, role: str, rules: GameRules, course: Json, on_move: OnMove, version: object
    ) -> asyncio.Task[None]:
        """Ask the player of a role; its move, or a legal one in its place, goes to ``on_move``."""

        async def work() -> None:
            try:
                move, fault, seconds = await self._move(plan, role, rules, course)
                await on_move(role, version, move, fault, seconds)
            finally:
                if (kept := self._tasks.get(role)) is not None and kept[1] is asyncio.current_task():
                    del self._tasks[role]

        task = asyncio.create_task(work())
        self._tasks[role] = version, task
        return task

    async def _move(
        self, plan: MatchPlan, role: str, rules: GameRules, course: Json
    ) -> tuple[str, str, float]:
        """A legal move, why it is not the player's own, and how long it took."""
        sight = await rules.ask("sight", course, role)
        held = sight["legal"][0]
        name = plan.seats[role].name
        urgency = Urgency.TOURNAMENT if plan.tournament else Urgency.AWAITED
        # Tournaments wait for their turn, so that their players have the same time whatever else goes on.
        seconds = plan.think if plan.tournament else self._fair_seconds(plan.think)
        request = _request(plan, role, name, seconds, sight)
        begin = time.monotonic()
        try:
            asked = PoolTask("move", (request,), plan.think, plan.id, plan.game.id, urgency)
            answer = await self._pool.ask(asked)
            if plan.tournament:
                await asyncio.sleep(begin + TOURNAMENT_SECONDS - time.monotonic())
        except PoolError as error:
            return held, f"{name} gave no answer ({error}): a legal move was made for it", 0.0
        fault = f"{answer['fault']}: a legal move was made for it" if answer["fault"] else answer["fallback"]
        move = answer["move"] if answer["move"] in sight["legal"] else held
        return move, fault, time.monotonic() - begin

    async def analyse(self, method: str, plan: MatchPlan, role: str, sight: Json) -> Json:
        """An analysis of what a role sees; PoolError where there is none."""
        request = _request(plan, role, ANALYST, self._fair_seconds(ANALYSIS_SECONDS), sight)
        request["match"] = f"{plan.id} analysis"
        asked = PoolTask(method, (request,), ANALYSIS_SECONDS, plan.id, plan.game.id, Urgency.SHOWN)
        found: Json = await self._pool.ask(asked)
        return found

    def _fair_seconds(self, think: float) -> float:
        """How long the player may think: less than asked where more wait than there are workers."""
        crowd = (self._pool.crowd + 1) / self._pool.workers
        return max(min(think, LEAST_SECONDS), think / max(1.0, crowd))

    async def close(self) -> None:
        tasks = [task for _, task in self._tasks.values()]
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _request(plan: MatchPlan, role: str, player: str, seconds: float, sight: Json) -> Json:
    """Everything that a player needs to answer."""
    return {
        "game": asdict(plan.game),
        "match": plan.id,
        "role": role,
        "player": player,
        "seed": seed_from(plan.seed, "player"),
        "seconds": seconds,
        "sight": sight,
    }
