"""What a role knows, from all possible states in packed bits: exact, and fast where they are thousands.

States are rows for the lanes of a compiled game, which makes all steps at once. Percepts are compared as
columns, so that the absence of a percept counts as much as its presence. Where each state came from is kept:
any of them can be told as a course of moves.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled import CompiledGame
from ..engine.game import JointMove, State
from ..engine.packed_rows import distinct_rows
from ..engine.simulator import Numbers, Packed
from ..rules.terms import Term
from .knower import ImpossiblePerceptsError, Knower, Truth
from .listed_knower import MOST_STATES, Course, TooManyStatesError, goal_values, truth_of
from .worlds.options import RoleOptions, all_joints, count_joints
from .worlds.packed_step import PackedStep, ToldNumbers

MOST_JOINTS = 1 << 20
"""Joint moves tried at once, of all states together: some hundred megabytes for large games."""


@dataclass(frozen=True)
class _Origin:
    """The step that led to each row: the row it came from, and the numbers of the joint move."""

    parents: NDArray[np.int64]
    moves: Numbers


@dataclass(frozen=True)
class _Expanded:
    """What the rules say of each row."""

    packed: Packed
    """The legal moves, as bits."""
    terminal: NDArray[np.bool_]
    goals: Numbers
    """By row: the role's goal value, -1 where there is none or are several."""


class PackedKnower(Knower):
    """All states that agree with a role's moves and percepts, in the lanes of a compiled game."""

    def __init__(
        self,
        game: CompiledGame,
        role: Term,
        most: int = MOST_STATES,
        heeds_messages: bool = True,
        starts: Sequence[State] | None = None,
    ) -> None:
        """``heeds_messages``: whether a wish for a move tells that the match is not over.

        ``starts``: the states that are possible at the beginning, the first of the game unless given.
        """
        self.game = game
        self.role = role
        self.step = 0
        self.most = most
        self.heeds_messages = heeds_messages
        self.rows: Packed = game.shared_simulator.pack([game.initial()] if starts is None else starts)
        self._origins: list[_Origin] = []
        self._seat = game.seat(role)
        self._own = game.circuit.role_moves[self._seat]
        self._simulator = game.shared_simulator
        self._step = PackedStep(game, role, self._simulator)

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        told = self._step.told(move, percepts)
        if told is None:
            raise self._impossible()
        parents, moves = self._joint_moves(told)
        before = self.rows[parents]
        seen = self._step.seen(before, moves)
        if seen is not None and told.percepts is not None:
            agree = self._step.fits(seen, told.percepts)
            parents, moves, before = parents[agree], moves[agree], before[agree]
        after = self._step.after(before, moves)
        first = np.sort(distinct_rows(after)[0])
        if len(first) > self.most:
            raise TooManyStatesError(f"more than {self.most} states are possible for {self.role}")
        if not len(first):
            raise self._impossible()
        self._take(after[first])
        self._origins.append(_Origin(parents[first], moves[first]))
        self.step += 1
        if sum(len(one.parents) for one in self._origins) > 4 * self.most:
            self._origins = _living(self._origins)

    def asked(self) -> None:
        if self.heeds_messages:
            self._keep(~self._expanded.terminal)

    def stop(self) -> None:
        self._keep(self._expanded.terminal)

    def known_legal(self) -> frozenset[Term]:
        return self._moves(np.logical_and.reduce(self._legal, axis=0))

    def possible_legal(self) -> frozenset[Term]:
        return self._moves(np.logical_or.reduce(self._legal, axis=0))

    @property
    def knows_legal(self) -> bool:
        legal = self._legal
        return bool((legal == legal[0]).all())

    def known_facts(self) -> frozenset[Term]:
        return self.game.unpack(np.bitwise_and.reduce(self.rows, axis=0).tobytes())

    def possible_facts(self) -> frozenset[Term]:
        return self.game.unpack(np.bitwise_or.reduce(self.rows, axis=0).tobytes())

    def terminal(self) -> Truth:
        return truth_of(set(self._expanded.terminal.tolist()))

    def known_goals(self) -> frozenset[int]:
        return frozenset.intersection(*self._goals)

    def possible_goals(self) -> frozenset[int]:
        return frozenset.union(*self._goals)

    def __len__(self) -> int:
        """The number of possible states."""
        return len(self.rows)

    def copy(self) -> PackedKnower:
        """The knowledge of this moment, which later steps do not change."""
        made = copy.copy(self)
        made._origins = self._origins.copy()
        return made

    def facts(self) -> list[frozenset[Term]]:
        """The facts of each possible state."""
        return [self.game.unpack(row.tobytes()) for row in self.rows]

    def listed(self) -> list[State]:
        """The possible states."""
        return list(self._simulator.unpack(self.rows))

    def some_facts(self, count: int) -> list[frozenset[Term]]:
        """The facts of so many possible states at most, from all parts of the list."""
        return [self.game.unpack(row.tobytes()) for row in self.rows[:: -(-len(self.rows) // count)]]

    def course(self, row: int) -> Course:
        """A course that leads from a state at the beginning to a row."""
        found: list[JointMove] = []
        names = self.game.circuit.moves
        for origin in reversed(self._origins):
            found.append(tuple(names[number][1] for number in origin.moves[row].tolist()))
            row = int(origin.parents[row])
        return row, tuple(reversed(found))

    @cached_property
    def _expanded(self) -> _Expanded:
        packed, terminal, goals = self._simulator.expand(self.rows)
        return _Expanded(packed, terminal, goals[:, self._seat])

    @cached_property
    def _legal(self) -> NDArray[np.bool_]:
        """By row and own move."""
        return self._simulator.legal_flags(self._expanded.packed)[:, self._own.start : self._own.stop]

    @property
    def _goals(self) -> list[frozenset[int]]:
        """The different sets of goal values of all rows."""
        values = np.unique(self._expanded.goals)
        plain = [frozenset([int(value)]) for value in values if value >= 0]
        if values[0] >= 0:
            return plain
        odd = np.flatnonzero(self._expanded.goals < 0)
        states = self._simulator.unpack(self.rows[odd])
        return plain + [goal_values(state.goal_terms(self.role)) for state in states]

    def _joint_moves(self, told: ToldNumbers) -> tuple[NDArray[np.int64], Numbers]:
        """Every joint move with the told one of the role, in every row, and the row of each."""
        over = self._expanded.terminal
        able, legal = self._step.legal(
            self._expanded.packed, over if self.heeds_messages else np.zeros_like(over), told
        )
        if not able.any():
            raise self._impossible()
        options = [RoleOptions.of(one.flags, one.numbers) for one in legal]
        count = count_joints(options)
        if count > MOST_JOINTS:
            raise TooManyStatesError(f"{count:.3g} joint moves may have been made, too many to list")
        parents, moves, _ = all_joints(options)
        return np.flatnonzero(able)[parents], moves

    def _take(self, rows: Packed) -> None:
        self.rows = rows
        for name in ("_expanded", "_legal"):
            self.__dict__.pop(name, None)

    def _keep(self, wanted: NDArray[np.bool_]) -> None:
        """Keep the rows that are wanted."""
        if wanted.all():
            return
        if not wanted.any():
            raise self._impossible()
        self._take(self.rows[wanted])
        if self._origins:
            last = self._origins[-1]
            self._origins[-1] = _Origin(last.parents[wanted], last.moves[wanted])

    def _impossible(self) -> ImpossiblePerceptsError:
        return ImpossiblePerceptsError(
            f"no course of {self.game.name} agrees with what {self.role} was told in step {self.step + 1}"
        )

    def _moves(self, flags: NDArray[np.bool_]) -> frozenset[Term]:
        moves, first = self.game.circuit.moves, self._own.start
        return frozenset(moves[first + at][1] for at in np.flatnonzero(flags).tolist())


def _living(origins: list[_Origin]) -> list[_Origin]:
    """The steps without rows from which no later one comes."""
    kept = [origins[-1]]
    for origin in reversed(origins[:-1]):
        needed, parents = np.unique(kept[-1].parents, return_inverse=True)
        kept[-1] = _Origin(parents, kept[-1].moves)
        kept.append(_Origin(origin.parents[needed], origin.moves[needed]))
    return kept[::-1]
