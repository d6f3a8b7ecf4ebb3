"""The moments of one realtime match: after each move, and now. What pages draw is made from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice

from ....arena.world.record import (
    KINDS,
    MORE_DROPPED,
    MadeMoves,
    Ticks,
    WorldRecord,
    begin_record,
    read_record,
    replay,
)
from ....engine.wdl_master import MasterState
from ....rules.kif import parse_term
from ....rules.terms import Term
from ....scene import to_json
from ..plan import Json
from .worlds import RealtimeWorld

MOST_LINES = 100
"""Moves that are listed while a match goes on: the list is sent with every frame."""


@dataclass(frozen=True)
class Moment:
    """A state of the match, and the move that led to it."""

    state: MasterState
    before: MasterState | None = None
    last: tuple[Term, Term] | None = None
    """Who moved and how, as it was made."""


class Moments:
    """The moments of a match, in their order."""

    def __init__(self, world: RealtimeWorld) -> None:
        self.world = world
        self.steps = [Moment(world.game.master.initial())]
        self.now = self.steps[0]
        self.version = 0
        """Changes with every moment."""

    @classmethod
    def of_record(cls, world: RealtimeWorld, record: WorldRecord) -> Moments:
        """All moments of a match that was recorded."""
        moments = cls(world)
        states = replay(record, world.game.master)
        before = next(states)
        for event in record.events:
            if isinstance(event, Ticks):
                for before in islice(states, event.count):
                    moments.tick(before)
            elif isinstance(event, MadeMoves):
                (one,) = event.moves
                after = next(states)
                moments.move(after, before, parse_term(one.role), parse_term(one.made))
                before = after
        return moments

    def tick(self, state: MasterState) -> None:
        """The clock has gone on."""
        self.now = Moment(state, self.now.before, self.now.last)
        self.version += 1

    def move(self, state: MasterState, before: MasterState, role: Term, made: Term) -> None:
        """A player has moved."""
        self.now = Moment(state, before, (role, made))
        self.steps.append(self.now)
        self.version += 1

    # -- what is shown ----------------------------------------------------------------------------------

    def portrait(self, role: Term | None, is_over: bool) -> Json:
        """What a viewer sees now, as ``Arbiter.portrait`` has it."""
        scenes = self.world.scenes
        choices = () if role is None or is_over else scenes.choices(self.now.state, role)
        return {
            "scene": self._scene(self.now, role, is_over),
            "choices": [to_json(choice) for choice in choices],
            "asked": "",
            "moves": self._lines(len(self.steps) - 1, role, is_over, 0 if is_over else MOST_LINES),
        }

    def at_step(self, step: int, role: Term | None, is_over: bool) -> Json:
        """What a viewer may see of the moment after so many moves."""
        return {
            "step": step,
            "scene": self._scene(self.steps[step], role, is_over),
            "moves": self._lines(step, role, is_over, 0),
        }

    def _scene(self, moment: Moment, role: Term | None, is_over: bool) -> Json:
        scene = self.world.scenes.scene(moment.state, moment.before, moment.last, role, is_over)
        return to_json(scene)

    def _lines(self, step: int, role: Term | None, is_over: bool, most: int) -> list[Json]:
        first = max(1, step - most + 1) if most else 1
        lines = []
        for number in range(first, step + 1):
            last = self.steps[number].last
            assert last is not None
            if words := self.world.scenes.words(*last, role, is_over):
                lines.append({"first": number, "step": number, "words": words})
        return lines


class RecordTail:
    """What has been added to a record since it was looked at last."""

    def __init__(self) -> None:
        self._at = 0
        self._ticks = 0
        """Signals of the clock of the event at this place that were taken."""
        self._dropped = 0
        """Dropped moves that are only counted, as far as they were taken."""

    def take(self, record: WorldRecord) -> tuple[Json, ...]:
        """The new events, as lines of the record have them."""
        found: list[Json] = []
        for at in range(self._at, len(record.events)):
            event = record.events[at]
            if isinstance(event, Ticks) and at == self._at:
                event = Ticks(event.count - self._ticks)
                if not event.count:
                    continue
            found.append({KINDS[type(event)]: asdict(event)})
        is_ticking = bool(record.events) and isinstance(record.events[-1], Ticks)
        last = record.events[-1] if record.events else None
        self._at = len(record.events) - is_ticking
        self._ticks = last.count if isinstance(last, Ticks) else 0
        if (dropped := sum(record.more_dropped.values())) > self._dropped:
            self._dropped = dropped
            found.append({MORE_DROPPED: dict(record.more_dropped)})
        return tuple(found)


def record_of_events(world: RealtimeWorld, match_id: str, seed: int, events: Sequence[Json]) -> WorldRecord:
    """The record of a match from the events that were kept."""
    head = next(begin_record(world.game.master.sheet, match_id, seed).lines())
    return read_record([head + "\n", *(json.dumps(event) + "\n" for event in events)])
