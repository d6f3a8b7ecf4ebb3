"""Constants, repeated and contradicting literals are removed; a gate of one literal is that literal.

#0 = a & 1 & a      a & ~a = 0      #1 = ~b  (a wire)
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def fold_constants(circuit: Circuit) -> Circuit:
    """The circuit without gates that their own literals decide."""
    return sweep(circuit, "fold")
