"""Circuit passes: the same answers from fewer literals, one idea a file.

Comes in: a ``Circuit``; goes out: another that gives the same answers in every state under every legal joint
move. The walk over the gates that most passes share is ``sweep``; its inner loop lies in ``_core``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..circuit import Circuit, CircuitSize
from .assume_legal import assume_legal
from .complement_does import complement_does
from .drop_dead_gates import drop_dead_gates
from .extract_common import extract_common
from .factor_alternatives import factor_alternatives
from .find_latches import find_latches
from .fold_constants import fold_constants
from .merge_gates import merge_gates
from .order_gates import gate_runs, order_gates
from .share_subexpressions import share_subexpressions
from .split_goals import split_goals

Pass = Callable[[Circuit], Circuit]

PASSES: tuple[Pass, ...] = (
    fold_constants,
    share_subexpressions,
    assume_legal,
    complement_does,
    merge_gates,
    factor_alternatives,
    merge_gates,
    extract_common,
    find_latches,
    split_goals,
    order_gates,
)

__all__ = [
    "PASSES",
    "Step",
    "assume_legal",
    "complement_does",
    "drop_dead_gates",
    "extract_common",
    "factor_alternatives",
    "find_latches",
    "fold_constants",
    "gate_runs",
    "merge_gates",
    "optimise",
    "optimise_steps",
    "order_gates",
    "share_subexpressions",
    "split_goals",
]


@dataclass(frozen=True)
class Step:
    """What one pass made of a circuit."""

    name: str
    circuit: Circuit
    seconds: float

    @property
    def size(self) -> CircuitSize:
        return self.circuit.size


def optimise(circuit: Circuit) -> Circuit:
    """All passes, in the order that serves them best."""
    for rewrite in PASSES:
        circuit = rewrite(circuit)
    return circuit


def optimise_steps(circuit: Circuit) -> Iterator[Step]:
    """The same, step by step, for those who want to see what each pass gains."""
    for rewrite in PASSES:
        start = time.perf_counter()
        circuit = rewrite(circuit)
        yield Step(rewrite.__name__, circuit, time.perf_counter() - start)
