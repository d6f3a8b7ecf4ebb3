"""A tournament as duels: the points of each player against each other, set by set.

Sets (matches that share opening and seed) are kept apart, because they may be taken as independent: errors
are estimated from how sets differ, and the bootstrap draws whole sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from .result import duel_points
from .schedule import Fixture, Results

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Duels:
    """For each set and each pair of players: games, and points of the pair's first."""

    players: tuple[str, ...]
    games: Floats
    """Sets by pairs, pairs in the order of ``pairs``."""
    points: Floats
    draws: Floats

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.players)), 2))

    @property
    def sets(self) -> int:
        return len(self.games)

    def design(self) -> Floats:
        """A row for each pair: 1 for its first player, -1 for its second."""
        rows = np.zeros((len(self.pairs), len(self.players)))
        for row, (one, other) in enumerate(self.pairs):
            rows[row, one], rows[row, other] = 1.0, -1.0
        return rows

    def by_player(self) -> tuple[Floats, Floats]:
        """Points and games of each player in each set, over all opponents."""
        design = self.design()
        first, second = np.maximum(design, 0), np.maximum(-design, 0)
        points = self.points @ first + (self.games - self.points) @ second
        return points, self.games @ np.abs(design)

    def between(self, one: str, other: str) -> tuple[float, int]:
        """Points and games of one player against another."""
        first, second = self.players.index(one), self.players.index(other)
        column = self.pairs.index((min(first, second), max(first, second)))
        games, points = float(self.games[:, column].sum()), float(self.points[:, column].sum())
        return (games - points if first > second else points), int(games)

    def records(self) -> list[tuple[int, int, int]]:
        """Wins, draws and losses of each player over everything."""
        points, games = self.by_player()
        draws = (self.draws @ np.abs(self.design())).sum(axis=0)
        wins = points.sum(axis=0) - draws / 2
        losses = games.sum(axis=0) - wins - draws
        return [(round(w), round(d), round(g)) for w, d, g in zip(wins, draws, losses, strict=True)]


def duels_of(players: Iterable[str], fixtures: Iterable[Fixture], results: Results) -> Duels:
    """All duels of matches that count. In a match of several players each duels with each, but not with
    itself in another seat; players of a game for one role duel with all others of the same set."""
    names = tuple(players)
    place = {name: at for at, name in enumerate(names)}
    column = {pair: at for at, pair in enumerate(combinations(range(len(names)), 2))}
    rows: dict[str, int] = {}
    alone: dict[str, list[tuple[int, int]]] = {}
    found: list[tuple[int, int, float]] = []

    def note(row: int, one: tuple[int, int], other: tuple[int, int]) -> None:
        (first, mine), (second, others) = sorted((one, other))
        found.append((row, column[first, second], duel_points(mine, others)))

    for fixture in fixtures:
        result = results.get(fixture.match_id)
        if result is None or not result.counts:
            continue
        row = rows.setdefault(fixture.group, len(rows))
        seats = [(place[name], goal) for name, goal in zip(fixture.players, result.goals, strict=True)]
        if len(seats) == 1:
            before = alone.setdefault(fixture.group, [])
            for earlier in before:
                note(row, earlier, seats[0])
            before.append(seats[0])
        for one, other in combinations(seats, 2):
            if one[0] != other[0]:
                note(row, one, other)
    games, points, draws = np.zeros((3, len(rows), len(column)))
    for row, at, share in found:
        games[row, at] += 1
        points[row, at] += share
        draws[row, at] += share == 0.5
    return Duels(names, games, points, draws)


def resampled(sets: int, times: int, seed: int) -> Floats:
    """How often each set is drawn in each of so many bootstrap samples, a row a sample."""
    # The old generator: its numbers are guaranteed never to change.
    chance = np.random.RandomState(seed % 2**32)
    return np.stack(
        [np.bincount(chance.randint(0, sets, sets), minlength=sets) for _ in range(times)]
    ).astype(np.float64)
