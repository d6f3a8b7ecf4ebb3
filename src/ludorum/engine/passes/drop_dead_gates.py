"""Gates that no output needs are removed."""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def drop_dead_gates(circuit: Circuit) -> Circuit:
    """The circuit with only the gates that some output depends on, in their order."""
    return sweep(circuit)
