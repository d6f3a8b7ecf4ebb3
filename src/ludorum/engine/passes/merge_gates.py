"""A gate that is used once, and positively, becomes part of the gate that uses it.

#0 = a & b              #0 = a & b & c
#1 = #0 & c
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def merge_gates(circuit: Circuit) -> Circuit:
    """The circuit with chains of ANDs flattened."""
    return sweep(circuit, "fold", "share", "absorb", "merge")
