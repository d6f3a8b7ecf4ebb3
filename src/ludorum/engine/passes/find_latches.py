"""Fluents that never go back: once true they stay true, or once false they stay false.

A square that is taken stays taken, a wall that is gone stays gone. The proof is one evaluation in three
values: let the fluent have its value and everything else be unknown; if its next value is known to be the
same, no state and no move can change it. Many fluents are tried at once in ``_core/circuit/latches.cpp``.
"""

from __future__ import annotations

from dataclasses import replace

from ..._core import find_latches as latch_literals
from ..circuit import Circuit
from .reorder import loop_array

MOST_WORK = 64_000_000_000
"""Fluents times literals beyond which latches are not searched for: a second or two."""


def find_latches(circuit: Circuit) -> Circuit:
    """The circuit with its latches noted; no gate changes."""
    if len(circuit.fluents) * len(circuit.gate_literals) > MOST_WORK:
        return circuit
    held = latch_literals(
        circuit.first_gate, circuit.gate_offsets, circuit.gate_literals, loop_array(circuit), circuit.next
    )
    return replace(circuit, latches=tuple(held.tolist()))
