"""Worlds by reasoning: histories that agree with everything, found by clingo.

The sampler that always answers: where particles die out, or cannot be kept, a solver still finds histories.
They are weighted by their probability among those that were found; a solver does not draw evenly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from ..history_knower import HistoryKnower
from ..knower import ImpossiblePerceptsError
from .sampler import History, PossibleState, Reinvent, ToldStep, WorldSampler, draw_worlds, told_step

MOST_SOLVED = 64
"""Calls of the solver for one sample."""


def reasoned_histories(game: Game, role: Term, seed: int = 0) -> Reinvent | None:
    """A complete engine for samplers that lost all their worlds; None where a game has no rules in logic."""
    rules = game.rules
    if rules is None:
        return None

    def find(steps: Sequence[ToldStep], count: int) -> Iterable[History]:
        knower = _told(rules, role, steps)
        return [] if knower is None else _histories(game, knower, count, seed)

    return find


class ReasonedWorlds(WorldSampler):
    """Worlds of histories that a solver finds."""

    is_exact = False

    def __init__(self, game: Game, role: Term) -> None:
        """GameError where the game has no rules in logic."""
        if game.rules is None:
            raise GameError(f"{game.name} has no rules in logic, from which a solver could find histories")
        self.game = game
        self.role = role
        self.steps: list[ToldStep] = []
        self._knower = HistoryKnower(game.rules, role)
        self._size = 1

    def update(self, move: Term | None, percepts: Iterable[Term] | None) -> None:
        step = told_step(move, percepts)
        if step.move is None or step.percepts is None:
            raise ImpossiblePerceptsError(f"{self.role} was not told all of step {len(self.steps) + 1}")
        self._knower.update(step.move, step.percepts)
        self.steps.append(step)

    def sample(self, count: int, seed: int) -> list[PossibleState]:
        histories = _histories(self.game, self._knower, min(count, MOST_SOLVED), seed)
        found: dict[State, float] = {}
        for history in dict.fromkeys(map(tuple, histories)):
            state, weight = _played(self.game, self.role, history)
            if not state.is_terminal:
                found[state] = found.get(state, 0.0) + weight
        self._size = len(found)
        if not found:
            raise ImpossiblePerceptsError(
                f"no world of {self.game.name} in which {self.role} moves was found"
            )
        states = list(found)
        chosen, weights = draw_worlds(np.array([found[state] for state in states]), count, seed)
        return [
            PossibleState(states[at], weight) for at, weight in zip(chosen, weights.tolist(), strict=True)
        ]

    @property
    def size(self) -> int:
        """How many different worlds the last sample had to draw from."""
        return self._size


def _told(rules: Ruleset, role: Term, steps: Sequence[ToldStep]) -> HistoryKnower | None:
    """A knower that was told these steps; None where one of them is not known in full."""
    knower = HistoryKnower(rules, role)
    for step in steps:
        if step.move is None or step.percepts is None:
            return None
        knower.update(step.move, step.percepts)
    return knower


def _histories(game: Game, knower: HistoryKnower, count: int, seed: int) -> list[tuple[JointMove, ...]]:
    return [
        tuple(tuple(moves[role] for role in game.roles) for moves in course)
        for _, course in knower.courses(count, seed)
    ]


def _played(game: Game, role: Term, history: History) -> tuple[State, float]:
    """The last state of a history, and its probability where others move evenly."""
    state, weight = game.initial(), 1.0
    for joint in history:
        for other in game.roles:
            if other is not role:
                weight /= len(state.legal(other))
        state = state.play(joint)
    return state, weight
