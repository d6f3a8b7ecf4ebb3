"""The outcome of a proof: a status, the method, and a witness that can be replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from ...engine.game import Game, JointMove, State
from ...show.markup import markup, report


class VerdictStatus(Enum):
    """How certain a verdict is. Only the first two are proofs."""

    PROVED = "proved"
    REFUTED = "refuted"
    OBSERVED = "observed"
    """No random play contradicted it."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Trace:
    """Joint moves from the initial state to a state that shows something; with a loop, for ever after."""

    moves: tuple[JointMove, ...]
    shows: str
    loop: tuple[JointMove, ...] = ()
    """Moves that lead from the last state back to itself."""

    def replay(self, game: Game) -> list[State]:
        """The states of the trace, from the initial one on; an error where the rules do not allow it."""
        states = [game.initial()]
        for joint in (*self.moves, *self.loop):
            states.append(states[-1].play(joint))
        return states

    def as_json(self) -> dict[str, object]:
        found: dict[str, object] = {"moves": _written(self.moves), "shows": self.shows}
        if self.loop:
            found["loop"] = _written(self.loop)
        return found


@dataclass(frozen=True)
class Verdict:
    """A property of a game, and what is known of it."""

    property: str
    status: VerdictStatus
    reason: str
    """How it is known, or why not, in words."""
    value: object = None
    """What was found beyond the status: a sum, a length, the families; plain JSON."""
    witness: Trace | None = None
    method: str = ""
    """``exhaustive``, ``induction``, ``rules`` or ``play``."""
    seconds: float = field(default=0.0, compare=False)

    def as_json(self) -> dict[str, object]:
        return {
            "property": self.property,
            "status": self.status.value,
            "witness": None if self.witness is None else self.witness.as_json(),
            "value": self.value,
            "reason": self.reason,
            "method": self.method,
            "seconds": round(self.seconds, 3),
        }

    def _repr_html_(self) -> str:
        """The verdict in a notebook, with the play that shows it."""
        rows = [("status", self.status.value), ("reason", self.reason)]
        rows += [] if self.value is None else [("value", str(self.value))]
        if self.witness is not None:
            rows.append(
                ("play", "  ".join(" ".join(joint) for joint in _written(self.witness.moves)) or "none")
            )
            rows.append(("shows", self.witness.shows))
        return markup(report(self.property, rows))


def _written(moves: Sequence[JointMove]) -> list[list[str]]:
    return [[str(move) for move in joint] for joint in moves]
