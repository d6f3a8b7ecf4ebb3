"""From a ground program to a circuit: a rule is an AND gate, an atom the OR of its rules.

The gates themselves are made in ``_core/build_gates.cpp``; here atoms get their meaning: which are inputs,
and which answer the questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .._core import build_gates
from ..rules.kif import format_term
from ..rules.terms import Term, as_integer, sort_key
from .circuit import Circuit, CircuitError, Ints, Literal, find_loops

if TYPE_CHECKING:
    from ..asp.ground import GroundProgram


def build(program: GroundProgram) -> Circuit:
    """The circuit as the rules say it, not yet simplified."""
    fluents = sorted(_inputs(program, program.true_atoms.tolist(), 0), key=lambda pair: sort_key(pair[0]))
    role_index = {role: at for at, role in enumerate(program.roles)}
    moves = sorted(
        (
            (role_index[_argument(program, atom, 0)], _argument(program, atom, 1), atom)
            for atom in program.does_atoms.tolist()
        ),
        key=lambda row: (row[0], sort_key(row[1])),
    )
    true = 2 * (len(fluents) + len(moves))
    literals = np.full(len(program.atoms), -1, np.int32)
    literals[program.facts] = true
    literals[[atom for _, atom in fluents]] = range(0, 2 * len(fluents), 2)
    literals[[atom for _, _, atom in moves]] = range(2 * len(fluents), true, 2)
    offsets, gate_literals, atoms = _gates(program, literals, (true >> 1) + 1)
    asked = _asked(program)

    def literal_of(name: str, *args: Term) -> Literal:
        atom = asked.get(Term(name, args))
        return true ^ 1 if atom is None else atoms[atom]

    return Circuit(
        roles=program.roles,
        fluents=tuple(fluent for fluent, _ in fluents),
        moves=tuple((role, move) for role, move, _ in moves),
        gate_offsets=offsets,
        gate_literals=gate_literals,
        legal=np.array([literal_of("legal", program.roles[role], move) for role, move, _ in moves], np.int32),
        terminal=literal_of("terminal"),
        goals=tuple(
            (role_index[role], _number(value), atoms[atom])
            for role, value, atom in _pairs(asked, "goal")
            if role in role_index
        ),
        next=np.array([literal_of("next", fluent) for fluent, _ in fluents], np.int32),
        sees=tuple(
            (role_index[role], percept, atoms[atom])
            for role, percept, atom in _pairs(asked, "sees")
            if role in role_index
        ),
        initial=np.array([fluent in program.initial for fluent, _ in fluents], np.bool_),
        loops=find_loops(offsets, gate_literals, (true >> 1) + 1),
    )


def _argument(program: GroundProgram, atom: int, at: int) -> Term:
    term = program.atoms[atom]
    assert term is not None
    argument = term.args[at]
    assert isinstance(argument, Term)
    return argument


def _inputs(program: GroundProgram, atoms: list[int], at: int) -> Iterator[tuple[Term, int]]:
    for atom in atoms:
        yield _argument(program, atom, at), atom


def _asked(program: GroundProgram) -> dict[Term, int]:
    """The atoms somebody outside asks for."""
    names = {"legal", "terminal", "goal", "next", "sees"}
    return {term: atom for atom, term in enumerate(program.atoms) if term is not None and term.name in names}


def _pairs(asked: dict[Term, int], name: str) -> list[tuple[Term, Term, int]]:
    """The rows of a relation with two arguments, sorted."""
    found = [(*term.args, atom) for term, atom in asked.items() if term.name == name and len(term.args) == 2]
    return sorted(found, key=lambda row: (sort_key(row[0]), sort_key(row[1])))  # type: ignore[arg-type]


def _number(value: Term) -> int | Term:
    number = as_integer(value)
    return value if number is None else number


def _gates(program: GroundProgram, literals: Ints, first_gate: int) -> tuple[Ints, Ints, list[Literal]]:
    """Offsets and literals of the gates, and the literal of each atom."""
    offsets, gate_literals, atoms, circle = build_gates(
        program.heads, program.body_offsets, program.body, literals, first_gate
    )
    if len(circle):
        names = " and ".join(_names_above(program, circle.tolist()))
        raise CircuitError(f"negation runs in a circle in the rules of {names}")
    return offsets, gate_literals, atoms.tolist()


def _names_above(program: GroundProgram, atoms: list[int], most: int = 3) -> list[str]:
    """The first named atoms that some atoms are needed for, themselves included: most have no name."""
    users: dict[int, list[int]] = {}
    for head, first, end in zip(
        program.heads.tolist(), program.body_offsets.tolist(), program.body_offsets[1:].tolist(), strict=False
    ):
        for literal in program.body[first:end].tolist():
            users.setdefault(literal >> 1, []).append(head)
    reached = dict.fromkeys(sorted(atoms))
    todo = list(reached)
    for atom in todo:
        for user in users.get(atom, ()):
            if user not in reached:
                reached[user] = None
                todo.append(user)
    terms = [term for atom in todo if (term := program.atoms[atom]) is not None]
    return [format_term(term) for term in terms[:most]]
