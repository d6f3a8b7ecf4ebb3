"""The store: matches in a database, appended to step by step and never changed.

SQLite by default, PostgreSQL by URL. A match is one row that says what is played and one row for each state,
written in a transaction of its own before any player is told of the state: what was acknowledged is there
after ``kill -9`` or a power cut. Every row carries a digest over itself and the row before it, so that a torn
or changed database is found when a match is loaded.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from ...rules.near_names import suggestion
from ..match.match import Match
from ..match.record import RecordError
from .spectator import PublishedMatch, parse_published
from .store_address import StoreError, address, display
from .store_rows import Json, end_of, head_of, steps_of, text_of, whole
from .store_schema import ENDS, MATCHES, STEPS, prepare


@dataclass(frozen=True)
class StoredMatch:
    """A line of the list of matches."""

    match_id: str
    game: str
    start_time: int
    steps: int
    """Joint moves made."""
    ended: str
    """``completed``, ``aborted``, or empty while it may go on."""


@dataclass(frozen=True)
class StoredRows:
    """The rows of one match, each a JSON text."""

    head: str
    steps: list[str]
    end: str | None
    """None while the match may go on."""


class MatchStore:
    """An open database of matches. Safe to use from several processes; each connection is short."""

    def __init__(self, url: str) -> None:
        """``url``: a path for SQLite, or an address such as ``postgresql://user@host/name``."""
        self.url = address(url)
        with self._readable_errors():
            self._engine = sa.create_engine(self.url)
            prepare(self._engine)

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> MatchStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing ----------------------------------------------------------------------------------------

    def begin(self, match: PublishedMatch) -> None:
        """Add a new match, with the states it has; its name must be new in this store."""
        record = match.record
        self.begin_rows(record.match_id, record.game, match.start_time, head_of(match))
        self.append(match)

    def begin_rows(self, match_id: str, game: str, start_time: int, head: Json) -> None:
        """Add the head of a match of any kind; its name must be new in this store."""
        text = text_of(head)
        values = {
            "match_id": match_id,
            "game": game,
            "start_time": start_time,
            "head": text,
            "digest": _digest("", text),
        }
        with self._readable_errors(), self._engine.begin() as connection:
            try:
                connection.execute(sa.insert(MATCHES).values(values))
            except IntegrityError:
                raise StoreError(
                    f"{self._name}: there is a match {match_id!r} already: names are unique"
                ) from None

    def append(self, match: PublishedMatch | Match) -> int:
        """Add the states that are not there yet, a transaction for each; returns how many there were.

        Returns when the database has them on disk. StoreError where the store holds more than the match.
        """
        match_id = match.match_id if isinstance(match, Match) else match.record.match_id
        return self.append_rows(match_id, steps_of(match), end_of(match))

    def append_rows(self, match_id: str, steps: Sequence[Json], end: Json | None) -> int:
        """The same for a match of any kind, by its rows: one for each state, and one for its end."""
        with self._readable_errors():
            digest, known = self._last(match_id)
            if known > len(steps):
                raise StoreError(
                    f"{self._name}: {match_id!r} has {known} states here and {len(steps)} in what is to be "
                    "added: it was continued elsewhere"
                )
            if known == len(steps) and end:
                self._add(match_id, known, None, end, digest)
            for at in range(known, len(steps)):
                last = at == len(steps) - 1
                digest = self._add(match_id, at, steps[at], end if last else None, digest)
        return len(steps) - known

    def _add(self, match_id: str, at: int, step: Json | None, end: Json | None, digest: str) -> str:
        """Write a state, the end of a match, or both: all of it or nothing."""
        with self._engine.begin() as connection:
            try:
                if step is not None:
                    body = text_of(step)
                    digest = _digest(digest, body)
                    row = {"match_id": match_id, "step": at, "body": body, "digest": digest}
                    connection.execute(sa.insert(STEPS).values(row))
                if end is not None:
                    body = text_of(end)
                    row = {"match_id": match_id, "body": body, "digest": _digest(digest, body)}
                    connection.execute(sa.insert(ENDS).values(row))
            except IntegrityError:
                raise StoreError(
                    f"{self._name}: state {at} of {match_id!r} is there already: another process plays it"
                ) from None
        return digest

    def _last(self, match_id: str) -> tuple[str, int]:
        """The last digest of a match, and how many states it has; StoreError if it is over."""
        with self._engine.connect() as connection:
            head = connection.execute(
                sa.select(MATCHES.c.digest).where(MATCHES.c.match_id == match_id)
            ).scalar()
            if head is None:
                raise StoreError(f"{self._name}: no match {match_id!r} here")
            if connection.execute(sa.select(ENDS.c.body).where(ENDS.c.match_id == match_id)).first():
                raise StoreError(f"{self._name}: {match_id!r} has ended; nothing can be added to it")
            query = sa.select(STEPS.c.step, STEPS.c.digest).where(STEPS.c.match_id == match_id)
            last = connection.execute(query.order_by(STEPS.c.step.desc()).limit(1)).first()
        return (str(head), 0) if last is None else (str(last.digest), int(last.step) + 1)

    # -- reading ----------------------------------------------------------------------------------------

    def load(self, match_id: str) -> PublishedMatch:
        """A match of rounds as far as it was stored; StoreError where rows are missing, torn or changed."""
        rows = self.load_rows(match_id)
        try:
            return parse_published(whole(rows.head, rows.steps, rows.end), match_id)
        except (RecordError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreError(
                f"{self._name}: {match_id!r} does not hold a match of rounds: {error}"
            ) from error

    def load_rows(self, match_id: str) -> StoredRows:
        """The rows of a match of any kind; StoreError where some are missing, torn or changed."""
        with self._readable_errors(), self._engine.connect() as connection:
            head = connection.execute(sa.select(MATCHES).where(MATCHES.c.match_id == match_id)).first()
            if head is None:
                raise StoreError(
                    f"{self._name}: no match {match_id!r} here; {self._near(connection, match_id)}"
                )
            query = sa.select(STEPS).where(STEPS.c.match_id == match_id).order_by(STEPS.c.step)
            steps = list(connection.execute(query))
            end = connection.execute(sa.select(ENDS).where(ENDS.c.match_id == match_id)).first()
        digest = self._checked(match_id, "its first row", "", head.head, head.digest)
        bodies: list[str] = []
        for at, row in enumerate(steps):
            if row.step != at:
                raise StoreError(f"{self._name}: {match_id!r} is damaged: state {at} is missing")
            digest = self._checked(match_id, f"state {at}", digest, row.body, row.digest)
            bodies.append(row.body)
        if not bodies:
            raise StoreError(f"{self._name}: {match_id!r} was begun, but not even its first state is there")
        if end is not None:
            self._checked(match_id, "its end", digest, end.body, end.digest)
        return StoredRows(head.head, bodies, None if end is None else end.body)

    def _checked(self, match_id: str, what: str, before: str, body: object, digest: object) -> str:
        if not isinstance(body, str) or digest != _digest(before, body):
            raise StoreError(
                f"{self._name}: {match_id!r} is damaged: {what} is not what was written; "
                "restore the database from a copy"
            )
        return str(digest)

    def _near(self, connection: sa.Connection, match_id: str) -> str:
        names = [str(row[0]) for row in connection.execute(sa.select(MATCHES.c.match_id).limit(1000))]
        return suggestion(match_id, names) or f"matches there: {len(names)}"

    def has(self, match_id: str) -> bool:
        """Whether there is a match of that name."""
        query = sa.select(MATCHES.c.match_id).where(MATCHES.c.match_id == match_id)
        with self._readable_errors(), self._engine.connect() as connection:
            return connection.execute(query).first() is not None

    def matches(self) -> list[StoredMatch]:
        """Every match, oldest first."""
        last = sa.select(STEPS.c.match_id, sa.func.max(STEPS.c.step).label("step"))
        steps = last.group_by(STEPS.c.match_id).subquery()
        query = (
            sa.select(MATCHES.c.match_id, MATCHES.c.game, MATCHES.c.start_time, steps.c.step, ENDS.c.body)
            .outerjoin(steps, steps.c.match_id == MATCHES.c.match_id)
            .outerjoin(ENDS, ENDS.c.match_id == MATCHES.c.match_id)
            .order_by(MATCHES.c.start_time, MATCHES.c.match_id)
        )
        with self._readable_errors(), self._engine.connect() as connection:
            rows = list(connection.execute(query))
        return [
            StoredMatch(row.match_id, row.game, row.start_time, row.step or 0, _ended(row.body))
            for row in rows
        ]

    # -- errors -----------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return display(self.url)

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise StoreError(f"{self._name}: {_explain(error)}") from error
        except UnicodeError as error:  # names in the database that are no text
            raise StoreError(f"{self._name}: the database is damaged; restore it from a copy") from error
        except ImportError as error:
            hint = "PostgreSQL needs its driver: pip install 'ludorum[postgresql]'"
            raise StoreError(f"{self._name}: {error}; {hint}") from error


def _ended(body: object) -> str:
    if body is None:
        return ""
    try:
        end = json.loads(body) if isinstance(body, str) else None
    except (ValueError, RecursionError):
        end = None
    if not isinstance(end, dict):
        return "damaged"
    return "completed" if end.get("isCompleted") else "aborted"


def _digest(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()


def _explain(error: Exception) -> str:
    """An error of the database, in words that help."""
    said = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
    for sign, words in (
        ("not a database", "this file is no SQLite database; name another file"),
        ("malformed", "the database is damaged; restore it from a copy"),
        ("disk is full", "no room left: free some and go on; what was acknowledged is safe"),
        ("No space left", "no room left: free some and go on; what was acknowledged is safe"),
        ("disk I/O error", "the disk cannot be written to, or read: is it full or broken?"),
        ("unable to open", "cannot be opened; is the folder there, and may you write in it?"),
        ("readonly", "may not be written to"),
        ("locked", "another program keeps the database locked"),
        ("Can't load plugin", "no such kind of database; use a path, or postgresql://user@host/name"),
    ):
        if sign in said:
            return f"{words} ({said})"
    if isinstance(error, NoSuchModuleError | ArgumentError):
        return f"not a database address; use a path, or postgresql://user@host/name ({said})"
    return said
