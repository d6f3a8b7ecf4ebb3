"""Circuit passes: the same answers from fewer literals, one idea a file.

Input: a ``Circuit``. Output: another that gives the same answers in every state under every legal joint
move. The walk over the gates that most passes share is ``sweep``; its inner loop is in ``_core``.
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

HUGE = 5_000_000
"""Literals from which a walk over all gates takes seconds."""

PASSES_FOR_HUGE: tuple[Pass, ...] = (
    complement_does,
    merge_gates,
    factor_alternatives,
    assume_legal,
    *PASSES[PASSES.index(factor_alternatives) + 1 :],
)
"""The same, where every walk counts: folding and sharing are left to the passes that do them as well."""

__all__ = [
    "PASSES",
    "PASSES_FOR_HUGE",
    "PassResult",
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
class PassResult:
    """The result of one pass."""

    name: str
    circuit: Circuit
    seconds: float

    @property
    def size(self) -> CircuitSize:
        return self.circuit.size


def optimise(circuit: Circuit) -> Circuit:
    """The circuit after all passes, in the best order."""
    for step in optimise_steps(circuit):
        circuit = step.circuit
    return circuit


def optimise_steps(circuit: Circuit) -> Iterator[PassResult]:
    """The same, step by step, with the gain of each pass."""
    for rewrite in PASSES_FOR_HUGE if len(circuit.gate_literals) > HUGE else PASSES:
        start = time.perf_counter()
        circuit = rewrite(circuit)
        yield PassResult(rewrite.__name__, circuit, time.perf_counter() - start)
