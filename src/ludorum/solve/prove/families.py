"""Families of fluents of which at most one, or exactly one, holds: ``cell 1 1 ?``, ``control ?``.

Candidates come from the shape of the fluents and from states that were seen; induction decides which of them
are invariants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...rules.terms import Term

MOST_POSITIONS = 4
"""Arguments up to which every choice of value positions is tried."""


@dataclass(frozen=True)
class Family:
    """Fluents that differ only in their values."""

    pattern: str
    """The fluents with ``?`` where the values stand: ``(cell 1 1 ?)``."""
    members: tuple[int, ...]
    """Numbers of the fluents."""
    exactly: bool
    """Whether exactly one of them holds in every state; else at most one does."""
    schema: str
    """The same with the other arguments left open too: ``(cell . . ?)``."""


def find_families(fluents: Sequence[Term], seen: NDArray[np.bool_]) -> list[Family]:
    """Families that no seen state contradicts; the widest of each schema only."""
    found: list[Family] = []
    for group in _by_signature(fluents).values():
        known: list[frozenset[int]] = []
        for positions in _position_sets(len(fluents[group[0]].args)):
            for key, members in _by_key(fluents, group, positions).items():
                family = _family(key, members, positions, fluents, seen)
                if family is None or any(set(members) <= wider for wider in known):
                    continue
                known.append(frozenset(members))
                found.append(family)
    return found


def _family(
    key: tuple[Term, ...],
    members: list[int],
    positions: tuple[int, ...],
    fluents: Sequence[Term],
    seen: NDArray[np.bool_],
) -> Family | None:
    holding = seen[:, members].sum(axis=1)
    if holding.max(initial=0) > 1:
        return None
    exactly = bool(holding.min(initial=1) == 1)
    if len(members) < 2 and not exactly:
        return None
    first = fluents[members[0]]
    shown = ["?" if at in positions else str(arg) for at, arg in enumerate(first.args)]
    schema = ["?" if at in positions else "." for at in range(len(first.args))]
    return Family(_written(first.name, shown), tuple(members), exactly, _written(first.name, schema))


def _written(name: str, args: Sequence[str]) -> str:
    return f"({name} {' '.join(args)})" if args else name


def _by_signature(fluents: Sequence[Term]) -> dict[tuple[str, int], list[int]]:
    groups: dict[tuple[str, int], list[int]] = {}
    for at, fluent in enumerate(fluents):
        groups.setdefault(fluent.signature, []).append(at)
    return groups


def _position_sets(arity: int) -> list[tuple[int, ...]]:
    """Where values may stand, most positions first."""
    if arity > MOST_POSITIONS:
        return [tuple(range(arity)), *((at,) for at in range(arity))]
    sets = [choice for size in range(arity, 0, -1) for choice in combinations(range(arity), size)]
    return sets or [()]


def _by_key(
    fluents: Sequence[Term], group: Sequence[int], positions: tuple[int, ...]
) -> dict[tuple[Term, ...], list[int]]:
    keys: dict[tuple[Term, ...], list[int]] = {}
    for at in group:
        args = fluents[at].args
        key = tuple(arg for place, arg in enumerate(args) if place not in positions)
        keys.setdefault(key, []).append(at)  # type: ignore[arg-type]
    return keys
