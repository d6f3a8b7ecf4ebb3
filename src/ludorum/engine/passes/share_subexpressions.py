"""Equal gates become one, and literals that a gate beside them decides are simplified.

a & b, b & a            one gate
(a & b) & a             a & b
~(a & b) & a            ~b & a
~(a & b) & ~a           ~a
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def share_subexpressions(circuit: Circuit) -> Circuit:
    """Structural hashing with absorption one gate deep."""
    return sweep(circuit, "fold", "share", "absorb")
