"""Gates in long runs of one shape: as many positive and as many negated literals as the one before.

Kernels then branch once a run and not once a gate. Within a phase the gates whose inputs are known are taken,
always of the shape most of them have (engine notes, layout); a loop stays together and as it is.
"""

from __future__ import annotations

import numpy as np

from ..._core import gate_order
from ..circuit import Circuit, Ints
from .reorder import find_phases, loop_array, reorder


def order_gates(circuit: Circuit) -> Circuit:
    """The circuit by phases, each in long runs; within a gate positive literals come first."""
    phases = find_phases(circuit)
    order = gate_order(
        circuit.first_gate, circuit.gate_offsets, circuit.gate_literals, loop_array(circuit), phases
    )
    return reorder(circuit, order, phases)


def gate_runs(circuit: Circuit) -> Ints:
    """Runs of gates of one shape, a row each.

    Columns: positive literals, negated literals, number of gates, first gate, its first literal. No run goes
    beyond a phase or a loop.
    """
    sizes = np.diff(circuit.gate_offsets)
    negated = np.add.reduceat(np.append(circuit.gate_literals & 1, 0), circuit.gate_offsets[:-1]) * (
        sizes > 0
    )
    breaks = np.ones(circuit.gates, np.bool_)
    breaks[1:] = (sizes[1:] != sizes[:-1]) | (negated[1:] != negated[:-1])
    borders = [
        *(circuit.phases or ()),
        *(gate for first, last in circuit.loops for gate in (first, last + 1)),
    ]
    breaks[[border for border in borders if border < circuit.gates]] = True
    first = np.flatnonzero(breaks)
    counts = np.diff(np.append(first, circuit.gates))
    columns = (sizes[first] - negated[first], negated[first], counts, first, circuit.gate_offsets[first])
    return np.stack(columns, axis=1).astype(np.int32)
