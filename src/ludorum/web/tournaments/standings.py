"""Standings of a tournament: points, ratings with intervals, and the cross table."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ...arena.tournament.duels import duels_of
from ...arena.tournament.ratings import rate
from .course import TournamentCourse

MEAN_ELO = 1500.0


@dataclass(frozen=True)
class PlayerStanding:
    """A line of the table."""

    place: int
    player: str
    rating: float | None
    """None before any match counts."""
    low: float | None
    high: float | None
    points: float
    wins: int
    draws: int
    losses: int
    note: str = ""


@dataclass(frozen=True)
class StandingsTable:
    """The standings, best first, and the points of each player against each other in the same order."""

    standings: tuple[PlayerStanding, ...]
    cross: tuple[tuple[tuple[float, int] | None, ...], ...]

    def as_json(self) -> dict[str, object]:
        cells = [
            [None if cell is None else {"points": cell[0], "matches": cell[1]} for cell in row]
            for row in self.cross
        ]
        return {"standings": [asdict(one) for one in self.standings], "cross": cells}


def table_of(course: TournamentCourse) -> StandingsTable:
    """The table of a tournament so far. Takes milliseconds."""
    players = course.plan.players
    duels = duels_of(players, course.fixtures, course.results)
    ratings = rate(duels, anchor_elo=MEAN_ELO, bootstrap=0).rows if duels.sets else (None,) * len(players)
    records = dict(zip(players, duels.records(), strict=True))
    rated = dict(zip(players, ratings, strict=True))
    notes = dict(course.placing or ())
    order = list(notes) or sorted(players, key=lambda one: -_share(records[one]))
    rows = []
    for place, player in enumerate(order, 1):
        wins, draws, losses = records[player]
        row = rated[player]
        rows.append(
            PlayerStanding(
                place,
                player,
                rating=None if row is None else row.elo,
                low=None if row is None else row.low,
                high=None if row is None else row.high,
                points=wins + draws / 2,
                wins=wins,
                draws=draws,
                losses=losses,
                note=notes.get(player, ""),
            )
        )
    cross = tuple(
        tuple(None if one == other else duels.between(one, other) for other in order) for one in order
    )
    return StandingsTable(tuple(rows), cross)


def _share(record: tuple[int, int, int]) -> float:
    """The share of points; half where nothing was played."""
    wins, draws, losses = record
    played = wins + draws + losses
    return (wins + draws / 2) / played if played else 0.5
