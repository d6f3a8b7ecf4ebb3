"""Long work in the database, so that its results outlive the process that did it."""

from __future__ import annotations

import json
import secrets
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


def find_job(connection: sa.Connection, job_id: str) -> JobRow | None:
    row = connection.execute(sa.select(JOBS).where(JOBS.c.id == job_id)).first()
    return None if row is None else _job(row)


def job_for(connection: sa.Connection, kind: str, subject: str) -> tuple[JobRow, bool]:
    """The work on a subject that is done or under way, else a new job; and whether it is new."""
    query = sa.select(JOBS).where(JOBS.c.kind == kind, JOBS.c.subject == subject, JOBS.c.state != "failed")
    row = connection.execute(query.order_by(JOBS.c.created.desc())).first()
    if row is not None:
        return _job(row), False
    job = JobRow(secrets.token_hex(12), "waiting", None)
    values = {"id": job.id, "kind": kind, "subject": subject, "state": job.state, "created": now()}
    connection.execute(sa.insert(JOBS).values(values))
    return job, True


def set_job(
    connection: sa.Connection, job_id: str, state: str, result: dict[str, object] | None = None
) -> None:
    body = None if result is None else json.dumps(result)
    connection.execute(sa.update(JOBS).where(JOBS.c.id == job_id).values(state=state, result=body))


def fail_unfinished(connection: sa.Connection) -> None:
    """Mark the jobs of a process that has ended: they can be asked for anew."""
    unfinished = JOBS.c.state.in_(["waiting", "running"])
    body = json.dumps({"error": "the server was restarted"})
    connection.execute(sa.update(JOBS).where(unfinished).values(state="failed", result=body))


def _job(row: sa.Row[tuple[object, ...]]) -> JobRow:
    return JobRow(row.id, row.state, None if row.result is None else json.loads(row.result))
