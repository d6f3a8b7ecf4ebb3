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

from ...engine.game import Game
from ...players import Player
from ...rules.kif import format_term
from ...rules.terms import Term
from ...search.time_manager import TimeManager
from ..seeds import seed_from
from .game_shelf import GameShelf
from .link_delay import link_delay
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
from .played_match import PlayedMatch
from .replies import ABORTED, BUSY, DONE, NIL_REPLY, READY, InfoReply, excerpt, format_info_reply
from .server import HttpServer
from .wire import DEFAULT_LIMITS, Limits, Request
from .worker import LoopWorker

START_MARGIN_SHARE, MOST_START_MARGIN = 0.2, 1.0
"""How much of a start clock, and how many seconds at most, are not used."""
PARTING_SECONDS = 2.0
"""How long a player that is interrupted may take to come to rest."""
LARGE_MESSAGE = 20_000
"""Characters; longer ones are read in a thread, so that other matches go on meanwhile."""
MOST_LEAVING = 2
"""Matches that are over while their thread still works, on rules that take long to understand for one: as
long as there are so many no new match begins, else a host could have us begin without end."""


@dataclass(frozen=True)
class PlayerConfig:
    """What a player may be asked to do."""

    name: str = "Ludorum"
    matches: int = 1
    """At once, on each port."""
    engine: str = "auto"
    seed: int = 0
    limits: Limits = DEFAULT_LIMITS
    patience: float = 60.0
    """Seconds beyond ten moves after which a match that nobody speaks of is given up for a new one."""
    origin: str = ""
    """The web pages that may be a host, as browsers name them (`https://example.org`); `*` for all."""


@dataclass(frozen=True)
class PlayerEvent:
    """Something worth telling whoever runs the player."""

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
        """``make_player`` is called with a seed for every match."""
        self.config = config or PlayerConfig()
        self.seats: list[PortPlayer] = []
        self._make_player = make_player
        self._on_event = on_event or (lambda event: None)
        self._shelf = GameShelf(self.config.engine)

    async def open(self, ports: Sequence[int] = (0,), host: str = "127.0.0.1") -> list[int]:
        """Listen on ports, 0 for any that is free; the ports there are."""
        try:
            for port in ports:
                seat = PortPlayer(self._make_player, self._shelf, self.config, self._on_event)
                await seat.open(host, port)
                self.seats.append(seat)
        except OSError:
            await self.close()
            raise
        return [seat.port for seat in self.seats]

    async def close(self) -> bool:
        """Leave all matches and stop listening; whether every player came to rest within a moment."""
        at_rest = await asyncio.gather(*(seat.close() for seat in self.seats))
        self.seats.clear()
        return all(at_rest)


class _Sitting:
    """A match and the thread it is played in."""

    def __init__(self, match: PlayedMatch) -> None:
        self.match = match
        self.worker = LoopWorker(f"match {match.start.match_id}")
        self.heard = time.monotonic()


class PortPlayer:
    """The player behind one port."""

    def __init__(
        self,
        make_player: Callable[[int], Player],
        shelf: GameShelf,
        config: PlayerConfig,
        on_event: OnEvent,
    ) -> None:
        self.config = config
        self.time = TimeManager()
        """Decides how much of a clock is thought; measures how late answers leave, and the link."""
        self._make_player = make_player
        self._shelf = shelf
        self._on_event = on_event
        self._sittings: dict[str, _Sitting] = {}
        self._leaving: set[asyncio.Future[None]] = set()
        """Matches that are over while their player still thinks."""
        self._previewing = False
        self._http = HttpServer(
            self._answer, config.limits, lambda text: self._tell("peer", "", text), config.origin
        )

    @property
    def port(self) -> int:
        return self._http.port

    @property
    def matches(self) -> list[str]:
        """The ids of matches under way, as hosts wrote them."""
        return [sitting.match.start.match_id for sitting in self._sittings.values()]

    async def open(self, host: str, port: int) -> None:
        await self._http.open(host, port)

    async def close(self) -> bool:
        await self._http.close()
        for match_id in list(self._sittings):
            self._leave(match_id)
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
        try:
            if len(text) > LARGE_MESSAGE:
                message = await asyncio.to_thread(parse_message, text)
            else:
                message = parse_message(text)
        except MessageError as error:
            self._tell("rubbish", "", f"{error}: {excerpt(text)}")
            return NIL_REPLY
        return await self._respond(message, received, _step_of(request))

    async def _respond(self, message: Message, received: float, step: int | None) -> str:
        match message:
            case Info():
                return format_info_reply(InfoReply(self._status(), self.config.name, "alien"))
            case Ping(message_id):
                return f"(reply {message_id} {READY})" if message_id else READY
            case Preview():
                return await self._preview(message, received)
            case Start():
                return await self._start(message, received)
        sitting = self._sittings.get(message.match_id.lower())
        if sitting is None:
            self._tell("stranger", message.match_id, type(message).__name__)
            return BUSY
        sitting.heard = received
        match message:
            case Play() | PlayPercepts():
                return await self._play(sitting, message, received, step)
            case Stop() | StopPercepts():
                last = message.told if isinstance(message, Stop) else None
                self._leave(message.match_id.lower(), last)
                self._tell("stop", message.match_id)
                return DONE
            case Abort():
                self._leave(message.match_id.lower())
                self._tell("abort", message.match_id)
                return ABORTED
        return NIL_REPLY

    def _status(self) -> str:
        return "available" if len(self._sittings) < self.config.matches else "busy"

    async def _preview(self, message: Preview, received: float) -> str:
        if self._previewing or self._status() == "busy":  # whoever plays has no time for it
            return BUSY
        self._previewing = True
        worker = LoopWorker("preview")
        work = worker.do(lambda: self._shelf.game(message.rules))
        work.add_done_callback(self._previewed)
        worker.end()
        await asyncio.wait([work], timeout=self._left(message.clock, received))
        return READY

    def _previewed(self, work: asyncio.Future[Game]) -> None:
        self._previewing = False
        if not work.cancelled() and work.exception() is not None:
            self._tell("preview", "", f"these rules cannot be played: {work.exception()}")

    async def _start(self, message: Start, received: float) -> str:
        key = message.match_id.lower()
        known = self._sittings.get(key)
        if known is not None:
            # A host that was interrupted asks again; anybody else has mixed something up.
            same = (known.match.start.role, known.match.start.rules) == (message.role, message.rules)
            return READY if same else BUSY
        self._make_room(received)
        if len(self._sittings) >= self.config.matches or len(self._leaving) > MOST_LEAVING:
            return BUSY
        seed = seed_from("player", self.config.seed, key, _seat_number(message))
        player = self._make_player(seed)
        sitting = _Sitting(PlayedMatch(message, self._shelf.game, player, seed))
        self._sittings[key] = sitting
        deadline = received + self._start_seconds(message.start_clock)
        work = sitting.worker.do(lambda: sitting.match.prepare(deadline))
        await asyncio.wait([work], timeout=max(0.0, deadline - time.monotonic()) + 0.02)
        if work.done() and not work.result():
            self._tell("refused", message.match_id, sitting.match.trouble)
            self._leave(key)
            return BUSY
        self._tell("start", message.match_id, str(message.role))
        return READY

    def _start_seconds(self, clock: float) -> float:
        """How long to prepare: hosts allow for the way when it comes to moves, but often not here."""
        return self.time.thinking_seconds(clock - min(MOST_START_MARGIN, clock * START_MARGIN_SHARE))

    async def _play(
        self, sitting: _Sitting, message: Play | PlayPercepts, received: float, step: int | None
    ) -> str:
        match, clock = sitting.match, sitting.match.start.play_clock
        planned = self.time.thinking_seconds(clock)
        deadline = received + planned
        work = sitting.worker.do(lambda: match.choose(message, deadline, step))
        # Half of what is kept back: beyond that the thread is taken to hang, and the held move is sent.
        patience = deadline - time.monotonic() + (clock - planned) / 2
        await asyncio.wait([work], timeout=max(0.0, patience))
        move = work.result() if work.done() else match.fallback
        self.time.observe_overrun(planned, time.monotonic() - received)
        for fault in match.faults:
            self._tell("fault", message.match_id, fault)
        match.faults.clear()
        if match.trouble:
            self._tell("refused", message.match_id, match.trouble)
            match.trouble = ""
        return NIL_REPLY if move is None else format_term(move)

    def _left(self, clock: float, received: float) -> float:
        return max(0.0, received + self.time.thinking_seconds(clock) - time.monotonic())

    # -- matches that end -----------------------------------------------------------------------------

    def _leave(self, key: str, last: tuple[Term, ...] | None = None) -> None:
        """``last``: the joint move that ended the match, where the host has told it."""
        sitting = self._sittings.pop(key, None)
        if sitting is not None:
            sitting.match.guard.player.hurry()
            # Not waited for: nobody needs its outcome.
            left = sitting.worker.do(lambda: sitting.match.stop(last))
            self._leaving.add(left)
            left.add_done_callback(self._leaving.discard)
            sitting.worker.end()

    def _make_room(self, now: float) -> None:
        """Give up matches whose host has gone away without a word, if a place is needed."""
        if len(self._sittings) < self.config.matches:
            return
        for key, sitting in list(self._sittings.items()):
            start = sitting.match.start
            if now - sitting.heard > self.config.patience + start.start_clock + 10 * start.play_clock:
                self._tell("forgotten", start.match_id)
                self._leave(key)

    def _tell(self, kind: str, match_id: str = "", text: str = "") -> None:
        self._on_event(PlayerEvent(self.port, kind, match_id, text))


_ROLE = re.compile(r"\(\s*role\s+([^\s()]+)\s*\)", re.IGNORECASE)


def _seat_number(start: Start) -> int:
    """Which of the roles we are. Players of ours that meet in a match must not make the same choices, and
    should make the same ones whatever the roles are called."""
    roles = [name.lower() for name in _ROLE.findall(start.rules)]
    own = format_term(start.role).lower()
    return roles.index(own) if own in roles else -1


def _step_of(request: Request) -> int | None:
    """How many joint moves have been made, where the host says so in a header."""
    text = request.headers.get("ggp-match-step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
