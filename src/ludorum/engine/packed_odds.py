"""The odds of nature's moves in packed states: the twin of ``State.odds`` for many states at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .compiled import CompiledGame

Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class RoleOdds:
    """What is known of a role of nature whose moves are not all as likely, or not all different."""

    weights: Places
    """By move of the role."""
    kinds: Places
    """By move of the role: the same for moves that no rule can tell apart."""

    @classmethod
    def of(cls, game: CompiledGame, seat: int) -> RoleOdds | None:
        """The odds of a role; None where all its moves are different and as likely."""
        own = game.circuit.role_moves[seat]
        chances = game.chances
        read: dict[object, int] = {}
        moves = [game.circuit.moves[number][1] for number in own]
        kinds = [read.setdefault(chances.as_read(move), len(read)) for move in moves]
        weights = [chances.weight(move) for move in moves]
        if len(read) == len(moves) and set(weights) <= {1}:
            return None
        return cls(np.array(weights, np.int64), np.array(kinds, np.int64))

    def merged(self, rows: Places, columns: Places) -> tuple[Places, Places, Places]:
        """Legal moves, by row and column, without those that another stands for, and their weights."""
        keys = rows * (int(self.kinds.max(initial=0)) + 1) + self.kinds[columns]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        sums = np.zeros(len(first), np.int64)
        np.add.at(sums, number.ravel(), self.weights[columns])
        order = np.argsort(first)
        kept = first[order]
        return rows[kept], columns[kept], sums[order]
