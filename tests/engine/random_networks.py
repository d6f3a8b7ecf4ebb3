"""Circuits without any game behind them, for comparing kernels with the plain oracle."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludorum.engine.circuit import Circuit, Literal, find_loops, pack_gates
from ludorum.rules.terms import Term


class Builder:
    """Gates one after the other; a seeded generator decides everything (Hypothesis would draw too slowly)."""

    def __init__(self, random: Random, fluents: int, moves: list[int]) -> None:
        self.random = random
        self.fluents, self.moves = fluents, sum(moves)
        self.gates: list[list[Literal]] = []

    @property
    def nodes(self) -> int:
        return self.fluents + self.moves + 1 + len(self.gates)

    def literal(self, with_moves: bool) -> Literal:
        choices = list(range(self.fluents)) + list(range(self.fluents + self.moves, self.nodes))
        if with_moves:
            choices = list(range(self.nodes))
        # Late nodes are drawn more often: deep circuits find more faults than flat ones.
        at = max(self.random.randrange(len(choices)), self.random.randrange(len(choices)))
        return 2 * choices[at] + self.random.randrange(2)

    def add(self, gate: list[Literal]) -> Literal:
        self.gates.append(gate)
        return 2 * (self.nodes - 1)

    def add_random(self, count: int, with_moves: bool) -> None:
        for _ in range(count):
            size = self.random.choice([1, 2, 2, 2, 3, 3, 4, 5, 7, 9, 17])
            self.add([self.literal(with_moves) for _ in range(size)])

    def add_loop(self, places: int, with_moves: bool) -> None:
        """Places reached from seeds along edges: each edge is a gate, and what is reached is NOT NOR."""
        seeds = [self.literal(with_moves) for _ in range(places)]
        edges = [[self.literal(with_moves) for _ in range(places)] for _ in range(places)]
        first = self.nodes
        width = places + 2  # the gates of a place: its edges in, NOR, NOT
        reached = [2 * (first + place * width + width - 1) for place in range(places)]
        for place in range(places):
            edge_gates = [self.add([edges[place][other], reached[other]]) for other in range(places)]
            nor = self.add([seeds[place] ^ 1, *(gate ^ 1 for gate in edge_gates)])
            self.add([nor ^ 1])


def circuits() -> st.SearchStrategy[Circuit]:
    return st.builds(random_circuit, st.integers(0, 2**32))


def random_circuit(seed: int, gates: int = 25) -> Circuit:
    random = Random(seed)
    fluents = random.choice([1, 3, 8, 9, 63, 64, 65, 70])
    moves = [random.choice([1, 2, 3, 8, 9, 17]) for _ in range(random.randint(1, 3))]
    builder = Builder(random, fluents, moves)
    builder.add_random(random.randint(0, gates), with_moves=False)
    if random.randrange(2):
        builder.add_loop(random.randint(1, 4), with_moves=False)
    state_literals = [builder.literal(with_moves=False) for _ in range(sum(moves) + 9)]
    builder.add_random(random.randint(0, gates), with_moves=True)
    if random.randrange(2):
        builder.add_loop(random.randint(1, 3), with_moves=True)
    following = [builder.literal(with_moves=True) for _ in range(fluents)]
    if random.randrange(2):
        # A clock of two to four fluents, so that play goes in modes.
        length = min(random.randint(2, 4), fluents)
        for at in range(length):
            following[at] = 2 * ((at + 1) % length)
    roles = len(moves)
    goals = tuple((at % roles, at, literal) for at, literal in enumerate(state_literals[:8]))
    offsets, literals = pack_gates(builder.gates)
    first_gate = fluents + sum(moves) + 1
    return Circuit(
        roles=tuple(Term(f"r{role}") for role in range(roles)),
        fluents=tuple(Term("f", (Term(str(at)),)) for at in range(fluents)),
        moves=tuple((role, Term(f"m{at}")) for role, count in enumerate(moves) for at in range(count)),
        gate_offsets=offsets,
        gate_literals=literals,
        legal=np.array(state_literals[9:], np.int32),
        terminal=state_literals[8],
        goals=goals,
        next=np.array(following, np.int32),
        sees=tuple((at % roles, Term(f"p{at}"), builder.literal(with_moves=True)) for at in range(10)),
        initial=np.array([random.random() < 0.5 for _ in range(fluents)]),
        loops=find_loops(offsets, literals, first_gate),
    )


def random_states(circuit: Circuit, count: int, seed: int) -> NDArray[np.bool_]:
    """Some states as rows of booleans, one of them the initial one."""
    rows = np.random.default_rng(seed).random((count, len(circuit.fluents))) < 0.5
    rows[0] = circuit.initial
    return rows


def random_moves(circuit: Circuit, count: int, seed: int) -> NDArray[np.int32]:
    """Rows of one move number for each role, legal or not."""
    random = np.random.default_rng(seed)
    columns = [random.integers(moves.start, moves.stop, count) for moves in circuit.role_moves]
    return np.stack(columns, axis=1).astype(np.int32)


def pack(rows: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(rows, axis=1, bitorder="little")


def unpack(rows: NDArray[np.uint8], count: int) -> NDArray[np.bool_]:
    return np.unpackbits(rows, axis=1, count=count, bitorder="little").astype(bool)
