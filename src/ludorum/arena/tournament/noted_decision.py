"""What a player said of one of its moves: kept with a result, so that lost matches can be looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class NotedDecision:
    """One decision of a player in a match."""

    step: int
    """How many joint moves had been made."""
    seat: int
    value: float | None
    """The goal value, 0..100, that the player expected for itself; None where it did not say."""
    proven: bool = False
    depth: int = 0
    visits: int = 0
    """Of the chosen move."""
    nodes: int = 0
    playouts: int = 0
    processor_seconds: float = 0.0
    """Of this process and those below it, while the player was asked."""

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.step,
            "seat": self.seat,
            "value": None if self.value is None else round(self.value, 2),
            "proven": self.proven,
            "depth": self.depth,
            "visits": self.visits,
            "nodes": self.nodes,
            "playouts": self.playouts,
            "processor_seconds": round(self.processor_seconds, 4),
        }


def decision_from_json(value: Mapping[str, object]) -> NotedDecision:
    """The twin of ``NotedDecision.as_json``; KeyError or TypeError where it is none."""
    return NotedDecision(**value)  # type: ignore[arg-type]
