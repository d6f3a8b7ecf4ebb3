"""All reachable states of a game with their moves and goals, which decides every property of small games.

Roles may move at the same time here, unlike in ``search.state_graph``; moves are kept, so that a play to
any state can be given.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..._core import RowIndex
from ...engine.compiled import CompiledGame
from ...engine.game import JointMove
from ...engine.simulator import Packed, joint_moves
from ...search.budget import Stopwatch

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

CELLS = 1 << 22
"""Legal flags processed in one batch."""
MOST_EDGES = 4_000_000
"""Bounds the memory: an edge takes some 40 bytes while it is worked with."""


@dataclass(frozen=True)
class Reachable:
    """State 0 is the initial one; states stand in breadth-first order, edges in the order of their states."""

    game: CompiledGame
    rows: Packed
    terminal: Flags
    widths: NDArray[np.int32]
    """Legal moves of each state and role, in terminal states too."""
    goals: NDArray[np.int32]
    """Goal values of each state and role; -1 where the rules give none or several."""
    first_edge: Ints
    children: Ints
    moves: NDArray[np.int32]
    """Move numbers of each edge, a column for each role."""

    @property
    def states(self) -> int:
        return len(self.rows)

    @cached_property
    def parents(self) -> Ints:
        """The state each edge leaves."""
        return np.repeat(np.arange(self.states), np.diff(self.first_edge))

    @cached_property
    def stuck(self) -> Flags:
        """Where the game goes on but some role has no move."""
        idle: Flags = np.any(self.widths == 0, axis=1)
        return ~self.terminal & idle

    @cached_property
    def facts(self) -> Flags:
        """A row for each state, a column for each fluent of the circuit."""
        count = len(self.game.circuit.fluents)
        return np.unpackbits(self.rows, axis=1, count=count, bitorder="little").view(np.bool_)

    @cached_property
    def _first_way(self) -> Ints:
        """The edge by which each state was found; -1 for the initial one."""
        ways = np.full(self.states, -1, np.int64)
        found, first = np.unique(self.children, return_index=True)
        ways[found] = first
        ways[0] = -1
        return ways

    def way_to(self, state: int) -> tuple[JointMove, ...]:
        """The joint moves of a shortest play to a state."""
        edges = []
        while state:
            edges.append(int(self._first_way[state]))
            state = int(self.parents[edges[-1]])
        return tuple(self.joint(edge) for edge in reversed(edges))

    def joint(self, edge: int) -> JointMove:
        """The joint move of an edge."""
        table = self.game.circuit.moves
        return tuple(table[int(move)][1] for move in self.moves[edge])

    @cached_property
    def depths(self) -> tuple[Ints, Ints]:
        """The longest play to each state, and its incoming edges left over, which only cycles leave."""
        waiting = np.bincount(self.children, minlength=self.states)
        depth = np.zeros(self.states, np.int64)
        wave = np.flatnonzero(waiting == 0)
        while len(wave):
            edges = self.edges_of(wave)
            reached = self.children[edges]
            np.maximum.at(depth, reached, depth[self.parents[edges]] + 1)
            np.subtract.at(waiting, reached, 1)
            wave = np.unique(reached)
            wave = wave[waiting[wave] == 0]
        return depth, waiting

    def edges_of(self, states: Ints) -> Ints:
        """The edges that leave some states."""
        counts = self.first_edge[states + 1] - self.first_edge[states]
        starts = np.repeat(self.first_edge[states] - np.cumsum(counts) + counts, counts)
        return starts + np.arange(int(counts.sum()))

    @property
    def longest(self) -> int | None:
        """Moves of the longest play; None where play can go on for ever."""
        depth, waiting = self.depths
        return None if waiting.any() else int(depth.max())

    def circle(self) -> tuple[tuple[JointMove, ...], tuple[JointMove, ...]] | None:
        """A play that comes back to where it was: the way there and the way round; None: there is none."""
        _, waiting = self.depths
        inside = waiting > 0
        edges = np.flatnonzero(inside[self.children] & inside[self.parents])
        if not len(edges):
            return None
        before = np.full(self.states, -1, np.int64)
        before[self.children[edges]] = edges
        # Every state left over has an edge from another one left over: going back must repeat a state.
        state, seen = int(self.children[edges[0]]), set[int]()
        while state not in seen:
            seen.add(state)
            state = int(self.parents[before[state]])
        round_trip: list[int] = []
        at = state
        while not round_trip or at != state:
            round_trip.append(int(before[at]))
            at = int(self.parents[before[at]])
        return self.way_to(state), tuple(self.joint(edge) for edge in reversed(round_trip))

    def forced(self, role: int, target: Flags) -> Flags:
        """The states from which a role can force a target, whatever the others do at the same time."""
        won = target.copy()
        if not len(self.children):
            return won
        own = self.moves[:, role]
        order = np.lexsort((own, self.parents))
        parents, own, children = self.parents[order], own[order], self.children[order]
        starts = np.flatnonzero(np.r_[True, (parents[1:] != parents[:-1]) | (own[1:] != own[:-1])])
        while True:
            choices = np.logical_and.reduceat(won[children], starts)
            new = np.unique(parents[starts[choices]])
            if won[new].all():
                return won
            won[new] = True


def reach_all(game: CompiledGame, watch: Stopwatch, limit: int) -> Reachable | None:
    """All reachable states; None where there are more than the limit, the time or the memory allows."""
    simulator = game.simulator()
    sizes = [len(own) for own in game.circuit.role_moves]
    index = RowIndex(game.state_bytes)
    index.add(simulator.pack([game.initial()]))
    parts: list[tuple[Flags, NDArray[np.int32], NDArray[np.int32], Ints, Ints, NDArray[np.int32]]] = []
    done, edges = 0, 0.0
    batch = max(simulator.lanes, CELLS // max(1, len(game.circuit.moves)))
    while done < len(index):
        layer = index.rows(done)
        for begin in range(0, len(layer), batch):
            rows = np.ascontiguousarray(layer[begin : begin + batch])
            packed, over, goals = simulator.expand(rows)
            legal = simulator.legal_flags(packed)
            widths = np.stack(
                [legal[:, own.start : own.stop].sum(axis=1) for own in game.circuit.role_moves], axis=1
            ).astype(np.int32)
            # As floats: ten roles with a hundred moves each overflow integers.
            edges += widths.astype(np.float64).prod(axis=1)[~over].sum()
            if edges > MOST_EDGES or len(index) > limit or watch.is_up():
                return None
            legal[over] = False
            parents, moves = joint_moves(legal, sizes)
            children = index.add(simulator.step(rows[parents], moves, check=False))
            counts = np.bincount(parents, minlength=len(rows))
            parts.append((over.copy(), widths, goals.copy(), counts, children, moves))
        done += len(layer)
    terminal, widths, goals, counts, children, moves = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return Reachable(game, index.rows(), terminal, widths, goals, first, children.astype(np.int64), moves)
