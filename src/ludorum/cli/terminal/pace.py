"""The pace of a match that a person watches."""

from __future__ import annotations

from dataclasses import dataclass

DELAYS = (0.01, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds between a move and the next thinking, fastest first."""


@dataclass
class Pace:
    """Paused or not, and how long each state stays on the screen."""

    paused: bool = False
    level: int = 2

    @property
    def delay(self) -> float:
        return DELAYS[self.level]

    def faster(self) -> None:
        self.level = max(0, self.level - 1)

    def slower(self) -> None:
        self.level = min(len(DELAYS) - 1, self.level + 1)

    def __str__(self) -> str:
        speed = f"{self.delay:g} s between moves" if self.level else "as fast as the players"
        return f"Paused ({speed})" if self.paused else f"Watching ({speed})"
