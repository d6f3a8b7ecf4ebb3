"""Clocks: how long players may take, and how much later an answer still counts with the known hosts."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Clocks:
    """Seconds to prepare and to move, as players are told them, and what the authority adds for the way."""

    start: float
    play: float
    connect: float = 5.0
    """To reach a player at all; does not count against its clock."""
    start_grace: float = 1.0
    play_grace: float = 1.0
    abort: float = 1.0
    """How long an answer to ABORT is waited for."""
    pause: float = 0.0
    """Between two steps."""

    def __post_init__(self) -> None:
        if min(self.start, self.play, self.connect, self.start_grace, self.play_grace, self.pause) < 0:
            raise ValueError("clocks cannot be negative")

    @property
    def start_limit(self) -> float:
        """When an answer to START is late."""
        return self.start + self.start_grace

    @property
    def play_limit(self) -> float:
        """When a move is late."""
        return self.play + self.play_grace


DIALECTS = {
    "ggp-base": Clocks(0, 0, connect=5, start_grace=0, play_grace=1),
    "tiltyard": Clocks(0, 0, connect=5, start_grace=5, play_grace=5),
    "dresden": Clocks(0, 0, connect=2, start_grace=1, play_grace=1, abort=1, pause=0.5),
}
"""What the known hosts allow besides the clocks themselves."""


def clocks_of(dialect: str, start: float, play: float) -> Clocks:
    """Clocks with the allowances of a host.

    >>> clocks_of("tiltyard", 180, 15).play_limit
    20
    """
    return replace(DIALECTS[dialect], start=start, play=play)
