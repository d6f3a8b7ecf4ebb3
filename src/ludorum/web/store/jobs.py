"""Long work in the database, so that its results outlive the process that did it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from .database import now
from .schema import JOBS


@dataclass(frozen=True)
class JobRow:
    """A piece of long work."""

    id: str
    state: str
    """``waiting``, ``running``, ``done`` or ``failed``."""
    result: dict[str, object] | None
    progress: float = 0.0
    """From 0 to 1."""


def find_job(connection: sa.Connection, job_id: str) -> JobRow | None:
    row = connection.execute(sa.select(JOBS).where(JOBS.c.id == job_id)).first()
    return None if row is None else _job(row)


def job_for(
    connection: sa.Connection, kind: str, subject: str, server: str | None = None
) -> tuple[JobRow, bool]:
    """The work on a subject that is done or under way, else a new job of this process; and whether it is
    new."""
    query = sa.select(JOBS).where(JOBS.c.kind == kind, JOBS.c.subject == subject, JOBS.c.state != "failed")
    row = connection.execute(query.order_by(JOBS.c.created.desc())).first()
    if row is not None:
        return _job(row), False
    job = JobRow(secrets.token_hex(12), "waiting", None)
    values = {"id": job.id, "kind": kind, "subject": subject, "state": job.state, "created": now()}
    connection.execute(sa.insert(JOBS).values(values | {"server": server}))
    return job, True


def set_job(
    connection: sa.Connection, job_id: str, state: str, result: dict[str, object] | None = None
) -> None:
    body = None if result is None else json.dumps(result)
    connection.execute(sa.update(JOBS).where(JOBS.c.id == job_id).values(state=state, result=body))


def set_progress(connection: sa.Connection, job_id: str, progress: float) -> None:
    connection.execute(sa.update(JOBS).where(JOBS.c.id == job_id).values(progress=progress))


def fail_unfinished(connection: sa.Connection, servers: Collection[str] = ()) -> None:
    """Mark the jobs of processes that have ended, all but these: they can be asked for anew."""
    unfinished = JOBS.c.state.in_(["waiting", "running"])
    ended = sa.or_(JOBS.c.server.is_(None), JOBS.c.server.not_in(servers))
    body = json.dumps({"error": "the server was restarted"})
    connection.execute(sa.update(JOBS).where(unfinished, ended).values(state="failed", result=body))


def _job(row: sa.Row[tuple[object, ...]]) -> JobRow:
    return JobRow(row.id, row.state, None if row.result is None else json.loads(row.result), row.progress)
