"""Worlds by reasoning: histories that agree with everything, found by clingo.

The sampler that always answers: where particles die out, or cannot be kept, a solver still finds histories.
They are weighted by their probability among those that were found; a solver does not draw evenly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from ..history_knower import HistoryKnower
from ..knower import ImpossiblePerceptsError
from .sampler import (
    NO_CLOCK,
    CallerClock,
    History,
    NoWorldYetError,
    PossibleState,
    ToldStep,
    WorldSampler,
    draw_worlds,
    told_step,
)

MOST_SOLVED = 64
"""Calls of the solver for one sample."""


def reasoned_histories(game: Game, role: Term, seed: int = 0) -> ReasonedHistories | None:
    """A complete engine for samplers that lost all their worlds; None where a game has no rules in logic."""
    return None if game.rules is None else ReasonedHistories(game, game.rules, role, seed)


class ReasonedHistories:
    """Histories that a solver finds.

    Its knower is kept from question to question: a match goes on, and only new steps are told.
    """

    def __init__(self, game: Game, rules: Ruleset, role: Term, seed: int = 0) -> None:
        self._game, self._rules, self._role, self._seed = game, rules, role, seed
        self._knower: HistoryKnower | None = None
        self._told: list[ToldStep] = []

    def prepare(self) -> None:
        """Make the program ready before a match: for large sheets that takes a fraction of a second."""
        self._knower, self._told = HistoryKnower(self._rules, self._role), []

    def __call__(self, steps: Sequence[ToldStep], count: int, clock: CallerClock) -> Iterable[History]:
        """Up to so many histories that agree with all steps; none where one is not known in full.

        NoWorldYetError where the time is up before: what was told so far is not told again.
        """
        known = [(one.move, one.percepts) for one in steps if one.move is not None]
        told = [(move, percepts) for move, percepts in known if percepts is not None]
        if len(told) < len(steps):
            return ()
        if self._knower is None or self._told != steps[: len(self._told)]:
            self.prepare()
        assert self._knower is not None
        for at in range(len(self._told), len(steps)):
            begin = time.monotonic()
            self._knower.update(*told[at])
            self._told.append(steps[at])
            if at + 1 < len(steps) and not clock.allows(time.monotonic() - begin):
                raise NoWorldYetError("there was no time to reason over all steps")
        return _histories(self._game, self._knower, count, self._seed)


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

    def update(
        self, move: Term | None, percepts: Iterable[Term] | None, clock: CallerClock = NO_CLOCK
    ) -> None:
        """As the interface says; the solver is bounded by its conflicts, and does not look at the clock."""
        step = told_step(move, percepts)
        if step.move is None or step.percepts is None:
            raise ImpossiblePerceptsError(f"{self.role} was not told all of step {len(self.steps) + 1}")
        self._knower.update(step.move, step.percepts)
        self.steps.append(step)

    def sample(self, count: int, seed: int) -> list[PossibleState]:
        histories = _histories(self.game, self._knower, min(count, MOST_SOLVED), seed)
        found: dict[State, float] = {}
        for history in dict.fromkeys(histories):
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


def _histories(game: Game, knower: HistoryKnower, count: int, seed: int) -> Iterator[tuple[JointMove, ...]]:
    for _, course in knower.courses(count, seed):
        yield tuple(tuple(moves[role] for role in game.roles) for moves in course)


def _played(game: Game, role: Term, history: History) -> tuple[State, float]:
    """The last state of a history, and its probability where other players move evenly."""
    state, weight = game.initial(), 1.0
    for joint in history:
        for other, move in zip(game.roles, joint, strict=True):
            if other in game.info.chance_roles:
                weight *= game.chances.probability(move, state.legal(other))
            elif other is not role:
                weight /= len(state.legal(other))
        state = state.play(joint)
    return state, weight
