"""Where remote players post their moves: a port, with a secret path for each role."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace

from ...rules.terms import Term
from ..protocol.messages import MessageError
from ..protocol.realtime_messages import OwnMove, parse_realtime
from ..protocol.replies import DONE, NIL_REPLY
from ..protocol.server import HttpServer
from ..protocol.wire import DEFAULT_LIMITS, Request

MOVES_TO = "Moves-To"
"""The header that tells where moves may be posted: the port at the sender's address, and the path."""
LIMITS = replace(DEFAULT_LIMITS, body_bytes=64 * 1024, read_seconds=30.0)

UNHEARD_SECONDS = 0.1
"""How long a player that sends too many moves waits for the answer."""


class MoveInlet:
    """Takes ``(MOVE match role move)`` for one match. Who knows a path acts for its role alone."""

    def __init__(self, match_id: str) -> None:
        self._match_id = match_id
        self._offers: dict[str, tuple[Term, Callable[[Term], bool]]] = {}
        self._http = HttpServer(self._answer, LIMITS)

    async def open(self, host: str) -> None:
        """Listen at any free port."""
        await self._http.open(host)

    async def close(self) -> None:
        await self._http.close()

    def add(self, role: Term, offer: Callable[[Term], bool]) -> str:
        """A new path for a role, as the header has it; ``offer`` says whether a move is heard."""
        path = f"/{secrets.token_urlsafe(16)}"
        self._offers[path] = role, offer
        return f"{self._http.port}{path}"

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> str:
        known = self._offers.get(request.target)
        if known is None:
            return NIL_REPLY
        role, offer = known
        try:
            said = parse_realtime(request.body)
        except MessageError:
            return NIL_REPLY
        if not isinstance(said, OwnMove) or said.match_id.lower() != self._match_id.lower():
            return NIL_REPLY
        if str(said.player).lower() != str(role).lower():
            return NIL_REPLY
        if not offer(said.move):
            await asyncio.sleep(UNHEARD_SECONDS)
        return DONE  # which does not say that the move is legal
