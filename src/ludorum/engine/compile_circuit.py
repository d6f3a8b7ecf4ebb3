"""From rules to the circuit that is run, in a process that is killed when time or memory runs out.

Grounding may explode, and so may the gates of a sheet that just grounds: all of it happens in the child. What
comes back is arrays and one table of terms, so a large circuit travels in a moment.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..asp.attempts import attempt
from ..asp.ground import GroundingError, ground_rules
from ..asp.ground_terms import TermTable, pack_terms, unpack_terms
from ..asp.session import LimitError, end_stage, peak_megabytes
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .circuit import Circuit, CircuitError, build_circuit, optimise


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

    With ``processor_time`` the seconds are those of the child's processor, else of the clock on the wall.
    ``stop`` ends the work from another thread.
    """
    try:
        packed = attempt(_compile, rules, seconds, megabytes, processor_time=processor_time, stop=stop)
    except LimitError as error:
        raise CircuitError(f"compiling {error}") from error
    except GroundingError as error:
        raise CircuitError(str(error)) from error
    return _unpack(packed), packed.cost


@dataclass(frozen=True)
class _Packed:
    """A circuit without its terms, which stand in a table: roles, fluents, moves, goal values, percepts."""

    bare: Circuit
    terms: TermTable
    cost: CompileCost


def _compile(rules: Ruleset, passes: Sequence[str]) -> _Packed:
    program = ground_rules(rules, in_process=True, passes=passes)
    size = program.size
    end_stage()
    circuit = optimise(build_circuit(program))
    return _pack(circuit, CompileCost(size, peak_megabytes()))


def _pack(circuit: Circuit, cost: CompileCost) -> _Packed:
    nobody = Term("")
    values = [value for _, value, _ in circuit.goals]
    terms = pack_terms(
        [
            *circuit.roles,
            *circuit.fluents,
            *(move for _, move in circuit.moves),
            *(value if isinstance(value, Term) else nobody for value in values),
            *(percept for _, percept, _ in circuit.sees),
        ]
    )
    bare = replace(
        circuit,
        roles=(nobody,) * len(circuit.roles),
        fluents=(nobody,) * len(circuit.fluents),
        moves=tuple((role, nobody) for role, _ in circuit.moves),
        goals=tuple(
            (role, value if isinstance(value, int) else nobody, literal)
            for role, value, literal in circuit.goals
        ),
        sees=tuple((role, nobody, literal) for role, _, literal in circuit.sees),
    )
    return _Packed(bare, terms, cost)


def _unpack(packed: _Packed) -> Circuit:
    bare = packed.bare
    terms = iter(unpack_terms(packed.terms))
    return replace(
        bare,
        roles=tuple(next(terms) for _ in bare.roles),
        fluents=tuple(next(terms) for _ in bare.fluents),
        moves=tuple((role, next(terms)) for role, _ in bare.moves),
        goals=tuple((role, _either(value, next(terms)), literal) for role, value, literal in bare.goals),
        sees=tuple((role, next(terms), literal) for role, _, literal in bare.sees),
    )


def _either(value: int | Term, term: Term) -> int | Term:
    return value if isinstance(value, int) else term
