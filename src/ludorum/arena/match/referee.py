"""The referee: asks all seats at once, keeps the clocks, and lets the match decide what counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from ...engine.game import JointMove
from ...engine.sight import past_of
from ...rules.terms import Term
from .clocks import Clocks
from .loop import MoveSource, OnStep, play_on
from .match import ErrorCode, Match, Reply
from .seat import Briefing, Seat, turn_of

SLACK = 0.5
"""How much longer than a seat's own limit the referee waits: a seat knows best when its player was asked."""


class Referee(MoveSource):
    """One match between seats, from START to STOP or ABORT."""

    def __init__(
        self,
        match: Match,
        seats: Mapping[Term, Seat],
        clocks: Clocks,
        on_step: OnStep | None = None,
        limit: int | None = None,
        opening: Sequence[JointMove] = (),
        names: Mapping[Term, str] = MappingProxyType({}),
    ) -> None:
        """``limit``: decisions after which the match is given up (``limits``).

        ``opening``: joint moves that are made at the start, without asking the players.

        ``names``: names of players that differ from those of their seats.
        """
        missing = [role for role in match.game.info.players if role not in seats]
        if missing:
            raise ValueError(f"nobody plays {missing[0]}")
        self.match = match
        self.clocks = clocks
        self.limit = limit
        self._seats = {role: seats[role] for role in match.game.info.players}
        called = {role: seat.name for role, seat in self._seats.items()} | dict(names)
        players = tuple(called.get(role, "random") for role in match.game.roles)
        self._briefings = {
            role: Briefing(match.match_id, role, match.game, clocks, players) for role in self._seats
        }
        self._on_step = on_step
        self._opening = opening

    async def run(self) -> Match:
        """Play the match to its end, or until it is given up (``play_on``)."""
        return await play_on(self.match, self, self._on_step, self.limit, self._opening)

    async def prepare(self) -> Mapping[Term, Reply]:
        limit = self.clocks.connect_limit + self.clocks.start_limit + SLACK
        return await self._ask_all(lambda role, seat: seat.start(self._briefings[role]), limit)

    async def pass_over(self) -> None:
        """Ask seats whose players track the match themselves, and ignore the answers.

        The protocol tells players of a step only by asking for the next one, so they are asked and their
        answers not counted; they are told the moves that were played for them.
        """
        following = [role for role, seat in self._seats.items() if seat.follows]
        await self._ask_all(self._ask_to_play(), self._play_limit, following)

    async def catch_up(self) -> None:
        """Tell seats that do not track the match themselves what they missed: an opening, or more."""
        seconds = self.clocks.start_limit
        await self._tell_all(
            lambda role, seat: seat.catch_up(past_of(self.match.states, role), seconds), seconds + SLACK
        )

    async def ask(self) -> Mapping[Term, Reply]:
        end = time.monotonic() + self.clocks.play
        replies = await self._ask_all(self._ask_to_play(), self._play_limit)
        if self.clocks.whole:
            await asyncio.sleep(end - time.monotonic())
        return replies

    async def rest(self) -> None:
        if self.clocks.pause and not self.match.is_over:
            await asyncio.sleep(self.clocks.pause)

    @property
    def _play_limit(self) -> float:
        return self.clocks.connect_limit + self.clocks.play_limit + SLACK

    def _ask_to_play(self) -> Callable[[Term, Seat], Awaitable[Reply]]:
        turns = {role: turn_of(self.match, self._briefings[role]) for role in self._seats}
        return lambda role, seat: seat.play(turns[role])

    async def _ask_all(
        self,
        ask: Callable[[Term, Seat], Awaitable[Reply]],
        limit: float,
        roles: Iterable[Term] | None = None,
    ) -> dict[Term, Reply]:
        """Ask all at the same time; a timeout or a failure is an answer too."""

        async def one(role: Term, seat: Seat) -> Reply:
            try:
                return await asyncio.wait_for(ask(role, seat), limit)
            except TimeoutError:
                return Reply(code=ErrorCode.LATE, text=f"no answer in {limit:g} s")
            except Exception as error:  # a seat is foreign code as well
                return Reply(code=ErrorCode.LOST, text=f"{type(error).__name__}: {error}")

        asked = list(self._seats if roles is None else roles)
        found = await asyncio.gather(*(one(role, self._seats[role]) for role in asked))
        return dict(zip(asked, found, strict=True))

    async def stop(self) -> None:
        turns = {role: turn_of(self.match, self._briefings[role]) for role in self._seats}
        limit = self.clocks.connect_limit + self.clocks.stop_limit + SLACK
        await self._tell_all(lambda role, seat: seat.stop(turns[role]), limit)

    async def abort(self) -> None:
        limit = self.clocks.connect_limit + self.clocks.abort_limit + SLACK
        await self._tell_all(lambda role, seat: seat.abort(self._briefings[role]), limit)

    async def _tell_all(self, tell: Callable[[Term, Seat], Awaitable[None]], limit: float) -> None:
        """Tell all seats, each within the limit; errors and timeouts are ignored."""
        told = (asyncio.wait_for(tell(role, seat), limit) for role, seat in self._seats.items())
        await asyncio.gather(*told, return_exceptions=True)
