"""Tournaments and their matches in the database. Results are those of the matches themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .accounts import Account
from .database import now
from .schema import ACCOUNTS, FIXTURES, MATCHES, SEATS, TOURNAMENTS

PAGE = 20
"""Tournaments on a page of the list."""

Json = dict[str, object]
_IS_OVER = sa.and_(MATCHES.c.state == "over", MATCHES.c.how != "stopped")


@dataclass(frozen=True)
class TournamentRow:
    """A tournament without the rules of its games."""

    id: str
    title: str
    owner: str
    owner_name: str
    state: str
    """``running``, ``over``, ``stopped`` or ``failed``."""
    why: str
    """Why it has failed."""
    plan: Json
    created: int
    matches_over: int = 0
    matches_begun: int = 0


@dataclass(frozen=True)
class FixtureRow:
    """A match of a tournament that was begun."""

    fixture: str
    match: str
    is_over: bool
    """Whether the match has come to its end; one that was stopped has not."""
    is_made: bool
    """Whether the match is there: a server may have been killed before it was."""
    seconds: int
    """From its beginning to its last change."""
    goals: dict[str, int]
    """By role; empty where there is no result."""


class TooManyTournaments(Exception):
    """An account, or the server, has as many tournaments running as it may."""


def add_tournament(
    connection: sa.Connection,
    row: TournamentRow,
    games: Sequence[Json],
    secret: str,
    *,
    most_own: int,
    most: int,
) -> None:
    """Keep a new tournament; TooManyTournaments where its owner or the server has enough of them running."""
    running = TOURNAMENTS.c.state == "running"
    count = sa.select(sa.func.count()).select_from(TOURNAMENTS)
    if (connection.execute(count.where(running, TOURNAMENTS.c.owner == row.owner)).scalar() or 0) >= most_own:
        raise TooManyTournaments(
            f"{most_own} of your tournaments are running: stop one, or wait until one is over"
        )
    if (connection.execute(count.where(running)).scalar() or 0) >= most:
        raise TooManyTournaments("too many tournaments are running on this server: try again later")
    connection.execute(
        sa.insert(TOURNAMENTS).values(
            id=row.id,
            owner=row.owner,
            title=row.title,
            state=row.state,
            why=row.why,
            plan=json.dumps(row.plan),
            games=json.dumps(games),
            secret=secret,
            created=row.created,
            changed=row.created,
        )
    )


def end_tournament(connection: sa.Connection, tournament: str, state: str, why: str = "") -> bool:
    """Note that a running tournament has ended; False where it had ended before."""
    change = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament, TOURNAMENTS.c.state == "running")
    return connection.execute(change.values(state=state, why=why[:1000], changed=now())).rowcount > 0


def find_tournament(connection: sa.Connection, tournament: str) -> TournamentRow | None:
    found = _rows(connection, _tournaments().where(TOURNAMENTS.c.id == tournament))
    return found[0] if found else None


def running_tournaments(connection: sa.Connection) -> list[TournamentRow]:
    """Tournaments that go on, the oldest first, for a server that begins."""
    query = _tournaments().where(TOURNAMENTS.c.state == "running").order_by(TOURNAMENTS.c.created)
    return _rows(connection, query)


def list_tournaments(connection: sa.Connection, page: int = 1) -> tuple[list[TournamentRow], int]:
    """A page of the list, the newest first, and how many pages there are."""
    count = connection.execute(sa.select(sa.func.count()).select_from(TOURNAMENTS)).scalar() or 0
    query = _tournaments().order_by(TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.id)
    return _rows(connection, query.limit(PAGE).offset((page - 1) * PAGE)), max(1, -(-count // PAGE))


def games_of(connection: sa.Connection, tournament: str) -> tuple[list[dict[str, object]], str]:
    """The games of a tournament with their rules, and its secret."""
    query = sa.select(TOURNAMENTS.c.games, TOURNAMENTS.c.secret).where(TOURNAMENTS.c.id == tournament)
    row = connection.execute(query).one()
    return json.loads(row.games), row.secret


def add_fixture(connection: sa.Connection, tournament: str, number: int, fixture: str, match: str) -> bool:
    """Note a match that is going to be made; False where the tournament has ended."""
    mine = sa.select(TOURNAMENTS.c.state).where(TOURNAMENTS.c.id == tournament).with_for_update()
    if connection.execute(mine).scalar() != "running":
        return False
    values = {"tournament": tournament, "number": number, "fixture": fixture, "match": match}
    connection.execute(sa.insert(FIXTURES).values(values))
    return True


def fixtures_of(connection: sa.Connection, tournament: str) -> list[FixtureRow]:
    """The matches of a tournament in the order in which they were begun."""
    mine = FIXTURES.c.tournament == tournament
    goals: dict[str, dict[str, int]] = {}
    seats = sa.select(SEATS.c.match, SEATS.c.role, SEATS.c.goal).join(
        FIXTURES, FIXTURES.c.match == SEATS.c.match
    )
    for seat in connection.execute(seats.where(mine, SEATS.c.goal.is_not(None))):
        goals.setdefault(seat.match, {})[seat.role] = int(seat.goal)
    query = (
        sa.select(
            FIXTURES.c.fixture,
            FIXTURES.c.match,
            _IS_OVER.label("is_over"),
            MATCHES.c.created,
            MATCHES.c.changed,
        )
        .outerjoin(MATCHES, MATCHES.c.id == FIXTURES.c.match)
        .where(mine)
        .order_by(FIXTURES.c.number)
    )
    return [
        FixtureRow(
            row.fixture,
            row.match,
            bool(row.is_over),
            row.created is not None,
            (row.changed or 0) - (row.created or 0),
            goals.get(row.match, {}),
        )
        for row in connection.execute(query)
    ]


def stray_matches(connection: sa.Connection, tournament: str | None = None) -> list[str]:
    """Matches that still go on although their tournament, of one or of all, has ended."""
    query = (
        sa.select(FIXTURES.c.match)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == FIXTURES.c.tournament)
        .join(MATCHES, MATCHES.c.id == FIXTURES.c.match)
        .where(TOURNAMENTS.c.state != "running", MATCHES.c.state == "live")
    )
    if tournament is not None:
        query = query.where(TOURNAMENTS.c.id == tournament)
    return list(connection.execute(query).scalars())


def new_row(tournament: str, title: str, owner: Account, plan: Json) -> TournamentRow:
    """A tournament that begins now."""
    return TournamentRow(tournament, title, owner.id, owner.name, "running", "", plan, now())


def _tournaments() -> sa.Select[tuple[object, ...]]:
    begun = sa.select(sa.func.count()).select_from(FIXTURES).where(FIXTURES.c.tournament == TOURNAMENTS.c.id)
    over = begun.join(MATCHES, MATCHES.c.id == FIXTURES.c.match).where(_IS_OVER)
    counts = (over.scalar_subquery().label("matches_over"), begun.scalar_subquery().label("matches_begun"))
    columns = [column for column in TOURNAMENTS.c if column.name not in ("games", "secret")]
    return sa.select(*columns, ACCOUNTS.c.name.label("owner_name"), *counts).join(
        ACCOUNTS, ACCOUNTS.c.id == TOURNAMENTS.c.owner
    )


def _rows(connection: sa.Connection, query: sa.Select[tuple[object, ...]]) -> list[TournamentRow]:
    return [
        TournamentRow(
            row.id,
            row.title,
            row.owner,
            row.owner_name,
            row.state,
            row.why,
            json.loads(row.plan),
            row.created,
            row.matches_over,
            row.matches_begun,
        )
        for row in connection.execute(query)
    ]
