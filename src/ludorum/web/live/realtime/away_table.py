"""A table in a process of its own, as the server has it: for the rules of strangers, and for old matches.

A process that takes too long for an answer or too much memory is ended. A match that is being played is given
up then; one that is over gets a new process, which plays its record again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ....arena.protocol.messages import Start
from ....arena.protocol.realtime_messages import ClockSignal, Happened, TimeIsUp
from ....arena.protocol.scramble import Scrambler
from ....arena.world.realtime_match import Told
from ....arena.world.remote_seat import SentRules
from ....rules.kif import parse_term
from ....rules.terms import Term, format_term
from ..plan import GameText, Json, Refused
from ..rules_shelf import ArbiterError, RemoteRules
from .table import MatchTable, TableProgress
from .worlds import RealtimeAbout

ANSWER_SECONDS = 10.0
"""How long a tick, a move or a picture may take."""
READ_SECONDS = 120.0
"""How long rules may take to be read, and the record of a match to be played again."""


class ProcessRoom(Protocol):
    """Bounds the processes of all tables."""

    def check_room(self, text: GameText) -> None:
        """Refused where no more matches of a game can be played now."""

    async def make_room(self) -> None:
        """Called before a process is started."""


class AwayTable(MatchTable):
    """One match of a game whose rules are evaluated elsewhere."""

    def __init__(
        self,
        about: RealtimeAbout,
        text: GameText,
        match_id: str,
        seed: int,
        events: Callable[[], Sequence[Json]],
        room: ProcessRoom,
    ) -> None:
        """``events``: what has happened as it is kept."""
        super().__init__(about, match_id)
        self._rules = RemoteRules(
            text, ANSWER_SECONDS, READ_SECONDS, "table", lambda: (match_id, seed, list(events()))
        )
        self._text = text
        self._room = room
        self._new: list[Json] = []
        """What has happened and was not taken."""
        self.is_playing = False
        """Whether the match would be lost with its process."""

    @property
    def has_process(self) -> bool:
        return self._rules.has_process

    @property
    def last_asked(self) -> float:
        return self._rules.last_asked

    async def begin(self, start_clock: float, seconds: float) -> dict[str, Start]:
        self._room.check_room(self._text)
        self.is_playing = True
        rules = (await self._ask("begin", start_clock, seconds))["rules"]
        return {
            name: Start(self.match_id, role, rules[name], start_clock, seconds)
            for name, role in zip(self.about.roles, self.roles, strict=True)
        }

    async def act(self, role: Term, move: Term) -> Told:
        happened = (await self._ask("act", format_term(role), format_term(move)))["happened"]
        return self._told(happened[0]) if happened else {}

    async def tick(self) -> list[Told]:
        happened = (await self._ask("tick"))["happened"]
        told: list[Told] = [dict.fromkeys(self.roles, ClockSignal(self.match_id, self.clock))]
        told += map(self._told, happened)
        if self.is_over and not (happened and happened[-1]["is_last"]):
            told.append(dict.fromkeys(self.roles, TimeIsUp(self.match_id)))
        return told

    def _told(self, happened: Json) -> Told:
        player, seen = parse_term(happened["player"]), happened["seen"]
        return {
            role: Happened(self.match_id, player, parse_term(seen[name]), happened["is_last"])
            for name, role in zip(self.about.roles, self.roles, strict=True)
        }

    def take_events(self) -> tuple[Json, ...]:
        taken, self._new = tuple(self._new), []
        return taken

    async def sent_rules(self) -> dict[str, SentRules]:
        sent = await self._answer("sent_rules")
        return {
            name: SentRules(Scrambler(one["words"], strict=False), one["text"]) for name, one in sent.items()
        }

    async def portrait(self, role: str | None, is_over: bool) -> Json:
        try:
            portrait: Json = (await self._ask("portrait", role, is_over))["portrait"]
        except ArbiterError as error:
            portrait = {"scene": None, "choices": [], "asked": str(error), "moves": []}
        return portrait

    async def at_step(self, step: int, role: str | None, is_over: bool) -> Json:
        found: Json = await self._shown("at_step", step, role, is_over)
        return found

    async def record(self, events: Sequence[Json], has_goals: bool) -> list[Json]:
        lines: list[Json] = await self._shown("record", list(events), has_goals)
        return lines

    def stop(self) -> None:
        self.is_playing = False

    async def rest(self) -> None:
        """End the process; the next question starts another."""
        await self._rules.rest()

    async def close(self) -> None:
        self.is_playing = False
        await self._rules.close()

    async def _shown(self, method: str, *args: Any) -> Any:
        try:
            return await self._answer(method, *args)
        except ArbiterError as error:
            raise Refused(str(error)) from error

    async def _ask(self, method: str, *args: Any) -> Json:
        if self.is_playing and not self.has_process and method != "begin":
            raise ArbiterError("limit", "the process of the match has ended")
        answer: Json = await self._answer(method, *args)
        self.progress = TableProgress(**answer["progress"])
        for event in answer["events"]:
            self._note(event)
        return answer

    async def _answer(self, method: str, *args: Any) -> Any:
        if not self.has_process:
            await self._room.make_room()
        return await self._rules.ask(method, *args)

    def _note(self, event: Json) -> None:
        """Keep an event until it is taken; signals of the clock that follow each other are one."""
        last = self._new[-1] if self._new else {}
        if "ticks" in event and "ticks" in last:
            self._new[-1] = {"ticks": {"count": last["ticks"]["count"] + event["ticks"]["count"]}}
        else:
            self._new.append(event)
