"""Results of random games, game by game, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..rules.terms import Term
from ..show.markup import markup, report
from .words import Named, unknown_role

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_GOAL = -1
"""The goal value of a role to which the rules give no number, or several."""


@dataclass(frozen=True)
class PlayoutResults:
    """The results of random games: row ``i`` of ``goals`` and ``lengths[i]`` belong to the same game.

    >>> import ludorum
    >>> found = ludorum.playouts("tictactoe", 1000, seed=1)
    >>> found.goals.shape, found.lengths.shape, found.goals.dtype.name
    ((1000, 2), (1000,), 'int32')
    >>> bool((found.goals.sum(axis=1) == 100).all())
    True
    """

    game: str
    roles: tuple[Term, ...]
    goals: NDArray[np.int32]
    """Goal values, a row for each game and a column for each role, -1 where the rules give none."""
    lengths: NDArray[np.int32]
    """Joint moves of each game, at most ``max_steps`` where that was given."""

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, role: Named) -> NDArray[np.int32]:
        """The goal values of one role.

        >>> import ludorum
        >>> float(ludorum.playouts("tictactoe", 1000, seed=1).of("xplayer").mean()) > 50
        True
        """
        for at, own in enumerate(self.roles):
            if own is role or (isinstance(role, str) and str(own) == role.lower()):
                return self.goals[:, at]
        raise unknown_role(self.game, role, self.roles)

    def means(self) -> dict[str, float]:
        """The mean goal value of each role over all games; a game without a value counts as 0.

        >>> import ludorum
        >>> sum(ludorum.playouts("tictactoe", 1000, seed=1).means().values())
        100.0
        """
        sums = np.maximum(self.goals, 0).sum(axis=0, dtype=np.int64)
        return {
            str(role): float(total) / max(1, len(self)) for role, total in zip(self.roles, sums, strict=True)
        }

    def _repr_html_(self) -> str:
        """The means in a notebook."""
        rows = [(f"mean goal of {role}", f"{mean:.2f}") for role, mean in self.means().items()]
        if len(self):
            shortest, longest = int(self.lengths.min()), int(self.lengths.max())
            rows.append(("moves", f"{self.lengths.mean():.2f} on average, {shortest} to {longest}"))
        return markup(report(f"{len(self)} playouts of {self.game}", rows))

    def __repr__(self) -> str:
        means = ", ".join(f"{role} {mean:.1f}" for role, mean in self.means().items())
        length = f"{self.lengths.mean():.1f}" if len(self) else "0"
        return f"<{len(self)} playouts of {self.game}: {means}; {length} moves each>"
