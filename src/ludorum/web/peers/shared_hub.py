"""The hub of a process that shares its database: what it does not play itself it asks of the owner."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from ..live import Elsewhere, Journal, MatchHub, MatchWatcher, Overtaken, RemoteBook
from ..live.plan import Json
from ..store.servers import LEASE_SECONDS, ServerRow
from .line import Line, LineBroken, NotReached
from .peers import WAIT_SECONDS, AtServer, Peers, Question

Found = TypeVar("Found")

PATIENCE_SECONDS = 2 * LEASE_SECONDS
"""How long a match whose process has ended is waited for."""
MOST_KNOWN = 5000
"""Matches of which it is remembered which process plays them."""
READING = ("view_for", "step_for", "premoves_for", "record_for", "analysis_for", "knowledge_for")
"""Questions that change nothing: they can be asked twice."""
ASKED = (*READING, "take_seat", "act", "accept", "stop")

_log = logging.getLogger(__name__)


class SharedHub(MatchHub):
    """All live matches of all processes. Users are recognised by the process that they have asked."""

    def __init__(
        self, journal: Journal, watcher: MatchWatcher, peers: Peers, *, workers: int, remotes: RemoteBook
    ) -> None:
        super().__init__(journal, watcher, workers=workers, leases=peers, remotes=remotes)
        self._peers = peers
        self._known: OrderedDict[str, ServerRow] = OrderedDict()

    @property
    def questions(self) -> dict[str, Question]:
        """What other processes may ask about the matches that are played here."""
        hub = super()
        return {method: getattr(hub, method) for method in ASKED}

    def watch_here(self, args: list[Any]) -> AbstractAsyncContextManager[AsyncIterator[Json]]:
        """The views of a match that is played here, for another process."""
        match_id, user = args
        if self._peers.is_late:
            raise Elsewhere(match_id)
        return super().subscribe(match_id, user)

    async def take_seat(self, match_id: str, role: str, user: str, name: str) -> None:
        await self._ask("take_seat", match_id, role, user, name)

    async def act(self, match_id: str, user: str | None, message: Json) -> None:
        await self._ask("act", match_id, user, message)

    async def accept(self, match_id: str, user: str | None, message: Json) -> None:
        await self._ask("accept", match_id, user, message)

    async def stop(self, match_id: str, why: str) -> None:
        await self._ask("stop", match_id, why)

    async def view_for(self, match_id: str, user: str | None) -> Json:
        return await self._read("view_for", match_id, user)

    async def step_for(self, match_id: str, user: str | None, step: int) -> Json:
        return await self._read("step_for", match_id, user, step)

    async def premoves_for(self, match_id: str, user: str | None) -> Json:
        return await self._read("premoves_for", match_id, user)

    async def record_for(self, match_id: str, user: str | None) -> Json:
        return await self._read("record_for", match_id, user)

    async def analysis_for(self, match_id: str, user: str | None, step: int | None = None) -> Json:
        return await self._read("analysis_for", match_id, user, step)

    async def knowledge_for(self, match_id: str, user: str | None) -> Json:
        return await self._read("knowledge_for", match_id, user)

    @asynccontextmanager
    async def subscribe(self, match_id: str, user: str | None) -> AsyncIterator[AsyncIterator[Json]]:
        async with AsyncExitStack() as stack:

            def here() -> Awaitable[AsyncIterator[Json]]:
                return stack.enter_async_context(self.watch_here([match_id, user]))

            def there(line: Line) -> Awaitable[AsyncIterator[Json]]:
                return stack.enter_async_context(line.subscribe(match_id, user))

            yield await self._at_owner(match_id, here, there, True)

    async def _read(self, method: str, match_id: str, *args: Any) -> Json:
        found: Json = await self._ask(method, match_id, *args)
        return found

    async def _ask(self, method: str, match_id: str, *args: Any) -> Any:
        local: Question = getattr(super(), method)
        return await self._at_owner(
            match_id,
            lambda: local(match_id, *args),
            lambda line: line.ask(method, match_id, *args),
            method in READING,
        )

    async def _at_owner(
        self,
        match_id: str,
        here: Callable[[], Awaitable[Found]],
        there: Callable[[Line], Awaitable[Found]],
        may_repeat: bool,
    ) -> Found:
        """The answer of the process that plays a match; one that has ended is waited for until another has
        taken its place. What may have been done is never asked twice."""
        until = monotonic() + PATIENCE_SECONDS
        server = None if match_id in self._matches else self._known.get(match_id)
        while True:
            try:
                if server is not None:
                    return await self._there(match_id, server, there)
                if not self._peers.is_late:
                    return await here()
            except AtServer as error:
                server = error.server
                continue
            except (Overtaken, LineBroken):
                if not may_repeat:
                    raise
            except (Elsewhere, NotReached):
                pass
            if monotonic() > until:
                _log.warning("no process answers for the match %s; last asked: %s", match_id, server)
                raise Elsewhere(match_id)
            server = None
            await asyncio.sleep(WAIT_SECONDS)

    async def _there(
        self, match_id: str, server: ServerRow, there: Callable[[Line], Awaitable[Found]]
    ) -> Found:
        """The answer of another process, which is remembered if it plays the match."""
        try:
            found = await there(await self._peers.lines.to(server))
        except (Elsewhere, NotReached):
            self._known.pop(match_id, None)
            raise
        self._known[match_id] = server
        self._known.move_to_end(match_id)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return found
