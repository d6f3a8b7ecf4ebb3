"""The websocket of a live match: views to the page, moves and offers from it."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from ..errors import ApiError, is_plain_id
from ..live import Elsewhere, Refused, UnknownMatch
from ..rate_limits import RateLimiter
from ..site import Site, site_of
from ..store.accounts import Account
from ..store.matches import role_of_token
from ..visitor import address_of, is_own_origin, visitor_of
from .matches import take

LOG = logging.getLogger("ludorum.web")
router = APIRouter()

FORBIDDEN, UNKNOWN, TOO_MANY, SIGNED_OUT, GOING = 4403, 4404, 4429, 4401, 1012
"""Codes with which a websocket is closed; after the last one a page comes back."""
LONGEST_ID = 100


class LiveSocket:
    """One websocket of a viewer of a match."""

    def __init__(self, socket: WebSocket, site: Site, match_id: str, user: str | None) -> None:
        self._socket = socket
        self._site = site
        self._match = match_id
        self._user = user
        self._rates = RateLimiter()
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Close the websocket: its session has ended."""
        self._ended.set()

    async def serve(self) -> None:
        """Until the page leaves, the session ends or the server stops."""
        tasks = [
            asyncio.create_task(self._send_views()),
            asyncio.create_task(self._receive()),
            asyncio.create_task(self._ended.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            code = SIGNED_OUT if self._ended.is_set() else GOING
        finally:
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        for error in found:
            if isinstance(error, UnknownMatch):
                code = UNKNOWN
            elif isinstance(error, TooMany):
                code = TOO_MANY
            elif isinstance(error, Exception) and not isinstance(error, Elsewhere | WebSocketDisconnect):
                LOG.error("websocket of %s", self._match, exc_info=error)
        await close(self._socket, code)

    async def _send_views(self) -> None:
        async with self._site.hub.subscribe(self._match, self._user) as views:
            async for view in views:
                await self._send({"type": "view", "view": view})

    async def _receive(self) -> None:
        limits = self._site.config.limits
        while True:
            text = await self._text()
            came = time.perf_counter()
            if self._site.config.is_limited and self._rates.wait_for("", "", limits.messages):
                raise TooMany
            message = _parsed(text, limits.message_bytes)
            if message is None:
                await self._send({"type": "refused", "id": None, "why": "that is no message"})
            elif message.get("type") == "ping":
                await self._send({"type": "pong"})
            else:
                await self._act(message, came)

    async def _text(self) -> str:
        """The next message; empty where it is no text."""
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        return received.get("text") or ""

    async def _act(self, message: dict[str, object], came: float) -> None:
        name = message.get("id")
        try:
            await self._site.hub.accept(self._match, self._user, message)
        except Refused as error:
            await self._send({"type": "refused", "id": name, "why": str(error)})
        else:
            await self._send({"type": "ack", "id": name})
            if message["type"] == "move":
                self._site.counters.move_times.add(time.perf_counter() - came)

    async def _send(self, message: dict[str, object]) -> None:
        try:
            await self._socket.send_text(json.dumps(message, separators=(",", ":")))
        except RuntimeError as error:  # the page has gone while this was made
            raise WebSocketDisconnect from error


class TooMany(Exception):
    """A page sends more than a person can."""


@router.websocket("/matches/{match_id}/live")
async def live(socket: WebSocket, match_id: str, seat: str | None = None) -> None:
    """Views of a match, for the person whose cookie the page has; messages of that person."""
    site = site_of(socket)
    if not is_own_origin(socket):
        await socket.close(1008)  # before it is accepted: the page of another site learns nothing
        return
    visitor = await visitor_of(socket)
    person = visitor.key or address_of(socket)
    await socket.accept()
    if not is_plain_id(match_id):
        await close(socket, UNKNOWN)
        return
    if site.config.is_limited and site.sockets.count(person) >= site.config.limits.sockets:
        await close(socket, TOO_MANY)
        return
    if seat is not None and visitor.account is not None:
        await _take_linked_seat(site, match_id, seat, visitor.account)
    one = LiveSocket(socket, site, match_id, visitor.key)
    token = visitor.token if visitor.account is not None else None
    with site.sockets.opened(person, token, one):
        await one.serve()


async def _take_linked_seat(site: Site, match_id: str, token: str, account: Account) -> None:
    """The seat of a link, where it is still open; else the page shows the match as it is."""
    role = await site.database.read(role_of_token, match_id, token[:100])
    if role is not None:
        with suppress(Refused, UnknownMatch, ApiError):
            await take(site, match_id, role, token, account)


async def close(socket: WebSocket, code: int) -> None:
    if socket.application_state is not WebSocketState.DISCONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code)


def _parsed(text: str, most: int) -> dict[str, object] | None:
    """A message of a page, or None where it is none."""
    if len(text) > most or "\\u0000" in text:
        return None
    try:
        message = json.loads(text)
        json.dumps(message, ensure_ascii=False).encode()  # halves of characters are no text
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None
    name = message.get("id")
    if (name is not None and not isinstance(name, int | str)) or len(str(name)) > LONGEST_ID:
        return None
    return message
