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
from ...rules.kif import format_term
from ...rules.terms import Term
from ...search.budget import Budget, Stopwatch
from ...search.compiled_state import compiled_game
from .strategy import Strategy, refuse_other_game

BATCH = 1 << 15
"""States tried at once."""


@dataclass(frozen=True)
class Check:
    """What trying every answer has come to."""

    holds: bool
    complete: bool
    """Whether everything was tried; where not, ``holds`` says that nothing wrong was met so far."""
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


def check_strategy(game: Game, strategy: Strategy, budget: Budget | None = None) -> Check:
    """Plays a strategy against everything the others can do, nature included, from its start on.

    It holds if the role has a legal choice in every state that is reached, every line ends, and no end gives
    the role less than the strategy promises. StrategyError where it was made for another game.
    """
    refuse_other_game(strategy, game)
    watch = Stopwatch(budget or Budget(seconds=3600))
    circuit = compiled_game(game)
    checker = _Plain(game, strategy, watch) if circuit is None else _Lanes(circuit, strategy, watch)
    try:
        complete = checker.run()
    except _Fault as fault:
        return Check(False, True, checker.states, checker.ends, checker.worst, str(fault))
    return Check(True, complete, checker.states, checker.ends, checker.worst)


class _Plain:
    """One state at a time, depth first: a state met again while it is still open is a circle."""

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
        moves: list[tuple[Term, ...]] = [state.legal(role) for role in self.game.roles]
        if state.is_terminal or not all(moves):
            self._value(state)
            return iter(())
        chosen = self.strategy.move(state)
        if chosen is None or chosen not in moves[self.seat]:
            what = "no choice" if chosen is None else f"{format_term(chosen)}, which is not legal,"
            raise _Fault(f"the strategy has {what} for {state}")
        moves[self.seat] = (chosen,)
        return (state.play(joint) for joint in product(*moves))

    def _value(self, state: State) -> None:
        goal = max(0, state.goal(self.strategy.role) or 0)
        self.ends += 1
        self.worst = goal if self.worst is None else min(goal, self.worst)
        if goal < self.strategy.value:
            raise _Fault(f"{format_term(self.strategy.role)} gets {goal} only in {state}")


class _Lanes:
    """All states of a wave at once; whether play can go in circles is asked at the end, from all edges."""

    def __init__(self, game: CompiledGame, strategy: Strategy, watch: Stopwatch) -> None:
        self.game, self.strategy, self.watch = game, strategy, watch
        self.states = self.ends = 0
        self.worst: int | None = None
        self.seat = game.seat(strategy.role)
        self.own = game.circuit.role_moves[self.seat]
        self.simulator: Simulator = game.simulator()

    def _choices(self) -> tuple[RowIndex, NDArray[np.int64]]:
        """The strategy's states in the circuit's order of facts, and the circuit's numbers of its moves."""
        strategy, circuit = self.strategy, self.game.circuit
        places = [self.game._fluents.get(fluent, -1) for fluent in strategy.fluents]
        numbers = np.array([circuit.move_number(self.seat, move) for move in strategy.moves], np.int64)
        index = RowIndex(self.game.state_bytes)
        rows = np.frombuffer(strategy.states, np.uint8).reshape(-1, strategy.row_bytes)
        for begin in range(0, len(rows), BATCH):
            bits = np.unpackbits(
                rows[begin : begin + BATCH], axis=1, count=len(strategy.fluents), bitorder="little"
            )
            own = np.zeros((len(bits), len(circuit.fluents)), np.uint8)
            known = np.array([place >= 0 for place in places], bool)
            own[:, [place for place in places if place >= 0]] = bits[:, known]
            index.add(np.packbits(own, axis=1, bitorder="little"))
        if len(index) != len(strategy):
            raise _Fault("the strategy has two choices for one state")
        chosen = numbers[np.array(strategy.choices, np.int64)] if len(strategy) else numbers[:0]
        return index, chosen

    def run(self) -> bool:
        self.choices, self.numbers = self._choices()
        index = RowIndex(self.game.state_bytes)
        index.add(self.simulator.pack([self.game.state(self.strategy.start)]))
        parents: list[NDArray[np.int64]] = []
        children: list[NDArray[np.int64]] = []
        sizes = [len(own) for own in self.game.circuit.role_moves]
        while self.states < len(index):
            if self.watch.is_up(self.states):
                return False
            first = self.states
            rows = np.ascontiguousarray(index.rows(first)[:BATCH])
            self.states += len(rows)
            legal = self._fixed(rows)
            at, moves = joint_moves(legal, sizes)
            after = self.simulator.step(np.ascontiguousarray(rows[at]), moves, check=False)
            parents.append(at + first)
            children.append(index.add(after))
        _refuse_circles(self.states, np.concatenate(parents), np.concatenate(children))
        return True

    def _fixed(self, rows: Packed) -> NDArray[np.bool_]:
        """Legal flags with the strategy's choice alone for the role, and none at ends."""
        packed, over, goals = self.simulator.expand(rows)
        legal = self.simulator.legal_flags(packed)
        for own in self.game.circuit.role_moves:
            over = over | ~legal[:, own.start : own.stop].any(axis=1)
        legal[over] = False
        self._value(rows[over], goals[over, self.seat])
        choosing = np.flatnonzero(legal[:, self.own.start : self.own.stop].sum(axis=1) > 1)
        if not len(choosing):
            return legal
        at = self.choices.add(np.ascontiguousarray(rows[choosing]))
        missing = at >= len(self.numbers)
        if missing.any():
            raise _Fault(f"the strategy has no choice for {self._state(rows[choosing[missing][0]])}")
        moves = self.numbers[at]
        wrong = (moves < 0) | ~legal[choosing, moves]
        if wrong.any():
            state = self._state(rows[choosing[wrong][0]])
            raise _Fault(f"the strategy has a choice which is not legal for {state}")
        legal[choosing, self.own.start : self.own.stop] = False
        legal[choosing, moves] = True
        return legal

    def _value(self, rows: Packed, goals: NDArray[np.int32]) -> None:
        if not len(goals):
            return
        goals = np.clip(goals, 0, 100)
        worst = int(goals.min())
        self.ends += len(goals)
        self.worst = worst if self.worst is None else min(self.worst, worst)
        if worst < self.strategy.value:
            state = self._state(rows[int(goals.argmin())])
            raise _Fault(f"{format_term(self.strategy.role)} gets {worst} only in {state}")

    def _state(self, row: Packed) -> State:
        return self.game.unpacked(row.tobytes())


def _refuse_circles(states: int, parents: NDArray[np.int64], children: NDArray[np.int64]) -> None:
    """Takes away states whose successors are all gone, again and again; what stays can go in circles."""
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
