"""Arguments of an evaluation in compiled code: small, with every kind of feature."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludorum._core import Network

KINDS = 8


def atoms_network(fluents: int = 3) -> Network:
    """A circuit that says of each fluent whether it holds, and whether the first two hold together."""
    none = np.zeros(0, np.int32)
    both = [0, 2] if fluents > 1 else []
    return Network(
        fluents=fluents,
        moves_of_roles=none,
        gate_offsets=np.array([0, len(both)], np.int32),
        gate_literals=np.array(both, np.int32),
        legal=none,
        terminal=2 * fluents + 1,
        goal_roles=none,
        goal_values=none,
        goals=none,
        next=np.arange(0, 2 * fluents, 2, dtype=np.int32),
        sees=np.array([*range(0, 2 * fluents, 2), 2 * (fluents + 1)], np.int32),
        initial=np.zeros(fluents, np.uint8),
        loops=none,
    )


def value_parts(network: Network | None = None) -> dict[str, Any]:
    """Two leaves, three neurons and two roles; features of every kind, two of which leaves have."""
    numbers: dict[str, list[float]] = {
        "sum_weights": [1.0, 4.0, float("inf")],
        "numbers": [1.0, 0.5, -0.5, 2.0],
        "weights": [1.0, 2.0, 1.5],
        "biases": [-0.5, 0.5, 0.0],
        "goal_values": [100.0, 0.0, 100.0],
        "truth_values": [-1.0, -0.5, 0.5, 0.5, 1.0],
        "held_values": [60.0],
    }
    whole: dict[str, list[int]] = {
        "sum_offsets": [0, 2, 3],
        "sum_atoms": [0, 1, 2],
        "kinds": [*range(KINDS)],
        "lasts": [1, 0, 1, 0, 0, 0, 0, 1],
        "otherwise": [-1] * (KINDS - 1) + [2],
        "place_offsets": [0, 0, 1, 2, 4, 6, 8, 10, 11],
        "places": [0, 1, 1, 0, 0, 1, 3, 0, 1, 0, 2],
        "number_offsets": [0, 0, 1, 1, 1, 1, 3, 4, 4],
        "leaf_atoms": [0, 3],
        "when_true": [1, 0],
        "when_false": [7, 5],
        "any": [0, 1, 0],
        "part_offsets": [0, 2, 4, 6],
        "parts": [0, 3, 0, 4, 2, 7],
        "goal_offsets": [0, 2, 3],
        "goal_roots": [6, 8, -1],
        "held_offsets": [0, 1, 1],
        "held_atoms": [2],
        "moves": [0, -1],
        "pieces": [0, 0],
    }
    return {
        "network": network or atoms_network(),
        **{name: np.array(values, np.int32) for name, values in whole.items()},
        **{name: np.array(values, np.float64) for name, values in numbers.items()},
        "end": 6,
        "expected": 50.0,
        "crisp": False,
        "settles": True,
        "terminality_steps": 32,
        "quantum": 2.0**-40,
        "goal_share": 0.5,
        "usual_moves": 2.0,
        "usual_worth": 1.0,
    }
