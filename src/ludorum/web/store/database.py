"""An open database: connections, migrations, and questions asked in threads."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ...arena.records.safe_sqlite import set_up_sqlite
from ...arena.records.store_address import StoreError, address, display
from .writer import SharedWriter

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

MIGRATION_LOCK = 720511
"""PostgreSQL's advisory lock under which one process at a time migrates."""
NEWEST = "0004"
"""The newest migration."""
READERS = 4
"""Threads that wait for the database. Answers take under a millisecond: more would wait for each other."""


class NewerDatabase(Exception):
    """A database with tables that this program does not know."""


class Database:
    """An open database at the newest schema. Its coroutines never block the event loop."""

    def __init__(self, url: str, engine: sa.Engine) -> None:
        self.url = url
        self._engine = engine
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="database")
        self._writer = SharedWriter(self.transaction)

    @property
    def dialect(self) -> str:
        return self._engine.dialect.name

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""
        return self.dialect == "postgresql"

    @property
    def commits(self) -> int:
        """Transactions of ``write`` so far."""
        return self._writer.commits

    async def settle(self) -> None:
        """Wait until every change that was given is written."""
        await self._writer.settle()

    def close(self) -> None:
        self._writer.close()
        self._threads.shutdown()
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A transaction that writes; it is on disk when the block has ended."""
        with self._engine.connect().execution_options(writes_first=True) as connection, connection.begin():
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        with self._engine.connect() as connection:
            yield connection

    async def read(
        self,
        question: Callable[Concatenate[sa.Connection, Given], Answer],
        /,
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Answer:
        """The answer of a function of a connection, in a thread."""

        def ask() -> Answer:
            with self.reading() as connection:
                return question(connection, *args, **options)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)

    async def write(
        self,
        change: Callable[Concatenate[sa.Connection, Given], Answer],
        /,
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Answer:
        """The same for a change: all of it is on disk when this returns, or nothing where it fails.

        Changes that arrive at the same time share a transaction (``SharedWriter``).
        """
        return cast(Answer, await self._writer.write(lambda connection: change(connection, *args, **options)))

    async def write_alone(
        self,
        change: Callable[Concatenate[sa.Connection, Given], Answer],
        /,
        *args: Given.args,
        **options: Given.kwargs,
    ) -> Answer:
        """The same in a transaction of its own, for rows that several processes change: shared transactions
        would keep them locked for each other, in any order."""

        def ask() -> Answer:
            with self.transaction() as connection:
                return change(connection, *args, **options)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)


def open_database(url: str) -> Database:
    """The database at a path or an address, at the newest schema; StoreError where it cannot be used."""
    full = address(url)
    if full.startswith("sqlite:///"):
        Path(full.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    try:
        engine = sa.create_engine(full, pool_size=READERS + 2)
        set_up_sqlite(engine)
        if revision_of(engine) != NEWEST:
            migrate(engine)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        said = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise StoreError(f"{display(full)}: {said}") from error
    except NewerDatabase as error:
        raise StoreError(f"{display(full)}: {error}") from error
    except ImportError as error:
        hint = "PostgreSQL needs its driver: pip install 'ludorum[postgresql]'"
        raise StoreError(f"{display(full)}: {error}; {hint}") from error
    return Database(full, engine)


def revision_of(engine: sa.Engine) -> str | None:
    """The revision of the tables; None where there are none yet."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return found


def migrate(engine: sa.Engine, revision: str = NEWEST) -> None:
    """Bring the tables to a revision; other processes that begin at the same time wait.

    NewerDatabase where the tables have a revision that this program does not know.
    """
    # Imported only where there is something to do: it takes longer than the rest of the start.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with engine.connect().execution_options(writes_first=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise NewerDatabase(f"written by a newer Ludorum: {error}") from error


def now() -> int:
    """The time as the tables have it."""
    return int(time.time())
