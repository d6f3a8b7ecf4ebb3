"""What administrators see and do; everything they do is written down."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from ..contract import Act
from ..errors import ApiError, not_found
from ..site import site_of
from ..store.accounts import Account, acts, close_account, find_name, note_act
from ..store.remotes import remove_remotes_of
from ..visitor import admin, visitor_of

router = APIRouter(prefix="/admin", tags=["administration"])


@router.get("/audit")
async def audit(request: Request) -> list[Act]:
    """The newest acts of administrators."""
    account = (await visitor_of(request)).account
    if account is None or not account.is_admin:
        raise ApiError(403, "only administrators may see this")
    return [Act.model_validate(row) for row in await site_of(request).database.read(acts)]


@router.delete("/accounts/{name}", status_code=204)
async def close(request: Request, name: str, account: Annotated[Account, Depends(admin)]) -> None:
    """Close an account: its sessions end, and nobody can sign in to it."""
    site = site_of(request)
    found = await site.database.read(find_name, name.replace("\0", ""))
    if found is None:
        raise not_found("account")
    if found[0].is_admin:
        raise ApiError(409, "an administrator's account is not closed here")
    await site.database.write(note_act, account, "close-account", found[0].name)
    await site.database.write(close_account, found[0])
    await site.database.write(remove_remotes_of, found[0])
