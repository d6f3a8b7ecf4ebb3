"""What beam search plays on: many positions of a game at once, as rows of bits or as states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import State
from ..rules.terms import Term
from .breadth_first import STATE_BYTES
from .distances import Distances
from .goal_formula import NEVER
from .step_counter import known_step_counter

ESTIMATE_COST = 16
"""The moves that could be played in the time of a distance, about."""
MEMORY_BYTES = 1 << 28
"""The most bytes of the positions of a run."""

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Packed = NDArray[np.uint8]
States = list[State]
RowsT = TypeVar("RowsT")


@dataclass(frozen=True)
class LayerLook:
    """What counts of some positions."""

    over: Flags
    goals: Numbers
    """The goal as it stands; -1 where there is none."""
    ways: Numbers
    """Legal moves."""
    near: Numbers
    """The estimated distance to the best goal; 0 where it is not estimated, ``NEVER`` where it is proved that
    nothing better can be reached."""

    def of(self, chosen: Numbers) -> LayerLook:
        """The same of some of the positions."""
        return LayerLook(self.over[chosen], self.goals[chosen], self.ways[chosen], self.near[chosen])


def joined(looks: Sequence[LayerLook]) -> LayerLook:
    columns = zip(*((each.over, each.goals, each.ways, each.near) for each in looks), strict=True)
    return LayerLook(*(np.concatenate(each) for each in columns))


class BeamBoard(Protocol[RowsT]):
    """Plays many positions of a game."""

    is_exact: bool
    """Whether positions that are taken for the same are the same."""

    @property
    def estimate_cost(self) -> int:
        """The moves that could be played in the time of the estimate of a position."""
        ...

    def first(self) -> RowsT:
        """The position where lines begin."""
        ...

    def pairs(self, rows: RowsT) -> tuple[Numbers, Numbers]:
        """Every legal move in every position: the number of the position, and of the move."""
        ...

    def play(self, rows: RowsT, parents: Numbers, moves: Numbers) -> tuple[RowsT, Numbers]:
        """The positions after these moves that were not met before, and which of the moves lead there."""
        ...

    def look(self, rows: RowsT) -> LayerLook: ...

    def pick(self, rows: RowsT, chosen: Numbers) -> RowsT: ...

    def join(self, parts: Sequence[RowsT]) -> RowsT: ...

    def name(self, move: int) -> Term: ...

    def hopeless(self, rows: RowsT) -> Flags:
        """Of which of these positions it is proved that nothing better can be reached."""
        ...

    def is_full(self) -> bool:
        """Whether no more positions are remembered."""
        ...


class PackedBeamBoard:
    """Positions as rows of bits, in the kernels. Told apart without a counter that only ends the game."""

    def __init__(self, game: CompiledGame, state: CompiledState) -> None:
        self.game = game
        self.distances: Distances | None = None
        self.estimates = False
        """Whether every position is estimated."""
        self.drops_hopeless = False
        """Whether only the best goal would be better than what is known."""
        self.sees_hopeless = False
        """Whether only the best goal would be better than that and than the lowest."""
        self._simulator = game.simulator()
        self._first = self._simulator.pack([state])
        counter = known_step_counter(game, state)
        self.is_exact = counter is None or not counter.only_limits
        self._bits = np.zeros(game.state_bytes, np.uint8)
        if counter is not None and counter.only_limits:
            self._bits = counter.bits
        self._met = RowIndex(game.state_bytes)
        self._met.add(self._first & ~self._bits)

    @property
    def estimate_cost(self) -> int:
        return ESTIMATE_COST if self.estimates else 0

    def first(self) -> Packed:
        return self._first

    def pairs(self, rows: Packed) -> tuple[Numbers, Numbers]:
        parents, moves = np.nonzero(self._simulator.legal_moves(rows))
        return parents, moves

    def play(self, rows: Packed, parents: Numbers, moves: Numbers) -> tuple[Packed, Numbers]:
        joint = moves.astype(np.int32)[:, None]
        after = self._simulator.step(rows[parents], joint, check=False)
        known = len(self._met)
        numbers = self._met.add(after & ~self._bits)
        fresh = np.flatnonzero(numbers >= known)
        _, at = np.unique(numbers[fresh], return_index=True)
        return np.ascontiguousarray(after[fresh[at]]), fresh[at]

    def look(self, rows: Packed) -> LayerLook:
        legal, over, goals = self._simulator.expand(rows)
        ways = self._simulator.legal_flags(legal).sum(axis=1)
        near = self._near(rows) if self.estimates else np.zeros(len(rows), np.int64)
        return LayerLook(over, goals[:, 0].astype(np.int64), ways.astype(np.int64), near)

    def _near(self, rows: Packed) -> Numbers:
        if self.distances is None or not len(rows):
            return np.zeros(len(rows), np.int64)
        estimates = self.distances.estimate(rows)
        dropped = (estimates.steps >= NEVER) & self.drops_hopeless
        return np.where(dropped, NEVER, np.minimum(estimates.sum, NEVER - 1)).astype(np.int64)

    def hopeless(self, rows: Packed) -> Flags:
        if self.distances is None or not self.sees_hopeless:
            return np.zeros(len(rows), np.bool_)
        found: Flags = self.distances.estimate(rows).steps >= NEVER
        return found

    def pick(self, rows: Packed, chosen: Numbers) -> Packed:
        return np.ascontiguousarray(rows[chosen])

    def join(self, parts: Sequence[Packed]) -> Packed:
        return np.concatenate(parts)

    def name(self, move: int) -> Term:
        return self.game.circuit.moves[move][1]

    def is_full(self) -> bool:
        # A row, its hash, and slots of a table.
        return len(self._met) * (self.game.state_bytes + 8 + 16) > MEMORY_BYTES


class PlainBeamBoard:
    """The same over states of any engine, one at a time."""

    is_exact = True
    estimate_cost = 0

    def __init__(self, role: Term, state: State) -> None:
        self.role = role
        self._state = state
        self._met = {state}
        self._moves: list[Term] = []
        self._numbers: dict[Term, int] = {}

    def first(self) -> States:
        return [self._state]

    def pairs(self, rows: States) -> tuple[Numbers, Numbers]:
        found = [(at, self._number(move)) for at, state in enumerate(rows) for move in state.legal(self.role)]
        pairs = np.array(found, np.int64).reshape(len(found), 2)
        return pairs[:, 0], pairs[:, 1]

    def play(self, rows: States, parents: Numbers, moves: Numbers) -> tuple[States, Numbers]:
        found: States = []
        at: list[int] = []
        for place, (parent, move) in enumerate(zip(parents.tolist(), moves.tolist(), strict=True)):
            after = rows[parent].play((self._moves[move],))
            if after not in self._met:
                self._met.add(after)
                found.append(after)
                at.append(place)
        return found, np.array(at, np.int64)

    def look(self, rows: States) -> LayerLook:
        over = [state.is_terminal for state in rows]
        goals = [-1 if (goal := state.goal(self.role)) is None else goal for state in rows]
        ways = [0 if end else len(state.legal(self.role)) for state, end in zip(rows, over, strict=True)]
        return LayerLook(
            np.array(over, np.bool_),
            np.array(goals, np.int64),
            np.array(ways, np.int64),
            np.zeros(len(rows), np.int64),
        )

    def pick(self, rows: States, chosen: Numbers) -> States:
        return [rows[each] for each in chosen.tolist()]

    def join(self, parts: Sequence[States]) -> States:
        return [state for part in parts for state in part]

    def name(self, move: int) -> Term:
        return self._moves[move]

    def hopeless(self, rows: States) -> Flags:
        return np.zeros(len(rows), np.bool_)

    def is_full(self) -> bool:
        return len(self._met) * STATE_BYTES > MEMORY_BYTES

    def _number(self, move: Term) -> int:
        if move not in self._numbers:
            self._numbers[move] = len(self._moves)
            self._moves.append(move)
        return self._numbers[move]
