"""Worlds in packed rows, thousands at once in the lanes of the compiled engine.

All worlds are kept while they are few, with exact probabilities. Where there are more this is a particle
filter: joint moves are drawn where they are too many to be listed, percepts and their absence are one mask
over ``circuit.sees``, equal worlds are merged, and worlds are drawn anew by their weights. Where all die out,
larger clouds from earlier steps, a complete engine, or a search with backtracking find some again. Every
bound counts worlds or joint moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...engine.compiled import CompiledGame, CompiledState
from ...engine.packed_rows import seen_after, sees_masks
from ...engine.simulator import Packed, Simulator
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError
from .cloud import Cloud
from .options import RoleOptions, all_joints, count_joints, some_joints
from .plain import WITNESSES
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

MOST_WORLDS = 4_096
MOST_JOINTS = 1 << 17
"""Joint moves that are looked at for one step; where there are more, some are drawn."""
GROWTH = 8
"""Clouds that go over earlier steps again are so many times as large."""
CHUNK = 256
"""Worlds that the search with backtracking takes at a time."""
MOST_TRIED = 1 << 21
"""Joint moves that may be looked at to find worlds again, once none is left."""


@dataclass(frozen=True)
class _Needed:
    """A step in numbers: the own move, and the own percepts as bits."""

    move: int | None
    percepts: Packed | None


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
        self._most, self._most_joints = most, most_joints
        self._model, self._reinvent = model, reinvent
        self._simulator: Simulator[CompiledState] = game.simulator()
        self._chance = np.random.default_rng(seed)
        self._sees = sees_masks(game.circuit)
        views = np.zeros((1, len(game.roles) if keep_views else 0), np.uint64)
        self._clouds = [Cloud(self._simulator.pack([game.initial()]), np.ones(1), views)]
        """The worlds after each step."""

    @property
    def size(self) -> int:
        return len(self._clouds[-1])

    def update(self, move: Term | None, percepts: Iterable[Term] | None) -> None:
        step = told_step(move, percepts)
        was_exact = self.is_exact
        needed = self._needed(step)
        found = None if needed is None else self._advance(self._clouds[-1], needed, self._most)
        if needed is not None and not found and not was_exact:
            found = self._find_again([*self.steps, step])
        if not found:
            self.is_exact = was_exact
            raise ImpossiblePerceptsError(
                f"no state of {self.game.name} agrees with what {self.role} was told in step "
                f"{len(self.steps) + 1}"
            )
        self.steps.append(step)
        self._clouds.append(self._fewer(found, self._most).normalised())

    def sample(self, count: int, seed: int) -> list[PossibleState]:
        cloud, shares = self.sample_rows(count, seed)
        game = self.game
        return [
            PossibleState(game.unpacked(row.tobytes()), float(share), tuple(views.tolist()))
            for row, share, views in zip(cloud.rows, shares, cloud.views, strict=True)
        ]

    def sample_rows(self, count: int, seed: int) -> tuple[Cloud, NDArray[np.float64]]:
        """As ``sample``, in packed rows, with the weights."""
        cloud = self._clouds[-1]
        live = ~self._simulator.expand(cloud.rows)[1]
        if not live.any():
            raise ImpossiblePerceptsError(f"{self.game.name} is over, as far as {self.role} can tell")
        cloud = cloud[live]
        numbers, shares = draw_worlds(cloud.weights, count, seed)
        return cloud[numbers], shares

    # -- one step ------------------------------------------------------------------------------------------

    def _needed(self, step: ToldStep) -> _Needed | None:
        """The step in numbers; None where it has a move or a percept that no play can bring about."""
        circuit = self.game.circuit
        move = None if step.move is None else circuit.move_number(self._seat, step.move)
        if move == -1:
            return None
        if step.percepts is None:
            return _Needed(move, None)
        bits = np.array(
            [seat == self._seat and seen in step.percepts for seat, seen, _ in circuit.sees], bool
        )
        if bits.sum() != len(step.percepts):
            return None
        return _Needed(move, np.packbits(bits, bitorder="little"))

    def _advance(self, cloud: Cloud, needed: _Needed, most: int) -> Cloud:
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
        rows = cloud.rows[parents]
        seen = self._simulator.kernel.sees(rows, moves, 1, False) if self._must_look(cloud, needed) else None
        weights, views = cloud.weights[parents] * chances, cloud.views[parents]
        if needed.percepts is not None and seen is not None:
            fits = ((seen & self._sees[self._seat]) == needed.percepts).all(axis=1)
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
        if views.shape[1] and seen is not None:
            views = seen_after(views, moves, [seen & mask for mask in self._sees])
        after = self._simulator.kernel.step(rows, moves, 1, False)
        return Cloud(after, weights, views).merged()

    def _must_look(self, cloud: Cloud, needed: _Needed) -> bool:
        """Whether percepts matter at all."""
        return bool(self.game.circuit.sees) and (needed.percepts is not None or cloud.views.shape[1] > 0)

    def _options(self, cloud: Cloud, needed: _Needed) -> tuple[Cloud, list[RoleOptions]]:
        """The worlds from which the step can be made, and the moves of each role there."""
        packed, terminal, _ = self._simulator.expand(cloud.rows)
        legal = self._simulator.legal_flags(packed)
        able = ~terminal
        for own in self.game.circuit.role_moves:
            able &= legal[:, own.start : own.stop].any(axis=1)
        if needed.move is not None:
            able &= legal[:, needed.move]
        cloud, legal = cloud[able], legal[able]
        options = []
        for seat, own in enumerate(self.game.circuit.role_moves):
            if seat == self._seat and needed.move is not None:
                options.append(RoleOptions.only(needed.move, len(cloud)))
            else:
                flags = legal[:, own.start : own.stop]
                options.append(RoleOptions.of(flags, own.start, self._weights(cloud, seat, flags)))
        return cloud, options

    def _weights(self, cloud: Cloud, seat: int, legal: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """What the model says of a role's moves, a row a world; None where all are as likely."""
        role, first = self.game.roles[seat], self.game.circuit.role_moves[seat].start
        if self._model is None or seat == self._seat or role is self.game.info.chance_role:
            return None
        moves = self.game.circuit.moves
        weights = np.zeros(legal.shape)
        for at, row in enumerate(cloud.rows):
            columns = np.flatnonzero(legal[at])
            named = [moves[first + column][1] for column in columns.tolist()]
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

    def _find_again(self, steps: list[ToldStep]) -> Cloud | None:
        """Worlds that agree with all steps, by the first way that finds some."""
        needed = [one for one in map(self._needed, steps) if one is not None]
        ways = (self._go_over_again, self._ask_engine, self._walk)
        found: Iterator[Cloud | None] = (way(steps, needed) for way in ways)
        return next((cloud for cloud in found if cloud), None)

    def _go_over_again(self, steps: Sequence[ToldStep], needed: Sequence[_Needed]) -> Cloud | None:
        """Larger clouds from ever earlier steps: others are drawn there."""
        back, spent = 2, self.joints
        while self.joints - spent < MOST_TRIED // 2:
            begin = max(0, len(needed) - back)
            cloud = self._clouds[begin]
            for one in needed[begin:]:
                cloud = self._fewer(self._advance(cloud, one, GROWTH * self._most), GROWTH * self._most)
                if not cloud:
                    break
            if cloud or begin == 0:
                return cloud
            back *= 2
        return None

    def _ask_engine(self, steps: Sequence[ToldStep], needed: Sequence[_Needed]) -> Cloud | None:
        """The worlds of histories that a complete engine knows."""
        if self._reinvent is None:
            return None
        found = [self._of_history(history, needed) for history in self._reinvent(steps, WITNESSES)]
        clouds = [cloud for cloud in found if cloud]
        return _joined(clouds).merged() if clouds else None

    def _of_history(self, history: History, needed: Sequence[_Needed]) -> Cloud | None:
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
            seen = self._simulator.kernel.sees(cloud.rows, moves, 1, False)
            if one.percepts is not None and ((seen & self._sees[self._seat]) != one.percepts).any():
                return None
            views = cloud.views
            if views.shape[1]:
                views = seen_after(views, moves, [seen & mask for mask in self._sees])
            after = self._simulator.kernel.step(cloud.rows, moves, 1, False)
            cloud = Cloud(after, cloud.weights * np.prod(chances), views)
        return cloud

    def _walk(self, steps: Sequence[ToldStep], needed: Sequence[_Needed]) -> Cloud | None:
        """Depth first from the beginning, some worlds at a time: the first that get through."""
        spent = self.joints
        trail = [(0, self._clouds[0])]
        while trail and self.joints - spent < MOST_TRIED:
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
