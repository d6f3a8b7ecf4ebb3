"""The relaxation of a game: all legal moves are made at once, and nothing that may hold gets in their way.

The relaxation has two fluents for each of the game: *possible* (it may hold) and *certain* (it holds in any
case). One step of it makes all moves at once that may be legal: what some of them may bring about becomes
possible, and what none of them can end stays certain. Every play of the game runs inside it, so the first
step at which an end with the goal is possible is never later than the true one (interval reasoning over the
gates; for classical planning this is the estimate h_max of Bonet and Geffner, AIJ 2001, with both polarities
of facts).

The relaxation is a circuit itself, so the kernels run it for hundreds of states at once. Fluents that count
steps are counted in it as well.
"""

from __future__ import annotations

import numpy as np

from ..engine.circuit import Circuit, Ints, Literal, find_loops, pack_gates
from ..rules.terms import Term

ROLE, ALL_MOVES = Term("everyone"), Term("all")


def relax(circuit: Circuit, goal: int) -> Circuit:
    """The relaxation of a circuit for one role; ``terminal`` says that an end with this goal is possible.

    Its fluents are those of the game twice, possible and certain, each time filled up to whole bytes, so that
    packed states can be put side by side. Its only move is legal unless the game is over in any case.
    """
    fluents = len(circuit.fluents)
    width = 8 * ((fluents + 7) // 8)
    true = 2 * (2 * width + 1)
    first_gate = 2 * width + 2
    possible, certain = _rails(circuit, width, true)
    offsets, literals = _paired_gates(circuit, possible, certain)

    ends: list[list[Literal]] = []

    def add(inside: list[Literal]) -> Literal:
        ends.append(inside)
        return 2 * (first_gate + 2 * circuit.gates + len(ends) - 1)

    # An end with several values has none.
    won = [
        add([int(possible[each]) for each in (one, *(two ^ 1 for _, _, two in circuit.goals if two != one))])
        for _, value, one in circuit.goals
        if value == goal
    ]
    some = add([each ^ 1 for each in won] or [true]) ^ 1
    end = add([int(possible[circuit.terminal]), some])

    more, last = pack_gates(ends)
    offsets = np.concatenate([offsets[:-1], offsets[-1] + more])
    literals = np.concatenate([literals, last])
    empty = np.full(width - fluents, true ^ 1, np.int32)
    names = (*circuit.fluents, *(Term("none", (Term(str(place)),)) for place in range(len(empty))))
    return Circuit(
        roles=(ROLE,),
        fluents=tuple(Term(rail, (name,)) for rail in ("possible", "certain") for name in names),
        moves=((0, ALL_MOVES),),
        gate_offsets=offsets,
        gate_literals=literals,
        legal=np.array([certain[circuit.terminal] ^ 1], np.int32),
        terminal=end,
        goals=((0, 100, true),),
        next=np.concatenate([possible[circuit.next], empty, certain[circuit.next], empty]),
        sees=(),
        initial=np.tile(np.concatenate([circuit.initial, np.zeros(len(empty), np.bool_)]), 2),
        loops=find_loops(offsets, literals, first_gate),
    )


def _rails(circuit: Circuit, width: int, true: Literal) -> tuple[Ints, Ints]:
    """For each literal of the game those that say whether it may hold, and whether it does in any case."""
    fluents, moves = len(circuit.fluents), len(circuit.moves)
    gates = 4 * np.arange(circuit.gates, dtype=np.int32) + 2 * (2 * width + 2)
    false = np.full(moves, true ^ 1, np.int32)  # no move must be made
    may = np.concatenate([2 * np.arange(fluents, dtype=np.int32), false, [true], gates])
    must = np.concatenate([2 * np.arange(width, width + fluents, dtype=np.int32), false, [true], gates + 2])
    possible = np.stack([may, must ^ 1], axis=1).reshape(-1).astype(np.int32)
    certain = np.stack([must, may ^ 1], axis=1).reshape(-1).astype(np.int32)
    own = 2 * np.arange(fluents, fluents + moves)
    possible[own] = possible[circuit.legal]
    certain[own + 1] = possible[own] ^ 1
    return possible, certain


def _paired_gates(circuit: Circuit, possible: Ints, certain: Ints) -> tuple[Ints, Ints]:
    """Two gates for each: whether it may hold, and whether it does in any case."""
    sizes = np.diff(circuit.gate_offsets)
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(np.repeat(sizes, 2))]).astype(np.int32)
    owners = np.repeat(np.arange(circuit.gates), sizes)
    places = np.arange(len(circuit.gate_literals)) + circuit.gate_offsets[owners]
    literals = np.empty(2 * len(places), np.int32)
    literals[places] = possible[circuit.gate_literals]
    literals[places + sizes[owners]] = certain[circuit.gate_literals]
    return offsets, literals
