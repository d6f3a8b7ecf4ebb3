"""Who am I, sign up, sign in, sign out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from ..contract import Credentials, Me, User
from ..errors import ApiError
from ..names import checked_name
from ..site import site_of
from ..store.accounts import (
    Account,
    NameTaken,
    add_account,
    find_name,
    keep_guest,
    make_admins,
    name_key,
    set_password,
)
from ..visitor import Visitor, address_of, begin_session, checked, end_session, greeted

router = APIRouter(tags=["accounts"])

SHORTEST_PASSWORD = 8


@router.get("/me")
async def me(visitor: Annotated[Visitor, Depends(greeted)]) -> Me:
    """Who sends the request, and the token that requests with changes need."""
    return _me(visitor)


@router.post("/accounts", status_code=201)
async def sign_up(request: Request, sent: Credentials, visitor: Annotated[Visitor, Depends(checked)]) -> Me:
    """Make an account and sign in to it; a guest keeps what the guest has."""
    site = site_of(request)
    site.limit("sign-in", address_of(request), site.config.limits.sign_in)
    try:
        name = checked_name(sent.name)
    except ValueError as error:
        raise ApiError(422, str(error), code="name") from None
    _check_password(sent.password, name)
    password = await site.passwords.hash(sent.password)
    try:
        account = await site.database.write(_sign_up, visitor.account, name, password, site.config.admins)
    except NameTaken:
        raise ApiError(
            409, f"there is a {name} already", code="name-taken", hint="choose another name"
        ) from None
    site.counters.events["accounts_made"] += 1
    return _me(await begin_session(request, visitor, account))


@router.post("/session")
async def sign_in(request: Request, sent: Credentials, visitor: Annotated[Visitor, Depends(checked)]) -> Me:
    """Sign in. The session gets a new token; what a guest has stays with the guest."""
    site = site_of(request)
    limits = site.config.limits
    site.limit("sign-in", address_of(request), limits.sign_in)
    site.limit("sign-in-name", name_key(sent.name), limits.sign_in)
    found = await site.database.read(find_name, " ".join(sent.name.split()))
    kept = None if found is None else found[1]
    if not await site.passwords.matches(sent.password, kept) or found is None or found[0].is_closed:
        site.counters.events["sign_ins_refused"] += 1
        raise ApiError(401, "the name or the password is wrong", code="wrong-password")
    account = found[0]
    if kept is not None and site.passwords.is_outdated(kept):
        await site.database.write(set_password, account, await site.passwords.hash(sent.password))
    return _me(await begin_session(request, visitor, account))


@router.delete("/session")
async def sign_out(request: Request, visitor: Annotated[Visitor, Depends(checked)]) -> Me:
    """Sign out: the session ends, with its websockets."""
    return _me(await end_session(request, visitor))


def _sign_up(
    connection: object, guest: Account | None, name: str, password: str, admins: tuple[str, ...]
) -> Account:
    import sqlalchemy as sa

    assert isinstance(connection, sa.Connection)
    if guest is not None and guest.is_guest:
        account = keep_guest(connection, guest, name, password)
    else:
        account = add_account(connection, name, password, is_guest=False)
    if name_key(name) in map(name_key, admins):
        make_admins(connection, admins)
        found = find_name(connection, name)
        assert found is not None
        return found[0]
    return account


def _check_password(password: str, name: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise ApiError(422, f"a password has at least {SHORTEST_PASSWORD} characters", code="password")
    if password.casefold() == name.casefold() or len(set(password)) < 3:
        raise ApiError(422, "that password is guessed at once", code="password")


def _me(visitor: Visitor) -> Me:
    account = visitor.account
    if account is None:
        return Me(user=None, csrf=visitor.csrf)
    user = User(name=account.name, is_guest=account.is_guest, is_admin=account.is_admin)
    return Me(user=user, csrf=visitor.csrf)
