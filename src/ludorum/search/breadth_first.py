"""Breadth-first search for one player: the shortest way to the best goal, if memory lasts.

With a circuit, whole layers are expanded in lanes and remembered as packed rows: millions of states. States
are told apart by all their facts, a step counter too, unless it is to be ignored: then a position is expanded
only where it first occurs, and a plan found is checked like any other. Where the counter only ends the game,
the plan is also a shortest one, and it is best if no position seen has a higher value; elsewhere a better one
may be missed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.errors import IllegalMoveError
from ..engine.game import Game, State
from ..rules.terms import Term
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .plan import Plan, best_goal, only_role, play_plan
from .step_counter import StepCounter, known_step_counter

MEMORY_BYTES = 1 << 30
"""The most bytes of the stored states."""
STATE_BYTES = 1000
"""Approximate bytes of a state that is not packed."""
CELLS, ROWS = 1 << 20, 1 << 14
"""Legal flags and states processed between two looks at the clock."""


def breadth_first(
    game: Game,
    state: State | None = None,
    budget: Budget | None = None,
    memory_bytes: int = MEMORY_BYTES,
    *,
    ignore_steps: bool = False,
    on_exhausted: Callable[[], None] | None = None,
) -> Plan | None:
    """The shortest plan to the best goal found; None where no end with a value was found.

    ``on_exhausted`` is called where all reachable states were seen and none is such an end.

    ``optimal`` where the goal is the best there is or all states were seen; ``shortest`` unless step counters
    were ignored that may do more than end the game. To ignore them needs a circuit: without one, or where
    nothing counts steps, the answer is None.
    """
    only_role(game)
    watch = Stopwatch(budget or USUAL)
    begin = state or game.initial()
    circuit = compiled_game(game)
    packed = compiled_state(circuit, begin) if circuit else None
    if circuit is not None and packed is not None and circuit.state_bytes:  # some sheets have no fluents
        counter = known_step_counter(circuit, packed) if ignore_steps else None
        if ignore_steps and counter is None:
            return None
        plan, complete = _Packed(circuit, memory_bytes, counter).search(packed, watch)
        if plan is None and complete and on_exhausted is not None:
            on_exhausted()
        return plan if plan is None or counter is None else _as_played(packed, plan)
    if ignore_steps:
        return None
    plan, complete = _plain(game, begin, watch, memory_bytes)
    if plan is None and complete and on_exhausted is not None:
        on_exhausted()
    return plan


def _as_played(state: State, plan: Plan) -> Plan | None:
    """The plan if it replays: what seemed a step counter in some games may do more in others."""
    try:
        end = play_plan(state, plan.moves)
    except IllegalMoveError:
        return None
    return plan if end.is_terminal and end.goals() == (plan.goal,) else None


class _Packed:
    """Layers of packed rows, with the predecessor of every state and the move between them."""

    def __init__(self, game: CompiledGame, memory_bytes: int, counter: StepCounter | None = None) -> None:
        self.game = game
        self.exact = counter is None or counter.only_limits
        self.counter = None if counter is None else counter.bits
        """Bits that are ignored when states are compared; they are the same in all states of a layer."""
        self.count: NDArray[np.uint8] | None = None
        self.simulator = game.simulator()
        self.index = RowIndex(game.state_bytes)
        # A row, its hash, slots of a table that is at most half full, its predecessor and the move.
        self.limit = memory_bytes // (game.state_bytes + 8 + 16 + 8)
        self.parents = np.zeros(1, np.int32)
        self.moves = np.full(1, -1, np.int32)
        self.goal = -1
        self.end = 0
        self.promised = -1
        """The highest goal of any position, as if the game ended there."""

    def search(self, state: CompiledState, watch: Stopwatch) -> tuple[Plan | None, bool]:
        """A plan, and whether all states were seen."""
        target = best_goal(self.game)
        self.index.add(self._without_count(self.simulator.pack([state])))
        done, complete = 0, self.exact
        size = max(self.simulator.lanes, min(ROWS, CELLS // max(1, len(self.game.circuit.moves))))
        out_of_room = False
        while done < len(self.index) and self.goal < target and not out_of_room:
            layer = self.index.rows(done)
            if self.count is not None:
                layer |= self.count
            for begin in range(0, len(layer), size):
                if watch.is_up(len(self.index)) or len(self.index) > self.limit:
                    out_of_room, complete = True, False
                    break
                self._expand(np.ascontiguousarray(layer[begin : begin + size]), done + begin)
                if self.goal >= target:
                    break
            done += len(layer)
        if self.goal < 0:
            return None, complete and self.counter is None
        plan = Plan(
            self._way(self.end),
            self.goal,
            # A position seen early may occur again when the count ends the game.
            optimal=self.goal >= target
            or (complete and (self.counter is None or self.goal >= self.promised)),
            shortest=self.exact,
            nodes=len(self.index),
            seconds=watch.seconds,
            method="breadth-first" if self.counter is None else "breadth-first without step counter",
        )
        return plan, complete

    def _has_seen_the_best(self) -> bool:
        """Whether no end is better: a position passed early may occur again when the count ends the game."""
        return self.counter is None or self.goal >= self.promised

    def _without_count(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Rows of one layer without their counter, which is stored once."""
        if self.counter is None or not len(rows):
            return rows
        self.count = rows[0] & self.counter
        return rows & ~self.counter

    def _expand(self, rows: NDArray[np.uint8], first: int) -> None:
        packed, over, goals = self.simulator.expand(rows)
        self.promised = max(self.promised, int(goals[:, 0].max()))
        if over.any():
            values = np.where(over, goals[:, 0], -1)
            best = int(values.argmax())
            if values[best] > self.goal:
                self.goal, self.end = int(values[best]), first + best
        legal = self.simulator.legal_flags(packed)
        legal[over] = False
        parents, moves = np.nonzero(legal)
        if not len(parents):
            return
        joint = moves.astype(np.int32)[:, None]
        known = len(self.index)
        after = self.simulator.step(rows[parents], joint, check=False)
        numbers = self.index.add(self._without_count(after))
        fresh = np.flatnonzero(numbers >= known)
        _, at = np.unique(numbers[fresh], return_index=True)
        self._remember(known, (parents[fresh[at]] + first).astype(np.int32), joint[fresh[at], 0])

    def _remember(self, known: int, parents: NDArray[np.int32], moves: NDArray[np.int32]) -> None:
        """Arrays that grow by doubling: many small layers would otherwise be copied again and again."""
        total = known + len(parents)
        if total > len(self.parents):
            size = max(total, 2 * len(self.parents)) - len(self.parents)
            self.parents = np.concatenate([self.parents, np.zeros(size, np.int32)])
            self.moves = np.concatenate([self.moves, np.zeros(size, np.int32)])
        self.parents[known:total] = parents
        self.moves[known:total] = moves

    def _way(self, number: int) -> tuple[Term, ...]:
        way: list[Term] = []
        while number:
            way.append(self.game.circuit.moves[int(self.moves[number])][1])
            number = int(self.parents[number])
        return tuple(reversed(way))


def _plain(game: Game, state: State, watch: Stopwatch, memory_bytes: int) -> tuple[Plan | None, bool]:
    """The same over states of any engine, one at a time."""
    role, target = only_role(game), best_goal(game)
    came_from: dict[State, tuple[State, Term] | None] = {state: None}
    waiting = [state]
    goal, end, complete = -1, state, True
    for current in waiting:  # grows as it goes
        if watch.is_up(len(waiting)) or len(waiting) * STATE_BYTES > memory_bytes:
            complete = False
            break
        if current.is_terminal:
            value = current.goal(role)
            if value is not None and value > goal:
                goal, end = value, current
            if goal >= target:
                break
            continue
        for move in current.legal(role):
            after = current.play((move,))
            if after not in came_from:
                came_from[after] = current, move
                waiting.append(after)
    if goal < 0:
        return None, complete
    way: list[Term] = []
    while (step := came_from[end]) is not None:
        end, move = step
        way.append(move)
    optimal = complete or goal >= target
    nodes, seconds = len(waiting), watch.seconds
    return Plan(tuple(reversed(way)), goal, optimal, True, nodes, seconds, "breadth-first"), complete
