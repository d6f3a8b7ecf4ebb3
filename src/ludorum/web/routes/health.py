"""Whether the server works, and how much."""

from __future__ import annotations

from ipaddress import ip_address

import sqlalchemy as sa
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse

from ... import __version__
from ..contract import Health
from ..counters import joined
from ..errors import ApiError
from ..site import site_of
from ..visitor import address_of, visitor_of

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
    """Counters in the text format of Prometheus: of all processes that share the database.

    Told to this machine and to administrators: they count moves that the people at a match may not know of.
    """
    site = site_of(request)
    if not is_local(address_of(request)):
        account = (await visitor_of(request)).account
        if account is None or not account.is_admin:
            hint = "ask on the machine itself, or sign in as an administrator"
            raise ApiError(403, "the counters are not for visitors", hint=hint)
    text = await site.metrics()
    if site.peers is not None:
        text = joined([text, *(await site.peers.ask_others("metrics")).values()])
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def is_local(address: str) -> bool:
    """Whether an address is of this machine."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _ask(connection: sa.Connection) -> None:
    connection.execute(sa.text("SELECT 1"))
