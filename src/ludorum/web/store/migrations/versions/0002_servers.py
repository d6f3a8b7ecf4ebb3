"""Let several processes share a database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of processes and of what each plays; note at jobs which process does them."""
    op.create_table(
        "web_servers",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("beat", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_servers"),
    )
    op.create_table(
        "web_owners",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("server", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_web_owners"),
    )
    op.create_index("ix_web_owners_server", "web_owners", ["server"])
    op.add_column("web_jobs", sa.Column("server", sa.String(32)))
    op.add_column("web_jobs", sa.Column("progress", sa.Float, nullable=False, server_default="0"))
