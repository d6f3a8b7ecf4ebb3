"""Moves that have come and were not handled yet, in the order in which they came."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import NamedTuple

from ...rules.terms import Term

MOVES_A_SECOND = 25.0
"""Moves of a player that are heard: everybody has to be told of each."""
MOST_AT_ONCE = 8
"""Moves of a player that may come together, and that may wait: more would make others wait for it."""


class Arrived(NamedTuple):
    """A move, and when it came."""

    at: float
    role: Term
    move: Term


class Inbox:
    """First come, first served; a player that floods it is not heard, and keeps no other from being heard."""

    def __init__(self, roles: Iterable[Term]) -> None:
        self._moves: deque[Arrived] = deque()
        self._waiting: Counter[Term] = Counter()
        self._credit = {role: (0.0, float(MOST_AT_ONCE)) for role in roles}
        """When each was heard last, and how many moves it might have made then."""

    def put(self, at: float, role: Term, move: Term) -> bool:
        """Add a move that comes now; returns whether it is heard."""
        before, credit = self._credit[role]
        credit = min(MOST_AT_ONCE, credit + (at - before) * MOVES_A_SECOND)
        heard = credit >= 1 and self._waiting[role] < MOST_AT_ONCE
        self._credit[role] = at, credit - heard
        if heard:
            self._waiting[role] += 1
            self._moves.append(Arrived(at, role, move))
        return heard

    def take(self, before: float) -> Arrived | None:
        """The first move, if it came before this moment."""
        if not self._moves or self._moves[0].at >= before:
            return None
        first = self._moves.popleft()
        self._waiting[first.role] -= 1
        return first
