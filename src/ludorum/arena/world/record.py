"""Records of WDL matches: everything that was decided, as lines of JSON, so that a match can be played again.

The first line says what the match is; each other one is an event: the moves of a round, one move of a
realtime match, or a number of signals of the clock. Draws stand with their weights, and substitutes with
their reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TypeAlias

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.kif import parse_term
from ...rules.source import RulesError
from ...rules.terms import Term, format_term
from ...rules.wdl.draws import DrawnEvent
from ...rules.wdl.sheet import WdlSheet


class WorldRecordError(ValueError):
    """A text that is no record, or one that does not belong to this sheet."""


@dataclass(frozen=True)
class RecordedMove:
    """A move of a player: as it was chosen, and what it became."""

    role: str
    move: str
    made: str
    draws: tuple[tuple[str, str, int, int], ...] = ()
    """Name, event, weight and total weight of each draw."""
    fault: str = ""
    """Why the move is not the player's own; empty where it is."""


@dataclass(frozen=True)
class MadeMoves:
    """The moves of a round, or the move of one player in realtime."""

    moves: tuple[RecordedMove, ...]


@dataclass(frozen=True)
class Ticks:
    """So many signals of the clock without a move between them."""

    count: int


@dataclass(frozen=True)
class Dropped:
    """A move of realtime that was not legal when it came. Nobody is told of it."""

    role: str
    move: str


MOST_DROPPED = 100
"""Dropped moves of a role that a record has word for word; of those after them it has the number."""
LONGEST_DROPPED = 200
"""Characters of a dropped move that are kept."""
KINDS = {MadeMoves: "moves", Ticks: "ticks", Dropped: "dropped"}
"""What a line calls its event."""
SIGNED = "signed"
"""The last line of a signed record has the public key and the signature over all lines before it."""
MORE_DROPPED = "more_dropped"
"""A line with the numbers of dropped moves that are not among the events; the last such line counts."""
HEAD = ("match_id", "game", "digest", "roles", "seed", "realtime")
"""What the first line tells."""
Event: TypeAlias = MadeMoves | Ticks | Dropped


@dataclass
class WorldRecord:
    """A match from its beginning on."""

    match_id: str
    game: str
    digest: str
    """Of the rules with all modules, so that a record is not replayed by others."""
    roles: tuple[str, ...]
    seed: int
    realtime: bool
    events: list[Event] = field(default_factory=list)
    goals: dict[str, list[str]] | None = None
    """Goal values at the end; None while the match goes on."""
    more_dropped: dict[str, int] = field(default_factory=dict)
    """How many moves of a role were dropped beside those among the events: a role may send any number."""
    signature: dict[str, str] = field(default_factory=dict)
    """The public key and the signature, as the line ``SIGNED`` has them; empty where there is none."""
    _dropped: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    """How many of each role are among the events, while the match is played."""

    def add_tick(self) -> None:
        """Note a signal of the clock."""
        if self.events and isinstance(last := self.events[-1], Ticks):
            self.events[-1] = Ticks(last.count + 1)
        else:
            self.events.append(Ticks(1))

    def add_dropped(self, role: Term, move: Term) -> None:
        """Note a move that was not legal when it came."""
        name, text = format_term(role), format_term(move)
        if self._dropped.setdefault(name, 0) >= MOST_DROPPED:
            self.more_dropped[name] = self.more_dropped.get(name, 0) + 1
            return
        self._dropped[name] += 1
        self.events.append(Dropped(name, _shortened(text)))

    def lines(self) -> Iterator[str]:
        """The record as lines of JSON."""
        return (json.dumps(value) for value in self.values())

    def values(self) -> Iterator[dict[str, object]]:
        """What the lines say, one value each."""
        yield {"match": {name: getattr(self, name) for name in HEAD}}
        yield from map(event_value, self.events)
        yield from self.ending()

    def ending(self) -> Iterator[dict[str, object]]:
        """The values after the events."""
        if self.more_dropped:
            yield {MORE_DROPPED: self.more_dropped}
        if self.goals is not None:
            yield {"goals": self.goals}
        if self.signature:
            yield {SIGNED: self.signature}


def event_value(event: Event) -> dict[str, object]:
    """What the line of an event says."""
    return {KINDS[type(event)]: asdict(event)}


def begin_record(sheet: WdlSheet, match_id: str, seed: int) -> WorldRecord:
    roles = tuple(map(format_term, sheet.roles))
    name = sheet.source.name
    return WorldRecord(match_id, name, rules_digest(sheet), roles, seed, sheet.settings.realtime)


def rules_digest(sheet: WdlSheet) -> str:
    """A digest of all statements, those of modules included."""
    return sha256(str(sheet.master).encode()).hexdigest()


def recorded_move(
    role: Term, move: Term, made: Term, draws: Iterable[DrawnEvent], fault: str = ""
) -> RecordedMove:
    drawn = ((format_term(one.name), format_term(one.event), one.weight, one.total) for one in draws)
    return RecordedMove(format_term(role), format_term(move), format_term(made), tuple(drawn), fault)


def world_lines(text: str) -> list[str] | None:
    """The lines of the record that a text writes, alone or as the web application gives them out; None where
    it is no record of a WDL match."""
    try:
        lines = text.lstrip().splitlines(keepends=True)
        if "digest" not in json.loads(lines[0]).get("match", ()):
            lines = [json.dumps(line) + "\n" for line in json.loads(text)["world"]]
        return lines
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None


def read_record(lines: Iterable[str]) -> WorldRecord:
    """The record that lines of JSON write; WorldRecordError where they write none.

    A last line that was not written whole is left out: the match was stopped in the middle of it.
    """
    record: WorldRecord | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            ((kind, value),) = json.loads(line).items()
            if record is None:
                record = WorldRecord(**{**value, "roles": tuple(value["roles"])})
            elif kind == "goals":
                record.goals = value
            elif kind == MORE_DROPPED:
                record.more_dropped = dict(value)
            elif kind == SIGNED:
                record.signature = dict(value)
            else:
                record.events.append(_event(kind, value))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if record is not None and not line.endswith("\n"):
                break
            raise WorldRecordError(f"line {number} is no line of a record: {line[:60]!r}") from error
    if record is None:
        raise WorldRecordError("an empty record")
    return record


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_DROPPED else f"{text[: LONGEST_DROPPED - 1]}…"


def _event(kind: str, value: dict[str, object]) -> Event:
    match kind:
        case "ticks":
            return Ticks(**value)  # type: ignore[arg-type]
        case "dropped":
            return Dropped(**value)  # type: ignore[arg-type]
        case "moves":
            moves = value["moves"]
            assert isinstance(moves, list)
            return MadeMoves(tuple(_move(one) for one in moves))
    raise KeyError(kind)


def _move(value: dict[str, object]) -> RecordedMove:
    draws = value["draws"]
    assert isinstance(draws, list)
    return RecordedMove(**{**value, "draws": tuple(map(tuple, draws))})  # type: ignore[arg-type]


def replay(record: WorldRecord, master: WdlMaster) -> Iterator[MasterState]:
    """Every state of a match, one for each signal of the clock; WorldRecordError where rules say otherwise.

    That moves are legal and draws possible is checked, too, and the goal values at the end.
    """
    if record.digest != rules_digest(master.sheet):
        raise WorldRecordError("the record belongs to other rules")
    state = master.initial()
    yield state
    for event in record.events:
        match event:
            case Ticks(count):
                for _ in range(count):
                    state = master.tick(state)
                    yield state
            case MadeMoves(moves):
                made = dict(_checked(one, master, state) for one in moves)
                state = master.after(state, made)
                yield state
    if record.goals is not None and record.goals != goals_of(master, state):
        raise WorldRecordError("the goal values are not those of the last state")


def goals_of(master: WdlMaster, state: MasterState) -> dict[str, list[str]]:
    """Goal values as records have them."""
    goals = master.goals(state).items()
    return {format_term(role): [format_term(value) for value in values] for role, values in goals}


def _checked(one: RecordedMove, master: WdlMaster, state: MasterState) -> tuple[Term, Term]:
    try:
        role, move, made = parse_term(one.role), parse_term(one.move), parse_term(one.made)
    except RulesError as error:
        raise WorldRecordError(f"not a move: {one.move}") from error
    if move not in master.legal(state, role):
        raise WorldRecordError(f"{one.move} of {one.role} is not legal where it was made")
    if made not in master.resolutions(state, move):
        raise WorldRecordError(f"{one.move} of {one.role} cannot have become {one.made}")
    return role, made
