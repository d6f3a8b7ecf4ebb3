"""A move that is done is legal, so the conditions of its legality need not be evaluated again.

legal x m = a & b       next f = does x m & a & c       becomes       next f = does x m & c
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def assume_legal(circuit: Circuit) -> Circuit:
    """The circuit for play by the rules: ``next`` and ``sees`` of an illegal move may change."""
    return sweep(circuit, "fold", "share", "absorb", "legal")
