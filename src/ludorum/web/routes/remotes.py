"""Players elsewhere: registered by their addresses, listed, asked, removed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from ...arena.protocol.client import Address
from ...arena.protocol.public_dial import ForbiddenAddressError
from ..contract import NewRemote, Remote
from ..errors import ApiError, not_found
from ..live import REMOTE
from ..names import is_remote_name
from ..remotes.address import checked_address, marked_language
from ..remotes.register import Unreachable
from ..site import Site, site_of
from ..store.accounts import Account, note_act
from ..store.remotes import NotFree, RemoteRow, count_remotes, find_remote, list_remotes, remove_remote
from ..visitor import acting, signed_up, visitor_of

router = APIRouter(prefix="/remotes", tags=["players"])


@router.get("")
async def remotes(request: Request) -> list[Remote]:
    """All players elsewhere; addresses are told to their owners and to administrators."""
    site, viewer = site_of(request), (await visitor_of(request)).account
    return [_told(row, viewer) for row in await site.database.read(list_remotes)]


@router.post("", status_code=201)
async def add(request: Request, sent: NewRemote, account: Annotated[Account, Depends(signed_up)]) -> Remote:
    """Register the player at an address; it must answer now."""
    site = site_of(request)
    limits = site.config.limits
    site.limit("remotes", account.id, limits.remote_checks)
    if not is_remote_name(sent.name):
        raise ApiError(422, "a name has 2 to 30 letters of ASCII, digits, dots, - and _", code="invalid")
    try:
        marked, url = marked_language(sent.url)
        if marked is not None and sent.language not in (None, marked):
            raise ValueError(f"the address says {marked}, and the language is {sent.language}")
        address = checked_address(url)
    except ValueError as error:
        raise ApiError(422, str(error), code="invalid", hint="write http://host:port") from error
    if await site.database.read(count_remotes, account) >= limits.remotes:
        raise ApiError(409, f"an account has {limits.remotes} players at most", hint="remove one of yours")
    row = await _added(site, account, sent, address, sent.language or marked or "")
    return _told(row, account)


@router.post("/{name}/check")
async def check(request: Request, name: str, account: Annotated[Account, Depends(acting)]) -> Remote:
    """Ask a player whether it is there; one that plays is left alone."""
    site = site_of(request)
    row = await _found(site, name)
    site.limit("remotes", account.id, site.config.limits.remote_checks)
    asked = await site.remotes.check(row)
    if asked is None:
        raise not_found("player")
    return _told(asked, account)


@router.delete("/{name}", status_code=204)
async def remove(request: Request, name: str, account: Annotated[Account, Depends(acting)]) -> None:
    """Take a player off the lists; its owner and administrators may. A match that it plays goes on."""
    site = site_of(request)
    row = await _found(site, name)
    if row.owner != account.id:
        if not account.is_admin:
            raise ApiError(403, "the player belongs to another")
        await site.database.write(note_act, account, "remove-remote", row.name)
    await site.database.write(remove_remote, row.name)


async def _added(site: Site, account: Account, sent: NewRemote, address: Address, language: str) -> RemoteRow:
    try:
        return await site.remotes.add(account, sent.name, address, language, sent.method, sent.dialect)
    except ForbiddenAddressError as error:
        hint = "who runs this server lets its hosts in with --allow-remote"
        raise ApiError(422, str(error), code="forbidden-address", hint=hint) from error
    except Unreachable as error:
        hint = "start the player, and let this server reach its port"
        raise ApiError(409, str(error), code="no-answer", hint=hint) from error
    except NotFree as error:
        raise ApiError(409, str(error), code="taken") from error


async def _found(site: Site, name: str) -> RemoteRow:
    row = await site.database.read(find_remote, name) if is_remote_name(name) else None
    if row is None:
        raise not_found("player")
    return row


def _told(row: RemoteRow, viewer: Account | None) -> Remote:
    """A player as its viewer may see it."""
    is_mine = viewer is not None and viewer.id == row.owner
    may_see = is_mine or (viewer is not None and viewer.is_admin)
    return Remote.model_validate(
        {
            "name": row.name,
            "player": REMOTE + row.name,
            "owner": row.owner_name,
            "is_mine": is_mine,
            "url": f"http://{Address(row.host, row.port)}" if may_see else None,
            "said": row.said,
            "language": row.language or None,
            "answered": row.answered,
            "is_reachable": row.is_reachable,
            "is_playing": row.is_playing,
        }
    )
