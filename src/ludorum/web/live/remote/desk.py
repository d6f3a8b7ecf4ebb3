"""Who plays where: a player elsewhere is in one match at a time, and other matches wait for it in turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from ....arena.protocol.dialects import Language
from ..plan import MatchPlan, Refused
from ..rules_shelf import ArbiterError, GameRules
from .book import RemoteBook, RemoteEntry

MOST_WAITING = 20
"""Matches that may wait for one player."""
LOOK_SECONDS = 1.0
"""How often matches that wait look whether one that has the player has gone to sleep."""


class Guest(Protocol):
    """A match that wants players."""

    @property
    def names(self) -> frozenset[str]:
        """The players it wants."""

    @property
    def is_over(self) -> bool:
        """Whether it wants them no more."""

    @property
    def is_asleep(self) -> bool:
        """Whether people have done nothing for long, so that the players may be given to another match."""

    def send_away(self) -> None:
        """Ask the match to give its players back."""


@dataclass(eq=False)
class _Turn:
    guest: Guest
    come: asyncio.Event = field(default_factory=asyncio.Event)


class RemoteDesk:
    """Lets matches have players elsewhere. A match gets all that it wants at once, so none waits for another
    in a circle."""

    def __init__(self, book: RemoteBook | None) -> None:
        self._book = book
        self._inside: dict[str, Guest] = {}
        self._waiting: list[_Turn] = []

    @property
    def book(self) -> RemoteBook:
        if self._book is None:
            raise Refused("players by URL are not known here")
        return self._book

    @property
    def playing(self) -> int:
        """Players that are in a match."""
        return len(self._inside)

    @property
    def waiting(self) -> int:
        """Matches that wait for a player."""
        return len(self._waiting)

    def is_playing(self, name: str) -> bool:
        return name in self._inside

    async def check(self, plan: MatchPlan, rules: GameRules) -> None:
        """Refused where a player elsewhere cannot play in a match."""
        wanted = _wanted(plan)
        if wanted and plan.game.language == "fcdl":
            raise Refused("players by URL play rule sheets in GDL, and this game is a chart")
        for name in wanted:
            entry = await self._reachable(name)
            language = None if entry.language is None else entry.language.value
            try:
                await rules.ask("wired", name, language)
            except ArbiterError as error:
                raise Refused(str(error)) from error

    async def check_realtime(self, plan: MatchPlan) -> None:
        """Refused where a player elsewhere cannot play in a realtime match."""
        for name in _wanted(plan):
            entry = await self._reachable(name)
            if entry.language not in (None, Language.WDL):
                raise Refused(f"{name} is registered as speaking GDL, and realtime games are in WDL")
            if entry.method != "POST":
                raise Refused(f"{name} is asked by GET, and messages of realtime are posted")

    async def _reachable(self, name: str) -> RemoteEntry:
        entry = await self.book.find(name)
        if entry is None:
            raise Refused(f"no player is registered as {name}")
        if not entry.is_reachable:
            entry = await self.book.ask(name)
        if entry is None or not entry.is_reachable:
            raise Refused(f"{name} does not answer at its address")
        if sum(name in turn.guest.names for turn in self._waiting) >= MOST_WAITING:
            raise Refused(f"{name} plays, and {MOST_WAITING} more matches wait for it: try again later")
        return entry

    @asynccontextmanager
    async def players_of(self, guest: Guest) -> AsyncIterator[bool]:
        """The guest has its players while the block runs, which waits until they are free; false where the
        guest did not want them that long."""
        turn = _Turn(guest)
        self._waiting.append(turn)
        try:
            self._call()
            while not turn.come.is_set() and not guest.is_over:
                self._send_sleepers_away(guest)
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await turn.come.wait()
                except TimeoutError:
                    continue
            yield turn.come.is_set()
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)
            self._inside = {name: one for name, one in self._inside.items() if one is not guest}
            self._call()

    def _call(self) -> None:
        """Let in those for which all players are free and not awaited by one that came before."""
        awaited: set[str] = set()
        for turn in list(self._waiting):
            names = turn.guest.names
            if awaited.isdisjoint(names) and not any(name in self._inside for name in names):
                self._waiting.remove(turn)
                self._inside |= dict.fromkeys(names, turn.guest)
                turn.come.set()
            awaited |= names

    def _send_sleepers_away(self, guest: Guest) -> None:
        for name in guest.names:
            if (other := self._inside.get(name)) is not None and other.is_asleep:
                other.send_away()


def _wanted(plan: MatchPlan) -> list[str]:
    """The players elsewhere of a plan; Refused where one has several seats."""
    wanted = [seat.remote for seat in plan.seats.values() if seat.remote]
    for name, count in Counter(wanted).items():
        if count > 1:
            raise Refused(f"{name} can have one seat of a match: it is told the match and not the role")
    return wanted
