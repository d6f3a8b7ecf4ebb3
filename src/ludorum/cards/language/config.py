"""Settings that a chart may leave open, and the bounds of every game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MachineConfig:
    """How a game is run where its chart does not say."""

    recycle: bool = True
    """Played cards become a new pack where it is used up; a chart may say ``recycle=false``."""
    most_decisions: int = 1000
    """Decisions of all players together; then the game is over and valued as it stands: charts may let
    players pass for ever. A chart may say ``decisionLimit=500``."""
    most_steps_alone: int = 100_000
    """Most nodes between two decisions: beyond, the chart is reported to go round in a circle."""


USUAL = MachineConfig()
