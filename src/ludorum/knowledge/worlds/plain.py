"""Worlds one by one, for every engine: the readable twin of the packed worlds, and their oracle.

All worlds are kept while they are few. Where there are more, as many as allowed are drawn by their
probability; where these die out, a search from the beginning goes depth first, with backtracking, until some
agree. Every bound counts worlds or plays; where a caller has a clock, it is looked at after every play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np

from ..._core import SplitMix64
from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError
from .sampler import (
    NO_CLOCK,
    CallerClock,
    History,
    MoveModel,
    NoWorldYetError,
    PossibleState,
    Reinvent,
    ToldStep,
    WorldSampler,
    draw_worlds,
    drawn_counts,
    no_world,
    told_step,
)

_Cloud: TypeAlias = "dict[tuple[State, tuple[int, ...]], float]"
"""Worlds with what each role has seen, and their probabilities."""

MOST_WORLDS = 10_000
MOST_PLAYS = 100_000
"""Joint moves that are played for one step; where there are more, some are drawn."""
MOST_TRIED = 20_000
"""Joint moves that are played to find worlds again, once none is left."""
WITNESSES = 16
"""Histories that are asked for where a complete engine is at hand."""


@dataclass(frozen=True)
class _Choices:
    """The moves of a role in a state; without weights all are as likely, and thousands need no sum."""

    moves: tuple[Term, ...]
    weights: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.moves)

    def pairs(self) -> list[tuple[Term, float]]:
        """Every move with its probability."""
        if not self.weights:
            return [(move, 1.0 / len(self)) for move in self.moves]
        total = sum(self.weights)
        return [(move, weight / total) for move, weight in zip(self.moves, self.weights, strict=True)]

    def chance(self, move: Term) -> float:
        """The probability of a move; 0 for one that cannot be made."""
        if move not in self.moves:
            return 0.0
        at = self.moves.index(move)
        return self.weights[at] / sum(self.weights) if self.weights else 1.0 / len(self)

    def draw(self, random: SplitMix64) -> Term:
        """A move by its probability."""
        if not self.weights:
            return self.moves[random.below(len(self.moves))]
        point = (random.next() >> 11) * 2.0**-53 * sum(self.weights)
        for move, weight in zip(self.moves, self.weights, strict=True):
            point -= weight
            if point < 0:
                return move
        return self.moves[-1]


class PlainWorlds(WorldSampler):
    """Follows a role's worlds in a dictionary."""

    def __init__(
        self,
        game: Game,
        role: Term,
        seed: int = 0,
        *,
        most: int = MOST_WORLDS,
        most_plays: int = MOST_PLAYS,
        most_tried: int = MOST_TRIED,
        model: MoveModel | None = None,
        reinvent: Reinvent | None = None,
        keep_views: bool = False,
    ) -> None:
        self.game, self.role = game, role
        self.steps: list[ToldStep] = []
        self.is_exact = True
        self.plays = 0
        """Joint moves played so far: the work done."""
        self._was_late = False
        """Whether worlds of the next step were looked for in vain, until the time was up."""
        self._seat = game.roles.index(role)
        self._most, self._most_plays, self._most_tried = most, most_plays, most_tried
        self._model, self._reinvent = model, reinvent
        self._views: dict[object, int] | None = {} if keep_views else None
        """Numbers of views of the last step; those of earlier ones are never met again."""
        self._view_count = 0
        self._chance = np.random.default_rng(seed)
        self._random = SplitMix64(seed)
        start = (0,) * len(game.roles) if keep_views else ()
        self._start: _Cloud = {(game.initial(), start): 1.0}
        self._cloud = self._start

    @property
    def size(self) -> int:
        return len(self._cloud)

    def update(
        self, move: Term | None, percepts: Iterable[Term] | None, clock: CallerClock = NO_CLOCK
    ) -> None:
        step = told_step(move, percepts)
        was_exact = self.is_exact
        if self._views is not None:
            self._views.clear()
        try:
            found = self._after(step, clock)
        except GameError as error:
            self.is_exact, self._was_late = was_exact, isinstance(error, NoWorldYetError)
            raise
        self._was_late = False
        self.steps.append(step)
        self._cloud = self._fewer(found)

    def sample(self, count: int, seed: int) -> list[PossibleState]:
        live = [(key, weight) for key, weight in self._cloud.items() if not key[0].is_terminal]
        if not live:
            raise ImpossiblePerceptsError(f"{self.game.name} is over, as far as {self.role} can tell")
        numbers, shares = draw_worlds(np.array([weight for _, weight in live]), count, seed)
        return [
            PossibleState(live[at][0][0], float(share), live[at][0][1])
            for at, share in zip(numbers.tolist(), shares, strict=True)
        ]

    # -- one step ------------------------------------------------------------------------------------------

    def _after(self, step: ToldStep, clock: CallerClock) -> _Cloud:
        """The worlds after a step, some at least."""
        found: _Cloud = {}
        if self._was_late:
            self.is_exact = False
        else:
            # The other half of the time is for finding worlds again, where none of those at hand agrees.
            half = clock.part(0.5) if clock is not NO_CLOCK else clock
            found = self._advance(self._mixed(self._cloud, clock), step, self._most_plays, half)
        if not found and not self.is_exact:
            found = self._find_again([*self.steps, step], clock)
        if not found:
            raise no_world(self, is_late=not self.is_exact and clock.is_up())
        return found

    def _mixed(self, cloud: _Cloud, clock: CallerClock) -> _Cloud:
        """The worlds in an order by chance, where a clock may end the step: any of them may be left over."""
        if clock is NO_CLOCK:
            return cloud
        items = list(cloud.items())
        return dict(items[at] for at in self._chance.permutation(len(items)))

    def _advance(self, cloud: _Cloud, step: ToldStep, plays: int, clock: CallerClock) -> _Cloud:
        """The worlds after a step, by so many plays at most; fewer where the time is up."""
        found: _Cloud = {}
        each = max(1, plays // max(1, len(cloud)))
        for (state, views), weight in cloud.items():
            for joint, chance in self._joints(state, step, each):
                after = state.play(joint)
                self.plays += 1
                if step.percepts is None or frozenset(after.percepts(self.role)) == step.percepts:
                    after.is_terminal  # noqa: B018  # a state keeps the answer, which is wanted later: its time counts here
                    key = after, self._seen(views, joint, after)
                    found[key] = found.get(key, 0.0) + weight * chance
                if clock.is_up():
                    self.is_exact = False
                    return found
        return found

    def _joints(self, state: State, step: ToldStep, most: int) -> Iterator[tuple[JointMove, float]]:
        """Joint moves with the own move of the step, and how likely others make theirs; drawn where many."""
        if state.is_terminal:
            return
        choices = [self._choices(state, role, step) for role in self.game.roles]
        if prod(len(own) for own in choices) <= most:
            for joint in product(*(own.pairs() for own in choices)):
                yield tuple(move for move, _ in joint), prod(chance for _, chance in joint)
            return
        self.is_exact = False
        for _ in range(most):
            yield tuple(own.draw(self._random) for own in choices), 1.0 / most

    def _choices(self, state: State, role: Term, step: ToldStep) -> _Choices:
        legal = state.legal(role)
        if role is self.role and step.move is not None:
            return _Choices((step.move,) if step.move in legal else ())
        if role in self.game.info.chance_roles:
            odds = state.odds(role)
            is_even = len(set(odds.values())) < 2
            return _Choices(tuple(odds), () if is_even else tuple(odds.values()))
        if self._model is None or role is self.role:
            return _Choices(legal)
        weighted = zip(legal, self._model(state, role, legal), strict=True)
        likely = [(move, weight) for move, weight in weighted if weight > 0]
        return _Choices(tuple(move for move, _ in likely), tuple(weight for _, weight in likely))

    def _seen(self, views: tuple[int, ...], joint: JointMove, after: State) -> tuple[int, ...]:
        """Numbers for what each role has seen, after one more step."""
        if self._views is None:
            return ()
        return tuple(
            self._number((before, move, after.percepts(role)))
            for before, move, role in zip(views, joint, self.game.roles, strict=True)
        )

    def _number(self, view: object) -> int:
        """A number for a view, the same for equal ones of the same step."""
        assert self._views is not None
        if view not in self._views:
            self._view_count += 1
            self._views[view] = self._view_count
        return self._views[view]

    def _fewer(self, cloud: _Cloud) -> _Cloud:
        """The worlds with the sum 1, and no more than are kept."""
        total = sum(cloud.values())
        if len(cloud) <= self._most:
            return {key: weight / total for key, weight in cloud.items()}
        self.is_exact = False
        counts = drawn_counts(np.array(list(cloud.values())), self._most, self._chance).tolist()
        return {key: count / self._most for key, count in zip(cloud, counts, strict=True) if count}

    # -- where none is left --------------------------------------------------------------------------------

    def _find_again(self, steps: list[ToldStep], clock: CallerClock) -> _Cloud:
        """Worlds that agree with all steps: of a complete engine, else the first that are found."""
        if self._reinvent is not None:
            found: _Cloud = {}
            for history in self._reinvent(steps, WITNESSES, clock):
                for key, weight in self._of_history(history, steps).items():
                    found[key] = found.get(key, 0.0) + weight
                if clock.is_up():
                    break
            if found:
                return found
        return self._walk(steps, clock)

    def _of_history(self, history: History, steps: list[ToldStep]) -> _Cloud:
        """The world of one history; none where it does not agree after all."""
        ((state, views), weight), *_ = self._start.items()
        for joint, step in zip(history, steps, strict=True):
            own = zip(self.game.roles, joint, strict=True)
            weight *= prod(self._choices(state, role, step).chance(move) for role, move in own)
            if not weight or state.is_terminal:
                return {}
            state = state.play(joint)
            if step.percepts is not None and frozenset(state.percepts(self.role)) != step.percepts:
                return {}
            views = self._seen(views, joint, state)
        return {(state, views): weight}

    def _walk(self, steps: list[ToldStep], clock: CallerClock) -> _Cloud:
        """Depth first from the beginning, at random: the worlds of the first branch that gets through."""
        spent = self.plays
        trail = [list(self._start.items())]
        while trail and self.plays - spent < self._most_tried and not clock.is_up():
            if not trail[-1]:
                trail.pop()
                continue
            if len(trail) > len(steps):
                return dict(trail[-1])
            key, weight = trail[-1].pop(self._random.below(len(trail[-1])))
            plays = max(1, self._most_tried // WITNESSES)
            after = self._advance({key: weight}, steps[len(trail) - 1], plays, clock)
            trail.append(list(after.items()))
        return {}
