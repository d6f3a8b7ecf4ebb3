"""Hosting a realtime match between players of ours and players at addresses."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Protocol

from ...engine.wdl_master import WdlMaster
from ...players.realtime import make_realtime_player
from ...rules.terms import Term
from ..match.seeds import seed_from
from ..protocol.client import parse_address
from ..protocol.dialects import Language
from ..protocol.invitations import Invitation, refuse_shared_ports
from ..protocol.messages import Start
from .controller import RealtimeController
from .move_inlet import MoveInlet
from .outbox import MOST_APART, View
from .realtime_match import RealtimeMatch
from .remote_seat import APART, RealtimeRemoteSeat, sent_rules
from .thinking_seat import ThinkingSeat

WARM_UP_SECONDS = 60.0
"""What a player of ours may take at least to get ready: its process may have to be started first."""

PERSON_SECONDS = 3600.0
"""How long everybody waits for a person who has not begun yet."""


class RealtimeSeat(Protocol):
    """Who plays one role: a program of ours, one at an address, or a person."""

    name: str
    trouble: str
    """Why it plays no more, or never did; empty while it plays."""

    async def start(self, message: Start, seconds: float) -> bool:
        """Whether it is ready to play, after so many seconds at most."""

    async def send(self, view: View) -> None:
        """Tell it what has happened."""

    def close(self) -> None:
        """The match is over, or given up."""


class RealtimeHosting:
    """A match with a seat for each role: the controller, and who plays."""

    def __init__(
        self,
        match: RealtimeMatch,
        invitations: Sequence[Invitation],
        people: Mapping[Term, RealtimeSeat] = MappingProxyType({}),
        no_colons: bool = False,
    ) -> None:
        """``people`` sit in place of what is invited for their roles. ``no_colons``: players at addresses are
        told names of modules without one."""
        self.match = match
        self.controller = RealtimeController(match)
        self._inlet = MoveInlet(match.match_id)
        self._invitations = dict(zip(match.master.roles, invitations, strict=True))
        self._people = people
        self._no_colons = no_colons
        self.seats: Mapping[Term, RealtimeSeat] = {}

    async def play(self) -> Mapping[Term, str]:
        """Play the match to its end; returns what was wrong with players, by role."""
        addresses = [one.address for one in self._invitations.values() if one.remote]
        if addresses:
            await self._inlet.open("127.0.0.1" if all(map(_is_here, addresses)) else "0.0.0.0")
        try:
            self.seats = {role: self._seat(role, one) for role, one in self._invitations.items()}
            ready = await asyncio.gather(*(self._start(role) for role in self.seats))
            for (role, seat), is_ready in zip(self.seats.items(), ready, strict=True):
                if is_ready:
                    apart = APART if isinstance(seat, RealtimeRemoteSeat) else MOST_APART
                    self.controller.join(role, seat.send, apart)
            await self.controller.run()
        finally:
            if not self.match.is_over:
                await self._abort()
            for seat in self.seats.values():
                seat.close()
            if addresses:
                await self._inlet.close()
        return {role: seat.trouble for role, seat in self.seats.items() if seat.trouble}

    def _seat(self, role: Term, invitation: Invitation) -> RealtimeSeat:
        if role in self._people:
            return self._people[role]
        offer = self.controller.offer
        if not invitation.remote:
            return ThinkingSeat(invitation.name, seed_from("player", self.match.record.seed, role), offer)
        sent = sent_rules(self.match.master.sheet, role, self._no_colons)
        return RealtimeRemoteSeat(invitation.address, sent, role, offer, self._inlet, invitation.name)

    async def _start(self, role: Term) -> bool:
        seat, message = self.seats[role], self.match.start(role)
        seconds = message.start_clock + 1.0
        if isinstance(seat, ThinkingSeat):
            seconds = max(seconds, WARM_UP_SECONDS)
        return await seat.start(message, PERSON_SECONDS if role in self._people else seconds)

    async def _abort(self) -> None:
        remote = (seat for seat in self.seats.values() if isinstance(seat, RealtimeRemoteSeat))
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.gather(*(seat.abort(self.match.match_id) for seat in remote))


def refuse_unable(master: WdlMaster, invitations: Sequence[Invitation]) -> None:
    """ValueError where players do not fit a realtime game, with what to write instead."""
    roles = ", ".join(map(str, master.roles))
    if len(invitations) != len(master.roles):
        raise ValueError(
            f"{master.sheet.source.name} is for {len(master.roles)} ({roles}), {len(invitations)} players "
            f"are given: name one for each role, in this order"
        )
    for one in invitations:
        if not one.remote:
            make_realtime_player(one.name)
        if one.remote and one.language not in (None, Language.WDL):
            raise ValueError(f"{one.name}: only players of WDL play in realtime; write wdl+http://...")
        if one.remote and one.method != "POST":
            raise ValueError(f"{one.name}: messages of realtime are posted; leave get+ out")
    refuse_shared_ports(invitations)


def _is_here(address: str) -> bool:
    host = parse_address(address).host
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
