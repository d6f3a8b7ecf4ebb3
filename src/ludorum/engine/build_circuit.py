"""From a ground program to a circuit: a rule is an AND gate, an atom the OR of its rules.

The gates themselves are made in ``_core/circuit/build_gates.cpp``; here atoms are assigned to inputs and
outputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._core import build_gates
from ..asp.ground_terms import TermList, TermTable, rank_nodes
from ..rules.terms import Term, as_integer, format_term, sort_key
from .circuit import Circuit, CircuitError, Ints, find_loops
from .moves import Moves

if TYPE_CHECKING:
    from ..asp.ground import GroundProgram


def build_circuit(program: GroundProgram) -> Circuit:
    """The circuit of a ground program, not yet simplified; CircuitError where negation runs in a circle."""
    atoms = _Atoms(program)
    fluent_nodes, fluent_ids = atoms.fluents()
    move_roles, move_nodes, move_ids = atoms.moves()
    true = 2 * (len(fluent_ids) + len(move_ids))
    literals = np.full(len(program.atoms), -1, np.int32)
    literals[program.facts] = true
    literals[fluent_ids] = np.arange(0, 2 * len(fluent_ids), 2)
    literals[move_ids] = np.arange(2 * len(fluent_ids), true, 2)
    offsets, gate_literals, atom_literals = _gates(program, literals, (true >> 1) + 1)

    def of_atoms(ids: Ints) -> Ints:
        """The literals of atoms; those without a number never hold."""
        return np.where(ids < 0, true ^ 1, atom_literals[ids]).astype(np.int32)

    fluents = tuple(TermList(atoms.terms_at(fluent_nodes)))
    return Circuit(
        roles=program.roles,
        fluents=fluents,
        moves=Moves(move_roles, atoms.terms_at(move_nodes)),
        gate_offsets=offsets,
        gate_literals=gate_literals,
        legal=of_atoms(atoms.find("legal", atoms.role_nodes[move_roles], move_nodes)),
        terminal=int(of_atoms(atoms.find("terminal"))[0]),
        goals=tuple(
            (role, _number(value), int(atom_literals[atom])) for role, value, atom in atoms.by_role("goal")
        ),
        next=of_atoms(atoms.find("next", fluent_nodes)),
        sees=tuple(
            (role, percept, int(atom_literals[atom])) for role, percept, atom in atoms.by_role("sees")
        ),
        initial=np.array([fluent in program.initial for fluent in fluents], np.bool_),
        loops=find_loops(offsets, gate_literals, (true >> 1) + 1),
    )


class _Atoms:
    """The named atoms of a program as nodes of a table of terms: found and sorted without being made."""

    def __init__(self, program: GroundProgram) -> None:
        self._program = program
        self._table, self._ids = program.named
        self._first, self._second = self._table.root_args(0), self._table.root_args(1)
        self._arities = self._table.root_arities()
        self._places = np.full(len(program.atoms), -1, np.int32)
        self._places[self._ids] = np.arange(len(self._ids), dtype=np.int32)
        own = np.concatenate([program.true_atoms, program.does_atoms])
        self._ranks = rank_nodes(
            self._table, np.concatenate([self._first[self._places[own]], self._second[self._rows("does")]])
        )
        self.role_nodes = self._find_roles()

    def _rows(self, name: str) -> Ints:
        """The rows of the named atoms of a relation."""
        symbols = [number for number, known in enumerate(self._table.names) if known == name]
        return np.flatnonzero(np.isin(self._table.symbols[self._table.roots], symbols)).astype(np.int32)

    def _find_roles(self) -> Ints:
        """The node of each role; -1 for roles that no atom mentions."""
        rows = np.concatenate([self._rows(name) for name in ("does", "legal", "goal", "sees")])
        nodes = np.unique(self._first[rows])
        known = dict(zip(TermList(self.terms_at(nodes)), nodes.tolist(), strict=True))
        return np.array([known.get(role, -1) for role in self._program.roles], np.int32)

    def terms_at(self, nodes: Ints) -> TermTable:
        table = self._table
        return TermTable(table.names, table.symbols, table.ends, table.args, nodes)

    def fluents(self) -> tuple[Ints, Ints]:
        """Nodes and atoms of all fluents, sorted."""
        nodes = self._first[self._places[self._program.true_atoms]]
        order = np.argsort(self._ranks[nodes], kind="stable")
        return nodes[order], self._program.true_atoms[order]

    def moves(self) -> tuple[Ints, Ints, Ints]:
        """Role, node and atom of all moves, by role and then sorted."""
        places = self._places[self._program.does_atoms]
        nodes, roles = self._second[places], self._role_numbers(self._first[places])
        order = np.lexsort((self._ranks[nodes], roles))
        return roles[order], nodes[order], self._program.does_atoms[order]

    def _role_numbers(self, nodes: Ints) -> Ints:
        numbers = np.full(len(self._table.symbols) + 1, -1, np.int32)
        numbers[self.role_nodes] = np.arange(len(self.role_nodes), dtype=np.int32)
        return numbers[nodes]

    def find(self, name: str, first: Ints | None = None, second: Ints | None = None) -> Ints:
        """The atoms of a relation with these arguments, -1 where there is none."""
        rows = self._rows(name)
        width = len(self._table.symbols) + 1
        arity = (first is not None) + (second is not None)
        rows = rows[self._arities[rows] == arity]
        if first is None:
            return self._ids[rows[:1]] if len(rows) else np.full(1, -1, np.int32)

        def keys(one: Ints, other: Ints | None) -> NDArray[np.int64]:
            return one.astype(np.int64) * width + (0 if other is None else other)

        have = keys(self._first[rows], None if second is None else self._second[rows])
        order = np.argsort(have)
        wanted = keys(first, second)
        if not len(rows):
            return np.full(len(wanted), -1, np.int32)
        at = np.minimum(np.searchsorted(have, wanted, sorter=order), len(rows) - 1)
        return np.where(have[order[at]] == wanted, self._ids[rows[order[at]]], -1).astype(np.int32)

    def by_role(self, name: str) -> list[tuple[int, Term, int]]:
        """Role, argument and atom of a relation such as ``goal``, sorted by the names of roles."""
        rows = self._rows(name)
        rows = rows[self._arities[rows] == 2]
        roles = self._role_numbers(self._first[rows])
        rows, roles = rows[roles >= 0], roles[roles >= 0]
        terms = TermList(self.terms_at(self._second[rows]))
        found = zip(roles.tolist(), terms, self._ids[rows].tolist(), strict=True)
        names = self._program.roles
        return sorted(found, key=lambda row: (sort_key(names[row[0]]), sort_key(row[1])))


def _number(value: Term) -> int | Term:
    number = as_integer(value)
    return value if number is None else number


def _gates(program: GroundProgram, literals: Ints, first_gate: int) -> tuple[Ints, Ints, Ints]:
    """Offsets and literals of the gates, and the literal of each atom."""
    offsets, gate_literals, atoms, circle = build_gates(
        program.heads, program.body_offsets, program.body, literals, first_gate
    )
    if len(circle):
        names = " and ".join(_names_above(program, circle.tolist()))
        raise CircuitError(f"negation runs in a circle in the rules of {names}")
    return offsets, gate_literals, atoms


def _names_above(program: GroundProgram, atoms: list[int], most: int = 3) -> list[str]:
    """The first named atoms that depend on some atoms, themselves included: most atoms have no name."""
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
