"""Make the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table of the first version."""
    _accounts()
    _games()
    _matches()
    _rest()


def _accounts() -> None:
    op.create_table(
        "web_accounts",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_key", sa.String(80), nullable=False),
        sa.Column("password", sa.String(200)),
        sa.Column("is_guest", sa.Boolean, nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("is_closed", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_accounts"),
        sa.UniqueConstraint("name_key", name="uq_web_accounts_name_key"),
    )
    op.create_table(
        "web_sessions",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_web_sessions"),
        sa.ForeignKeyConstraint(["account"], ["web_accounts.id"], name="fk_web_sessions_account"),
    )
    op.create_index("ix_web_sessions_account", "web_sessions", ["account"])
    op.create_index("ix_web_sessions_expires", "web_sessions", ["expires"])


def _games() -> None:
    op.create_table(
        "web_games",
        sa.Column("id", sa.String(80), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("is_removed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_games"),
        sa.ForeignKeyConstraint(["owner"], ["web_accounts.id"], name="fk_web_games_owner"),
    )
    op.create_index("ix_web_games_owner", "web_games", ["owner"])


def _matches() -> None:
    op.create_table(
        "web_matches",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("how", sa.String(20), nullable=False),
        sa.Column("is_private", sa.Boolean, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_matches"),
    )
    op.create_index("ix_web_matches_game", "web_matches", ["game"])
    op.create_index("ix_web_matches_state_changed", "web_matches", ["state", "changed"])
    op.create_table(
        "web_seats",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("role", sa.String(200), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("account", sa.String(32)),
        sa.Column("token", sa.String(64)),
        sa.Column("goal", sa.Integer),
        sa.PrimaryKeyConstraint("match", "role", name="pk_web_seats"),
        sa.ForeignKeyConstraint(["match"], ["web_matches.id"], name="fk_web_seats_match"),
        sa.ForeignKeyConstraint(["account"], ["web_accounts.id"], name="fk_web_seats_account"),
    )
    op.create_index("ix_web_seats_account", "web_seats", ["account"])
    op.create_table(
        "web_events",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_web_events"),
    )


def _rest() -> None:
    op.create_table(
        "web_jobs",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(160), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_jobs"),
    )
    op.create_index("ix_web_jobs_subject", "web_jobs", ["subject"])
    op.create_table(
        "web_audit",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("act", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_audit"),
    )
