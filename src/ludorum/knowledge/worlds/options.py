"""The joint moves of many packed states: all of them, or some drawn, each with its probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...engine.simulator import Numbers

Rows: TypeAlias = NDArray[np.int64]
Shares: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class RoleOptions:
    """The moves of one role in each state: those of the first state, then those of the next."""

    moves: Numbers
    chances: Shares
    """How likely each is in its state; the sum of a state is 1."""
    counts: NDArray[np.int64]
    """By state: how many moves the role has."""
    is_even: bool = True
    """Whether all moves of a state are as likely."""

    @classmethod
    def of(cls, legal: NDArray[np.bool_], numbers: Numbers, weights: Shares | None = None) -> RoleOptions:
        """The options of flags, a column a move, with the number of each move."""
        flags = legal if weights is None else legal & (weights > 0)
        rows, columns = np.nonzero(flags)
        counts = np.bincount(rows, minlength=len(legal))
        if weights is None:
            chances = 1.0 / counts[rows]
        else:
            own = weights[rows, columns]
            chances = own / np.bincount(rows, own, minlength=len(legal))[rows]
        return cls(numbers[columns], chances, counts, weights is None)

    @property
    def starts(self) -> NDArray[np.int64]:
        """By state: where its moves begin."""
        return np.cumsum(self.counts) - self.counts


def count_joints(options: list[RoleOptions]) -> float:
    """How many joint moves all states have together; a float, since products overflow integers."""
    counts = np.ones(len(options[0].counts))
    for own in options:
        counts *= own.counts
    return float(counts.sum())


def all_joints(options: list[RoleOptions]) -> tuple[Rows, Numbers, Shares]:
    """Every joint move of every state: the state's number, the moves by role, and the probability.

    Every role has a move in every state.
    """
    parents = np.arange(len(options[0].counts))
    chosen: list[Numbers] = []
    chances = np.ones(len(parents))
    for own in options:
        if (
            len(own.moves) == len(own.counts) and own.counts.all()
        ):  # one move in each state, as for roles whose turn it is not
            chosen.append(own.moves[parents])
            continue
        repeats = own.counts[parents]
        ends = np.cumsum(repeats)
        place = np.repeat(own.starts[parents] - (ends - repeats), repeats) + np.arange(repeats.sum())
        parents, chances = np.repeat(parents, repeats), np.repeat(chances, repeats) * own.chances[place]
        chosen = [np.repeat(column, repeats) for column in chosen] + [own.moves[place]]
    return parents, np.ascontiguousarray(np.stack(chosen, axis=1)), chances


def some_joints(
    options: list[RoleOptions], each: int, chance: np.random.Generator
) -> tuple[Rows, Numbers, Shares]:
    """So many joint moves of each state, drawn by their probability, all with the same share."""
    parents = np.repeat(np.arange(len(options[0].counts)), each)
    chosen = []
    for own in options:
        starts, counts = own.starts[parents], own.counts[parents]
        points = chance.random(len(parents))
        if own.is_even:
            place = starts + (points * counts).astype(np.int64)
        else:
            sums = np.concatenate([[0.0], np.cumsum(own.chances)])
            reached = sums[starts] + points * (sums[starts + counts] - sums[starts])
            place = np.searchsorted(sums, reached, side="right") - 1
        chosen.append(own.moves[place.clip(starts, starts + counts - 1)])
    return parents, np.ascontiguousarray(np.stack(chosen, axis=1)), np.full(len(parents), 1.0 / each)
