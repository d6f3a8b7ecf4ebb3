"""Matches between two evaluation functions: seats are changed after each, and points are summed up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ...arena.match.local import play_match
from ...arena.match.opening import open_match
from ...arena.tournament.statistics import wilson_interval
from ...engine.errors import GameError
from ...engine.game import Game
from ...players.goal_searcher import GoalConfig, GoalSearcher
from ...players.player import Player
from ...players.registry import make_player
from ...players.searching import SearchPlayer
from ...rules.terms import Term
from ...search.budget import Budget
from ...search.decision import Searcher

LONGEST = 400
"""Decisions of a match; what is longer is given up, and brings what the goals are there."""


def win_rate(own: float, others: float) -> float | None:
    """The share of all points; None where nobody has any."""
    return own / (own + others) if own + others else None


@dataclass
class VersionSide:
    """One of the two in all matches of a game."""

    name: str
    points: list[float] = field(default_factory=list)
    """Goal values, a match each."""
    states: int = 0
    """Different states that it has evaluated."""
    seconds: float = 0.0
    """Time it was given to think; 0 where its work was counted."""

    @property
    def states_per_second(self) -> float:
        return self.states / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class GameSeries:
    """The matches of two in one game."""

    game: str
    first: VersionSide
    second: VersionSide

    @property
    def rate(self) -> float | None:
        return win_rate(sum(self.first.points), sum(self.second.points))

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "matches": len(self.first.points),
            "points": {side.name: sum(side.points) for side in (self.first, self.second)},
            "rate": self.rate,
            "states_per_second": {
                side.name: round(side.states_per_second) for side in (self.first, self.second)
            },
        }


@dataclass(frozen=True)
class VersionDuel:
    """All matches of two, over several games."""

    series: Sequence[GameSeries]

    @property
    def rate(self) -> float | None:
        """Points of all games and matches are summed before they are divided."""
        return win_rate(*(sum(sum(side.points) for side in sides) for sides in self._sides))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, 95 % sure, each match taken as won, lost or shared."""
        matches = sum(len(one.first.points) for one in self.series)
        return wilson_interval((self.rate or 0.0) * matches, matches) if matches else (0.0, 1.0)

    @property
    def _sides(self) -> tuple[list[VersionSide], list[VersionSide]]:
        return [one.first for one in self.series], [one.second for one in self.series]

    def as_json(self) -> dict[str, object]:
        return {
            "rate": self.rate,
            "interval": list(self.interval),
            "games": [one.as_json() for one in self.series],
        }


def play_series(
    game: Game,
    names: tuple[str, str],
    matches: int,
    *,
    seconds: float = 0.5,
    start_seconds: float = 10.0,
    nodes: int | None = None,
    opening: int = 2,
    seed: int = 0,
) -> GameSeries:
    """So many matches, an even number: two after each random opening, with the seats changed.

    ``names`` are versions of evaluation functions, or names of players. With ``nodes`` searches are bounded
    by counted work, and seconds are patience alone.
    """
    if matches % 2 or matches < 2:
        raise ValueError(f"seats are changed: an even number of matches is needed, not {matches}")
    if len(game.info.players) != 2:
        raise ValueError(f"{game.name} is not for two players")
    sides = (VersionSide(names[0]), VersionSide(names[1]))
    makers = [_maker(name, nodes) for name in names]
    for at in range(matches):
        match = open_match(game, seed + at // 2, opening)
        order = (0, 1) if at % 2 == 0 else (1, 0)
        made = {role: makers[side](seed + at) for role, side in zip(game.info.players, order, strict=True)}
        players = {role: player for role, (player, _) in made.items()}
        play_match(match, players, seconds, limit=LONGEST, start_seconds=start_seconds)
        _refuse_fallbacks(players.values())
        for role, side in zip(game.info.players, order, strict=True):
            sides[side].points.append(float(match.state.goal(role) or 0))
            sides[side].states += made[role][1]()
            if nodes is None:
                sides[side].seconds += seconds * len(match.moves)
    return GameSeries(game.name, *sides)


def _refuse_fallbacks(players: Iterable[Player]) -> None:
    """Figures of a player that went on with another method would be figures of that method."""
    for player in players:
        if player.fallback:
            raise GameError(f"{player.name} {player.fallback}")


Made = tuple[Player, Callable[[], int]]
"""A player, and what tells how many different states it has evaluated."""


def _maker(name: str, nodes: int | None) -> Callable[[int], Made]:
    """What makes a player for one match."""
    from ...evaluate.goals.versions import VERSIONS

    if name not in VERSIONS:
        return lambda seed: (make_player(name, seed), lambda: 0)

    def make(seed: int) -> Made:
        searchers: list[GoalSearcher] = []

        def searcher(game: Game, _role: Term, _seconds: float) -> Searcher:
            searchers.append(GoalSearcher(game, GoalConfig(name, seed=seed)))
            return searchers[-1]

        work = None if nodes is None else Budget(nodes=nodes)
        player = SearchPlayer(name, searcher, seed, work, lambda game, role: [])
        return player, lambda: sum(one.evaluated for one in searchers)

    return make


def compared(series: Iterable[GameSeries]) -> VersionDuel:
    return VersionDuel(tuple(series))
