"""Runs migrations on the connection that ``database.migrate`` has opened, in its transaction."""

from __future__ import annotations

from alembic import context

from ludorum.web.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
