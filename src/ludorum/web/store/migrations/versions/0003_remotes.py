"""Make the table of players elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of players that were registered by their addresses."""
    op.create_table(
        "web_remotes",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_key", sa.String(80), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("port", sa.Integer, nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("method", sa.String(10), nullable=False),
        sa.Column("dialect", sa.String(20), nullable=False),
        sa.Column("said", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("answered", sa.BigInteger, nullable=False),
        sa.Column("is_reachable", sa.Boolean, nullable=False),
        sa.Column("is_removed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_remotes"),
        sa.UniqueConstraint("name_key", name="uq_web_remotes_name_key"),
        sa.ForeignKeyConstraint(["owner"], ["web_accounts.id"], name="fk_web_remotes_owner"),
    )
    op.create_index("ix_web_remotes_owner", "web_remotes", ["owner"])
