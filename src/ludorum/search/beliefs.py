"""Beliefs: what a role thinks possible, as packed states with weights, and what can come of them.

For games in which one role decides, against nature and roles without a choice. Every move splits a belief by
what would be seen after it: worlds that look the same stay together. Many beliefs are taken at once, in the
lanes of the compiled engine; equal ones are one, whatever led to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled import CompiledGame
from ..engine.packed_rows import GOLDEN, distinct_rows, joint_shares, mixed, sees_masks
from ..engine.simulator import Numbers, Packed, joint_counts, joint_moves
from ..rules.terms import Term
from .mixed import NoAdviceError

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Keys: TypeAlias = NDArray[np.uint64]

CHUNK = 1 << 15
"""Joint moves that are made at once."""


@dataclass(frozen=True)
class Beliefs:
    """Several beliefs: the states of the first, then those of the next. Weights of each have the sum 1."""

    rows: Packed
    legal: Packed
    """By state: the legal moves, as bits."""
    weights: Floats
    starts: Ints
    """Where the states of each belief begin, with the number of all states at the end."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def owner(self) -> Ints:
        """By state: the number of its belief."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def sameness(self) -> Floats:
        """By belief: how likely two worlds drawn from it are the same, 1 where the state is known."""
        return np.add.reduceat(self.weights**2, self.starts[:-1]) if len(self) else np.zeros(0)

    def some(self, which: Ints) -> Beliefs:
        """The beliefs of these numbers."""
        sizes = self.sizes[which]
        ends = np.cumsum(sizes)
        place = np.repeat(self.starts[which] - (ends - sizes), sizes) + np.arange(sizes.sum())
        starts = np.concatenate([[0], ends])
        return Beliefs(self.rows[place], self.legal[place], self.weights[place], starts)


@dataclass(frozen=True)
class Prospect:
    """What can come of beliefs: an option for each belief and move, a part for each option and what is seen.

    Options that come to the same are one.
    """

    belief: Ints
    """By option."""
    move: Numbers
    ended: Floats
    """By option: the goal in worlds where the match ends, times their probability."""
    going: Floats
    """By option: how likely the match goes on."""
    part_option: Ints
    """By part, in ascending order."""
    part_chance: Floats
    """By part: how likely it is seen where the option is taken, and the match goes on."""
    part_after: Ints
    """By part: the number of the belief after it."""
    after: Beliefs
    draws: bool
    """Whether nature has a choice in some state."""
    work: int
    """Joint moves that were made."""


class BeliefSteps:
    """Makes the steps of beliefs of one role."""

    def __init__(self, game: CompiledGame, role: Term) -> None:
        self.game = game
        self.seat = game.roles.index(role)
        self.own = game.circuit.role_moves[self.seat]
        self.top = max(
            (value for seat, value, _ in game.circuit.goals if seat == self.seat and isinstance(value, int)),
            default=100,
        )
        """The highest goal there is."""
        self._simulator = game.shared_simulator
        self._mask = sees_masks(game.circuit)[self.seat]
        self._sizes = [len(one) for one in game.circuit.role_moves]
        self._last: tuple[Beliefs, _Ways] | None = None

    def start(self, rows: Packed, weights: Floats) -> Beliefs:
        """One belief, of states that are not over."""
        legal = self._simulator.expand(rows)[0]
        return Beliefs(rows, legal, weights / weights.sum(), np.array([0, len(rows)]))

    def cost(self, beliefs: Beliefs) -> float:
        """How many joint moves a look at all that can come of beliefs makes."""
        return float(self._ways(beliefs).counts.sum())

    def look(self, beliefs: Beliefs, is_up: Callable[[], bool] | None = None) -> Prospect | None:
        """All that can come of beliefs; None where time is up before.

        NoAdviceError where the role cannot know a legal move.
        """
        made: list[_Made] = []
        for ends in _chunks(self._ways(beliefs).counts):
            if is_up is not None and is_up():
                return None
            made.append(self._make(beliefs, *ends))
        rows = np.concatenate([one.rows for one in made])
        firsts = np.cumsum([0, *(len(one.rows) for one in made[:-1])])
        place = np.concatenate([one.place + first for one, first in zip(made, firsts, strict=True)])
        first, twin = distinct_rows(rows)
        option, weight = (
            np.concatenate([one.option for one in made]),
            np.concatenate([one.weight for one in made]),
        )
        percept = distinct_rows(np.concatenate([one.seen for one in made]))[1]
        kinds = np.cumsum([0, *(len(one.seen) for one in made[:-1])])
        percept = percept[np.concatenate([one.percept + kind for one, kind in zip(made, kinds, strict=True)])]
        draws = any(one.draws for one in made)
        return self._sorted(option, percept, rows[first], twin[place], weight, draws)

    # -- steps ---------------------------------------------------------------------------------------------

    def _ways(self, beliefs: Beliefs) -> _Ways:
        """The moves of beliefs; those of the last ones are kept, since their number is asked for first."""
        if self._last is None or self._last[0] is not beliefs:
            flags = self._simulator.legal_flags(beliefs.legal).copy()
            own = slice(self.own.start, self.own.stop)
            known = np.logical_and.reduceat(flags[:, own], beliefs.starts[:-1], axis=0)
            if not known.any(axis=1).all():
                raise NoAdviceError("no move is known to be legal")
            flags[:, own] = False
            flags[:, own.start] = True
            ways = joint_counts(flags, self._sizes)
            self._last = beliefs, _Ways(known, flags, ways, ways * known.sum(axis=1)[beliefs.owner])
        return self._last[1]

    def _make(self, beliefs: Beliefs, begin: int, end: int) -> _Made:
        """All joint moves of a stretch of states; nature's by its odds."""
        ways = self._ways(beliefs)
        states, moves = joint_moves(ways.others[begin:end], self._sizes)
        circuit = self.game.circuit
        chances = joint_shares(ways.others[begin:end], circuit.role_moves, circuit.weights, states, moves)
        # The own moves are those of the belief, whatever the others do: they are listed once for each.
        owner = beliefs.owner[begin:end]
        belief, column = np.nonzero(ways.known[owner[0] : owner[-1] + 1])
        counts = np.bincount(belief, minlength=owner[-1] - owner[0] + 1)
        repeats = counts[owner[states] - owner[0]]
        begins = (np.cumsum(counts) - counts)[owner[states] - owner[0]]
        place = np.repeat(begins - (np.cumsum(repeats) - repeats), repeats) + np.arange(repeats.sum())
        states, moves = np.repeat(states, repeats), np.repeat(moves, repeats, axis=0)
        chances = np.repeat(chances, repeats)
        moves[:, self.seat] = column[place] + self.own.start
        before = beliefs.rows[begin:end][states]
        seen = self._simulator.kernel.sees(before, moves, 1, False)
        after = self._simulator.kernel.step(before, moves, 1, False)
        first, twin = distinct_rows(after)
        shown = seen & self._mask
        kinds, percept = distinct_rows(shown)
        return _Made(
            owner[states] * len(self.own) + column[place],
            shown[kinds],
            percept,
            twin,
            beliefs.weights[begin:end][states] * chances,
            after[first],
            bool((ways.ways[begin:end] > 1).any()),
        )

    # -- what they come to ---------------------------------------------------------------------------------

    def _sorted(
        self, option: Ints, percept: Ints, rows: Packed, place: Ints, weight: Floats, draws: bool
    ) -> Prospect:
        """The outcomes of joint moves by option, by what is seen, and by state."""
        work = len(option)
        options, option = _numbered(option)
        legal, terminal, goals = self._simulator.expand(rows)
        over = terminal[place]
        goal = goals[place, self.seat].clip(min=0)
        ended = sums_of(option, np.where(over, weight * goal, 0.0), len(options))
        option, percept, place, weight = option[~over], percept[~over], place[~over], weight[~over]
        kinds = int(percept.max(initial=0)) + 1
        parts, part = _numbered(option * kinds + percept)
        cells, cell = _numbered(part * len(rows) + place)
        weight = sums_of(cell, weight, len(cells))
        part, place = cells // len(rows), cells % len(rows)
        chance = sums_of(part, weight, len(parts))
        starts = np.searchsorted(part, np.arange(len(parts) + 1))
        found = Beliefs(rows[place], legal[place], weight / chance[part], starts)
        firsts, after = _same_beliefs(found, place)
        prospect = Prospect(
            options // len(self.own),
            (options % len(self.own) + self.own.start).astype(np.int32),
            ended,
            sums_of(parts // kinds, chance, len(options)),
            parts // kinds,
            chance,
            after,
            found.some(firsts),
            draws,
            work,
        )
        return _without_twins(prospect)


@dataclass(frozen=True)
class _Ways:
    """What can be done in the states of beliefs."""

    known: NDArray[np.bool_]
    """By belief: the own moves that are known to be legal."""
    others: NDArray[np.bool_]
    """By state: the moves of all roles, with the first own one in place of all of them."""
    ways: Floats
    """By state: how many joint moves the others have."""
    counts: Floats
    """By state: how many joint moves there are."""


@dataclass(frozen=True)
class _Made:
    """Joint moves that were made: an entry for each."""

    option: Ints
    """The number of the belief, times that of all own moves, and the own move."""
    seen: Packed
    """What the role perceives, each kind once."""
    percept: Ints
    """Its kind among ``seen``."""
    place: Ints
    """The next state among ``rows``."""
    weight: Floats
    rows: Packed
    draws: bool


def _chunks(counts: Floats) -> Iterator[tuple[int, int]]:
    """Stretches of states with about as many joint moves as are made at once."""
    sums = np.cumsum(counts)
    begin, spent = 0, 0.0
    while begin < len(sums):
        end = max(begin + 1, int(np.searchsorted(sums, spent + CHUNK, side="right")))
        yield begin, end
        begin, spent = end, float(sums[end - 1])


def sums_of(numbers: Ints, values: Floats, count: int) -> Floats:
    """By number, from 0 on: the sum of its values."""
    return np.bincount(numbers, values, count).astype(np.float64, copy=False)


def _numbered(values: Ints) -> tuple[Ints, Ints]:
    """The different values in their order, and the number of each entry's."""
    different, number = np.unique(values, return_inverse=True)
    return different, number.ravel()


def _same_beliefs(beliefs: Beliefs, place: Ints) -> tuple[Ints, Ints]:
    """The first of all equal beliefs, and by belief the number of the one that it equals.

    ``place`` has a number for each state, the same for the same states; each belief has them in order.
    """
    if not len(beliefs):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    entries = mixed(place.astype(np.uint64) * GOLDEN + rounded(beliefs.weights))
    keys = np.add.reduceat(entries, beliefs.starts[:-1]) + mixed(beliefs.sizes.astype(np.uint64))
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number.ravel()


def rounded(numbers: Floats) -> Keys:
    """Numbers of 0 to 100 as whole ones; those that differ by rounding errors alone are the same."""
    return np.round(numbers * 2.0**32).astype(np.uint64)


def _without_twins(found: Prospect) -> Prospect:
    """Options of a belief that come to the same as an earlier one are left out."""
    parts = mixed(found.part_after.astype(np.uint64) * GOLDEN + rounded(found.part_chance))
    keys = mixed(rounded(found.ended) + mixed(found.belief.astype(np.uint64) + GOLDEN))
    np.add.at(keys, found.part_option, parts)
    kept = np.sort(np.unique(keys, return_index=True)[1])
    number = np.full(len(found.belief), -1)
    number[kept] = np.arange(len(kept))
    stays = number[found.part_option] >= 0
    used, after = _numbered(found.part_after[stays])
    return Prospect(
        found.belief[kept],
        found.move[kept],
        found.ended[kept],
        found.going[kept],
        number[found.part_option[stays]],
        found.part_chance[stays],
        after,
        found.after.some(used),
        found.draws,
        found.work,
    )
