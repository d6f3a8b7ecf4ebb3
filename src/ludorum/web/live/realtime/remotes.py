"""The players elsewhere of one realtime match: they come when they are free, and act by their replies.

Nothing is written down about them: a match whose server stops is over.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from ....arena.protocol.messages import Start
from ....arena.protocol.wire import WireError
from ....arena.world import RealtimeController, Send, View
from ....arena.world.outbox import Outbox
from ....arena.world.remote_seat import APART, RealtimeRemoteSeat
from ..live_match import LiveMatch
from ..remote import RemoteDesk
from .table import MatchTable

PARTING_SECONDS = 2.0
"""How long players have to hear that a match is given up."""


class RealtimeRemotes:
    """Tells players elsewhere what happens, and takes their moves."""

    def __init__(
        self, live: LiveMatch, table: MatchTable, desk: RemoteDesk, on_news: Callable[[], None]
    ) -> None:
        """``on_news``: called when a remark has changed."""
        self.remarks: dict[str, str] = {}
        """What is to be said of roles whose players are not just playing."""
        self._live = live
        self._table = table
        self._desk = desk
        self._on_news = on_news
        self._seats: dict[str, RealtimeRemoteSeat] = {}
        self._outboxes: dict[str, Outbox] = {}

    # -- for the desk -----------------------------------------------------------------------------------

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._live.seats.remotes.values())

    @property
    def is_over(self) -> bool:
        return self._live.is_over

    @property
    def is_asleep(self) -> bool:
        """A clock that runs never sleeps."""
        return False

    def send_away(self) -> None:
        """Not asked for, since the match never sleeps."""

    # -- for the match ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def invited(self) -> AsyncIterator[bool]:
        """The players are in no other match while the block runs, which waits until they are free; false
        where the match is over before."""
        if not self.names:
            yield True
            return
        if any(map(self._desk.is_playing, self.names)):
            self._remark("plays another match first", *self._live.seats.remotes)
        async with self._desk.players_of(self) as is_there:
            try:
                yield is_there
            finally:
                await self._leave()

    async def start(self, starts: dict[str, Start], controller: RealtimeController) -> None:
        """Let the players prepare, and hear what happens from then on."""
        remotes = self._live.seats.remotes
        sent = await self._table.sent_rules() if remotes else {}
        for role, name in remotes.items():
            entry = await self._desk.book.find(name)
            if entry is None:
                self._remark("is not registered any more", role)
                continue
            address, own = str(entry.address), starts[role].role
            self._seats[role] = RealtimeRemoteSeat(
                address, sent[role], own, controller.offer, name=name, dial=self._desk.book.dial
            )
        await asyncio.gather(*(self._begin(role, starts[role], controller) for role in self._seats))

    async def _begin(self, role: str, start: Start, controller: RealtimeController) -> None:
        seat, plan = self._seats[role], self._live.plan
        seconds = math.ceil(plan.prepare)
        self._remark("prepares", role)
        is_ready = await seat.start(replace(start, match_id=plan.wire_id, start_clock=seconds), seconds + 1)
        await self._desk.book.note(seat.name, is_ready)
        self._remark("" if is_ready else f"does not play: {seat.trouble}", role)
        if is_ready:
            self._outboxes[role] = controller.join(start.role, self._told(role), APART)

    def _told(self, role: str) -> Send:
        """Tells a player what happens, under the name that the match has for players elsewhere."""
        seat, match_id = self._seats[role], self._live.plan.wire_id

        async def send(view: View) -> None:
            try:
                await seat.send(replace(view, match_id=match_id))
            except (OSError, WireError):
                self._remark("does not answer", role)
                await self._desk.book.note(seat.name, False)
                raise

        return send

    async def _leave(self) -> None:
        """Let the players go; those that were not told the end hear that the match is given up."""
        waiting = (seat for role, seat in self._seats.items() if not self._knows_the_end(role))
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                await asyncio.gather(*(seat.abort(self._live.plan.wire_id) for seat in waiting))
        for seat in self._seats.values():
            seat.close()

    def _knows_the_end(self, role: str) -> bool:
        outbox = self._outboxes.get(role)
        return self._table.is_over and outbox is not None and not outbox.lost

    def _remark(self, text: str, *roles: str) -> None:
        for role in roles:
            self.remarks[role] = text
        self._on_news()
