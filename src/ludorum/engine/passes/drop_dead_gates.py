"""Gates that no output needs go."""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def drop_dead_gates(circuit: Circuit) -> Circuit:
    """The gates some output can be reached from, in their order."""
    return sweep(circuit)
