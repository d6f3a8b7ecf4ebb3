"""Accounts and sessions in the database."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from .database import now
from .schema import ACCOUNTS, AUDIT, SESSIONS

SESSION_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class Account:
    """A person, signed up or a guest."""

    id: str
    name: str
    is_guest: bool
    is_admin: bool
    is_closed: bool = False

    @property
    def key(self) -> str:
        """The name by which live matches know this person."""
        return f"u:{self.id}"


@dataclass(frozen=True)
class Session:
    """What a session token stands for."""

    account: Account
    csrf: str


class NameTaken(Exception):
    """There is an account of that name."""


def name_key(name: str) -> str:
    """The form in which names are compared."""
    return name.casefold()


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def add_account(
    connection: sa.Connection, name: str, password: str | None, *, is_guest: bool, is_admin: bool = False
) -> Account:
    """A new account; NameTaken if there is one of that name."""
    account = Account(secrets.token_hex(12), name, is_guest, is_admin)
    if find_name(connection, name) is not None:
        raise NameTaken(name)
    connection.execute(
        sa.insert(ACCOUNTS).values(
            id=account.id,
            name=name,
            name_key=name_key(name),
            password=password,
            is_guest=is_guest,
            is_admin=is_admin,
            is_closed=False,
            created=now(),
        )
    )
    return account


def add_guest(connection: sa.Connection) -> Account:
    """A new guest, with a name that no one has."""
    while True:
        name = f"guest-{secrets.token_hex(3)}"
        if find_name(connection, name) is None:
            return add_account(connection, name, None, is_guest=True)


def keep_guest(connection: sa.Connection, guest: Account, name: str, password: str) -> Account:
    """A guest who signs up keeps the account, with its matches, under a new name."""
    if find_name(connection, name) is not None:
        raise NameTaken(name)
    connection.execute(
        sa.update(ACCOUNTS)
        .where(ACCOUNTS.c.id == guest.id, ACCOUNTS.c.is_guest)
        .values(name=name, name_key=name_key(name), password=password, is_guest=False)
    )
    return Account(guest.id, name, False, guest.is_admin)


def find_name(connection: sa.Connection, name: str) -> tuple[Account, str | None] | None:
    """The account of a name with its password's hash."""
    row = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.name_key == name_key(name))).first()
    return None if row is None else (_account(row), row.password)


def set_password(connection: sa.Connection, account: Account, password: str) -> None:
    connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == account.id).values(password=password))


def make_admins(connection: sa.Connection, names: Sequence[str]) -> None:
    """Give exactly these accounts, if they exist, the rights of an administrator."""
    keys = [name_key(name) for name in names]
    chosen = sa.and_(ACCOUNTS.c.name_key.in_(keys), ACCOUNTS.c.is_guest.is_(False))
    connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.is_admin).values(is_admin=False))
    connection.execute(sa.update(ACCOUNTS).where(chosen).values(is_admin=True))


def close_account(connection: sa.Connection, account: Account) -> None:
    """Let nobody sign in to an account any more, and end its sessions."""
    connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == account.id).values(is_closed=True))
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.account == account.id))


def open_session(connection: sa.Connection, account: Account, token: str, csrf: str) -> None:
    """Keep a new session, and forget those whose time is over."""
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires < now()))
    connection.execute(
        sa.insert(SESSIONS).values(
            digest=digest(token), account=account.id, csrf=csrf, expires=now() + SESSION_SECONDS
        )
    )


def find_session(connection: sa.Connection, token: str) -> Session | None:
    query = sa.select(ACCOUNTS, SESSIONS.c.csrf).join(SESSIONS, SESSIONS.c.account == ACCOUNTS.c.id)
    found = (SESSIONS.c.digest == digest(token), SESSIONS.c.expires >= now())
    row = connection.execute(query.where(*found)).first()
    return None if row is None or row.is_closed else Session(_account(row), row.csrf)


def close_session(connection: sa.Connection, token: str) -> None:
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.digest == digest(token)))


def note_act(connection: sa.Connection, admin: Account, act: str, subject: str) -> None:
    """Write down what an administrator does."""
    row = {"at": now(), "account": admin.id, "name": admin.name, "act": act, "subject": subject[:200]}
    connection.execute(sa.insert(AUDIT).values(row))


def acts(connection: sa.Connection, most: int = 200) -> list[dict[str, object]]:
    """The newest acts of administrators."""
    query = sa.select(AUDIT.c.at, AUDIT.c.name, AUDIT.c.act, AUDIT.c.subject)
    return [dict(row._mapping) for row in connection.execute(query.order_by(AUDIT.c.id.desc()).limit(most))]


def _account(row: sa.Row[tuple[object, ...]]) -> Account:
    return Account(row.id, row.name, bool(row.is_guest), bool(row.is_admin), bool(row.is_closed))
