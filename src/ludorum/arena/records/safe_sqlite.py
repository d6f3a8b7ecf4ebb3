"""Connections to SQLite that many processes may write by, and whose commits survive a power cut."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

BUSY_SECONDS = 30
"""How long a process waits for others that write to the same file."""


def set_up_sqlite(engine: sa.Engine) -> None:
    """Set up all connections of an engine; those to other databases need nothing.

    A transaction with the execution option ``writes_first`` takes the lock when it begins.
    """
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _connect)
        sa.event.listen(engine, "begin", _begin)


def _begin(connection: sa.Connection) -> None:
    # A transaction that reads before it writes takes the lock at once: later, another may have written.
    first = connection.get_execution_options().get("writes_first")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if first else "BEGIN")


def _connect(connection: DBAPIConnection, _: object) -> None:
    # Python's driver would begin transactions late, and not around statements that make tables.
    connection.isolation_level = None
    cursor = connection.cursor()
    # WAL lets others read while a match is written; FULL makes a commit survive a power cut as well.
    for pragma in (
        f"busy_timeout={BUSY_SECONDS * 1000}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
