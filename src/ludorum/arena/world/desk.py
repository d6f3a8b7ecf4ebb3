"""Realtime matches of a player behind a port: messages in, moves out, as replies or posted to the host."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress

from ...rules.terms import Term
from ..match.seeds import seed_from
from ..protocol.client import Address
from ..protocol.messages import Abort, MessageError, Start
from ..protocol.realtime_messages import (
    ClockSignal,
    Happened,
    OwnMove,
    TimeIsUp,
    format_realtime,
    parse_realtime,
)
from ..protocol.replies import ABORTED, BUSY, DONE, NIL_REPLY, READY
from ..protocol.wire import Request, WireError
from .move_inlet import MOVES_TO
from .outbox import Outbox, is_last
from .stream import MessageStream
from .thinking_seat import ThinkingSeat

_REALTIME = re.compile(r"\s*\(\s*start\s.*\(\s*set\s+realtime\s*\)", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"\s*\(\s*(clock|play|stop|abort)\s+(\S+)", re.IGNORECASE)
_MOVES_TO = re.compile(r"([0-9]{1,5})(/[A-Za-z0-9_/-]{1,100})")
START_SHARE = 0.8
"""The share of a start clock that a player may take to get ready."""
SILENT_SECONDS = 30.0
"""A match without any message for so long is left: its host is gone, since the clock goes on all the time."""


class RealtimeDesk:
    """The realtime matches of one port."""

    def __init__(self, player: str, seed: int, matches: int = 1) -> None:
        """``player``: a name of ``realtime_names()``; ``matches``: how many it plays at the same time."""
        self._player = player
        self._seed = seed
        self._most = matches
        self._matches: dict[str, DeskMatch] = {}

    @property
    def count(self) -> int:
        """How many matches are under way."""
        self._leave_silent()
        return len(self._matches)

    def concerns(self, text: str) -> bool:
        """Whether a message begins a realtime match, or belongs to one that is played here."""
        word = _WORD.match(text)
        if word is not None:
            return word[1].lower() == "clock" or word[2].rstrip(")").lower() in self._matches
        return _REALTIME.match(text) is not None

    async def answer(self, text: str, request: Request, peer: str, is_free: bool) -> str:
        """The reply to a message that concerns a realtime match; ``peer`` is the address it came from."""
        try:
            message = parse_realtime(text)
        except MessageError:
            return NIL_REPLY
        if isinstance(message, Start):
            return await self._start(message, request, peer, is_free)
        match_id = getattr(message, "match_id", "").lower()
        match = self._matches.get(match_id)
        if match is None:
            return BUSY
        match.heard_at = time.monotonic()
        if isinstance(message, ClockSignal | Happened | TimeIsUp):
            match.outbox.put(message)
            if is_last(message):
                self._leave(match_id)
                return DONE
        if isinstance(message, Abort):
            self._leave(match_id)
            return ABORTED
        return match.next_reply()

    def close(self) -> None:
        """Leave all matches."""
        for match in self._matches.values():
            match.close()
        self._matches.clear()

    async def _start(self, message: Start, request: Request, peer: str, is_free: bool) -> str:
        key = message.match_id.lower()
        if key in self._matches or not is_free or self.count >= self._most:
            return BUSY
        match = DeskMatch(message, self._player, self._seed, _moves_to(request, peer))
        self._matches[key] = match
        if await match.seat.start(message, max(1.0, START_SHARE * message.start_clock)):
            return READY
        if self._matches.get(key) is match:
            del self._matches[key]
        match.close()
        return BUSY

    def _leave(self, match_id: str) -> None:
        self._matches.pop(match_id).close()

    def _leave_silent(self) -> None:
        now = time.monotonic()
        for key, match in list(self._matches.items()):
            if now - match.heard_at > SILENT_SECONDS + match.start.start_clock:
                del self._matches[key]
                match.close()


class DeskMatch:
    """One realtime match of a port."""

    def __init__(self, start: Start, player: str, seed: int, moves_to: MessageStream | None) -> None:
        self.start = start
        self.heard_at = time.monotonic()
        own_seed = seed_from("player", seed, start.match_id.lower(), str(start.role))
        self.seat = ThinkingSeat(player, own_seed, self._act)
        self.outbox = Outbox(self.seat.send)
        self._moves_to = moves_to
        self._moves: asyncio.Queue[Term] = asyncio.Queue(maxsize=8)
        self._posting = None if moves_to is None else asyncio.create_task(self._post())

    def next_reply(self) -> str:
        """A move that waits to be told, where none are posted; else nothing."""
        if self._moves_to is not None or self._moves.empty():
            return NIL_REPLY
        return str(self._moves.get_nowait())

    def close(self) -> None:
        self.outbox.close()
        self.seat.close()
        if self._posting is not None:
            self._posting.cancel()
        if self._moves_to is not None:
            self._moves_to.close()

    def _act(self, role: Term, move: Term) -> None:
        with suppress(asyncio.QueueFull):  # the host does not take moves as fast as they come
            self._moves.put_nowait(move)

    async def _post(self) -> None:
        assert self._moves_to is not None
        while True:
            move = await self._moves.get()
            own = OwnMove(self.start.match_id, self.start.role, move)
            with suppress(OSError, WireError):
                await self._moves_to.tell(format_realtime(own))


def _moves_to(request: Request, peer: str) -> MessageStream | None:
    """The way to where moves are posted, at the address that a message came from and no other."""
    found = _MOVES_TO.fullmatch(request.headers.get(MOVES_TO.lower(), ""))
    if found is None or not peer or not 0 < int(found[1]) < 65536:
        return None
    return MessageStream(Address(peer, int(found[1])), {"Accept": "text/delim"}, path=found[2])
