"""Make the tables of tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make a table for tournaments, and one for their matches."""
    op.create_table(
        "web_tournaments",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_tournaments"),
        sa.ForeignKeyConstraint(["owner"], ["web_accounts.id"], name="fk_web_tournaments_owner"),
    )
    for column in ("owner", "state", "created"):
        op.create_index(f"ix_web_tournaments_{column}", "web_tournaments", [column])
    op.create_table(
        "web_fixtures",
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("fixture", sa.Text, nullable=False),
        sa.Column("match", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_web_fixtures"),
        sa.ForeignKeyConstraint(["tournament"], ["web_tournaments.id"], name="fk_web_fixtures_tournament"),
        sa.UniqueConstraint("match", name="uq_web_fixtures_match"),
    )
