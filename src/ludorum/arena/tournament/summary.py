"""The summary of a tournament: scores, cross table, ratings, tables by game, faults. A value, and its JSON.

Nothing here depends on when or where matches were played: the same results give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from ...show.markup import listing, markup, report
from ..match.match import ErrorCode
from .by_clock import moves_made
from .duels import Duels, duels_of, resampled
from .plan import TournamentPlan
from .ratings import Ratings, rate
from .result import Ending, seat_points
from .run import Played
from .schedule import Fixture, Results
from .statistics import wilson_interval

NOT_REPEATABLE = "Their moves may differ another time, so these results cannot be repeated move for move."
NONE_COUNTS = "No match counts: there is nothing to compare the players by."
BOOTSTRAP = 400
"""Samples for an interval: its ends are then accurate to a tenth of its width."""


@dataclass(frozen=True)
class Score:
    """The points of a player over some duels."""

    player: str
    games: int
    wins: int
    draws: int
    losses: int
    wilson: tuple[float, float]
    bootstrap: tuple[float, float]

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    def as_json(self) -> dict[str, object]:
        return asdict(self) | {
            "points": self.points,
            "share": round(self.share, 4),
            "wilson": [round(bound, 4) for bound in self.wilson],
            "bootstrap": [round(bound, 4) for bound in self.bootstrap],
        }


@dataclass(frozen=True)
class GameTable:
    """One game of the tournament."""

    game: str
    matches: int
    scores: tuple[Score, ...]
    roles: tuple[tuple[str, float], ...]
    """The mean points of each role over all players: how fair the game is."""
    drawn: float
    """The share of matches in which all goals were equal."""
    mean_length: float

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "matches": self.matches,
            "scores": [score.as_json() for score in self.scores],
            "roles": {role: round(share, 4) for role, share in self.roles},
            "drawn": round(self.drawn, 4),
            "mean_length": round(self.mean_length, 2),
        }


@dataclass(frozen=True)
class NotedFault:
    """A player's fault in a match."""

    match_id: str
    player: str
    """Empty where it was no player's fault."""
    step: int
    code: ErrorCode
    text: str


@dataclass(frozen=True)
class Summary:
    """The contents of a report."""

    played: Played
    scores: tuple[Score, ...]
    """In the order of the final placing."""
    ratings: Ratings
    duels: Duels
    games: tuple[GameTable, ...]
    faults: tuple[NotedFault, ...]
    endings: dict[str, int]

    @property
    def plan(self) -> TournamentPlan:
        return self.played.plan

    @property
    def is_counted(self) -> bool:
        """Whether any match counts."""
        return any(result.counts for result in self.played.results.values())

    @property
    def notes(self) -> list[str]:
        """Remarks for readers of the result."""
        found = [] if self.is_counted else [NONE_COUNTS]
        found += self._fallback_notes()
        invited = ", ".join(f"{one.name} (at {one.address})" for one in self.plan.invitations)
        if invited:
            said = "Played outside by programs that the seed does not govern"
            found.append(f"{said}: {invited}. {NOT_REPEATABLE}")
        return found

    @property
    def lapses(self) -> tuple[NotedFault, ...]:
        """Faults, except those that name the method a player goes on with."""
        return tuple(fault for fault in self.faults if fault.code is not ErrorCode.FALLBACK)

    def _fallback_notes(self) -> list[str]:
        matches: dict[str, dict[str, str]] = {}
        for fault in self.faults:
            if fault.code is ErrorCode.FALLBACK:
                matches.setdefault(fault.player, {})[fault.match_id] = fault.text
        return [
            f"Not by its own method in {len(texts)} matches: {next(iter(texts.values()))}"
            for texts in matches.values()
        ]

    def cross(self, one: str, other: str) -> tuple[float, int]:
        """Points and games of one player against another."""
        return self.duels.between(one, other)

    def _repr_html_(self) -> str:
        """The tournament in a notebook: a line for each player, the best first, and the remarks."""
        rows = [
            (one.player, f"{one.points:g}", str(one.games), f"{one.share:.0%}",
             f"{one.wilson[0]:.0%} to {one.wilson[1]:.0%}")
            for one in self.scores
        ]  # fmt: skip
        header = ("player", "points", "games", "share", "95 % interval")
        title = ", ".join(game.name for game in self.plan.games)
        return markup(report(title, [("note", note) for note in self.notes], listing(header, rows)))

    def as_json(self) -> dict[str, object]:
        names = [score.player for score in self.scores]
        placing = self.played.placing
        return {
            "matches": len(self.played.results),
            "endings": self.endings,
            "players": [
                score.as_json() | {"rating": self.ratings.of(score.player).as_json()} for score in self.scores
            ],
            "ratings_bounded": self.ratings.is_bounded,
            "cross": {
                one: {other: list(self.cross(one, other)) for other in names if other != one} for one in names
            },
            "games": [table.as_json() for table in self.games],
            "placing": None if placing is None else [list(row) for row in placing],
            "sprt": None if self.played.test is None else self.played.test.as_json(),
            "faults": [asdict(fault) for fault in self.faults],
            "notes": self.notes,
            "settings": settings_of(self.plan),
        }


def settings_of(plan: TournamentPlan) -> dict[str, object]:
    """The plan without rule texts: their digests say whether two are the same."""
    games = [{"name": game.name, "roles": list(game.roles), "rules": game.digest} for game in plan.games]
    return plan.as_json() | {"games": games}


def summarise(played: Played, anchor: str | None = None, anchor_elo: float = 0.0) -> Summary:
    plan = played.plan
    duels = duels_of(plan.players, played.fixtures, played.results)
    ratings = rate(duels, anchor, anchor_elo, bootstrap=BOOTSTRAP, seed=plan.seed)
    scores = _scores(duels, plan.seed)
    if played.placing is not None:
        place = {name: at for at, (name, _) in enumerate(played.placing)}
        scores = sorted(scores, key=lambda score: place[score.player])
    else:
        scores = sorted(scores, key=lambda score: (-score.share, plan.players.index(score.player)))
    return Summary(
        played,
        tuple(scores),
        ratings,
        duels,
        tuple(_game_table(played, game.name) for game in plan.games),
        tuple(_faults(played.fixtures, played.results)),
        dict(sorted(Counter(str(result.ending) for result in played.results.values()).items())),
    )


def _scores(duels: Duels, seed: int) -> list[Score]:
    points, games = duels.by_player()
    weights = resampled(duels.sets, BOOTSTRAP, seed) if duels.sets else np.zeros((0, 0))
    drawn_points, drawn_games = weights @ points, weights @ games
    found = []
    for at, (player, record) in enumerate(zip(duels.players, duels.records(), strict=True)):
        wins, draws, losses = record
        total = wins + draws + losses
        interval = (0.0, 1.0)
        if duels.sets > 1 and total:
            some = drawn_games[:, at] > 0
            shares = drawn_points[some, at] / drawn_games[some, at]
            interval = (float(np.percentile(shares, 2.5)), float(np.percentile(shares, 97.5)))
        wilson = wilson_interval(wins + draws / 2, total)
        found.append(Score(player, total, wins, draws, losses, wilson, interval))
    return found


def _game_table(played: Played, name: str) -> GameTable:
    plan = played.plan
    fixtures = [fixture for fixture in played.fixtures if fixture.game == name]
    counted = [played.results[fixture.match_id] for fixture in fixtures]
    counted = [result for result in counted if result.counts]
    roles = plan.game(name).roles
    shares = [seat_points(result.goals) for result in counted]
    means = np.mean(shares, axis=0) if shares else np.zeros(len(roles))
    ended = [result for result in counted if result.ending is not Ending.FORFEIT]
    lengths = [moves_made(one) if plan.game(name).realtime else len(one.moves) for one in ended]
    return GameTable(
        name,
        len(fixtures),
        tuple(_scores(duels_of(plan.players, fixtures, played.results), plan.seed)),
        tuple(zip(roles, map(float, means), strict=True)),
        float(np.mean([len(set(result.goals)) == 1 for result in counted])) if counted else 0.0,
        float(np.mean(lengths)) if lengths else 0.0,
    )


def _faults(fixtures: Iterable[Fixture], results: Results) -> Iterable[NotedFault]:
    for fixture in fixtures:
        for fault in results[fixture.match_id].faults:
            player = "" if fault.seat is None else fixture.players[fault.seat]
            yield NotedFault(fixture.match_id, player, fault.step, fault.code, fault.text)
