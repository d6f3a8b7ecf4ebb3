"""Seats: each answers for one role, with a player in this process or elsewhere.

A seat is told a ``Turn`` and nothing else. A turn is a function of what its role may know, so a seat cannot
leak hidden information, whatever it does.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...engine.game import Game
from ...engine.sight import Position, position_of
from ...players import Guard, Player
from ...rules.terms import Term
from .clocks import Clocks
from .match import LAPSES, Match, Notice, Reply


@dataclass(frozen=True)
class Briefing:
    """What a role is told before the match."""

    match_id: str
    role: Term
    game: Game
    clocks: Clocks
    players: tuple[str, ...] = ()
    """The name of each role's player, nature among them; empty where no names are given."""


@dataclass(frozen=True)
class Turn:
    """What a role is told when it is to move, or when the match is over."""

    briefing: Briefing
    notice: Notice
    position: Position


def turn_of(match: Match, briefing: Briefing) -> Turn:
    """The turn of a role in the current state of a match."""
    return Turn(briefing, match.notice(briefing.role), position_of(match.state, briefing.role))


class Seat(ABC):
    """One role of one match. Every answer comes back as a ``Reply``; no method raises for a player's fault.

    A seat keeps its own clock as well as it can (``Clocks.start_limit``, ``play_limit``, counted from when
    the player had the question); the referee cuts off an answer that takes longer.
    """

    name: str
    follows = False
    """Whether the player tracks the match itself, and so must be told of every step."""

    @abstractmethod
    async def start(self, briefing: Briefing) -> Reply:
        """Let the player prepare; a reply with a code reports a failure, and the match begins anyway."""

    async def catch_up(self, past: Sequence[Position], seconds: float) -> None:  # noqa: B027
        """Tell of steps that were made before the player joined, where it is not told of them otherwise."""

    @abstractmethod
    async def play(self, turn: Turn) -> Reply:
        """Ask for a move."""

    async def stop(self, turn: Turn) -> None:  # noqa: B027
        """The match is over."""

    async def abort(self, briefing: Briefing) -> None:  # noqa: B027
        """The match is given up."""


class LocalSeat(Seat):
    """A player of this process behind its guard, so that the loop never waits for its thinking."""

    def __init__(self, player: Player, busy: Callable[[bool], None] = lambda at_work: None) -> None:
        self.name = player.name
        self._guard = Guard(player, busy, may_ponder=True)

    async def start(self, briefing: Briefing) -> Reply:
        return await asyncio.to_thread(
            prepare, self._guard, briefing.game, briefing.role, briefing.clocks.start, briefing.clocks.play
        )

    async def catch_up(self, past: Sequence[Position], seconds: float) -> None:
        if past:
            await asyncio.to_thread(self._guard.catch_up, past, seconds)

    async def play(self, turn: Turn) -> Reply:
        return await asyncio.to_thread(ask, self._guard, turn.position, turn.briefing.clocks.play)

    async def stop(self, turn: Turn) -> None:
        state, role = turn.position.state, turn.briefing.role
        if state is not None and state.is_terminal:
            await asyncio.to_thread(self._guard.ended, role, state.goal(role) or 0)
        await asyncio.to_thread(self._guard.stop)

    async def abort(self, briefing: Briefing) -> None:
        await asyncio.to_thread(self._guard.stop)


def prepare(guard: Guard, game: Game, role: Term, seconds: float, patience: float) -> Reply:
    """A guarded player's reply to the beginning of a match; ``seconds`` are its start clock.

    Where that is 0, the seat waits ``patience`` seconds for what the player has to do all the same.
    """
    begin = time.monotonic()
    lapse = guard.start(game, role, seconds, patience)
    took = time.monotonic() - begin
    code = None if lapse is None else LAPSES[lapse]
    return Reply(None, code, guard.trouble or "ready", took, guard.new_fallback())


def ask(guard: Guard, position: Position, seconds: float) -> Reply:
    """The reply of a guarded player; ``seconds`` are its play clock."""
    begin = time.monotonic()
    answer = guard.choose(position, seconds)
    took = time.monotonic() - begin
    if answer.lapse is None:
        return Reply(answer.move, seconds=took, fallback=guard.new_fallback())
    return Reply(None, LAPSES[answer.lapse], answer.fault, took, guard.new_fallback())
