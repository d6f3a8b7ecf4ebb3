"""Of the moves of one role exactly one is done: "one of many" is "none of the few others".

Frame axioms say for each of hundreds of moves that it leaves a fluent as it is. Alternatives that differ in
the move only become one, and its set of moves is replaced by the complement where that is smaller:

    (d1 & a) | (d2 & a) | (d3 & a)          a & ~d4          where the role has d1 .. d4
"""

from __future__ import annotations

from ..circuit import Circuit
from .sweep import sweep


def complement_does(circuit: Circuit) -> Circuit:
    """The circuit for joint moves: it may rely on exactly one move of each role."""
    return sweep(circuit, "fold", "share", "absorb", "one_hot", "group")
