"""The engines of random play, and its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class SimulationEngine(StrEnum):
    """The engine: one state at a time, but for ``lanes``, which plays hundreds at once."""

    reference = "reference"
    lifted = "lifted"
    compiled = "compiled"
    """As ``lanes``; of flow charts, as ``bytecode``."""
    auto = "auto"
    """The fastest one available; the default."""
    single = "single"
    lanes = "lanes"
    machine = "machine"
    """For flow charts only: the readable one, node by node."""
    bytecode = "bytecode"
    """For flow charts only: compiled."""


@dataclass(frozen=True)
class SimulationResult:
    """The result of random play, by any engine."""

    steps: int
    playouts: int
    seconds: float
    goals: dict[str, float | None]


Play: TypeAlias = Callable[[float, int], SimulationResult]
"""Random play for some seconds from a seed."""
