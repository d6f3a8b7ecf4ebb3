"""A GGP player: listens on ports, plays matches, and always has a legal answer before its clock.

Each port is a player of its own, as hosts know them: busy while it plays as many matches as it may. Two
roles of one match need two ports, since messages name the match and not the role.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from ...players import Player
from ...processes import fork_server, is_possible
from ...rules.terms import format_term
from ...search.time_manager import TimeManager
from ..match.seeds import seed_from
from .game_shelf import GameShelf
from .kept_match import PARTING_SECONDS, KeptMatch, OpenLink
from .link_delay import link_delay
from .match_link import MODULE, EndedError, MatchLink, link_to_process, link_to_thread
from .match_process import first_words
from .messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Ping,
    Play,
    PlayPercepts,
    Preview,
    Start,
    Stop,
    StopPercepts,
    parse_message,
)
from .replies import ABORTED, BUSY, DONE, NIL_REPLY, READY, InfoReply, excerpt, format_info_reply
from .server import HttpServer
from .wire import DEFAULT_LIMITS, PeerLimits, Request

START_MARGIN_SHARE, MOST_START_MARGIN = 0.2, 1.0
"""The share of a start clock, and the most seconds, that are left unused."""
LARGE_MESSAGE = 20_000
"""Characters; longer messages are read in a thread, so that other matches go on meanwhile."""
MOST_LEAVING = 2
"""Matches that are over while their thread still works, for example on rules that take long to compile, or
while the system still reclaims the memory of their process: at this number no new match begins, else a host
could make the player begin matches without end."""
MEGABYTES = 4000.0
"""Memory that a match and everything it starts may hold; the same as for a foreign player."""


@dataclass(frozen=True)
class PlayerConfig:
    """Limits on what hosts may ask of a player."""

    name: str = "Ludorum"
    matches: int = 1
    """Matches at the same time, on each port."""
    engine: str = "auto"
    seed: int = 0
    limits: PeerLimits = DEFAULT_LIMITS
    patience: float = 60.0
    """Seconds beyond ten moves after which a match without messages is given up for a new one."""
    origin: str = ""
    """The web pages that may be a host, as browsers name them (`https://example.org`); `*` for all."""
    processes: bool = is_possible()
    """Whether each match has a process of its own; else it has a thread, which cannot be ended, and whose
    memory cannot be limited."""
    megabytes: float = MEGABYTES
    """Memory that the process of a match and everything it starts may hold."""
    realtime: Callable[[], RealtimeSide] | None = None
    """Makes what plays the realtime matches of a port; None where none are played."""


class RealtimeSide(Protocol):
    """What plays the realtime matches of a port, such as a ``RealtimeDesk``."""

    @property
    def count(self) -> int:
        """How many are under way."""

    def concerns(self, text: str) -> bool:
        """Whether a message is about a realtime match."""

    async def answer(self, text: str, request: Request, peer: str, is_free: bool) -> str:
        """The reply to such a message; ``is_free``: whether another match may begin."""

    def close(self) -> None:
        """Leave all matches."""


@dataclass(frozen=True)
class PlayerEvent:
    """An event to show to the user who runs the player."""

    port: int
    kind: str
    match_id: str = ""
    text: str = ""

    def as_json(self) -> dict[str, object]:
        return {"port": self.port, "event": self.kind, "match": self.match_id, "text": self.text}


OnEvent = Callable[[PlayerEvent], None]


class PlayerServer:
    """Plays on as many ports as it is given."""

    def __init__(
        self,
        make_player: Callable[[int], Player],
        config: PlayerConfig | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        """``make_player`` is called with a seed for every match, in the process of the match: it must be a
        function that ``pickle`` can send there, or ValueError."""
        self.config = config or PlayerConfig()
        self.seats: list[PortPlayer] = []
        self._on_event = on_event or (lambda event: None)
        self._open_link = _way_to_matches(make_player, self.config)

    async def open(self, ports: Sequence[int] = (0,), host: str = "127.0.0.1") -> list[int]:
        """Listen on ports, 0 for any that is free; returns the ports."""
        if self.config.processes:
            await asyncio.to_thread(fork_server(MODULE).wait_until_warm)
        try:
            for port in ports:
                seat = PortPlayer(self._open_link, self.config, self._on_event)
                await seat.open(host, port)
                self.seats.append(seat)
        except OSError:
            await self.close()
            raise
        return [seat.port for seat in self.seats]

    async def close(self) -> bool:
        """Leave all matches and stop listening; returns whether every player ended in a moment."""
        at_rest = await asyncio.gather(*(seat.close() for seat in self.seats))
        self.seats.clear()
        return all(at_rest)


def _way_to_matches(make_player: Callable[[int], Player], config: PlayerConfig) -> OpenLink:
    """The function that opens a link to a new match."""
    if not config.processes:
        shelf = GameShelf(config.engine)
        return lambda careful: link_to_thread(make_player, shelf.game)
    # After a process died during a match the next one builds no circuit: that may have been the cause.
    careful_engine = "lifted" if config.engine == "auto" else config.engine
    words = {
        careful: first_words(make_player, engine, config.megabytes)
        for careful, engine in ((False, config.engine), (True, careful_engine))
    }
    return lambda careful: link_to_process(words[careful], config.megabytes)


class PortPlayer:
    """The player behind one port."""

    def __init__(self, open_link: OpenLink, config: PlayerConfig, on_event: OnEvent) -> None:
        self.config = config
        self.time = TimeManager()
        """Decides how much of a clock the player thinks; measures how late answers leave, and the link."""
        self._open_link = open_link
        self._on_event = on_event
        self._matches: dict[str, KeptMatch] = {}
        self._leaving: set[asyncio.Future[str]] = set()
        """Matches that are over while their thread still works, or their process has not ended yet."""
        self._previewed: tuple[str, MatchLink] | None = None
        """Rules of a preview, and the link to their process: a match of the same rules starts there."""
        self._realtime = config.realtime() if config.realtime else None
        self._http = HttpServer(
            self._answer, config.limits, lambda text: self._tell("peer", "", text), config.origin
        )

    @property
    def port(self) -> int:
        return self._http.port

    @property
    def matches(self) -> list[str]:
        """The ids of matches under way, as hosts wrote them."""
        return [match.start.match_id for match in self._matches.values()]

    async def open(self, host: str, port: int) -> None:
        await self._http.open(host, port)

    async def close(self) -> bool:
        await self._http.close()
        for match in self._matches.values():
            self._part(match.end())
        self._matches.clear()
        if self._realtime is not None:
            self._realtime.close()
        self._forget_preview()
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=PARTING_SECONDS)
        return not self._leaving

    # -- answering ------------------------------------------------------------------------------------

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> str:
        received = time.monotonic()
        delay = link_delay(writer)
        if delay is not None:
            self.time.observe_delay(delay)
        text = request.message
        if self._realtime is not None and self._realtime.concerns(text):
            return await self._answer_realtime(self._realtime, text, request, writer)
        try:
            if len(text) > LARGE_MESSAGE:
                message = await asyncio.to_thread(parse_message, text)
            else:
                message = parse_message(text)
        except MessageError as error:
            self._tell("rubbish", "", f"{error}: {excerpt(text)}")
            return NIL_REPLY
        return await self._respond(message, text, received, _step_of(request))

    async def _answer_realtime(
        self, realtime: RealtimeSide, text: str, request: Request, writer: asyncio.StreamWriter
    ) -> str:
        before = realtime.count
        peer = writer.get_extra_info("peername")
        is_free = self._has_seat(time.monotonic())
        reply = await realtime.answer(text, request, peer[0] if peer else "", is_free)
        if realtime.count != before:
            self._tell("start" if realtime.count > before else "stop", "", "a realtime match")
        return reply

    async def _respond(self, message: Message, text: str, received: float, step: int | None) -> str:
        match message:
            case Info():
                return format_info_reply(InfoReply(self._status(), self.config.name, "alien"))
            case Ping(message_id):
                return f"(reply {message_id} {READY})" if message_id else READY
            case Preview():
                return await self._preview(message, received)
            case Start():
                return await self._start(message, text, received)
        key = message.match_id.lower()
        kept = self._matches.get(key)
        if kept is None:
            self._tell("stranger", message.match_id, type(message).__name__)
            return BUSY
        kept.heard_at = received
        match message:
            case Play() | PlayPercepts():
                return await self._play(kept, text, received, step)
            case Stop() | StopPercepts():
                del self._matches[key]
                self._part(kept.stop(text))
                self._tell("stop", message.match_id)
                return DONE
            case Abort():
                del self._matches[key]
                self._part(kept.end())
                self._tell("abort", message.match_id)
                return ABORTED
        return NIL_REPLY

    def _status(self) -> str:
        return "available" if self._has_seat(time.monotonic()) else "busy"

    def _has_seat(self, now: float) -> bool:
        """Whether another match can begin; abandoned matches are given up for it."""
        self._make_room(now)
        others = 0 if self._realtime is None else self._realtime.count
        return len(self._matches) + others < self.config.matches

    async def _preview(self, message: Preview, received: float) -> str:
        under_way = self._previewed is not None and not self._previewed[1].at_rest
        if under_way or not self._has_seat(received):  # a running match has no time for it
            return BUSY
        self._forget_preview()
        try:
            link = self._open_link(False)
        except OSError as error:
            self._tell("lost", "", f"no process can be had: {error}")
            return READY
        self._previewed = message.rules, link
        work = link.ask("preview", message.rules).answer
        await asyncio.wait([work], timeout=self._left(message.clock, received))
        if not work.done():
            if link.is_process and self._previewed == (message.rules, link):
                self._forget_preview()  # its time is over
            return READY
        try:
            trouble = work.result().get("error", "")
        except EndedError as error:
            trouble = f"their process {error}"
        if trouble:
            self._tell("preview", "", f"these rules cannot be played: {trouble}")
        return READY

    def _forget_preview(self) -> None:
        if self._previewed is not None:
            link, self._previewed = self._previewed[1], None
            link.end()
            self._part(link.ended)

    async def _start(self, message: Start, text: str, received: float) -> str:
        key = message.match_id.lower()
        known = self._matches.get(key)
        if known is not None:
            # A host that was interrupted asks again; any other host has made a mistake.
            same = (known.start.role, known.start.rules) == (message.role, message.rules)
            return READY if same else BUSY
        if not self._has_seat(received):
            return BUSY
        seed = seed_from("player", self.config.seed, key, _seat_number(message))
        kept = KeptMatch(message, text, seed, self._open_link, partial(self._tell_of, message.match_id))
        self._matches[key] = kept
        deadline = received + self._start_seconds(message.start_clock)
        try:
            can_play = await self._have_room(deadline) and await kept.prepare(
                deadline, self._previewed_link(message)
            )
        except OSError as error:
            self._tell("lost", message.match_id, f"no process can be had: {error}")
            can_play = False
        if self._matches.get(key) is not kept:  # given up meanwhile
            self._part(kept.end())
            return BUSY
        if not can_play:
            del self._matches[key]
            self._part(kept.end())
            return BUSY
        self._tell("start", message.match_id, str(message.role))
        return READY

    async def _have_room(self, deadline: float) -> bool:
        """Whether all but a few of the matches left have ended: processes end soon, threads when they can."""
        while len(self._leaving) > MOST_LEAVING:
            left = deadline - time.monotonic()
            if not self.config.processes or left <= 0:
                return False
            await asyncio.wait(self._leaving, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return True

    def _previewed_link(self, message: Start) -> MatchLink | None:
        """The link over which these rules were read for a preview; a preview of other rules is dropped."""
        if self._previewed is not None and self._previewed[0] == message.rules:
            link, self._previewed = self._previewed[1], None
            return None if link.ended.done() else link
        self._forget_preview()
        return None

    def _start_seconds(self, clock: float) -> float:
        """Seconds to prepare: hosts allow for network delay in moves, but often not in the start."""
        return self.time.thinking_seconds(clock - min(MOST_START_MARGIN, clock * START_MARGIN_SHARE))

    async def _play(self, kept: KeptMatch, text: str, received: float, step: int | None) -> str:
        clock = kept.start.play_clock
        planned = self.time.thinking_seconds(clock)
        deadline = received + planned
        # Half of what is kept back: after that the process is taken to hang, and the held move is sent.
        move = await kept.choose(text, step, deadline, deadline + (clock - planned) / 2)
        self.time.observe_overrun(planned, time.monotonic() - received)
        return NIL_REPLY if move is None else move

    def _left(self, clock: float, received: float) -> float:
        return max(0.0, received + self.time.thinking_seconds(clock) - time.monotonic())

    # -- matches that end -----------------------------------------------------------------------------

    def _part(self, ended: asyncio.Future[str] | None) -> None:
        """Remember a match that has been left until it has ended; its outcome is not needed."""
        if ended is not None and not ended.done():
            self._leaving.add(ended)
            ended.add_done_callback(self._leaving.discard)

    def _make_room(self, now: float) -> None:
        """Give up matches whose host has gone silent, if a place is needed."""
        if len(self._matches) < self.config.matches:
            return
        for key, kept in list(self._matches.items()):
            start = kept.start
            if now - kept.heard_at > self.config.patience + start.start_clock + 10 * start.play_clock:
                self._tell("forgotten", start.match_id)
                del self._matches[key]
                self._part(kept.end())

    def _tell_of(self, match_id: str, kind: str, text: str) -> None:
        self._tell(kind, match_id, text)

    def _tell(self, kind: str, match_id: str = "", text: str = "") -> None:
        self._on_event(PlayerEvent(self.port, kind, match_id, text))


_ROLE = re.compile(r"\(\s*role\s+([^\s()]+)\s*\)", re.IGNORECASE)


def _seat_number(start: Start) -> int:
    """The index of our role. Players of ours that meet in a match must not make the same choices, and should
    make the same ones whatever the roles are called."""
    roles = [name.lower() for name in _ROLE.findall(start.rules)]
    own = format_term(start.role).lower()
    return roles.index(own) if own in roles else -1


def _step_of(request: Request) -> int | None:
    """How many joint moves have been made, where the host says so in a header."""
    text = request.headers.get("ggp-match-step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
