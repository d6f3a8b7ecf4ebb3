"""A* and IDA* for one player: the shortest way to a goal, led by an estimate of the steps that are left.

The estimate must be admissible (never too high), or plans need not be shortest; ``math.inf`` says that there
is no plan. Without an estimate A* is breadth-first search.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from itertools import count

from ..engine.game import Game, State
from ..rules.terms import Term
from .budget import USUAL, Budget, Stopwatch
from .plan import Plan, best_goal, only_role

Distance = Callable[[State], float]
"""A lower bound of the steps from a state to an end with the goal."""

DEEPEST = 500
"""The longest line of IDA*, which is recursive."""


def blind(state: State) -> float:
    """The estimate 0, which is always admissible."""
    return 0.0


def a_star(
    game: Game,
    state: State | None = None,
    distance: Distance = blind,
    budget: Budget | None = None,
    goal: int | None = None,
) -> Plan | None:
    """The shortest plan to an end with at least this goal (by default the best possible), if one is found."""
    role, target = only_role(game), best_goal(game) if goal is None else goal
    watch = Stopwatch(budget or USUAL)
    begin = state or game.initial()
    ticket = count()  # ties: the older first, since states cannot be compared
    steps = {begin: 0}
    came_from: dict[State, tuple[State, Term]] = {}
    # Of equal sums the one that is nearer to the end first.
    queue = [(distance(begin), distance(begin), next(ticket), begin)]
    closed: set[State] = set()
    while queue:
        if watch.is_up(len(steps)):
            return None
        total, _, _, current = heapq.heappop(queue)
        if current in closed or math.isinf(total):
            continue
        closed.add(current)
        if current.is_terminal:
            value = current.goal(role)
            if value is not None and value >= target:
                moves = _way(came_from, current)
                best = value >= best_goal(game)
                return Plan(moves, value, best, True, len(steps), watch.seconds, "A*")
            continue
        for move in current.legal(role):
            after = current.play((move,))
            if steps[current] + 1 < steps.get(after, math.inf):
                steps[after] = steps[current] + 1
                came_from[after] = current, move
                closed.discard(after)  # the estimate may be inconsistent
                left = distance(after)
                heapq.heappush(queue, (steps[after] + left, left, next(ticket), after))
    return None


def _way(came_from: dict[State, tuple[State, Term]], end: State) -> tuple[Term, ...]:
    way: list[Term] = []
    while end in came_from:
        end, move = came_from[end]
        way.append(move)
    return tuple(reversed(way))


def ida_star(
    game: Game,
    state: State | None = None,
    distance: Distance = blind,
    budget: Budget | None = None,
    goal: int | None = None,
) -> Plan | None:
    """As ``a_star``, with memory for one line only: depth-first with a growing limit of steps."""
    search = _Deepening(only_role(game), distance, best_goal(game) if goal is None else goal, budget)
    found = search.run(state or game.initial())
    if found is None:
        return None
    moves, value = found
    return Plan(moves, value, value >= best_goal(game), True, search.nodes, search.watch.seconds, "IDA*")


class _Deepening:
    def __init__(self, role: Term, distance: Distance, target: int, budget: Budget | None) -> None:
        self.role = role
        self.distance = distance
        self.target = target
        self.watch = Stopwatch(budget or USUAL)
        self.nodes = 0
        self.line: list[Term] = []
        self.on_line: set[State] = set()

    def run(self, state: State) -> tuple[tuple[Term, ...], int] | None:
        limit = self.distance(state)
        while limit <= DEEPEST:
            self.line, self.on_line = [], {state}
            found, limit = self._below(state, 0, limit)
            if found is not None:
                return tuple(self.line), found
            if self.watch.is_up(self.nodes):
                return None
        return None

    def _below(self, state: State, steps: int, limit: float) -> tuple[int | None, float]:
        """The goal of an end within the limit, or the least sum beyond it."""
        total = steps + self.distance(state)
        if total > limit:
            return None, total
        self.nodes += 1
        if self.watch.is_up(self.nodes):
            return None, math.inf
        if state.is_terminal:
            value = state.goal(self.role)
            return (value, limit) if value is not None and value >= self.target else (None, math.inf)
        beyond = math.inf
        for move in state.legal(self.role):
            after = state.play((move,))
            if after in self.on_line:
                continue
            self.line.append(move)
            self.on_line.add(after)
            found, least = self._below(after, steps + 1, limit)
            if found is not None:
                return found, limit
            self.line.pop()
            self.on_line.discard(after)
            beyond = min(beyond, least)
        return None, beyond
