"""Clocks: how long players may take, and how much later an answer still counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Clocks:
    """Seconds to prepare and to move, as players are told them, and what the authority allows on top."""

    start: float
    play: float
    connect: float = 5.0
    """To connect to a player; does not count against its clock."""
    connect_bonus: float = 0.0
    """Extra seconds for connecting to a player, over all its messages in a match."""
    start_grace: float = 1.0
    play_grace: float = 1.0
    stop_grace: float = 0.0
    """How much longer than the play clock the authority waits for an answer to STOP."""
    abort: float = 1.0
    """How long it waits for an answer to ABORT …"""
    abort_has_clock: bool = False
    """… and whether that is added to the play clock."""
    pause: float = 0.0
    """A pause between two steps."""
    whole: bool = False
    """Whether a step takes the whole play clock, however soon the answers come."""

    def __post_init__(self) -> None:
        grace = (self.connect, self.connect_bonus, self.start_grace, self.play_grace, self.stop_grace)
        if min(self.start, self.play, *grace, self.abort, self.pause) < 0:
            raise ValueError("clocks cannot be negative")

    @property
    def connect_limit(self) -> float:
        """The longest time that connecting to a player may take once."""
        return self.connect + self.connect_bonus

    @property
    def start_limit(self) -> float:
        """When an answer to START is late."""
        return self.start + self.start_grace

    @property
    def play_limit(self) -> float:
        """When a move is late."""
        return self.play + self.play_grace

    @property
    def stop_limit(self) -> float:
        """How long the authority waits for an answer to STOP."""
        return self.play + self.stop_grace

    @property
    def abort_limit(self) -> float:
        """How long the authority waits for an answer to ABORT."""
        return self.abort + (self.play if self.abort_has_clock else 0)
