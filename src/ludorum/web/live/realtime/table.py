"""One realtime match with its rules at work, as those ask it who play and show it.

``PlayedTable`` plays the match and draws its moments. A ``MatchTable`` is what the server has of it:
``HereTable`` keeps it in this process, ``AwayTable`` (``away_table.py``) in one that can be killed.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ....arena.protocol.messages import Start
from ....arena.world import RealtimeMatch
from ....arena.world.realtime_match import Told
from ....arena.world.record import goals_of
from ....arena.world.remote_seat import SentRules, sent_rules
from ....engine.wdl_master import MasterState
from ....rules.kif import parse_term
from ....rules.terms import Term
from ..plan import Json, Refused
from .moments import Moments, RecordTail, record_of_events
from .worlds import RealtimeAbout, RealtimeWorld

T = TypeVar("T")


@dataclass(frozen=True)
class TableProgress:
    """How far a match is."""

    clock: int = 0
    """The number of the last signal."""
    moves: int = 0
    is_over: bool = False
    """Whether its rules, or its time, have ended it."""
    result: dict[str, int] | None = None
    """A goal value for each role at the end; None where the rules do not give one."""


class PlayedTable:
    """The match itself. Nothing here waits."""

    def __init__(self, world: RealtimeWorld, match_id: str, seed: int, events: Sequence[Json] = ()) -> None:
        """``events``: what has happened in the match already, as it was kept."""
        self._world = world
        self._id = match_id
        self._seed = seed
        self._match: RealtimeMatch | None = None
        self._tail = RecordTail()
        if events:
            self._moments = Moments.of_record(world, record_of_events(world, match_id, seed, events))
        else:
            self._moments = Moments(world)

    @property
    def progress(self) -> TableProgress:
        moments, match = self._moments, self._match
        is_over = match is not None and match.is_over
        result = _result(match) if match is not None and is_over else None
        return TableProgress(moments.now.state.clock, len(moments.steps) - 1, is_over, result)

    # -- playing ----------------------------------------------------------------------------------------

    def begin(self, start_clock: float, seconds: float) -> dict[str, Start]:
        """Begin to play; what each role is told at first. ``seconds``: after which the match ends at last."""
        master = self._world.game.master
        self._match = RealtimeMatch(master, self._id, self._seed, start_clock, seconds)
        self._match.on_change = self._changed
        return {name: self._match.start(role) for name, role in self._world.roles.items()}

    def act(self, role: Term, move: Term) -> Told:
        return self._played.act(role, move)

    def tick(self) -> list[Told]:
        return self._played.tick()

    def take_events(self) -> tuple[Json, ...]:
        """What has been added to the record since the last time."""
        return () if self._match is None else self._tail.take(self._match.record)

    @property
    def _played(self) -> RealtimeMatch:
        if self._match is None:
            raise Refused("the match is not played here")
        return self._match

    def _changed(self, state: MasterState, move: tuple[Term, Term] | None) -> None:
        if move is None:
            self._moments.tick(state)
        else:
            self._moments.move(state, self._moments.now.state, *move)

    # -- what is shown ----------------------------------------------------------------------------------

    def sent_rules(self) -> dict[str, SentRules]:
        """The game as players elsewhere are sent it, by role."""
        sheet = self._world.game.master.sheet
        return {name: sent_rules(sheet, role) for name, role in self._world.roles.items()}

    def portrait(self, role: str | None, is_over: bool) -> Json:
        """What a viewer sees now."""
        return self._moments.portrait(self._role(role), is_over)

    def at_step(self, step: int, role: str | None, is_over: bool) -> Json:
        """The moment after so many moves; Refused where there is none."""
        if not 0 <= step < len(self._moments.steps):
            raise Refused(f"the match has no step {step}")
        return self._moments.at_step(step, self._role(role), is_over)

    def record(self, events: Sequence[Json], has_goals: bool) -> list[Json]:
        """The lines of the record of these events, with the goal values where the rules have ended it."""
        record = record_of_events(self._world, self._id, self._seed, events)
        if has_goals:
            record.goals = goals_of(self._world.game.master, self._moments.now.state)
        return [json.loads(line) for line in record.lines()]

    def _role(self, role: str | None) -> Term | None:
        return None if role is None else self._world.roles[role]


class MatchTable(ABC):
    """A table as the server has it, which a ``RealtimeController`` can drive."""

    def __init__(self, about: RealtimeAbout, match_id: str) -> None:
        self.about = about
        self.match_id = match_id
        self.tick_seconds = about.tick_seconds
        self.roles = tuple(map(parse_term, about.roles))
        self.progress = TableProgress()

    @property
    def clock(self) -> int:
        return self.progress.clock

    @property
    def is_over(self) -> bool:
        return self.progress.is_over

    @abstractmethod
    async def begin(self, start_clock: float, seconds: float) -> dict[str, Start]:
        """Begin to play; what each role is told at first."""

    @abstractmethod
    def act(self, role: Term, move: Term) -> Told | Awaitable[Told]: ...

    @abstractmethod
    def tick(self) -> list[Told] | Awaitable[list[Told]]: ...

    @abstractmethod
    def take_events(self) -> tuple[Json, ...]:
        """What has happened since the last time, as the record has it."""

    @abstractmethod
    async def sent_rules(self) -> dict[str, SentRules]:
        """The game as players elsewhere are sent it, by role."""

    @abstractmethod
    async def portrait(self, role: str | None, is_over: bool) -> Json:
        """What a viewer sees now, as ``Arbiter.portrait`` has it."""

    @abstractmethod
    async def at_step(self, step: int, role: str | None, is_over: bool) -> Json:
        """The moment after so many moves; Refused where there is none."""

    @abstractmethod
    async def record(self, events: Sequence[Json], has_goals: bool) -> list[Json]:
        """The lines of the record."""

    def stop(self) -> None:  # noqa: B027
        """The match is played no more; it can still be shown."""

    async def close(self) -> None:  # noqa: B027
        """Release what the match holds."""


class HereTable(MatchTable):
    """A table in this process, for trusted rules."""

    def __init__(self, world: RealtimeWorld, match_id: str, seed: int) -> None:
        super().__init__(world.about(), match_id)
        self._table = PlayedTable(world, match_id, seed)

    async def begin(self, start_clock: float, seconds: float) -> dict[str, Start]:
        return self._noted(self._table.begin(start_clock, seconds))

    def act(self, role: Term, move: Term) -> Told:
        return self._noted(self._table.act(role, move))

    def tick(self) -> list[Told]:
        return self._noted(self._table.tick())

    def take_events(self) -> tuple[Json, ...]:
        return self._table.take_events()

    async def sent_rules(self) -> dict[str, SentRules]:
        return self._table.sent_rules()

    async def portrait(self, role: str | None, is_over: bool) -> Json:
        return self._table.portrait(role, is_over)

    async def at_step(self, step: int, role: str | None, is_over: bool) -> Json:
        return self._table.at_step(step, role, is_over)

    async def record(self, events: Sequence[Json], has_goals: bool) -> list[Json]:
        return self._table.record(events, has_goals)

    def _noted(self, value: T) -> T:
        self.progress = self._table.progress
        return value


def _result(match: RealtimeMatch) -> dict[str, int] | None:
    goals = match.record.goals or {}
    if any(len(values) != 1 or not values[0].isdecimal() for values in goals.values()):
        return None
    return {role: int(value) for role, (value,) in goals.items()}
