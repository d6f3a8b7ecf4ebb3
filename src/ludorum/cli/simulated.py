"""Which engine plays at random, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class SimulationEngine(StrEnum):
    """What plays: one state at a time, but for ``lanes``, which plays hundreds at once."""

    reference = "reference"
    lifted = "lifted"
    compiled = "compiled"
    """As ``lanes``; of flow charts, as ``bytecode``."""
    auto = "auto"
    """The quickest there is, as without the option."""
    single = "single"
    lanes = "lanes"
    machine = "machine"
    """Of flow charts alone: the readable one, node by node."""
    bytecode = "bytecode"
    """Of flow charts alone: compiled."""


@dataclass(frozen=True)
class Played:
    """What random play came to, by any engine."""

    steps: int
    playouts: int
    seconds: float
    goals: dict[str, float | None]


Play: TypeAlias = Callable[[float, int], Played]
"""Random play for some seconds from a seed."""
