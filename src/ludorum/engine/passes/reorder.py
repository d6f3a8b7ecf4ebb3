"""Reordered gates, and the phase of each gate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._core import gate_phases
from ..circuit import Circuit, Ints
from .sweep import with_gates


def find_phases(circuit: Circuit) -> Ints:
    """The phase of each gate: 0 legal and terminal, 1 goals only, 2 next and sees."""
    return gate_phases(
        circuit.first_gate,
        circuit.gate_offsets,
        circuit.gate_literals,
        loop_array(circuit),
        np.append(circuit.legal, np.int32(circuit.terminal)),
        np.array([literal for _, _, literal in circuit.goals], np.int32),
        np.append(circuit.next, np.array([literal for _, _, literal in circuit.sees], np.int32)),
    )


def loop_array(circuit: Circuit) -> Ints:
    return np.array(circuit.loops, np.int32).reshape(-1)


def reorder(circuit: Circuit, order: Ints, phases: Ints) -> Circuit:
    """The gates in another order, ``order[new] = old``; within a gate positive literals come first."""
    place = np.empty(circuit.gates, np.int32)
    place[order] = np.arange(circuit.gates, dtype=np.int32)

    def moved(literals: Ints) -> Ints:
        gates = (literals >> 1) - circuit.first_gate
        found = 2 * (place[np.maximum(gates, 0)] + circuit.first_gate) + (literals & 1)
        return np.where(gates >= 0, found, literals).astype(np.int32)

    if not circuit.gates:
        return replace(circuit, phases=(0, 0, 0))
    owners = place[np.repeat(np.arange(circuit.gates), np.diff(circuit.gate_offsets))]
    literals = moved(circuit.gate_literals)
    literals = literals[np.lexsort((literals >> 1, literals & 1, owners))]
    sizes = np.diff(circuit.gate_offsets)[order]
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
    ends = np.searchsorted(phases[order], (0, 1, 2), side="right").tolist()
    outputs = moved(circuit.outputs())
    return replace(with_gates(circuit, offsets, literals, outputs), phases=(ends[0], ends[1], ends[2]))
