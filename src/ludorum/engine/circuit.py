"""Circuits: a game as signed AND gates, what the kernels run and the passes rewrite.

Nodes are numbered: fluents first, then moves, then the constant TRUE, then gates. A literal is ``2 * node``,
plus 1 where it is negated; a gate is the AND of its literals. Gates stand in an order in which each refers to
earlier nodes only, but for *loops*: positive recursion (a connection on a board) refers to later gates too.
A reference to a later gate means: iterate the segment from all gates false until nothing changes. That is
sound, since back edges carry only "derived so far", which can only grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..rules.terms import Term
from .errors import GameError
from .moves import Moves

if TYPE_CHECKING:
    pass

Ints: TypeAlias = NDArray[np.int32]
Literal: TypeAlias = int
Loop: TypeAlias = tuple[int, int]
"""First and last gate of a segment that is iterated to a fixpoint."""


class CircuitError(GameError):
    """Rules that no circuit can be built for."""


@dataclass(frozen=True)
class CircuitSize:
    """The size of a circuit, which the passes reduce."""

    fluents: int
    moves: int
    gates: int
    literals: int
    """Inputs of all gates together: the cost of an evaluation."""
    depth: int
    """Gates on the longest path, loops passed once."""
    loops: int
    loop_gates: int

    def __str__(self) -> str:
        loops = f", {self.loops} loops of {self.loop_gates} gates" if self.loops else ""
        return f"{self.gates} gates, {self.literals} literals, depth {self.depth}{loops}"


@dataclass(frozen=True, eq=False)
class Circuit:
    """A game as gates. ``legal`` and ``next`` have one literal for each move and each fluent.

    ``legal``, ``terminal`` and ``goals`` depend on fluents only, ``next`` and ``sees`` on moves as well; a
    circuit may rely on exactly one move a role being done, and on that move being legal.
    """

    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    moves: Sequence[tuple[int, Term]]
    """Role and move, all moves of the first role first."""
    gate_offsets: Ints
    """Where the literals of each gate begin; one entry more than there are gates."""
    gate_literals: Ints
    legal: Ints
    terminal: Literal
    goals: tuple[tuple[int, int | Term, Literal], ...]
    """Role, value and the literal that says whether the role has it."""
    next: Ints
    sees: tuple[tuple[int, Term, Literal], ...]
    """Role, percept and its literal."""
    initial: NDArray[np.bool_]
    loops: tuple[Loop, ...] = ()
    phases: tuple[int, int, int] | None = None
    """Where the gates of each phase end: legal and terminal, goals, next and sees; None before they are
    split. A gate that both goals and next need is in the first, so that goals can be left out."""
    latches: tuple[Literal, ...] = field(default=())
    """Fluent literals that, once they hold, hold for the rest of every match."""
    weights: Ints | None = None
    """How likely each move is beside the other legal ones of its role; None where all are as likely."""

    @property
    def gates(self) -> int:
        return len(self.gate_offsets) - 1

    @property
    def true(self) -> Literal:
        """The literal that always holds; ``true ^ 1`` never does."""
        return 2 * (len(self.fluents) + len(self.moves))

    @property
    def first_gate(self) -> int:
        """The node of gate 0."""
        return len(self.fluents) + len(self.moves) + 1

    @cached_property
    def role_moves(self) -> tuple[range, ...]:
        """The move indices of each role."""
        roles = self.moves.roles if isinstance(self.moves, Moves) else [role for role, _ in self.moves]
        counts = np.bincount(roles, minlength=len(self.roles))
        ends = np.cumsum([0, *counts]).tolist()
        return tuple(range(ends[role], ends[role + 1]) for role in range(len(self.roles)))

    def move_number(self, role: int, move: Term) -> int:
        """The number of a role's move; -1 if it is never legal."""
        if isinstance(self.moves, Moves):
            return self.moves.number(role, move)
        return self.moves.index((role, move)) if (role, move) in self.moves else -1

    def gate(self, gate: int) -> list[Literal]:
        """The literals of one gate, counted from 0."""
        return [int(one) for one in self.gate_literals[self.gate_offsets[gate] : self.gate_offsets[gate + 1]]]

    def gate_lists(self) -> Iterator[list[Literal]]:
        """The literals of each gate in order."""
        literals = self.gate_literals.tolist()
        offsets = self.gate_offsets.tolist()
        for first, end in pairwise(offsets):
            yield literals[first:end]

    def outputs(self) -> Ints:
        """Every literal that is an output: legal, terminal, goals, next, sees."""
        goals, sees = ([literal for _, _, literal in rows] for rows in (self.goals, self.sees))
        parts = (self.legal, [self.terminal], goals, self.next, sees)
        return np.concatenate([np.asarray(part, np.int32) for part in parts])

    @cached_property
    def size(self) -> CircuitSize:
        depth = [0] * (self.first_gate + self.gates)
        for node, literals in enumerate(self.gate_lists(), self.first_gate):
            depth[node] = 1 + max((depth[literal >> 1] for literal in literals), default=0)
        return CircuitSize(
            fluents=len(self.fluents),
            moves=len(self.moves),
            gates=self.gates,
            literals=len(self.gate_literals),
            depth=max(depth),
            loops=len(self.loops),
            loop_gates=sum(last - first + 1 for first, last in self.loops),
        )

    def __repr__(self) -> str:
        return f"<Circuit {len(self.fluents)} fluents, {len(self.moves)} moves, {self.size}>"


@dataclass(frozen=True)
class Values:
    """The answers of a circuit for one state and one joint move, as indices into its tables."""

    legal: frozenset[int]
    terminal: bool
    goals: tuple[tuple[int, int | Term], ...]
    next: frozenset[int]
    sees: tuple[tuple[int, Term], ...]


def evaluate(circuit: Circuit, fluents: Iterable[int], moves: Iterable[int] = ()) -> Values:
    """The circuit's answers, gate by gate in plain Python: the oracle for passes and kernels.

    ``next`` and ``sees`` are meaningful only where ``moves`` has exactly one move for each role.
    """
    node_values = evaluate_nodes(circuit, fluents, moves)

    def holds(literal: Literal) -> bool:
        return node_values[literal >> 1] ^ bool(literal & 1)

    return Values(
        legal=frozenset(move for move, literal in enumerate(circuit.legal.tolist()) if holds(literal)),
        terminal=holds(circuit.terminal),
        goals=tuple((role, value) for role, value, literal in circuit.goals if holds(literal)),
        next=frozenset(fluent for fluent, literal in enumerate(circuit.next.tolist()) if holds(literal)),
        sees=tuple((role, percept) for role, percept, literal in circuit.sees if holds(literal)),
    )


def evaluate_nodes(circuit: Circuit, fluents: Iterable[int], moves: Iterable[int] = ()) -> list[bool]:
    """The value of every node, loops iterated to their fixpoints."""
    values = [False] * (circuit.first_gate + circuit.gates)
    for fluent in fluents:
        values[fluent] = True
    for move in moves:
        values[len(circuit.fluents) + move] = True
    values[circuit.true >> 1] = True
    gates = list(circuit.gate_lists())
    ends = dict(circuit.loops)
    gate = 0
    while gate < len(gates):
        last = ends.get(gate, gate)
        changed = True
        while changed:
            changed = False
            for at in range(gate, last + 1):
                value = all(values[literal >> 1] ^ (literal & 1) for literal in gates[at])
                if value != values[circuit.first_gate + at]:
                    values[circuit.first_gate + at] = value
                    changed = last > gate
        gate = last + 1
    return values


def find_loops(offsets: Ints, literals: Ints, first_gate: int) -> tuple[Loop, ...]:
    """The segments that references to later (or the same) gates span, overlapping ones joined."""
    nodes = literals >> 1
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    targets = nodes - first_gate
    ahead = targets >= owners
    spans = sorted(zip(owners[ahead].tolist(), targets[ahead].tolist(), strict=True))
    loops: list[Loop] = []
    for first, last in spans:
        if loops and first <= loops[-1][1]:
            loops[-1] = (loops[-1][0], max(last, loops[-1][1]))
        else:
            loops.append((first, last))
    return tuple(loops)


def pack_gates(gates: Iterable[Iterable[Literal]]) -> tuple[Ints, Ints]:
    """Offsets and literals of gates given as lists."""
    offsets = [0]
    literals: list[Literal] = []
    for gate in gates:
        literals.extend(gate)
        offsets.append(len(literals))
    return np.array(offsets, np.int32), np.array(literals, np.int32)
