"""Migrations lead to the tables that the program uses, on SQLite and on PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ludorum.arena.records.store_address import StoreError
from ludorum.web.store import database as module
from ludorum.web.store.database import NEWEST, open_database, revision_of
from ludorum.web.store.schema import METADATA

MIGRATIONS = Path(module.__file__).parent / "migrations"


def test_migrations_make_the_tables_of_the_program(url: str) -> None:
    database = open_database(url)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == NEWEST
    database.close()


def test_the_newest_migration_is_the_one_the_program_names() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == NEWEST


def test_a_database_is_opened_again_as_it_was(url: str) -> None:
    first = open_database(url)
    with first.transaction() as connection:
        connection.execute(sa.text("INSERT INTO web_events VALUES ('m', 0, '{}')"))
    first.close()
    again = open_database(url)
    with again.reading() as connection:
        assert connection.execute(sa.text("SELECT COUNT(*) FROM web_events")).scalar() == 1
    again.close()


@pytest.mark.long
def test_servers_that_begin_at_once_make_the_tables_once(url: str) -> None:
    program = (
        "import sys; from ludorum.web.store.database import open_database; open_database(sys.argv[1]).close()"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, url]) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]


def test_a_database_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "web.db")
    database = open_database(path)
    with database.transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(StoreError, match="newer Ludorum"):
        open_database(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "web.db"
    path.write_text("this is a text, not a database" * 100)
    with pytest.raises(StoreError, match="not a database"):
        open_database(str(path))
    assert "this is a text" in path.read_text()


def test_a_transaction_that_fails_leaves_nothing(url: str) -> None:
    database = open_database(url)

    def half() -> None:
        with database.transaction() as connection:
            connection.execute(sa.text("INSERT INTO web_events VALUES ('m', 0, '{}')"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    with database.reading() as connection:
        assert connection.execute(sa.text("SELECT COUNT(*) FROM web_events")).scalar() == 0
    assert revision_of(database._engine) == NEWEST
    database.close()
