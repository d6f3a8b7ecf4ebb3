"""The interface of samplers of worlds: what they are told, and what they give.

A sampler follows one match for one role. It is told the role's own moves and percepts, nothing else. A world
is a state in which the match may be now; its probability is that of all histories that lead to it and agree
with what was told, where nature draws by its odds and others move evenly or as a model says. A percept that
could have come and did not is information, too. Where a move is asked for, the match is not over: worlds that
are over have no part.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError

MoveModel: TypeAlias = Callable[[State, Term, Sequence[Term]], Sequence[float]]
"""How likely a role's legal moves are in a state: a weight for each, some above 0."""
History: TypeAlias = Sequence[JointMove]
"""The joint moves of a match so far."""
Reinvent: TypeAlias = Callable[[Sequence["ToldStep"], int, "CallerClock"], Iterable[History]]
"""Gives up to so many histories that agree with all steps: a complete engine, for a sampler that lost all its
worlds. NoWorldYetError where the caller's time is up before there is one."""


class CallerClock:
    """The time that a caller gives for a step, if it gives any: for so many seconds, or until an event."""

    def __init__(self, seconds: float | None = None, stop: threading.Event | None = None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        self._stop = stop

    def is_up(self) -> bool:
        """Whether the time is over, or the work is not wanted any more."""
        return not self.allows(0.0)

    def allows(self, seconds: float) -> bool:
        """Whether work of more than so many seconds may begin."""
        if self._stop is not None and self._stop.is_set():
            return False
        return self._until is None or time.monotonic() + seconds < self._until

    def part(self, share: float) -> CallerClock:
        """A clock for a share of the time that is left."""
        left = None if self._until is None else max(0.0, self._until - time.monotonic())
        return CallerClock(None if left is None else share * left, self._stop)


NO_CLOCK = CallerClock()
"""The clock of a caller that has none."""


class NoWorldYetError(GameError):
    """No world was found in the time of the caller; there may be some."""


@dataclass(frozen=True)
class ToldStep:
    """What a role was told of one step; None for what it was not told, since a message was lost."""

    move: Term | None
    percepts: frozenset[Term] | None


@dataclass(frozen=True)
class PossibleState:
    """A state in which the match may be, and its share of the worlds it was drawn with."""

    state: State
    weight: float
    views: tuple[int, ...] = ()
    """By role: a number for what it has moved and perceived so far, the same where that is the same; empty
    where the sampler does not keep it."""


class WorldSampler(ABC):
    """The worlds of one match for one role."""

    game: Game
    role: Term
    is_exact: bool
    """Whether no world was ever left out, so that every probability is right."""
    steps: list[ToldStep]
    """All that was told so far."""

    @abstractmethod
    def update(
        self, move: Term | None, percepts: Iterable[Term] | None, clock: CallerClock = NO_CLOCK
    ) -> None:
        """Take one step: the role's own move, as it was executed, and all that it perceived.

        ImpossiblePerceptsError where no world agrees, or none was found; the worlds stay as they were. Where
        the caller's time is up, the worlds found so far are kept; NoWorldYetError where there is none.
        """

    @abstractmethod
    def sample(self, count: int, seed: int) -> list[PossibleState]:
        """So many worlds that are not over, drawn by their probability independently of each other; all of
        them, each once, where they are no more than that. The weights have the sum 1.

        ImpossiblePerceptsError where every world is over.
        """

    @property
    @abstractmethod
    def size(self) -> int:
        """How many different worlds are kept."""


def no_world(worlds: WorldSampler, is_late: bool) -> GameError:
    """What a sampler raises that has found no world for the next step."""
    step = len(worlds.steps) + 1
    if is_late:
        return NoWorldYetError(f"no world of step {step} was found in time")
    return ImpossiblePerceptsError(
        f"no state of {worlds.game.name} agrees with what {worlds.role} was told in step {step}"
    )


def told_step(move: Term | None, percepts: Iterable[Term] | None) -> ToldStep:
    """A step as a sampler keeps it."""
    return ToldStep(move, None if percepts is None else frozenset(percepts))


def drawn_counts(weights: NDArray[np.float64], count: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """How often each item is among so many: its expected number rounded down or up, by systematic draws.

    >>> drawn_counts(np.array([0.5, 0.25, 0.25]), 4, np.random.default_rng(0)).tolist()
    [2, 1, 1]
    """
    sums = np.cumsum(weights)
    points = (chance.random() + np.arange(count)) * (sums[-1] / count)
    found = np.searchsorted(sums, points, side="right").clip(max=len(weights) - 1)
    return np.bincount(found, minlength=len(weights))


def draw_worlds(
    weights: NDArray[np.float64], count: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The numbers and weights of a sample: all where they are no more than asked for, else draws."""
    if count < 1:
        raise ValueError(f"{count} worlds: at least one is needed")
    total = weights.sum()
    if len(weights) <= count:
        return np.arange(len(weights)), weights / total
    chosen = np.random.default_rng(seed).choice(len(weights), count, p=weights / total)
    return chosen, np.full(count, 1.0 / count)
