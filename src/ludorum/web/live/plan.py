"""The plan of a match: its game, its seats, its clocks; and the errors that people are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
"""An object of JSON: everything that goes to a journal, to another process or to a page is one."""

SeatKind = Literal["person", "player", "open"]
REMOTE = "remote:"
"""How names of players elsewhere begin."""


class Refused(Exception):
    """Something that is not possible now; the text says why, to the person that asked."""


class UnknownMatch(LookupError):
    """There is no match of this name."""


class Elsewhere(Exception):
    """Another process plays the match, or will in a moment: what was asked is to be asked again."""


class Overtaken(Elsewhere):
    """Another process has written an event of this number: it plays the match now."""


@dataclass(frozen=True)
class GameText:
    """The rules of a game as they were written."""

    id: str
    title: str
    language: str
    """``gdl``, ``gdl2``, ``wdl`` or ``fcdl``."""
    text: str
    is_trusted: bool
    """Whether the rules come with the program; those of strangers are only read in a process that can be
    killed."""


@dataclass(frozen=True)
class SeatPlan:
    """The seat of one role."""

    kind: SeatKind
    name: str = ""
    """The name that all are shown: a person's, or that of a player."""
    user: str = ""
    """The key of the person's account; never shown."""

    @property
    def remote(self) -> str:
        """The name of a player elsewhere, which is reached by the GGP protocol; empty for all others."""
        return self.name if self.kind == "player" and self.name.startswith(REMOTE) else ""


@dataclass(frozen=True)
class MatchPlan:
    """Everything that is fixed before a match begins."""

    id: str
    game: GameText
    seats: Mapping[str, SeatPlan]
    base: float | None
    """Seconds on each person's clock; None for a match without clocks."""
    increment: float
    """Seconds that a person is given for each move."""
    think: float
    """Seconds that a player may think about a move."""
    seed: int
    chat: bool
    opening: tuple[tuple[str, ...], ...] = ()
    """Joint moves that are made before anybody chooses."""
    tournament: str = ""
    """The tournament that the match belongs to: its players wait for workers until nobody else does, and then
    think as long as the plan says."""
    prepare: float = 10.0
    """Seconds that players elsewhere may prepare before their first move."""
    wire_id: str = ""
    """The name of the match for players elsewhere. Whoever knows it can speak to them as the host, so it
    cannot be guessed and is shown to nobody."""

    def as_json(self) -> Json:
        return asdict(self)


def plan_from_json(data: Json) -> MatchPlan:
    """The plan that ``as_json`` wrote."""
    seats = {role: SeatPlan(**seat) for role, seat in data["seats"].items()}
    opening = tuple(map(tuple, data.get("opening", ())))
    return MatchPlan(**{**data, "game": GameText(**data["game"]), "seats": seats, "opening": opening})
