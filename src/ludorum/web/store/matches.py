"""The lists of matches: what is played, by whom, and how it ended. Their events are in the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .accounts import digest
from .database import now
from .schema import ACCOUNTS, MATCHES, SEATS

PAGE = 20
"""Matches on a page of a list."""


@dataclass(frozen=True)
class SeatRow:
    """A seat as lists show it."""

    role: str
    kind: str
    """``person``, ``player`` or ``open``."""
    name: str
    account: str | None
    goal: int | None = None


@dataclass(frozen=True)
class ListingRow:
    """A match as lists show it."""

    id: str
    game: str
    title: str
    state: str
    """``open``, ``live`` or ``over``."""
    how: str
    """How it ended; empty while it may go on."""
    step: int
    changed: int
    is_private: bool
    seats: tuple[SeatRow, ...]


def add_match(
    connection: sa.Connection,
    match_id: str,
    game: str,
    title: str,
    seats: Sequence[SeatRow],
    is_private: bool = False,
) -> None:
    """Add a match to the lists; one that is there is left as it is."""
    if connection.execute(sa.select(MATCHES.c.id).where(MATCHES.c.id == match_id)).first():
        return
    state = "open" if any(seat.kind == "open" for seat in seats) else "live"
    begun = {"created": now(), "changed": now(), "step": 0, "state": state, "how": ""}
    row = {"id": match_id, "game": game, "title": title[:200], "is_private": is_private, **begun}
    connection.execute(sa.insert(MATCHES).values(row))
    rows = [
        {
            "match": match_id,
            "place": place,
            "role": seat.role,
            "kind": seat.kind,
            "name": seat.name,
            "account": seat.account,
        }
        for place, seat in enumerate(seats)
    ]
    connection.execute(sa.insert(SEATS), rows)


def change_match(
    connection: sa.Connection, match_id: str, state: str, step: int, seats: Sequence[SeatRow]
) -> None:
    """Bring the lists up to date with a match.

    One that is over stays so: a process that hung may tell late what it saw of a match that another ended.
    """
    changes = {"state": state, "step": step, "changed": now()}
    which = (MATCHES.c.id == match_id, MATCHES.c.state != "over")
    if not connection.execute(sa.update(MATCHES).where(*which).values(changes)).rowcount:
        return
    for seat in seats:
        whose = (SEATS.c.match == match_id, SEATS.c.role == seat.role)
        values = {"kind": seat.kind, "name": seat.name, "account": seat.account}
        connection.execute(sa.update(SEATS).where(*whose).values(values))


def change_steps(connection: sa.Connection, steps: Mapping[str, int]) -> None:
    """Note how far some matches are that go on."""
    which = (MATCHES.c.id == sa.bindparam("match_id"), MATCHES.c.state != "over")
    change = sa.update(MATCHES).where(*which).values(step=sa.bindparam("new_step"), changed=now())
    rows = [{"match_id": match_id, "new_step": step} for match_id, step in steps.items()]
    connection.execute(change, rows)


def end_match(connection: sa.Connection, match_id: str, how: str, goals: Mapping[str, int] | None) -> None:
    """Note how a match ended, and the goal value of each role where it has one."""
    changes = {"state": "over", "how": how, "changed": now()}
    connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match_id).values(changes))
    for role, goal in (goals or {}).items():
        whose = (SEATS.c.match == match_id, SEATS.c.role == role)
        connection.execute(sa.update(SEATS).where(*whose).values(goal=goal))


def set_seat_token(connection: sa.Connection, match_id: str, role: str, token: str) -> None:
    """Give an open seat the token of its link."""
    whose = (SEATS.c.match == match_id, SEATS.c.role == role)
    connection.execute(sa.update(SEATS).where(*whose).values(token=digest(token)))


def seat_token(connection: sa.Connection, match_id: str, role: str) -> str | None:
    """The digest of the token of an open seat."""
    query = sa.select(SEATS.c.token).where(SEATS.c.match == match_id, SEATS.c.role == role)
    found: str | None = connection.execute(query).scalar()
    return found


def role_of_token(connection: sa.Connection, match_id: str, token: str) -> str | None:
    """The role whose seat a token opens."""
    query = sa.select(SEATS.c.role).where(SEATS.c.match == match_id, SEATS.c.token == digest(token))
    role: str | None = connection.execute(query).scalar()
    return role


def live_matches(connection: sa.Connection) -> list[str]:
    """Matches that go on, for a server that begins."""
    query = sa.select(MATCHES.c.id).where(MATCHES.c.state == "live").order_by(MATCHES.c.changed.desc())
    return list(connection.execute(query).scalars())


def find_match(connection: sa.Connection, match_id: str) -> ListingRow | None:
    rows = connection.execute(sa.select(MATCHES).where(MATCHES.c.id == match_id)).all()
    found = _with_seats(connection, rows)
    return found[0] if found else None


def list_matches(
    connection: sa.Connection, state: str | None = None, game: str | None = None, page: int = 1
) -> tuple[list[ListingRow], int]:
    """A page of the list, what changed last first, and how many pages there are."""
    wanted = [
        MATCHES.c.is_private.is_(False),
        *([MATCHES.c.state == state] if state else []),
        *([MATCHES.c.game == game] if game else []),
    ]
    count = connection.execute(sa.select(sa.func.count()).select_from(MATCHES).where(*wanted)).scalar() or 0
    query = sa.select(MATCHES).where(*wanted).order_by(MATCHES.c.changed.desc(), MATCHES.c.id)
    rows = connection.execute(query.limit(PAGE).offset((page - 1) * PAGE)).all()
    return _with_seats(connection, rows), max(1, -(-count // PAGE))


def recent_of(connection: sa.Connection, kind: str, name: str, most: int = PAGE) -> list[ListingRow]:
    """The last matches of an account or a player."""
    mine = sa.select(SEATS.c.match).where(SEATS.c.kind == kind, SEATS.c.name == name)
    query = (
        sa.select(MATCHES)
        .where(MATCHES.c.id.in_(mine), MATCHES.c.is_private.is_(False))
        .order_by(MATCHES.c.changed.desc(), MATCHES.c.id)
    )
    return _with_seats(connection, connection.execute(query.limit(most)).all())


def results(connection: sa.Connection, game: str | None, most: int) -> list[list[tuple[str, str, int]]]:
    """The newest finished matches as (kind, name, goal) of each seat; those with a guest are left out."""
    counts = (MATCHES.c.state == "over", *([MATCHES.c.game == game] if game else []))
    query = sa.select(MATCHES.c.id).where(*counts).order_by(MATCHES.c.changed.desc()).limit(most)
    ids = list(connection.execute(query).scalars())
    seats: dict[str, list[tuple[str, str, int] | None]] = {one: [] for one in ids}
    columns = (SEATS.c.match, SEATS.c.kind, SEATS.c.name, SEATS.c.goal, ACCOUNTS.c.name, ACCOUNTS.c.is_guest)
    for start in range(0, len(ids), 500):
        some = sa.select(*columns).outerjoin(ACCOUNTS, ACCOUNTS.c.id == SEATS.c.account)
        for match, kind, name, goal, person, is_guest in connection.execute(
            some.where(SEATS.c.match.in_(ids[start : start + 500])).order_by(SEATS.c.match, SEATS.c.place)
        ):
            counts_so = goal is not None and not is_guest and kind != "open"
            seats[match].append((kind, person or name, int(goal)) if counts_so else None)
    return [[seat for seat in found if seat is not None] for found in seats.values() if found and all(found)]


def _with_seats(connection: sa.Connection, rows: Sequence[sa.Row[tuple[object, ...]]]) -> list[ListingRow]:
    ids = [row.id for row in rows]
    seats: dict[str, list[SeatRow]] = {one: [] for one in ids}
    query = sa.select(SEATS).where(SEATS.c.match.in_(ids)).order_by(SEATS.c.match, SEATS.c.place)
    for seat in connection.execute(query):
        seats[seat.match].append(SeatRow(seat.role, seat.kind, seat.name, seat.account, seat.goal))
    return [
        ListingRow(
            row.id,
            row.game,
            row.title,
            row.state,
            row.how,
            row.step,
            row.changed,
            bool(row.is_private),
            tuple(seats[row.id]),
        )
        for row in rows
    ]
