"""What pages and downloads show of tournaments."""

from __future__ import annotations

import asyncio
import csv
import io
from collections import OrderedDict
from dataclasses import dataclass

from ...arena.tournament import Fixture
from ..store.database import Database
from ..store.tournaments import FixtureRow, TournamentRow, fixtures_of
from .contract import FinalStandings, ListedTournament, TournamentMatch, TournamentMatches, TournamentView
from .course import TournamentCourse
from .plan import KeptPlan, expected_matches, kept_from_json
from .running import course_of
from .standings import StandingsTable, table_of

PAGE = 50
"""Matches on a page of a tournament's list."""
MOST_KEPT = 100
"""Tournaments whose tables are remembered: many people may look at the same one."""


@dataclass(frozen=True)
class MatchesInSight:
    """A tournament at one moment."""

    row: TournamentRow
    kept: KeptPlan
    course: TournamentCourse
    table: StandingsTable
    fixtures: tuple[FixtureRow, ...]

    def begun(self) -> list[Fixture]:
        """Matches that can be looked at, in the order in which they were begun."""
        by_name = {fixture.match_id: fixture for fixture in self.course.fixtures}
        return [by_name[one.fixture] for one in self.fixtures if one.is_made]

    def state(self, fixture: Fixture) -> str:
        """``live``, ``over`` or ``stopped``, of a match that has begun."""
        if fixture.match_id in self.course.results:
            return "over"
        return "live" if self.row.state == "running" else "stopped"

    @property
    def total(self) -> int:
        """Matches, as far as it is known."""
        known = len(self.course.fixtures)
        return known if self.course.is_over else max(known, expected_matches(self.kept.plan))

    @property
    def seconds_left(self) -> float | None:
        """As long as the rest takes if it is like the matches so far; None before one has ended."""
        lengths = [one.seconds for one in self.fixtures if one.is_over]
        if self.row.state != "running" or not lengths:
            return None
        at_once = max(1, len(self.fixtures) - len(lengths))
        return (self.total - len(lengths)) * sum(lengths) / len(lengths) / at_once


class TournamentSights:
    """Shows tournaments as the database has them, whoever runs them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[str, tuple[object, MatchesInSight]] = OrderedDict()

    async def see(self, row: TournamentRow) -> MatchesInSight:
        """A tournament as it is now."""
        version = row.state, row.matches_over, row.matches_begun
        known = self._known.get(row.id)
        if known is None or known[0] != version or not all(one.is_made for one in known[1].fixtures):
            begun = await self._database.read(fixtures_of, row.id)
            known = self._known[row.id] = version, await asyncio.to_thread(_sight, row, begun)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return known[1]


def _sight(row: TournamentRow, begun: list[FixtureRow]) -> MatchesInSight:
    course = course_of(row, begun)
    return MatchesInSight(row, kept_from_json(row.plan), course, table_of(course), tuple(begun))


def listed(row: TournamentRow) -> ListedTournament:
    """A tournament as the list shows it."""
    kept = kept_from_json(row.plan)
    done = row.matches_over
    total = done if row.state == "over" else max(done, expected_matches(kept.plan))
    return ListedTournament.model_validate(_summary(row, kept, done, total))


def shown(sight: MatchesInSight, may_stop: bool) -> TournamentView:
    """A tournament as its page shows it."""
    plan, course = sight.kept.plan, sight.course
    live = [fixture for fixture in sight.begun() if sight.state(fixture) == "live"]
    return TournamentView.model_validate(
        _summary(sight.row, sight.kept, len(course.results), sight.total)
        | sight.table.as_json()
        | {
            "why": sight.row.why,
            "matches": plan.matches,
            "rounds": plan.rounds,
            "seconds": plan.play_seconds,
            "opening": plan.opening,
            "seed": plan.seed,
            "seconds_left": sight.seconds_left,
            "may_stop": may_stop,
            "live": [_match(sight, fixture) for fixture in live],
        }
    )


def matches_page(sight: MatchesInSight, page: int) -> TournamentMatches:
    """A page of the matches, the last to begin first."""
    begun = sight.begun()[::-1]
    some = begun[(page - 1) * PAGE : page * PAGE]
    return TournamentMatches.model_validate(
        {"matches": [_match(sight, one) for one in some], "pages": max(1, -(-len(begun) // PAGE))}
    )


def final_standings(sight: MatchesInSight) -> FinalStandings:
    """Everything about a tournament, as a file."""
    plan = sight.kept.plan.as_json() | {"games": sight.kept.digests}
    return FinalStandings.model_validate(
        {
            "tournament": sight.row.id,
            "title": sight.row.title,
            "state": sight.row.state,
            "settings": plan,
            "matches": [_match(sight, one) for one in sight.begun()],
        }
        | sight.table.as_json()
    )


def standings_csv(table: StandingsTable) -> str:
    """The standings as a table that spreadsheets read."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    names = ("place", "player", "rating", "low", "high", "points", "wins", "draws", "losses", "note")
    rows.writerow(names)
    for one in table.standings:
        rows.writerow([_cell(getattr(one, name)) for name in names])
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.1f}" if isinstance(value, float) else value


def _summary(row: TournamentRow, kept: KeptPlan, done: int, total: int) -> dict[str, object]:
    return {
        "id": row.id,
        "title": row.title,
        "owner": row.owner_name,
        "state": row.state,
        "schedule": kept.plan.schedule,
        "games": [{"id": game.name, "title": kept.titles[game.name]} for game in kept.plan.games],
        "players": list(kept.plan.players),
        "done": done,
        "total": total,
        "created": row.created,
    }


def _match(sight: MatchesInSight, fixture: Fixture) -> TournamentMatch:
    result = sight.course.results.get(fixture.match_id)
    return TournamentMatch.model_validate(
        {
            "id": sight.course.matches[fixture.match_id],
            "game": {"id": fixture.game, "title": sight.kept.titles[fixture.game]},
            "round": fixture.round + 1,
            "players": list(fixture.players),
            "roles": list(sight.kept.plan.game(fixture.game).roles),
            "state": sight.state(fixture),
            "goals": list(result.goals) if result is not None and result.counts else None,
        }
    )
