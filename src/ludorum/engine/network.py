"""From a circuit to the arrays the kernels take."""

from __future__ import annotations

import numpy as np

from .._core import Network
from .circuit import Circuit


def make_network(circuit: Circuit) -> Network:
    """The circuit as the kernels run it; goal values that are no numbers become -1."""
    values = [value if isinstance(value, int) else -1 for _, value, _ in circuit.goals]
    return Network(
        fluents=len(circuit.fluents),
        moves_of_roles=_ints([len(moves) for moves in circuit.role_moves]),
        gate_offsets=_ints(circuit.gate_offsets),
        gate_literals=_ints(circuit.gate_literals),
        legal=_ints(circuit.legal),
        terminal=int(circuit.terminal),
        goal_roles=_ints([role for role, _, _ in circuit.goals]),
        goal_values=_ints(values),
        goals=_ints([literal for _, _, literal in circuit.goals]),
        next=_ints(circuit.next),
        sees=_ints([literal for _, _, literal in circuit.sees]),
        initial=np.ascontiguousarray(circuit.initial, np.uint8),
        loops=_ints([gate for loop in circuit.loops for gate in loop]),
        weights=circuit.weights,
    )


def _ints(values: object) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.ascontiguousarray(values, np.int32).reshape(-1)
