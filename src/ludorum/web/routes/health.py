"""Whether the server works, and how much."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse

from ... import __version__
from ..contract import Health
from ..site import site_of

router = APIRouter(tags=["operation"])


@router.get("/healthz")
async def healthz(request: Request) -> Health:
    """Answers while the server and its database do."""
    await site_of(request).database.read(_ask)
    return Health(status="ok", version=__version__)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> PlainTextResponse:
    """Counters in the text format of Prometheus."""
    site = site_of(request)
    gauges = {f"live_{name}": value for name, value in site.hub.metrics().items()}
    gauges |= {
        "websockets": len(site.sockets),
        "jobs": site.jobs.waiting,
        "rate_limit_refusals": site.rates.refusals,
        "journal_events": site.journal.written,
        "journal_commits": site.journal.commits,
    }
    return PlainTextResponse(site.counters.text(gauges), media_type="text/plain; version=0.0.4")


def _ask(connection: sa.Connection) -> None:
    connection.execute(sa.text("SELECT 1"))
