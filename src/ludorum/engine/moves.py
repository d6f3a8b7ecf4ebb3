"""The moves of a circuit: a role and a term each, made on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from ..asp.ground_terms import TermList, TermTable, compact_terms
from ..rules.terms import Term

RoleMove: TypeAlias = tuple[int, Term]


class Moves(Sequence[RoleMove]):
    """Role and move by number, all moves of the first role first; ``number`` goes the other way."""

    __slots__ = ("_made", "_numbers", "_terms", "roles")

    def __init__(self, roles: NDArray[np.int32], terms: TermTable) -> None:
        self.roles = roles
        self._terms = TermList(terms)
        self._made: list[RoleMove | None] = [None] * len(roles)
        self._numbers: dict[RoleMove, int] = {}

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, at: int) -> RoleMove: ...
    @overload
    def __getitem__(self, at: slice) -> list[RoleMove]: ...
    def __getitem__(self, at: int | slice) -> RoleMove | list[RoleMove]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        made = self._made[at]
        if made is None:
            at = range(len(self))[at]
            made = self._made[at] = (int(self.roles[at]), self._terms[at])
            self._numbers[made] = at
        return made

    def __iter__(self) -> Iterator[RoleMove]:
        self._terms.make_all()
        for at in range(len(self)):
            yield self[at]

    def number(self, role: int, move: Term) -> int:
        """The number of a role's move, -1 if it has no such move.

        Moves that were made before are found at once; the first other one makes all of them.
        """
        known = self._numbers.get((role, move))
        if known is None and len(self._numbers) < len(self):
            for _ in self:
                pass
            known = self._numbers.get((role, move))
        return -1 if known is None else known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moves | tuple | list):
            return NotImplemented
        return tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Moves], tuple[NDArray[np.int32], TermTable]]:
        return (Moves, (self.roles, compact_terms(self._terms.table)))
