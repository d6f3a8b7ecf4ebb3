"""The tables of the store, the triggers that make them append-only, and the check of their version."""

from __future__ import annotations

import sqlalchemy as sa

from .safe_sqlite import set_up_sqlite

VERSION = 1

METADATA = sa.MetaData()
STORE = sa.Table("ludorum_store", METADATA, sa.Column("version", sa.Integer, primary_key=True))
MATCHES = sa.Table(
    "ludorum_matches",
    METADATA,
    sa.Column("match_id", sa.String(200), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("start_time", sa.BigInteger, nullable=False),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)
STEPS = sa.Table(
    "ludorum_steps",
    METADATA,
    sa.Column("match_id", sa.String(200), sa.ForeignKey(MATCHES.c.match_id), primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)
ENDS = sa.Table(
    "ludorum_ends",
    METADATA,
    sa.Column("match_id", sa.String(200), sa.ForeignKey(MATCHES.c.match_id), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)


def prepare(engine: sa.Engine) -> None:
    """Make the tables where there are none; OSError if they are of another version."""
    set_up_sqlite(engine)
    with engine.connect().execution_options(writes_first=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            # Two processes that begin at once must not both make the tables.
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(720510)"))
        new = not sa.inspect(connection).has_table(STORE.name)
        METADATA.create_all(connection)
        if new:
            connection.execute(sa.insert(STORE).values(version=VERSION))
            for statement in _append_only(engine.dialect.name):
                connection.exec_driver_sql(statement)
        version = connection.execute(sa.select(sa.func.max(STORE.c.version))).scalar()
    if version != VERSION:
        raise OSError(f"a store of version {version}; this program reads version {VERSION}")


def _append_only(dialect: str) -> list[str]:
    """The triggers that refuse to change or remove rows."""
    tables = (MATCHES.name, STEPS.name, ENDS.name)
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END"
            for table in tables
            for verb in ("update", "delete")
        ]
    if dialect == "postgresql":
        refuse = (
            "CREATE OR REPLACE FUNCTION ludorum_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the store is append-only'; END $$"
        )
        triggers = [
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ludorum_append_only()"
            for table in tables
        ]
        return [refuse, *triggers]
    return []
