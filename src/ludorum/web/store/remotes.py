"""Players elsewhere, as their owners have registered them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from ..live import REMOTE
from .accounts import Account, name_key
from .database import now
from .schema import ACCOUNTS, MATCHES, REMOTES, SEATS


@dataclass(frozen=True)
class RemoteRow:
    """A player elsewhere."""

    id: str
    name: str
    owner: str
    owner_name: str
    host: str
    port: int
    language: str
    """What it speaks; empty for what a game needs."""
    method: str
    dialect: str
    said: str
    """The name that it gives itself."""
    asked: int
    answered: int
    """When it was asked and when it answered last, in seconds since 1970."""
    is_reachable: bool
    is_playing: bool
    """Whether it has a seat at a match that goes on."""


@dataclass(frozen=True)
class Registration:
    """What an owner says of a player, and the name that it gives itself."""

    name: str
    host: str
    port: int
    language: str
    method: str
    dialect: str
    said: str


class NotFree(Exception):
    """The name, or the address, belongs to another player; says which."""


def add_remote(connection: sa.Connection, owner: Account, told: Registration) -> RemoteRow:
    """Keep a player that has just answered; NotFree where its name or its address is not free.

    An owner may register a player again that was removed.
    """
    same = (REMOTES.c.host == told.host, REMOTES.c.port == told.port, REMOTES.c.is_removed.is_(False))
    if connection.execute(sa.select(REMOTES.c.id).where(*same)).first() is not None:
        raise NotFree("a player is registered at this address")
    is_named = REMOTES.c.name_key == name_key(told.name)
    before = connection.execute(sa.select(REMOTES).where(is_named)).first()
    if before is not None and (before.owner != owner.id or not before.is_removed):
        raise NotFree(f"there is a player of the name {told.name}")
    moment = now()
    values = {**vars(told), "asked": moment, "answered": moment, "is_reachable": True, "is_removed": False}
    if before is not None:
        connection.execute(sa.update(REMOTES).where(is_named).values(values))
    else:
        more = {
            "id": secrets.token_hex(12),
            "name_key": name_key(told.name),
            "owner": owner.id,
            "created": moment,
        }
        connection.execute(sa.insert(REMOTES).values(values | more))
    found = find_remote(connection, told.name)
    assert found is not None
    return found


def find_remote(connection: sa.Connection, name: str) -> RemoteRow | None:
    """The player of a name, unless it was removed."""
    row = connection.execute(_remotes().where(REMOTES.c.name_key == name_key(name))).first()
    return None if row is None else _remote(row)


def list_remotes(connection: sa.Connection) -> list[RemoteRow]:
    """All players elsewhere, by their names."""
    return [_remote(row) for row in connection.execute(_remotes().order_by(REMOTES.c.name_key))]


def count_remotes(connection: sa.Connection, owner: Account) -> int:
    mine = (REMOTES.c.owner == owner.id, REMOTES.c.is_removed.is_(False))
    return connection.execute(sa.select(sa.func.count()).select_from(REMOTES).where(*mine)).scalar() or 0


def note_answer(connection: sa.Connection, name: str, is_reachable: bool, said: str | None = None) -> None:
    """Note whether a player has answered just now, and the name that it gave itself."""
    values: dict[str, object] = {"asked": now(), "is_reachable": is_reachable}
    if is_reachable:
        values["answered"] = now()
    if said is not None:
        values["said"] = said
    connection.execute(sa.update(REMOTES).where(REMOTES.c.name_key == name_key(name)).values(values))


def remove_remote(connection: sa.Connection, name: str) -> None:
    """Take a player off the lists."""
    connection.execute(sa.update(REMOTES).where(REMOTES.c.name_key == name_key(name)).values(is_removed=True))


def remove_remotes_of(connection: sa.Connection, owner: Account) -> None:
    """Take all players of an account off the lists."""
    connection.execute(sa.update(REMOTES).where(REMOTES.c.owner == owner.id).values(is_removed=True))


def asked_before(connection: sa.Connection, moment: int, most: int) -> list[RemoteRow]:
    """Those that were not asked since a moment, the longest ago first; not those that play."""
    is_at_work = sa.and_(_is_playing(), REMOTES.c.is_reachable)
    query = _remotes().where(REMOTES.c.asked < moment, sa.not_(is_at_work))
    query = query.order_by(REMOTES.c.asked).limit(most)
    return [_remote(row) for row in connection.execute(query)]


def _remotes() -> sa.Select[tuple[object, ...]]:
    owned = sa.select(REMOTES, ACCOUNTS.c.name.label("owner_name"), _is_playing().label("is_playing"))
    return owned.join(ACCOUNTS, ACCOUNTS.c.id == REMOTES.c.owner).where(REMOTES.c.is_removed.is_(False))


def _is_playing() -> sa.Exists:
    seat = (SEATS.c.kind == "player", SEATS.c.name == REMOTE + REMOTES.c.name)
    return sa.exists().where(*seat, MATCHES.c.id == SEATS.c.match, MATCHES.c.state == "live")


def _remote(row: sa.Row[tuple[object, ...]]) -> RemoteRow:
    return RemoteRow(
        row.id,
        row.name,
        row.owner,
        row.owner_name,
        row.host,
        row.port,
        row.language,
        row.method,
        row.dialect,
        row.said,
        row.asked,
        row.answered,
        bool(row.is_reachable),
        bool(row.is_playing),
    )
