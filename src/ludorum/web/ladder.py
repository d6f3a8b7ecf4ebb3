"""Ratings of people and players from the matches that were played here."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from .store.database import Database
from .store.matches import results

MOST_MATCHES = 5000
MOST_NAMES = 60
"""Those with most matches are rated: the sums grow with the square of their number."""
FRESH_SECONDS = 20.0

if TYPE_CHECKING:
    from ..arena.tournament.duels import Duels

Seat = tuple[str, str]
"""``person`` or ``player``, and a name."""


@dataclass(frozen=True)
class LadderStanding:
    """A line of a leaderboard."""

    rank: int
    kind: str
    name: str
    rating: float
    low: float
    high: float
    matches: int


class MatchLadder:
    """Leaderboards, of one game or of all, remembered for a moment."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str | None, tuple[float, list[LadderStanding]]] = {}

    async def standings(self, game: str | None) -> list[LadderStanding]:
        """The rated, best first. Guests are not rated: everybody can make more of them."""
        at, found = self._known.get(game, (0.0, []))
        if time.monotonic() - at > FRESH_SECONDS or not at:
            played = await self._database.read(results, game, MOST_MATCHES)
            found = await asyncio.to_thread(standings, played)
            if len(self._known) > 1000:
                self._known.clear()
            self._known[game] = (time.monotonic(), found)
        return found


def standings(matches: list[list[tuple[str, str, int]]]) -> list[LadderStanding]:
    """Ratings from matches, each a list of (kind, name, goal); every two seats of a match are a duel."""
    several = [match for match in matches if len({seat[:2] for seat in match}) > 1]
    counts: Counter[Seat] = Counter()
    for match in several:
        counts.update({(kind, name) for kind, name, _ in match})
    rated = sorted(seat for seat, _ in counts.most_common(MOST_NAMES))
    if len(rated) < 2:
        return []
    from ..arena.tournament.ratings import rate  # imports numpy: only where there is something to rate

    duels = _duels(rated, several)
    found = rate(duels, bootstrap=0, anchor_elo=1500.0)
    rows = sorted(zip(rated, found.rows, strict=True), key=lambda pair: -pair[1].elo)
    return [
        LadderStanding(place, kind, name, row.elo, row.low, row.high, counts[kind, name])
        for place, ((kind, name), row) in enumerate(rows, 1)
    ]


def _duels(rated: list[Seat], matches: list[list[tuple[str, str, int]]]) -> Duels:
    import numpy as np

    from ..arena.tournament.duels import Duels
    from ..arena.tournament.result import duel_points

    place = {seat: at for at, seat in enumerate(rated)}
    column = {pair: at for at, pair in enumerate(combinations(range(len(rated)), 2))}
    games, points, draws = np.zeros((3, len(matches), len(column)))
    for row, match in enumerate(matches):
        seats = [(place[kind, name], goal) for kind, name, goal in match if (kind, name) in place]
        for (first, mine), (second, others) in combinations(sorted(seats), 2):
            if first != second:
                share = duel_points(mine, others)
                at = column[first, second]
                games[row, at] += 1
                points[row, at] += share
                draws[row, at] += share == 0.5
    return Duels(tuple(f"{kind}:{name}" for kind, name in rated), games, points, draws)
