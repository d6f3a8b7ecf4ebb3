"""Does a strategy hold? Every answer of the others is tried, on an engine that knows nothing of the search.

In small games any engine will do, the reference too; with a circuit, states are tried hundreds at a time in
lanes, which share no code with the search for proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..._core import RowIndex
from ...engine.compiled import CompiledGame
from ...engine.game import Game, State
from ...engine.simulator import Packed, Simulator, joint_moves
from ...rules.terms import Term, format_term
from ...search.budget import TO_THE_END, Budget, Stopwatch
from ...search.compiled_state import compiled_game
from .packed_choices import NO_MOVE, NOT_LISTED, PackedChoices
from .strategy import Strategy, goal_at_end, is_over, refuse_other_game, refuse_secrets

BATCH = 1 << 15
"""States tried at once."""
FEW_EDGES = 1 << 20
"""Steps that are remembered; further ones are recomputed where they are needed."""


@dataclass(frozen=True)
class StrategyCheck:
    """The result of trying every answer."""

    holds: bool
    complete: bool
    """Whether every answer was tried; if not, ``holds`` says that no fault was found so far."""
    states: int
    ends: int
    worst: int | None
    """The least goal of the role at an end."""
    fault: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "holds": self.holds,
            "complete": self.complete,
            "states": self.states,
            "ends": self.ends,
            "worst": self.worst,
            "fault": self.fault,
        }


class _Fault(Exception):
    pass


def check_strategy(game: Game, strategy: Strategy, budget: Budget | None = None) -> StrategyCheck:
    """Plays a strategy against everything the others can do, nature included, from its start on.

    It holds if the role has a legal choice in every state that is reached, or a move that ends the game at
    once with what the strategy promises; if every line ends; and if no end gives the role less. StrategyError
    where it was made for another game, or where the game hides the state by which it chooses, unless it is
    marked as one of the opened game.
    """
    refuse_other_game(strategy, game)
    refuse_secrets(strategy, game)
    watch = Stopwatch(budget or TO_THE_END)
    circuit = compiled_game(game)
    checker = _Plain(game, strategy, watch) if circuit is None else _Lanes(circuit, strategy, watch)
    try:
        complete = checker.run()
    except _Fault as fault:
        return StrategyCheck(False, True, checker.states, checker.ends, checker.worst, str(fault))
    return StrategyCheck(True, complete, checker.states, checker.ends, checker.worst)


class _Plain:
    """Checks one state at a time, depth first: a state met again while it is still open is a cycle."""

    def __init__(self, game: Game, strategy: Strategy, watch: Stopwatch) -> None:
        self.game, self.strategy, self.watch = game, strategy, watch
        self.states = self.ends = 0
        self.worst: int | None = None
        self.seat = game.roles.index(strategy.role)

    def run(self) -> bool:
        start = self.game.state(self.strategy.start)
        is_open = {start: True}
        lines = [(start, self._after(start))]
        while lines:
            state, after = lines[-1]
            child = next(after, None)
            if child is None:
                is_open[state] = False
                lines.pop()
            elif is_open.get(child):
                raise _Fault(f"play goes in circles: {child} comes back")
            elif child not in is_open:
                if self.watch.is_up(len(is_open)):
                    return False
                is_open[child] = True
                lines.append((child, self._after(child)))
        return True

    def _after(self, state: State) -> Iterator[State]:
        self.states += 1
        if is_over(state):
            goal = goal_at_end(state, self.strategy.role)
            self._end(goal)
            if goal < self.strategy.value:
                raise _Fault(f"{format_term(self.strategy.role)} gets {goal} only in {state}")
            return iter(())
        moves: list[tuple[Term, ...]] = [state.legal(role) for role in self.game.roles]
        if len(moves[self.seat]) > 1:
            chosen = self.strategy.listed(state)
            if chosen is None:
                return self._end_at_once(state)
            if chosen not in moves[self.seat]:
                raise _Fault(f"the strategy has {format_term(chosen)}, which is not legal, for {state}")
            moves[self.seat] = (chosen,)
        return (state.play(joint) for joint in product(*moves))

    def _end_at_once(self, state: State) -> Iterator[State]:
        found = self.strategy.end_at_once(state)
        if found is None:
            raise _Fault(f"the strategy has no choice for {state}")
        self._end(found[1])
        return iter(())

    def _end(self, goal: int) -> None:
        self.ends += 1
        self.worst = goal if self.worst is None else min(goal, self.worst)


class _Lanes:
    """Checks all states of a wave at once. Lines end if each step leads to a later wave; where one does not,
    the graph of all steps is searched for cycles."""

    def __init__(self, game: CompiledGame, strategy: Strategy, watch: Stopwatch) -> None:
        self.game, self.strategy, self.watch = game, strategy, watch
        self.states = self.ends = 0
        self.worst: int | None = None
        self.seat = game.seat(strategy.role)
        self.own = game.circuit.role_moves[self.seat]
        self.sizes = [len(own) for own in game.circuit.role_moves]
        self.simulator: Simulator[State] = game.simulator()

    def run(self) -> bool:
        try:
            self.choices = PackedChoices(self.game, self.strategy)
        except ValueError as error:
            raise _Fault(str(error)) from error
        index = RowIndex(self.game.state_bytes)
        index.add(self.simulator.pack([self.game.state(self.strategy.start)]))
        later, is_later = 0, True
        edges = _Edges()
        while self.states < len(index):
            if self.watch.is_up(self.states):
                return False
            if self.states == later:
                later = len(index)
            first, rows = self.states, index.rows(self.states, min(BATCH, later - self.states))
            self.states += len(rows)
            at, after, goals = self._step(rows)
            if len(goals):
                self.ends += len(goals)
                worst = int(goals.min())
                self.worst = worst if self.worst is None else min(self.worst, worst)
            children = index.add(after)
            is_later = is_later and bool((children >= later).all())
            if edges.count < FEW_EDGES:
                edges.add(at + first, children)
        if not is_later:
            _refuse_circles(len(index), edges if edges.count < FEW_EDGES else self._all_edges(index))
        return True

    def _all_edges(self, index: RowIndex) -> _Edges:
        edges = _Edges()
        for first in range(0, len(index), BATCH):
            at, after, _ = self._step(index.rows(first, BATCH))
            edges.add(at + first, index.find(after))
        return edges

    def _step(self, rows: Packed) -> tuple[NDArray[np.int64], Packed, NDArray[np.int32]]:
        """The successors under all answers of the others, each with the row it comes from; and the role's
        goals at ends, also at those that it reaches by a move that is not listed."""
        legal, over, goals = self._look(rows)
        ends = [goals[over]]
        self._refuse_less(rows[over], ends[0])
        choosing = np.flatnonzero(legal[:, self.own.start : self.own.stop].sum(axis=1) > 1)
        chosen = self.choices.find(rows[choosing])
        left = choosing[chosen == NOT_LISTED]
        if len(left):
            ends.append(self._end_at_once(rows[left], legal[left]))
        choosing, chosen = choosing[chosen != NOT_LISTED], chosen[chosen != NOT_LISTED]
        wrong = (chosen == NO_MOVE) | ~legal[choosing, chosen]
        if wrong.any():
            state = self._state(rows[choosing[wrong][0]])
            raise _Fault(f"the strategy has a choice which is not legal for {state}")
        legal[choosing, self.own.start : self.own.stop] = False
        legal[choosing, chosen] = True
        legal[left] = False
        at, moves = joint_moves(legal, self.sizes)
        return at, self.simulator.step(rows[at], moves, check=False), np.concatenate(ends)

    def _look(self, rows: Packed) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int32]]:
        """Legal flags, none where play is over; whether it is over; and what the role gets there."""
        packed, over, goals = self.simulator.expand(rows)
        legal = self.simulator.legal_flags(packed)
        for own in self.game.circuit.role_moves:
            over = over | ~legal[:, own.start : own.stop].any(axis=1)
        legal[over] = False
        return legal, over, np.clip(goals[:, self.seat], 0, 100)

    def _end_at_once(self, rows: Packed, legal: NDArray[np.bool_]) -> NDArray[np.int32]:
        """The most that the role gets by a move that ends the game, where it has no choice that is listed."""
        for seat, own in enumerate(self.game.circuit.role_moves):
            if seat != self.seat:
                legal[legal[:, own.start : own.stop].sum(axis=1) > 1] = False
        at, moves = joint_moves(legal, self.sizes)
        _, over, goals = self._look(self.simulator.step(rows[at], moves, check=False))
        best = np.full(len(rows), -1, np.int32)
        np.maximum.at(best, at[over], goals[over])
        missing = best < self.strategy.value
        if missing.any():
            raise _Fault(f"the strategy has no choice for {self._state(rows[missing][0])}")
        return best

    def _refuse_less(self, rows: Packed, goals: NDArray[np.int32]) -> None:
        if len(goals) and (worst := int(goals.min())) < self.strategy.value:
            state = self._state(rows[int(goals.argmin())])
            raise _Fault(f"{format_term(self.strategy.role)} gets {worst} only in {state}")

    def _state(self, row: Packed) -> State:
        return self.game.unpacked(row.tobytes())


class _Edges:
    """Steps from states to states, by number."""

    def __init__(self) -> None:
        self.parents, self.children = list[NDArray[np.int64]](), list[NDArray[np.int64]]()
        self.count = 0

    def add(self, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
        self.parents.append(parents)
        self.children.append(children)
        self.count += len(parents)


def _refuse_circles(states: int, edges: _Edges) -> None:
    """Removes states without successors until none is left to remove; what remains leads into cycles."""
    parents, children = np.concatenate(edges.parents), np.concatenate(edges.children)
    left = np.bincount(parents, minlength=states)
    order = np.argsort(children, kind="stable")
    into = parents[order]
    first = np.searchsorted(children[order], np.arange(states + 1))
    wave = np.flatnonzero(left == 0)
    gone = len(wave)
    while len(wave):
        lengths = first[wave + 1] - first[wave]
        offsets = np.repeat(first[wave] - np.cumsum(lengths) + lengths, lengths)
        reached = into[offsets + np.arange(len(offsets))]
        np.subtract.at(left, reached, 1)
        wave = np.unique(reached)
        wave = wave[left[wave] == 0]
        gone += len(wave)
    if gone < states:
        raise _Fault("play can go in circles: some lines never end")
