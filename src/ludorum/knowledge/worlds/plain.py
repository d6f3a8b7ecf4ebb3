"""Worlds one by one, for every engine: the readable twin of the packed worlds, and their oracle.

All worlds are kept while they are few. Where there are more, as many as allowed are drawn by their
probability; where these die out, a search from the beginning goes depth first, with backtracking, until some
agree. Every bound counts worlds or plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np

from ..._core import SplitMix64
from ...engine.game import Game, JointMove, State
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError
from .sampler import (
    History,
    MoveModel,
    PossibleState,
    Reinvent,
    ToldStep,
    WorldSampler,
    draw_worlds,
    drawn_counts,
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
        self._seat = game.roles.index(role)
        self._most, self._most_plays, self._most_tried = most, most_plays, most_tried
        self._model, self._reinvent = model, reinvent
        self._views: dict[object, int] | None = {} if keep_views else None
        self._chance = np.random.default_rng(seed)
        self._random = SplitMix64(seed)
        start = (0,) * len(game.roles) if keep_views else ()
        self._start: _Cloud = {(game.initial(), start): 1.0}
        self._cloud = self._start

    @property
    def size(self) -> int:
        return len(self._cloud)

    def update(self, move: Term | None, percepts: Iterable[Term] | None) -> None:
        step = told_step(move, percepts)
        was_exact = self.is_exact
        found = self._advance(self._cloud, step, self._most_plays)
        if not found:
            found = {} if was_exact else self._find_again([*self.steps, step])
        if not found:
            self.is_exact = was_exact
            raise ImpossiblePerceptsError(
                f"no state of {self.game.name} agrees with what {self.role} was told in step "
                f"{len(self.steps) + 1}"
            )
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

    def _advance(self, cloud: _Cloud, step: ToldStep, plays: int) -> _Cloud:
        """The worlds after a step, by so many plays at most."""
        found: _Cloud = {}
        each = max(1, plays // max(1, len(cloud)))
        for (state, views), weight in cloud.items():
            for joint, chance in self._joints(state, step, each):
                after = state.play(joint)
                self.plays += 1
                if step.percepts is None or frozenset(after.percepts(self.role)) == step.percepts:
                    key = after, self._seen(views, joint, after)
                    found[key] = found.get(key, 0.0) + weight * chance
        return found

    def _joints(self, state: State, step: ToldStep, most: int) -> Iterator[tuple[JointMove, float]]:
        """Joint moves with the own move of the step, and how likely others make theirs; drawn where many."""
        if state.is_terminal:
            return
        choices = [self._choices(state, role, step) for role in self.game.roles]
        if prod(map(len, choices)) <= most:
            for joint in product(*choices):
                yield tuple(move for move, _ in joint), prod(chance for _, chance in joint)
            return
        self.is_exact = False
        for _ in range(most):
            yield tuple(self._draw(own) for own in choices), 1.0 / most

    def _choices(self, state: State, role: Term, step: ToldStep) -> list[tuple[Term, float]]:
        legal = state.legal(role)
        if role is self.role and step.move is not None:
            return [(step.move, 1.0)] if step.move in legal else []
        if self._model is None or role is self.role or role is self.game.info.chance_role:
            return [(move, 1.0 / len(legal)) for move in legal]
        weights = self._model(state, role, legal)
        total = sum(weights)
        return [(move, weight / total) for move, weight in zip(legal, weights, strict=True) if weight > 0]

    def _draw(self, choices: list[tuple[Term, float]]) -> Term:
        point = (self._random.next() >> 11) * 2.0**-53
        for move, chance in choices:
            point -= chance
            if point < 0:
                return move
        return choices[-1][0]

    def _seen(self, views: tuple[int, ...], joint: JointMove, after: State) -> tuple[int, ...]:
        """Numbers for what each role has seen, after one more step."""
        if self._views is None:
            return ()
        numbers = self._views
        return tuple(
            numbers.setdefault((before, move, after.percepts(role)), len(numbers) + 1)
            for before, move, role in zip(views, joint, self.game.roles, strict=True)
        )

    def _fewer(self, cloud: _Cloud) -> _Cloud:
        """The worlds with the sum 1, and no more than are kept."""
        total = sum(cloud.values())
        if len(cloud) <= self._most:
            return {key: weight / total for key, weight in cloud.items()}
        self.is_exact = False
        counts = drawn_counts(np.array(list(cloud.values())), self._most, self._chance).tolist()
        return {key: count / self._most for key, count in zip(cloud, counts, strict=True) if count}

    # -- where none is left --------------------------------------------------------------------------------

    def _find_again(self, steps: list[ToldStep]) -> _Cloud:
        """Worlds that agree with all steps: of a complete engine, else the first that are found."""
        if self._reinvent is not None:
            found: _Cloud = {}
            for history in self._reinvent(steps, WITNESSES):
                for key, weight in self._of_history(history, steps).items():
                    found[key] = found.get(key, 0.0) + weight
            if found:
                return found
        return self._walk(steps)

    def _of_history(self, history: History, steps: list[ToldStep]) -> _Cloud:
        """The world of one history; none where it does not agree after all."""
        ((state, views), weight), *_ = self._start.items()
        for joint, step in zip(history, steps, strict=True):
            chances = [dict(self._choices(state, role, step)) for role in self.game.roles]
            weight *= prod(own.get(move, 0.0) for own, move in zip(chances, joint, strict=True))
            if not weight or state.is_terminal:
                return {}
            state = state.play(joint)
            if step.percepts is not None and frozenset(state.percepts(self.role)) != step.percepts:
                return {}
            views = self._seen(views, joint, state)
        return {(state, views): weight}

    def _walk(self, steps: list[ToldStep]) -> _Cloud:
        """Depth first from the beginning, at random: the worlds of the first branch that gets through."""
        spent = self.plays
        trail = [list(self._start.items())]
        while trail and self.plays - spent < self._most_tried:
            if not trail[-1]:
                trail.pop()
                continue
            if len(trail) > len(steps):
                return dict(trail[-1])
            key, weight = trail[-1].pop(self._random.below(len(trail[-1])))
            after = self._advance({key: weight}, steps[len(trail) - 1], max(1, self._most_tried // WITNESSES))
            trail.append(list(after.items()))
        return {}
