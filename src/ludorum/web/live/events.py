"""The events of a match: the journal holds them, and nothing else decides what a match is.

Every event says when it happened. A match is a function of its events alone, without its rules: an event of a
move carries the joint moves that followed from it and the roles that choose next.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, TypeAlias

from .plan import Json, MatchPlan, plan_from_json

Joint: TypeAlias = tuple[str, ...]
"""The moves of all roles in one step, nature's too, as texts."""
What = Literal["draw", "takeback", "rematch", "pause", "resume"]
"""What people agree on."""
OFFERS: tuple[What, ...] = ("draw", "takeback", "rematch", "pause", "resume")


@dataclass(frozen=True)
class End:
    """How a match ended."""

    how: Literal["rules", "time", "resigned", "draw", "stuck", "long", "failed", "stopped"]
    """By its rules; on time; by a resignation; by agreement; because the rules leave a role without a move;
    because it was too long; because the rules could not be evaluated; because its tournament was stopped."""
    result: dict[str, int] | None = None
    """A goal value for each role; None where nobody can say."""
    by: str | None = None
    """The role that resigned, or ran out of time."""
    why: str = ""


@dataclass(frozen=True)
class Advance:
    """The steps that follow from moves: the joint moves up to the next choice, or to the end."""

    joints: tuple[Joint, ...] = ()
    choosing: tuple[str, ...] = ()
    """Roles with a choice after that."""
    end: End | None = None


@dataclass(frozen=True)
class MatchEvent:
    """Something that was accepted."""

    kind: ClassVar[str]
    at: float
    """Seconds since 1970."""

    def as_json(self) -> Json:
        """The event for a journal."""
        return {"kind": self.kind} | {one.name: _plain(getattr(self, one.name)) for one in fields(self)}


@dataclass(frozen=True)
class Created(MatchEvent):
    kind = "created"
    plan: MatchPlan


@dataclass(frozen=True)
class Seated(MatchEvent):
    """A person has taken an open seat."""

    kind = "seated"
    role: str
    user: str
    name: str


@dataclass(frozen=True)
class Began(MatchEvent):
    """All seats are taken; moves that were forced, such as dealing, have been made."""

    kind = "began"
    advance: Advance


@dataclass(frozen=True)
class Moved(MatchEvent):
    """A role has chosen; where it was the last one to choose, the step has been made."""

    kind = "moved"
    role: str
    move: str
    advance: Advance | None = None
    """None where other roles still choose."""
    fault: str = ""
    """Why the move is not the player's own."""
    seconds: float = 0.0
    """How long a player has thought."""


@dataclass(frozen=True)
class WorldEvents(MatchEvent):
    """What has happened in a realtime match since the last event of this kind, as its record has it."""

    kind = "world"
    events: tuple[Json, ...]


@dataclass(frozen=True)
class Premoved(MatchEvent):
    """A person has said what to play as soon as it may choose; None takes that back."""

    kind = "premoved"
    role: str
    move: str | None
    dropped: str | None = None
    """The move that was prepared, where it was not legal when its time came."""


@dataclass(frozen=True)
class Offered(MatchEvent):
    kind = "offered"
    role: str
    what: What
    swap: bool = False
    """Of a rematch: whether the seats are exchanged."""


@dataclass(frozen=True)
class Answered(MatchEvent):
    kind = "answered"
    role: str
    what: What
    accept: bool


@dataclass(frozen=True)
class Ended(MatchEvent):
    """The match is over by other ways than a move."""

    kind = "ended"
    end: End


@dataclass(frozen=True)
class Rematched(MatchEvent):
    """Another match follows this one."""

    kind = "rematched"
    id: str


@dataclass(frozen=True)
class Chatted(MatchEvent):
    kind = "chatted"
    by: str
    text: str


@dataclass(frozen=True)
class Reopened(MatchEvent):
    """The server was away: the time since the last event counts for nobody."""

    kind = "reopened"


_KINDS: dict[str, type[MatchEvent]] = {
    one.kind: one
    for one in (
        Created,
        Seated,
        Began,
        Moved,
        WorldEvents,
        Premoved,
        Offered,
        Answered,
        Ended,
        Rematched,
        Chatted,
        Reopened,
    )
}


def event_from_json(data: Json) -> MatchEvent:
    """The event that ``as_json`` wrote; ValueError where the kind is unknown."""
    values = dict(data)
    kind = _KINDS.get(values.pop("kind", ""))
    if kind is None:
        raise ValueError(f"a journal has no events of the kind {data.get('kind')!r}")
    if "plan" in values:
        values["plan"] = plan_from_json(values["plan"])
    if values.get("advance") is not None:
        values["advance"] = advance_from_json(values["advance"])
    if "events" in values:
        values["events"] = tuple(values["events"])
    if "end" in values:
        values["end"] = End(**values["end"])
    return kind(**values)


def advance_from_json(data: Json) -> Advance:
    """The advance that was written as JSON."""
    end = data.get("end")
    return Advance(
        tuple(map(tuple, data["joints"])), tuple(data["choosing"]), None if end is None else End(**end)
    )


def _plain(value: Any) -> Any:
    """A value of an event as JSON."""
    if isinstance(value, MatchPlan):
        return value.as_json()
    if isinstance(value, Advance | End):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value
