"""Alternatives with a literal in common say it once: ``(a & b) | (a & c)`` is ``a & (b | c)``.

Only where that saves literals, and only in alternatives that no other gate uses; with all signs inverted the
same rewrite serves ``(a | b) & (a | c)``.
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def factor_alternatives(circuit: Circuit) -> Circuit:
    """Distributivity, the most common literal first."""
    return sweep(circuit, "fold", "share", "absorb", "one_hot", "factor")
