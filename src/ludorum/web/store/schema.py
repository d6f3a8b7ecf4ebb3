"""The tables of the web application. A change here needs a migration in ``migrations/versions``.

Times are whole seconds since 1970. Tokens are kept as SHA-256 digests: reading the database signs nobody in.
"""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ACCOUNTS = sa.Table(
    "web_accounts",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    # Names differ in more than capital letters.
    sa.Column("name_key", sa.String(80), nullable=False, unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("is_guest", sa.Boolean, nullable=False),
    sa.Column("is_admin", sa.Boolean, nullable=False),
    sa.Column("is_closed", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

SESSIONS = sa.Table(
    "web_sessions",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(32), sa.ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    sa.Column("csrf", sa.String(64), nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
)

GAMES = sa.Table(
    "web_games",
    METADATA,
    sa.Column("id", sa.String(80), primary_key=True),
    sa.Column("owner", sa.String(32), sa.ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    sa.Column("language", sa.String(20), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("card", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("is_removed", sa.Boolean, nullable=False),
)

MATCHES = sa.Table(
    "web_matches",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(80), nullable=False, index=True),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("how", sa.String(20), nullable=False),
    # Private matches are on no list, and their seats are only for those that have the link.
    sa.Column("is_private", sa.Boolean, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Index(None, "state", "changed"),
)

SEATS = sa.Table(
    "web_seats",
    METADATA,
    sa.Column("match", sa.String(40), sa.ForeignKey(MATCHES.c.id), primary_key=True),
    sa.Column("role", sa.String(200), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("account", sa.String(32), sa.ForeignKey(ACCOUNTS.c.id), index=True),
    sa.Column("token", sa.String(64)),
    # Set at the end of a match that has one.
    sa.Column("goal", sa.Integer),
)

EVENTS = sa.Table(
    "web_events",
    METADATA,
    sa.Column("match", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)

JOBS = sa.Table(
    "web_jobs",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("subject", sa.String(160), nullable=False, index=True),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("result", sa.Text),
    sa.Column("created", sa.BigInteger, nullable=False),
    # The process that does it, of several that share the database; and how far it is, from 0 to 1.
    sa.Column("server", sa.String(32)),
    sa.Column("progress", sa.Float, nullable=False, server_default="0"),
)

# Processes that share a database, each with an address at which the others reach it. A process whose last
# sign of life is old has ended, or hangs.
SERVERS = sa.Table(
    "web_servers",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("address", sa.String(200), nullable=False),
    # With it two processes prove to each other that they use the same database.
    sa.Column("secret", sa.String(64), nullable=False),
    # By the clock of the database.
    sa.Column("beat", sa.Double, nullable=False),
)

# The process that plays a match. Rows of processes that have ended stay until another takes the match.
OWNERS = sa.Table(
    "web_owners",
    METADATA,
    sa.Column("match", sa.String(40), primary_key=True),
    sa.Column("server", sa.String(32), nullable=False, index=True),
)

TOURNAMENTS = sa.Table(
    "web_tournaments",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("owner", sa.String(32), sa.ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    sa.Column("title", sa.String(120), nullable=False),
    sa.Column("state", sa.String(10), nullable=False, index=True),
    sa.Column("why", sa.Text, nullable=False),
    # The plan without rules, and the games with them: lists read the first alone.
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("games", sa.Text, nullable=False),
    # The seeds of games with chance or secrets follow from it.
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("changed", sa.BigInteger, nullable=False),
)

# Written before the match itself is made: it has no row of its own for a moment.
FIXTURES = sa.Table(
    "web_fixtures",
    METADATA,
    sa.Column("tournament", sa.String(40), sa.ForeignKey(TOURNAMENTS.c.id), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    # The fixture's name in the schedule.
    sa.Column("fixture", sa.Text, nullable=False),
    sa.Column("match", sa.String(40), nullable=False, unique=True),
)

AUDIT = sa.Table(
    "web_audit",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("account", sa.String(32), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("act", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(200), nullable=False),
)

REMOTES = sa.Table(
    "web_remotes",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    # Without the prefix that names of players elsewhere have. One that was removed keeps its name: its
    # matches and ratings must not become those of another.
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("name_key", sa.String(80), nullable=False, unique=True),
    sa.Column("owner", sa.String(32), sa.ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    sa.Column("host", sa.String(255), nullable=False),
    sa.Column("port", sa.Integer, nullable=False),
    # What it speaks; empty for what a game needs.
    sa.Column("language", sa.String(20), nullable=False),
    sa.Column("method", sa.String(10), nullable=False),
    sa.Column("dialect", sa.String(20), nullable=False),
    # The name that it gives itself.
    sa.Column("said", sa.String(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # When it was asked last, and when it answered last.
    sa.Column("asked", sa.BigInteger, nullable=False),
    sa.Column("answered", sa.BigInteger, nullable=False),
    sa.Column("is_reachable", sa.Boolean, nullable=False),
    sa.Column("is_removed", sa.Boolean, nullable=False),
)
