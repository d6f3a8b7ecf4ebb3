"""The result of a match: a plain value that is logged, sent between machines and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..match.match import START, ErrorCode
from .noted_decision import NotedDecision, decision_from_json


class Ending(StrEnum):
    """How a match ended."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"
    """It reached the limit on decisions of the plan or its game, and counts as it stood."""
    FORFEIT = "forfeit"
    """A player brought its process down or blocked it: lost by fault."""
    VOID = "void"
    """No player's fault, and no points: the process ended while no player was asked."""


@dataclass(frozen=True)
class SeatFault:
    """A fault noted against the player of a seat, or against no player."""

    step: int
    """How many joint moves had been made; START while players prepared."""
    seat: int | None
    """None where it was the fault of no player."""
    code: ErrorCode
    text: str = ""

    def as_json(self) -> dict[str, object]:
        return {"step": self.step, "seat": self.seat, "code": str(self.code), "text": self.text}


def fault_from_json(value: object) -> SeatFault:
    """The twin of ``SeatFault.as_json``; ValueError where it is none.

    Logs of earlier versions hold texts instead: ``STEP SEAT CODE text``, with ``-`` for no seat.
    """
    if isinstance(value, str):
        step, seat, code, *text = value.split(" ", 3)
        return SeatFault(int(step), None if seat == "-" else int(seat), ErrorCode(code), "".join(text))
    if not isinstance(value, dict):
        raise ValueError("a fault has a step, a seat, a code and a text")
    step, seat = value["step"], value["seat"]
    if type(step) is not int or not (seat is None or type(seat) is int):
        raise ValueError("the step and the seat of a fault are numbers")
    return SeatFault(step, seat, ErrorCode(value["code"]), str(value["text"]))


@dataclass(frozen=True)
class MatchResult:
    """One match that is over. Equal results are equal moves and faults; how long it took is not compared."""

    match_id: str
    goals: tuple[int, ...]
    """By seat, 0..100."""
    ending: Ending = Ending.FINISHED
    moves: tuple[str, ...] = ()
    """Joint moves from the first, opening and nature included, as KIF lists: enough to replay the match."""
    faults: tuple[SeatFault, ...] = ()
    """Everything that was noted against a player."""
    seconds: float = field(default=0.0, compare=False)
    began: int = field(default=0, compare=False)
    """When, in milliseconds since 1970; 0 if it was not noted."""
    decisions: tuple[NotedDecision, ...] = field(default=(), compare=False)
    """What players said of their moves, where it was noted."""

    def as_json(self) -> dict[str, object]:
        noted = {"decisions": [one.as_json() for one in self.decisions]} if self.decisions else {}
        return noted | {
            "match": self.match_id,
            "goals": list(self.goals),
            "ending": str(self.ending),
            "moves": list(self.moves),
            "faults": [fault.as_json() for fault in self.faults],
            "seconds": round(self.seconds, 3),
            "began": self.began,
        }

    @property
    def counts(self) -> bool:
        return self.ending is not Ending.VOID


def result_from_json(value: Mapping[str, object]) -> MatchResult:
    """The twin of ``MatchResult.as_json``; KeyError or ValueError where it is none."""
    goals, moves, faults, seconds = (value[key] for key in ("goals", "moves", "faults", "seconds"))
    if not (isinstance(goals, list) and isinstance(moves, list) and isinstance(faults, list)):
        raise ValueError("goals, moves and faults are lists")
    began = value.get("began", 0)
    if not isinstance(seconds, int | float) or not all(type(number) is int for number in [*goals, began]):
        raise ValueError("goals and times are numbers")
    assert isinstance(began, int)
    return MatchResult(
        str(value["match"]),
        tuple(goals),
        Ending(str(value["ending"])),
        tuple(map(str, moves)),
        tuple(map(fault_from_json, faults)),
        float(seconds),
        began,
        tuple(map(decision_from_json, value.get("decisions", ()))),  # type: ignore[call-overload]
    )


def forfeit(match_id: str, seats: int, blamed: Sequence[int], what: str) -> MatchResult:
    """The result of a match that ended its worker: the players that were at work lose to the others."""
    if not blamed:
        nobody = SeatFault(START, None, ErrorCode.LOST, what)
        return MatchResult(match_id, (0,) * seats, Ending.VOID, faults=(nobody,))
    goals = tuple(0 if seat in blamed else 100 for seat in range(seats))
    faults = tuple(SeatFault(START, seat, ErrorCode.LOST, what) for seat in blamed)
    return MatchResult(match_id, goals, Ending.FORFEIT, faults=faults)


def duel_points(mine: float, other: float) -> float:
    """A win counts 1, a draw half."""
    return 0.5 if mine == other else float(mine > other)


def seat_points(goals: Sequence[int]) -> tuple[float, ...]:
    """The points of each seat, 0..1: the mean of its duels with all others; 0.5 for a single seat.

    >>> seat_points([100, 0, 0])
    (1.0, 0.25, 0.25)
    """
    others = len(goals) - 1
    if others == 0:
        return (0.5,)
    return tuple((sum(duel_points(own, other) for other in goals) - 0.5) / others for own in goals)
