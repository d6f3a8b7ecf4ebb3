"""Whether the server works, and how much."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse

from ... import __version__
from ..contract import Health
from ..counters import joined
from ..site import site_of

router = APIRouter(tags=["operation"])


@router.get("/healthz")
async def healthz(request: Request) -> Health:
    """Answers while the server and its database do."""
    site = site_of(request)
    await site.database.read(_ask)
    if site.peers is None:
        return Health(status="ok", version=__version__)
    return Health(status="ok", version=__version__, process=site.peers.name, processes=site.peers.count)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> PlainTextResponse:
    """Counters in the text format of Prometheus: of all processes that share the database."""
    site = site_of(request)
    text = await site.metrics()
    if site.peers is not None:
        text = joined([text, *(await site.peers.ask_others("metrics")).values()])
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _ask(connection: sa.Connection) -> None:
    connection.execute(sa.text("SELECT 1"))
