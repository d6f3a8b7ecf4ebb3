"""Processes that share a database: which of them live, and which of them plays a match.

Only PostgreSQL is shared. All times are those of the clock of the database: the clocks of machines differ.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from .schema import EVENTS, MATCHES, OWNERS, SERVERS

LEASE_SECONDS = 5.0
"""Matches of a process that has given no sign of life for so long may be taken by others."""
FORGET_SECONDS = 3600.0

_NOW = sa.func.date_part("epoch", sa.func.clock_timestamp())
_LIVES = SERVERS.c.beat > _NOW - LEASE_SECONDS


@dataclass(frozen=True)
class ServerRow:
    """A process, and how another one reaches it."""

    id: str
    address: str
    """``host:port``."""
    secret: str


@dataclass(frozen=True)
class Taken:
    """What came of taking a match."""

    elsewhere: ServerRow | None = None
    """The living process that plays it; None where this one does now."""
    was_lost: bool = False
    """Whether it was taken from a process that gives no sign of life, and may still try to write."""
    is_unknown: bool = False
    """Whether there is no such match: nothing was taken."""


def beat(connection: sa.Connection, server: ServerRow) -> list[ServerRow]:
    """Give a sign of life; all processes that live."""
    row = {"address": server.address, "secret": server.secret, "beat": _NOW}
    add = insert(SERVERS).values(id=server.id, **row)
    connection.execute(add.on_conflict_do_update(index_elements=[SERVERS.c.id], set_=row))
    return living(connection)


def living(connection: sa.Connection) -> list[ServerRow]:
    """All processes that live, in the order of their names."""
    rows = connection.execute(sa.select(SERVERS).where(_LIVES).order_by(SERVERS.c.id))
    return [ServerRow(row.id, row.address, row.secret) for row in rows]


def leave(connection: sa.Connection, server: str) -> None:
    """Give back all matches of a process that ends, so that others take them at once."""
    connection.execute(sa.delete(OWNERS).where(OWNERS.c.server == server))
    connection.execute(sa.delete(SERVERS).where(SERVERS.c.id == server))


def forget_servers(connection: sa.Connection) -> None:
    """Remove processes that ended long ago."""
    connection.execute(sa.delete(SERVERS).where(SERVERS.c.beat < _NOW - FORGET_SECONDS))


def take_match(
    connection: sa.Connection, match_id: str, server: str, *, is_match: bool = False, may_be_lost: bool = True
) -> Taken | None:
    """Let a process play a match, unless another one that lives plays it.

    None where it is not clear yet: another process was faster in the same moment, or the one that plays it
    gives no sign of life and ``may_be_lost`` does not allow to take it for dead.
    """
    query = sa.select(OWNERS.c.server, SERVERS, sa.func.coalesce(_LIVES, sa.false()).label("lives"))
    query = query.outerjoin_from(OWNERS, SERVERS, SERVERS.c.id == OWNERS.c.server)
    row = connection.execute(query.where(OWNERS.c.match == match_id)).first()
    if row is None:
        if is_match and not _has_events(connection, match_id):
            return Taken(is_unknown=True)
        add = insert(OWNERS).values(match=match_id, server=server).on_conflict_do_nothing()
        return Taken() if connection.execute(add).rowcount else None
    if row.server == server:
        return Taken()
    if row.lives:
        return Taken(ServerRow(row.id, row.address, row.secret))
    if not may_be_lost:
        return None
    same = (OWNERS.c.match == match_id, OWNERS.c.server == row.server)
    is_mine = connection.execute(sa.update(OWNERS).where(*same).values(server=server)).rowcount
    return Taken(was_lost=True) if is_mine else None


def give_back(connection: sa.Connection, match_id: str, server: str) -> None:
    """Let any process have what this one has had."""
    connection.execute(sa.delete(OWNERS).where(OWNERS.c.match == match_id, OWNERS.c.server == server))


def hand_over(connection: sa.Connection, match_id: str, server: str, other: str) -> None:
    """Let another process have what this one has."""
    mine = (OWNERS.c.match == match_id, OWNERS.c.server == server)
    connection.execute(sa.update(OWNERS).where(*mine).values(server=other))


def _has_events(connection: sa.Connection, match_id: str) -> bool:
    query = sa.select(EVENTS.c.number).where(EVENTS.c.match == match_id, EVENTS.c.number == 0)
    return connection.execute(query).first() is not None


def matches_of(connection: sa.Connection, server: str) -> set[str]:
    """The matches that a process plays."""
    return set(connection.execute(sa.select(OWNERS.c.match).where(OWNERS.c.server == server)).scalars())


def orphans(connection: sa.Connection, but: Collection[str] = ()) -> list[str]:
    """Matches that go on and that no living process plays."""
    owned = sa.select(OWNERS.c.match).join(SERVERS, SERVERS.c.id == OWNERS.c.server).where(_LIVES)
    query = sa.select(MATCHES.c.id).where(MATCHES.c.state == "live", MATCHES.c.id.not_in(owned))
    if but:
        query = query.where(MATCHES.c.id.not_in(but))
    # Processes that look at the same time begin with different matches.
    return list(connection.execute(query.order_by(sa.func.random())).scalars())
