"""Who sends a request: the session cookie, the check of CSRF tokens and origins, guests.

A first visit gets a cookie that the database does not know; its CSRF token follows from it. With the first
request that changes something a guest is made, under a new cookie: a token that somebody else has planted
never becomes a session.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from .errors import ApiError
from .site import site_of
from .store.accounts import SESSION_SECONDS, Account, add_guest, close_session, find_session, open_session

COOKIE = "ludorum_session"
TOKEN_BYTES = 32


@dataclass(frozen=True)
class Visitor:
    """Who sends a request; without an account on a first visit."""

    account: Account | None
    token: str | None
    csrf: str

    @property
    def key(self) -> str | None:
        """The name by which live matches know this person; None for a mere spectator."""
        return None if self.account is None else self.account.key


async def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor by the cookie of a request or a websocket."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > 100:
        return Visitor(None, None, "")
    session = await site_of(connection).database.read(find_session, token)
    if session is None:
        return Visitor(None, token, _csrf_of(token))
    return Visitor(session.account, token, session.csrf)


async def greeted(request: Request) -> Visitor:
    """The visitor of a request that only reads; a first one gets a cookie."""
    visitor = await visitor_of(request)
    if visitor.token is None:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        set_cookie(request, token)
        return Visitor(None, token, _csrf_of(token))
    return visitor


async def checked(request: Request) -> Visitor:
    """The visitor of a request that changes something; ApiError where another page may have sent it."""
    visitor = await visitor_of(request)
    if not is_own_origin(request):
        raise ApiError(403, "the request comes from another site", code="origin")
    sent = request.headers.get("x-csrf-token", "")
    if not visitor.csrf or not hmac.compare_digest(sent.encode(), visitor.csrf.encode()):
        hint = "send the csrf value of GET /api/v1/me as X-CSRF-Token, with the cookie"
        raise ApiError(403, "the CSRF token is missing or old", code="csrf", hint=hint)
    return visitor


async def acting(request: Request, visitor: Annotated[Visitor, Depends(checked)]) -> Account:
    """The account of a request that changes something; a guest is made where there is none."""
    if visitor.account is not None:
        return visitor.account
    site = site_of(request)
    site.limit("guests", address_of(request), site.config.limits.guests)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    account = await site.database.write(add_guest)
    # The page keeps the CSRF token that it has: knowing it opens nothing without the new cookie.
    await site.database.write(open_session, account, token, visitor.csrf)
    set_cookie(request, token)
    return account


async def signed_up(visitor: Annotated[Visitor, Depends(checked)]) -> Account:
    """The account of a request that guests may not send."""
    account = visitor.account
    if account is None or account.is_guest:
        raise ApiError(401, "guests cannot do this", hint="sign up, or sign in")
    return account


async def admin(account: Annotated[Account, Depends(acting)]) -> Account:
    """The account of a request that only administrators may send."""
    if not account.is_admin:
        raise ApiError(403, "only administrators may do this")
    return account


async def begin_session(request: Request, visitor: Visitor, account: Account) -> Visitor:
    """A new session under a new token; the old one ends."""
    site = site_of(request)
    if visitor.token is not None:
        await site.database.write(close_session, visitor.token)
        await site.end_session(visitor.token)
    token, csrf = secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(24)
    await site.database.write(open_session, account, token, csrf)
    set_cookie(request, token)
    return Visitor(account, token, csrf)


async def end_session(request: Request, visitor: Visitor) -> Visitor:
    """End the session of a visitor; the next visit is a first one."""
    site = site_of(request)
    if visitor.token is not None:
        await site.database.write(close_session, visitor.token)
        await site.end_session(visitor.token)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    set_cookie(request, token)
    return Visitor(None, token, _csrf_of(token))


def set_cookie(request: Request, token: str) -> None:
    """Let the answer of a request set the cookie, whatever it is: also where it is an error."""
    parts = [f"{COOKIE}={token}", "Path=/", f"Max-Age={SESSION_SECONDS}", "HttpOnly", "SameSite=Lax"]
    if request.url.scheme == "https":
        parts.append("Secure")
    request.state.cookies = ["; ".join(parts)]


def is_own_origin(connection: HTTPConnection) -> bool:
    """Whether a page of this server sent a request, or no page at all."""
    origin = connection.headers.get("origin")
    if origin is not None and origin in site_of(connection).config.origins:
        return True
    if connection.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def address_of(connection: HTTPConnection) -> str:
    """The address of the other side, behind which limits count those without an account."""
    return connection.client.host if connection.client else ""


def _csrf_of(token: str) -> str:
    return hmac.new(token.encode(), b"csrf", "sha256").hexdigest()
