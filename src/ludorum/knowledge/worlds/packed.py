"""Worlds in packed rows, thousands at once in the lanes of the compiled engine.

All worlds are kept while they are few, with exact probabilities. Where there are more this is a particle
filter: joint moves are drawn where they are too many to be listed, percepts and their absence are one mask
over ``circuit.sees``, equal worlds are merged, and worlds are drawn anew by their weights. Where all die out,
larger clouds from earlier steps, a complete engine, or a search with backtracking find some again. Every
bound counts worlds or joint moves; where a caller has a clock, it is looked at between such searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...engine.compiled import CompiledGame, CompiledState
from ...engine.errors import GameError
from ...engine.packed_rows import seen_after
from ...engine.simulator import Numbers, Packed, Simulator
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError
from .cloud import Cloud
from .options import RoleOptions, all_joints, count_joints, some_joints
from .packed_step import LegalMoves, PackedStep, ToldNumbers
from .plain import WITNESSES
from .sampler import (
    NO_CLOCK,
    CallerClock,
    History,
    MoveModel,
    PossibleState,
    Reinvent,
    ToldStep,
    WorldSampler,
    draw_worlds,
    drawn_counts,
    no_world,
    told_step,
)

MOST_WORLDS = 4_096
MOST_FLAGS = 1 << 23
"""Worlds times moves of the sheet: there are fewer worlds where there are thousands of moves."""
MOST_JOINTS = 1 << 17
"""Joint moves that are looked at for one step; where there are more, some are drawn."""
GROWTH = 8
"""Clouds that go over earlier steps again are so many times as large."""
MOST_KEPT = 32
"""Worlds of earlier steps are kept up to so many times as many as of one step."""
CHUNK = 256
"""Worlds that the search with backtracking takes at a time."""
MOST_TRIED = 1 << 21
"""Joint moves that may be looked at to find worlds again, once none is left."""


class PackedWorlds(WorldSampler):
    """Follows a role's worlds in arrays."""

    def __init__(
        self,
        game: CompiledGame,
        role: Term,
        seed: int = 0,
        *,
        most: int = MOST_WORLDS,
        most_joints: int = MOST_JOINTS,
        model: MoveModel | None = None,
        reinvent: Reinvent | None = None,
        keep_views: bool = False,
    ) -> None:
        self.game: CompiledGame = game
        self.role = role
        self.steps: list[ToldStep] = []
        self.is_exact = True
        self.joints = 0
        """Joint moves looked at so far: the work done."""
        self.drawn = 1
        """Histories that agreed in the last step, before equal worlds were merged."""
        self._seat = game.roles.index(role)
        self._most = max(1, min(most, MOST_FLAGS // max(1, len(game.circuit.moves))))
        self._most_joints = most_joints
        self._model, self._reinvent = model, reinvent
        self._simulator: Simulator[CompiledState] = game.simulator()
        self._chance = np.random.default_rng(seed)
        self._step = PackedStep(game, role, self._simulator)
        views = np.zeros((1, len(game.roles) if keep_views else 0), np.uint64)
        self._clouds = {0: Cloud(self._simulator.pack([game.initial()]), np.ones(1), views)}
        """The worlds by step: the first, the last, and as many before it as are allowed."""

    @property
    def size(self) -> int:
        return len(self._last)

    @property
    def kept(self) -> int:
        """How many worlds are kept, of all steps together."""
        return sum(map(len, self._clouds.values()))

    @property
    def _last(self) -> Cloud:
        return self._clouds[len(self.steps)]

    def update(
        self, move: Term | None, percepts: Iterable[Term] | None, clock: CallerClock = NO_CLOCK
    ) -> None:
        step = told_step(move, percepts)
        was_exact = self.is_exact
        try:
            found = self._after(step, clock)
        except GameError:
            self.is_exact = was_exact
            raise
        self.steps.append(step)
        self._clouds[len(self.steps)] = self._fewer(found, self._most).normalised()
        self._forget()

    def _forget(self) -> None:
        """Drop the worlds of early steps, so that a long match takes no more memory than a short one."""
        kept = self.kept
        for step in sorted(self._clouds)[1:-1]:
            if kept <= MOST_KEPT * self._most:
                return
            kept -= len(self._clouds.pop(step))

    def sample(self, count: int, seed: int) -> list[PossibleState]:
        cloud, shares = self.sample_rows(count, seed)
        game = self.game
        return [
            PossibleState(game.unpacked(row.tobytes()), float(share), tuple(views.tolist()))
            for row, share, views in zip(cloud.rows, shares, cloud.views, strict=True)
        ]

    def sample_rows(self, count: int, seed: int) -> tuple[Cloud, NDArray[np.float64]]:
        """As ``sample``, in packed rows, with the weights."""
        cloud = self._last
        live = ~self._simulator.expand(cloud.rows)[1]
        if not live.any():
            raise ImpossiblePerceptsError(f"{self.game.name} is over, as far as {self.role} can tell")
        cloud = cloud[live]
        numbers, shares = draw_worlds(cloud.weights, count, seed)
        return cloud[numbers], shares

    def _needed(self, step: ToldStep) -> ToldNumbers | None:
        return self._step.told(step.move, step.percepts)

    # -- one step ------------------------------------------------------------------------------------------

    def _after(self, step: ToldStep, clock: CallerClock) -> Cloud:
        """The worlds after a step, some at least."""
        needed = self._needed(step)
        found = None if needed is None else self._advance(self._last, needed, self._most)
        if needed is not None and not found and not self.is_exact:
            found = self._find_again([*self.steps, step], clock)
        if not found:
            raise no_world(self, is_late=needed is not None and not self.is_exact and clock.is_up())
        return found

    def _advance(self, cloud: Cloud, needed: ToldNumbers, most: int) -> Cloud:
        """The worlds after a step; ``most`` bounds the joint moves in proportion."""
        cloud, options = self._options(cloud, needed)
        if not len(cloud):
            return cloud
        bound = self._most_joints * max(1, most // self._most)
        if count_joints(options) <= bound:
            parents, moves, chances = all_joints(options)
        else:
            self.is_exact = False
            parents, moves, chances = some_joints(options, max(1, bound // len(cloud)), self._chance)
        self.joints += len(parents)
        rows, weights, views = cloud.rows[parents], cloud.weights[parents] * chances, cloud.views[parents]
        seen = self._step.seen(rows, moves) if needed.percepts is not None or views.shape[1] else None
        if needed.percepts is not None and seen is not None:
            fits = self._step.fits(seen, needed.percepts)
            rows, moves, seen, weights, views = (
                rows[fits],
                moves[fits],
                seen[fits],
                weights[fits],
                views[fits],
            )
        self.drawn = len(rows)
        if not len(rows):
            return cloud[:0]
        views = self._seen_after(views, moves, seen)
        return Cloud(self._step.after(rows, moves), weights, views).merged()

    def _seen_after(
        self, views: NDArray[np.uint64], moves: Numbers, seen: Packed | None
    ) -> NDArray[np.uint64]:
        if not views.shape[1] or seen is None:
            return views
        return seen_after(views, moves, [seen & mask for mask in self._step.masks])

    def _options(self, cloud: Cloud, needed: ToldNumbers) -> tuple[Cloud, list[RoleOptions]]:
        """The worlds from which the step can be made, and the moves of each role there."""
        packed, terminal, _ = self._simulator.expand(cloud.rows)
        able, legal = self._step.legal(packed, terminal, needed)
        cloud = cloud[able]
        return cloud, [
            RoleOptions.of(one.flags, one.numbers, self._weights(cloud, seat, one))
            for seat, one in enumerate(legal)
        ]

    def _weights(self, cloud: Cloud, seat: int, legal: LegalMoves) -> NDArray[np.float64] | None:
        """What nature's odds or the model say of a role's moves, a row a world; None: all are as likely."""
        role, odds = self.game.roles[seat], self.game.circuit.weights
        if seat in self.game.info.chance_seats and odds is not None:
            return np.where(legal.flags, odds[legal.numbers].astype(np.float64), 0.0)
        if self._model is None or seat == self._seat or seat in self.game.info.chance_seats:
            return None
        moves = self.game.circuit.moves
        weights = np.zeros(legal.flags.shape)
        for at, row in enumerate(cloud.rows):
            columns = np.flatnonzero(legal.flags[at])
            named = [moves[number][1] for number in legal.numbers[columns].tolist()]
            weights[at, columns] = self._model(self.game.unpacked(row.tobytes()), role, named)
        return weights

    def _fewer(self, cloud: Cloud, most: int) -> Cloud:
        """No more worlds than are kept, drawn by their weights."""
        if len(cloud) <= most:
            return cloud
        self.is_exact = False
        counts = drawn_counts(cloud.weights, most, self._chance)
        kept = counts > 0
        return Cloud(cloud.rows[kept], counts[kept] / most, cloud.views[kept])

    # -- where none is left --------------------------------------------------------------------------------

    def _find_again(self, steps: list[ToldStep], clock: CallerClock) -> Cloud | None:
        """Worlds that agree with all steps, by the first way that finds some."""
        needed = [one for one in map(self._needed, steps) if one is not None]
        ways = (self._go_over_again, self._ask_engine, self._walk)
        found: Iterator[Cloud | None] = (way(steps, needed, clock) for way in ways)
        return next((cloud for cloud in found if cloud), None)

    def _go_over_again(
        self, steps: Sequence[ToldStep], needed: Sequence[ToldNumbers], clock: CallerClock
    ) -> Cloud | None:
        """Larger clouds from ever earlier steps: others are drawn there."""
        back, spent = 2, self.joints
        while self.joints - spent < MOST_TRIED // 2 and not clock.is_up():
            begin = max(0, len(needed) - back)
            if begin not in self._clouds:
                begin = 0
            cloud = self._clouds[begin]
            for one in needed[begin:]:
                cloud = self._fewer(self._advance(cloud, one, GROWTH * self._most), GROWTH * self._most)
                if not cloud or clock.is_up():
                    break
            else:
                return cloud
            if begin == 0:
                return None
            back *= 2
        return None

    def _ask_engine(
        self, steps: Sequence[ToldStep], needed: Sequence[ToldNumbers], clock: CallerClock
    ) -> Cloud | None:
        """The worlds of histories that a complete engine knows."""
        if self._reinvent is None:
            return None
        clouds: list[Cloud] = []
        for history in self._reinvent(steps, WITNESSES, clock):
            cloud = self._of_history(history, needed)
            clouds += [cloud] if cloud else []
            if clock.is_up():
                break
        return _joined(clouds).merged() if clouds else None

    def _of_history(self, history: History, needed: Sequence[ToldNumbers]) -> Cloud | None:
        """The world of one history; None where it does not agree after all."""
        cloud = self._clouds[0]
        for joint, one in zip(history, needed, strict=True):
            cloud, options = self._options(cloud, one)
            if not cloud:
                return None
            moves = np.array([self.game.move_numbers(joint)], np.int32)
            chances = [
                own.chances[own.moves == move].sum() for own, move in zip(options, moves[0], strict=True)
            ]
            if not all(chances):
                return None
            seen = self._step.seen(cloud.rows, moves)
            if (
                one.percepts is not None
                and seen is not None
                and not self._step.fits(seen, one.percepts).all()
            ):
                return None
            views = self._seen_after(cloud.views, moves, seen)
            after = self._step.after(cloud.rows, moves)
            cloud = Cloud(after, cloud.weights * np.prod(chances), views)
        return cloud

    def _walk(
        self, steps: Sequence[ToldStep], needed: Sequence[ToldNumbers], clock: CallerClock
    ) -> Cloud | None:
        """Depth first from the beginning, some worlds at a time: the first that get through."""
        spent = self.joints
        trail = [(0, self._clouds[0])]
        while trail and self.joints - spent < MOST_TRIED and not clock.is_up():
            depth, cloud = trail.pop()
            if depth == len(needed):
                return cloud
            order = self._chance.permutation(len(cloud))
            if len(order) > CHUNK:
                trail.append((depth, cloud[order[CHUNK:]]))
            after = self._advance(cloud[order[:CHUNK]], needed[depth], self._most)
            if after:
                trail.append((depth + 1, after))
        return None


def _joined(clouds: Sequence[Cloud]) -> Cloud:
    return Cloud(
        np.concatenate([one.rows for one in clouds]),
        np.concatenate([one.weights for one in clouds]),
        np.concatenate([one.views for one in clouds]),
    )
