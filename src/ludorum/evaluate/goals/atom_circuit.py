"""Atoms that follow from the fluents of a state, as a circuit: what a compiled evaluation reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..._core import Network, build_gates
from ...engine.circuit import find_loops
from ...rules.terms import Term

AtomLiteral = tuple[int, bool]
"""An atom, and whether it is negated."""


class AtomCircuit:
    """Atoms are numbers: first the fluents of a game, by their places in packed states, then all others."""

    def __init__(self, fluents: Sequence[Term]) -> None:
        self._fluents = {fluent: at for at, fluent in enumerate(fluents)}
        self._atoms = len(fluents)
        self._heads: list[int] = []
        self._bodies: list[list[int]] = []
        self.never = self.new_atom()
        """Never holds, since it has no rule."""
        self.always = self.atom_of([[]])
        self._joined: dict[tuple[str, tuple[int, ...]], int] = {}

    @property
    def rules(self) -> int:
        return len(self._heads)

    def fluent(self, fluent: Term) -> int:
        """The atom of a fluent; ``never`` where no play can make it true."""
        return self._fluents.get(fluent, self.never)

    def new_atom(self) -> int:
        self._atoms += 1
        return self._atoms - 1

    def add_rule(self, head: int, body: Iterable[AtomLiteral]) -> None:
        """The atom holds where all of these literals do, or where another of its rules says so."""
        self._heads.append(head)
        self._bodies.append([2 * atom + is_negated for atom, is_negated in body])

    def atom_of(self, bodies: Iterable[Iterable[AtomLiteral]]) -> int:
        """A new atom with these rules."""
        atom = self.new_atom()
        for body in bodies:
            self.add_rule(atom, body)
        return atom

    def both(self, one: int, other: int) -> int:
        """An atom that holds where two others do."""
        key = "both", tuple(sorted((one, other)))
        if key not in self._joined:
            self._joined[key] = one if one == other else self.atom_of([[(one, False), (other, False)]])
        return self._joined[key]

    def any_of(self, atoms: Iterable[int]) -> int:
        """An atom that holds where one of others does."""
        wanted = tuple(dict.fromkeys(atom for atom in atoms if atom != self.never))
        if len(wanted) < 2:
            return wanted[0] if wanted else self.never
        key = "any", wanted
        if key not in self._joined:
            self._joined[key] = self.atom_of([[(atom, False)] for atom in wanted])
        return self._joined[key]

    def network(self, atoms: Sequence[int]) -> Network:
        """The circuit as kernels take it; its percepts are these atoms."""
        fluents = len(self._fluents)
        given = np.full(self._atoms, -1, np.int32)
        given[:fluents] = np.arange(0, 2 * fluents, 2)
        given[self.never] = 2 * fluents + 1
        offsets = np.cumsum([0, *map(len, self._bodies)]).astype(np.int32)
        body = np.array([literal for one in self._bodies for literal in one], np.int32)
        gate_offsets, gate_literals, literals, circle = build_gates(
            np.array(self._heads, np.int32), offsets, body, given, fluents + 1
        )
        assert not len(circle), "rules that were ground are stratified"
        loops = find_loops(gate_offsets, gate_literals, fluents + 1)
        none = np.zeros(0, np.int32)
        return Network(
            fluents=fluents,
            moves_of_roles=none,
            gate_offsets=gate_offsets,
            gate_literals=gate_literals,
            legal=none,
            terminal=2 * fluents + 1,
            goal_roles=none,
            goal_values=none,
            goals=none,
            next=np.arange(0, 2 * fluents, 2, dtype=np.int32),
            sees=np.ascontiguousarray(literals[np.array(atoms, np.int64)], np.int32),
            initial=np.zeros(fluents, np.uint8),
            loops=np.array([gate for loop in loops for gate in loop], np.int32),
        )
