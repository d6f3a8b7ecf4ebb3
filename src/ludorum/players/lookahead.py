"""A player that looks a few moves ahead: iterative deepening over the game tree until its time is up.

All others are taken to play against us and to know our move (paranoid search), which is exact for two players
who want the opposite and move in turns. Positions at the horizon count half; values fade a little with every
step, so quick wins and late losses are preferred. It holds a legal move before it starts to think.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import product

from .._core import SplitMix64
from ..engine.game import JointMove, State
from ..rules.terms import Term
from .player import Position

WIN, DRAW, LOSS = 100.0, 50.0, 0.0
DECAY = 0.01
"""How much a value fades towards a draw a step; far below the least difference of goals."""


class _TimeUp(Exception):
    """The deadline has passed; what the unfinished round found is dropped."""


@dataclass(frozen=True)
class LookaheadConfig:
    """Numbers that people may want to turn."""

    max_depth: int = 64
    margin: float = 0.05
    """Share of the time kept back for the last question to the engine."""


class LookaheadPlayer:
    """Depth-first search with alpha-beta bounds over any engine's states."""

    name = "lookahead"

    def __init__(self, seed: int = 0, config: LookaheadConfig | None = None) -> None:
        self._chooser = SplitMix64(seed)
        self._config = config or LookaheadConfig()
        self.depth = 0
        """Joint moves the last choice looked ahead."""

    def choose(self, position: Position, seconds: float) -> Term:
        moves = self._shuffled(position.legal)
        self.depth = 0
        if position.state is None or len(moves) == 1:
            return moves[0]
        deadline = time.monotonic() + seconds * (1 - self._config.margin)
        search = _Search(position.role, deadline)
        try:
            for depth in range(1, self._config.max_depth + 1):
                moves = search.ranked(position.state, moves, depth)
                self.depth = depth
                if search.horizon_reached == 0:
                    break  # every line was played out: deeper search finds the same
        except _TimeUp:
            pass
        return moves[0]

    def _shuffled(self, moves: tuple[Term, ...]) -> list[Term]:
        """A seeded order, so that equally good moves are chosen equally often."""
        order = list(moves)
        for last in range(len(order) - 1, 0, -1):
            other = self._chooser.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class _Search:
    """One thinking: the role, the deadline, and what was asked of the engine so far."""

    def __init__(self, role: Term, deadline: float) -> None:
        self.role = role
        self.deadline = deadline
        self.horizon_reached = 0
        self._after: dict[tuple[State, JointMove], State] = {}

    def ranked(self, state: State, moves: list[Term], depth: int) -> list[Term]:
        """The moves by their value at this depth, best first; equal ones keep their order."""
        self.horizon_reached = 0
        best = -1.0
        values = {}
        for move in moves:
            # A move that only equals the best so far need not be known better than "not above it".
            values[move] = self._worst_reply(state, move, depth, best - DECAY, WIN + 1)
            best = max(best, values[move])
        return sorted(moves, key=lambda move: -values[move])

    def _value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        if state.is_terminal:
            goal = state.goal(self.role)
            return DRAW if goal is None else float(goal)
        if depth == 0:
            self.horizon_reached += 1
            return DRAW
        best = LOSS - 1
        for move in state.legal(self.role):
            best = max(best, self._worst_reply(state, move, depth, max(alpha, best), beta))
            if best >= beta:
                break
        return best if best >= LOSS else DRAW

    def _worst_reply(self, state: State, move: Term, depth: int, alpha: float, beta: float) -> float:
        roles = state.game.roles
        worst = WIN + 1
        for joint in product(*((move,) if role is self.role else state.legal(role) for role in roles)):
            value = self._value(self._play(state, joint), depth - 1, alpha, min(beta, worst))
            value += DECAY if value < DRAW else -DECAY if value > DRAW else 0.0
            worst = min(worst, value)
            if worst <= alpha:
                break
        return worst

    def _play(self, state: State, joint: JointMove) -> State:
        if time.monotonic() > self.deadline:
            raise _TimeUp
        known = self._after.get((state, joint))
        if known is None:
            known = self._after[state, joint] = state.play(joint)
        return known
