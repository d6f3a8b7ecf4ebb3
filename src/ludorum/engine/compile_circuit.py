"""From rules to the circuit that is run, in a process that is killed when time or memory runs out.

Grounding may exceed the limits, and so may the gates of a sheet that grounds: all of it happens in the child
process. The result is arrays, the moves among them, so a large circuit is sent in a moment.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..asp.attempts import attempt
from ..asp.ground import WITHOUT_CLOCK, GroundingError, ground_rules
from ..processes.session import ChildLimitError, end_stage, peak_megabytes
from ..rules.ruleset import HEAVIEST, Ruleset, is_nature
from .build_circuit import build_circuit
from .circuit import Circuit, CircuitError
from .passes import assume_legal, complement_does, fold_constants, optimise, share_subexpressions


@dataclass(frozen=True)
class CompileCost:
    """What a circuit was made from, for tables and messages."""

    ground: dict[str, int]
    """Rules, literals, atoms and inputs of the ground program."""
    megabytes: float
    """The most memory the process that made the circuit held."""


def compile_circuit(
    rules: Ruleset,
    seconds: float = 60.0,
    megabytes: float = 6000.0,
    *,
    processor_time: bool = False,
    stop: threading.Event | None = None,
) -> tuple[Circuit, CompileCost]:
    """The optimised circuit of a sheet; CircuitError says why there is none within the limits.

    With ``processor_time`` the seconds are processor time of the child, else wall-clock time.
    ``stop`` ends the work from another thread.
    """
    try:
        return attempt(_compile, rules, seconds, megabytes, processor_time=processor_time, stop=stop)
    except ChildLimitError as error:
        raise CircuitError(f"compiling {error}") from error
    except GroundingError as error:
        raise CircuitError(str(error)) from error


def plain_circuit(rules: Ruleset, megabytes: float = 1000.0) -> Circuit | None:
    """The circuit before common subexpressions are extracted, which is easier to read.

    None where that takes too much memory: the optimised circuit suffices.
    """
    try:
        program = ground_rules(rules, WITHOUT_CLOCK, megabytes)
    except GroundingError:
        return None
    circuit = build_circuit(program)
    for rewrite in (fold_constants, share_subexpressions, assume_legal, complement_does):
        circuit = rewrite(circuit)
    return circuit


def _compile(rules: Ruleset, passes: Sequence[str]) -> tuple[Circuit, CompileCost]:
    program = ground_rules(rules, in_process=True, passes=passes)
    size = program.size
    end_stage()
    circuit = optimise(build_circuit(program))
    return circuit, CompileCost(size, peak_megabytes())


def with_weights(circuit: Circuit, rules: Ruleset) -> Circuit:
    """The circuit with the weights that the rules give moves of nature."""
    weights = rules.weights
    if weights is None:
        return circuit
    nature = [is_nature(role) for role in circuit.roles]
    found = [weights.of(move) if nature[role] else 1 for role, move in circuit.moves]
    if max(found, default=1) > HEAVIEST:
        raise CircuitError(f"a move of nature weighs {max(found)}, and the most there may be is {HEAVIEST}")
    return replace(circuit, weights=np.array(found, np.int32))
