"""Common subexpressions of several gates are computed once.

Two ways to share: many literals that two gates have (the moves onto a square, and those of one piece onto
it), and two literals that many gates have (a piece stands here and the way is clear):

    #0 = ~a & ~b & ~c & ~d & ~e & f             #0 = ~a & ~b & ~c & ~d & ~e
    #1 = ~a & ~b & ~c & ~d & ~e & g             #1 = f & #0
                                                #2 = g & #0

A gate is worth about one literal; a pair is taken out of five gates or more, or where it is a gate already.
Gates of loops stay as they are.
"""

from __future__ import annotations

from ..._core import extract_gates
from ..circuit import Circuit
from .reorder import loop_array
from .sweep import sweep, with_gates

LARGEST = 2_500_000
"""Literals beyond which a circuit is left as it is: the search for pairs would take most of a minute."""


def extract_common(circuit: Circuit, largest: int = LARGEST) -> Circuit:
    """Greedy common subexpressions of more than whole gates, the most common first."""
    if len(circuit.gate_literals) > largest:
        return circuit
    offsets, literals, outputs = extract_gates(
        circuit.first_gate,
        circuit.gate_offsets,
        circuit.gate_literals,
        loop_array(circuit),
        circuit.outputs(),
        pairs=True,
        sets=True,
    )
    return sweep(with_gates(circuit, offsets, literals, outputs), "fold", "share")
