"""Matches between players of this process, asked one after the other: no event loop, no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...engine.sight import past_of, position_of
from ...players import Guard, Player
from ...rules.terms import Term
from .loop import MoveSource, play_on, without_waiting
from .match import Match, Reply
from .seat import ask, prepare


def play_match(
    match: Match,
    players: Mapping[Term, Player],
    seconds: float,
    on_step: Callable[[Match], object] | None = None,
    limit: int | None = None,
    start_seconds: float = 0.0,
    busy: Callable[[Term, bool], None] = lambda role, at_work: None,
) -> Match:
    """Let players finish a match: so many seconds to prepare, so many for a move.

    The match is given up after ``limit`` decisions (``limits``). ``busy`` is called when a player begins and
    ends to work.

    Every player is guarded: where it is late, fails or names an illegal move, a legal move is made for it
    and the fault noted in ``match.faults``. ``on_step`` is called when all are ready, and with every new
    state before any player gets it: a match is stored there.
    """
    guards = {
        role: Guard(players[role], partial(busy, role), may_ponder=True) for role in match.game.info.players
    }
    source = _Guarded(match, guards, seconds, start_seconds)

    async def tell(match: Match) -> None:
        if on_step:
            on_step(match)

    return without_waiting(play_on(match, source, tell, limit))


class _Guarded(MoveSource):
    """Guarded players, asked in this thread."""

    def __init__(
        self, match: Match, guards: Mapping[Term, Guard], seconds: float, start_seconds: float
    ) -> None:
        self._match = match
        self._guards = guards
        self._seconds = seconds
        self._start_seconds = start_seconds

    async def prepare(self) -> Mapping[Term, Reply]:
        ready = {
            role: prepare(guard, self._match.game, role, self._start_seconds, self._seconds)
            for role, guard in self._guards.items()
        }
        if self._start_seconds:
            return ready
        # Without a start clock the answer to the start means nothing, unless it reports a failure.
        return {role: reply for role, reply in ready.items() if reply.code or reply.fallback}

    async def catch_up(self) -> None:
        for role, guard in self._guards.items():
            guard.catch_up(past_of(self._match.states, role), max(self._start_seconds, self._seconds))

    async def ask(self) -> Mapping[Term, Reply]:
        state = self._match.state
        return {
            role: ask(guard, position_of(state, role), self._seconds) for role, guard in self._guards.items()
        }

    async def stop(self) -> None:
        for role, guard in self._guards.items():
            guard.ended(role, self._match.state.goal(role) or 0)
        await self.abort()

    async def abort(self) -> None:
        for guard in self._guards.values():
            guard.stop()
