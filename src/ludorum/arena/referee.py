"""The referee: asks all seats at once, keeps the clocks, and lets the match decide what counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from ..rules.terms import Term
from .clocks import Clocks
from .match import ErrorCode, Match, Reply
from .seat import Briefing, Seat, turn_of

OnStep: TypeAlias = Callable[[Match], Awaitable[None]]
"""Told of every new state before anybody else is: whoever stores a match does it here."""

SLACK = 0.5
"""How much longer than a seat's own limit the referee waits: a seat knows best when its player was asked."""


class Referee:
    """One match between seats, from START to STOP or ABORT."""

    def __init__(
        self,
        match: Match,
        seats: Mapping[Term, Seat],
        clocks: Clocks,
        on_step: OnStep | None = None,
        max_steps: int = 1000,
    ) -> None:
        missing = [role for role in match.game.info.players if role not in seats]
        if missing:
            raise ValueError(f"nobody plays {missing[0]}")
        self.match = match
        self.clocks = clocks
        self.max_steps = max_steps
        self._seats = {role: seats[role] for role in match.game.info.players}
        self._briefings = {
            role: Briefing(match.match_id, role, match.game, clocks) for role in match.game.info.players
        }
        self._on_step = on_step

    async def run(self) -> Match:
        """Play the match to its end; if that is broken off, every seat is told before the error goes on."""
        try:
            await self._start()
            while not self.match.is_over and len(self.match.moves) < self.max_steps:
                await self._step()
        except BaseException:
            await self._abort()
            raise
        await self._stop()
        return self.match

    async def _start(self) -> None:
        limit = self.clocks.connect_limit + self.clocks.start_limit + SLACK
        replies = await self._ask_all(lambda role, seat: seat.start(self._briefings[role]), limit)
        self.match.prepared(replies)
        if self._on_step:
            await self._on_step(self.match)

    async def _step(self) -> None:
        limit = self.clocks.connect_limit + self.clocks.play_limit + SLACK
        turns = {role: turn_of(self.match, self._briefings[role]) for role in self._seats}
        replies = await self._ask_all(lambda role, seat: seat.play(turns[role]), limit)
        self.match.settle(replies)
        if self._on_step:
            await self._on_step(self.match)
        if self.clocks.pause and not self.match.is_over:
            await asyncio.sleep(self.clocks.pause)

    async def _ask_all(
        self, ask: Callable[[Term, Seat], Awaitable[Reply]], limit: float
    ) -> dict[Term, Reply]:
        """Everybody thinks at the same time; what takes too long, or fails, is an answer too."""

        async def one(role: Term, seat: Seat) -> Reply:
            try:
                return await asyncio.wait_for(ask(role, seat), limit)
            except TimeoutError:
                return Reply(code=ErrorCode.LATE, text=f"no answer in {limit:g} s")
            except Exception as error:  # a seat is foreign code as well
                return Reply(code=ErrorCode.LOST, text=f"{type(error).__name__}: {error}")

        found = await asyncio.gather(*(one(role, seat) for role, seat in self._seats.items()))
        return dict(zip(self._seats, found, strict=True))

    async def _stop(self) -> None:
        limit = self.clocks.connect_limit + self.clocks.play_limit + SLACK
        turns = {role: turn_of(self.match, self._briefings[role]) for role in self._seats}
        await self._tell_all(lambda role, seat: seat.stop(turns[role]), limit)

    async def _abort(self) -> None:
        limit = self.clocks.connect_limit + self.clocks.abort + SLACK
        await self._tell_all(lambda role, seat: seat.abort(self._briefings[role]), limit)

    async def _tell_all(self, tell: Callable[[Term, Seat], Awaitable[None]], limit: float) -> None:
        """Nobody waits for what seats say to the end of a match, but they have their time to hear of it."""
        told = (asyncio.wait_for(tell(role, seat), limit) for role, seat in self._seats.items())
        await asyncio.gather(*told, return_exceptions=True)
