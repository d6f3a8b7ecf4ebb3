"""One walk over all gates in C++ (``_core/circuit/sweep.cpp``), under the rules a pass names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._core import SWEEP_RULES, sweep_gates
from ..circuit import Circuit, Ints, find_loops


def sweep(circuit: Circuit, *rules: str) -> Circuit:
    """The circuit with every gate added anew, dead ones left out; phases must be found anew."""
    offsets, literals, outputs = sweep_gates(
        len(circuit.fluents),
        np.array([len(own) for own in circuit.role_moves], np.int32),
        circuit.gate_offsets,
        circuit.gate_literals,
        circuit.legal,
        circuit.outputs(),
        sum(SWEEP_RULES[rule] for rule in rules),
    )
    return with_gates(circuit, offsets, literals, outputs)


def with_gates(circuit: Circuit, offsets: Ints, literals: Ints, outputs: Ints) -> Circuit:
    """The circuit with other gates; ``outputs`` in the order of ``Circuit.outputs``."""
    moves, goals, fluents = len(circuit.moves), len(circuit.goals), len(circuit.fluents)
    goal_outputs = outputs[moves + 1 : moves + 1 + goals].tolist()
    sees_outputs = outputs[moves + 1 + goals + fluents :].tolist()
    return replace(
        circuit,
        gate_offsets=offsets,
        gate_literals=literals,
        legal=outputs[:moves],
        terminal=int(outputs[moves]),
        goals=tuple(
            (role, value, literal)
            for (role, value, _), literal in zip(circuit.goals, goal_outputs, strict=True)
        ),
        next=outputs[moves + 1 + goals : moves + 1 + goals + fluents],
        sees=tuple(
            (role, percept, literal)
            for (role, percept, _), literal in zip(circuit.sees, sees_outputs, strict=True)
        ),
        loops=find_loops(offsets, literals, circuit.first_gate),
        phases=None,
    )
