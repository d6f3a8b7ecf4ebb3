"""This process among those that share its database: signs of life, and the matches that it plays."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

import sqlalchemy as sa

from ..live import Elsewhere, UnknownMatch
from ..store.database import Database
from ..store.servers import (
    LEASE_SECONDS,
    ServerRow,
    beat,
    forget_servers,
    give_back,
    hand_over,
    leave,
    living,
    matches_of,
    orphans,
    take_match,
)
from .door import Door, Watch
from .line import LineBroken, Lines, NotReached, PeerFailed

BEAT_SECONDS = 1.0
WAIT_SECONDS = 0.05
"""How long it is waited where it is not clear yet which process has something."""
MOST_TRIES = 3
"""Tries to load a match that cannot be loaded, before it waits until a person asks for it."""

Question = Callable[..., Awaitable[Any]]

_log = logging.getLogger(__name__)


class AtServer(Elsewhere):
    """Another process plays the match: this one."""

    def __init__(self, match_id: str, server: ServerRow) -> None:
        super().__init__(match_id)
        self.server = server


class Hub(Protocol):
    """The matches of this process."""

    @property
    def loaded(self) -> set[str]: ...

    def let_go(self, match_id: str) -> None: ...

    async def resume(self, match_id: str) -> None: ...


@dataclass(frozen=True)
class OwnPart:
    """What this process has for the others."""

    hub: Hub
    questions: Mapping[str, Question]
    watch: Watch
    """Opens a subscription to a match."""
    give_up: Callable[[Collection[str]], Awaitable[None]]
    """Ends the long work of all processes but those that live."""


class Peers:
    """This process and the others; the leases of its hub."""

    def __init__(self, database: Database, host: str) -> None:
        """``host``: the address of this machine for the others."""
        self.name = secrets.token_hex(4)
        self.lines = Lines()
        self._database = database
        self._host = host
        self._me = ServerRow(self.name, "", secrets.token_hex(32))
        self._living = {self.name}
        self._own: OwnPart | None = None
        self._door: Door | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving = asyncio.Event()
        self._beaten = monotonic()
        self._sure_from = 0.0
        """When this process may take others for dead again, after it was away itself."""
        self._tries: Counter[str] = Counter()
        """Matches that could not be loaded."""

    @property
    def count(self) -> int:
        """How many processes live."""
        return len(self._living)

    @property
    def is_late(self) -> bool:
        """Whether this process gave no sign of life for so long that its matches may be with others by now.

        Its next sign of life tells it which are.
        """
        return monotonic() - self._beaten > LEASE_SECONDS - BEAT_SECONDS

    async def start(self, own: OwnPart) -> None:
        """Let the others ask this process, and go on with matches of those that have ended."""
        self._own = own
        self._door = Door(self.name, self._me.secret, self._answer, own.watch)
        self._me = ServerRow(self.name, await self._door.open(self._host), self._me.secret)
        await self._database.write_alone(forget_servers)
        await self._beat()
        await own.give_up(self._living)
        self._tasks = [asyncio.create_task(self._live()), asyncio.create_task(self._adopt_all())]

    async def leave(self) -> None:
        """Give all matches back: the others go on with them."""
        self._leaving.set()
        await asyncio.gather(*self._tasks)  # not cancelled: the database would go on with what they ask of it
        try:
            await self._database.write_alone(leave, self.name)
        except Exception:
            _log.exception("the matches could not be given back: others take them after %g s", LEASE_SECONDS)
        if self._door is not None:
            await self._door.close()
        self.lines.close()

    # -- leases -----------------------------------------------------------------------------------------

    async def take(self, name: str, is_match: bool = False) -> bool:
        is_sure = monotonic() >= self._sure_from
        taken = await self._database.write_alone(
            take_match, name, self.name, is_match=is_match, may_be_lost=is_sure
        )
        if taken is None:
            raise Elsewhere(name)
        if taken.is_unknown:
            raise UnknownMatch(name)
        if taken.elsewhere is not None:
            raise AtServer(name, taken.elsewhere)
        return taken.was_lost

    async def give_back(self, name: str) -> None:
        await self._database.write_alone(give_back, name, self.name)

    async def has(self, name: str) -> bool:
        return await self._server_of(name) is None

    async def stays(self, match_id: str, name: str) -> bool:
        server = await self._server_of(name)
        if server is None:
            return True
        await self._database.write_alone(hand_over, match_id, self.name, server.id)
        # Where that fails, the next question about the match wakes it, or another process takes it.
        with suppress(Elsewhere):
            await self._ask(server, "resume", (match_id,))
        return False

    async def _server_of(self, name: str) -> ServerRow | None:
        """The other process that has something; None where this one has it now."""
        while True:
            try:
                await self.take(name)
                return None
            except AtServer as error:
                return error.server
            except Elsewhere:
                await asyncio.sleep(WAIT_SECONDS)

    # -- questions --------------------------------------------------------------------------------------

    async def ask_others(self, question: str, *args: Any) -> dict[str, Any]:
        """The answers of all other processes by their names; those that do not answer are left out."""
        others = [one for one in await self._database.read(living) if one.id != self.name]
        answers = await asyncio.gather(*(self._ask(one, question, args) for one in others))
        return {one.id: answer for one, answer in zip(others, answers, strict=True) if answer is not None}

    async def _ask(self, server: ServerRow, question: str, args: tuple[Any, ...]) -> Any:
        try:
            return await (await self.lines.to(server)).ask(question, *args)
        except (NotReached, LineBroken, PeerFailed) as error:
            _log.warning("the process %s at %s does not answer: %s", server.id, server.address, error)
            return None

    async def _answer(self, question: str, args: list[Any]) -> Any:
        assert self._own is not None
        if question not in self._own.questions:
            raise ValueError(f"{question!r} is no question")
        if self.is_late:
            raise Elsewhere(question)
        return await self._own.questions[question](*args)

    # -- signs of life ----------------------------------------------------------------------------------

    async def _live(self) -> None:
        while not await self._is_leaving():
            try:
                await self._beat()
            except Exception:
                _log.exception("this process could not give a sign of life")

    async def _is_leaving(self) -> bool:
        """Wait a moment; whether this process ends."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._leaving.wait(), BEAT_SECONDS)
        return self._leaving.is_set()

    async def _beat(self) -> None:
        assert self._own is not None
        loaded = set(self._own.hub.loaded)
        others, mine = await self._database.write_alone(_beat, self._me)
        if monotonic() - self._beaten > LEASE_SECONDS:
            # This process hung, or all could not reach the database: the others may be about to come back.
            self._sure_from = monotonic() + LEASE_SECONDS
        self._beaten = monotonic()
        for match_id in loaded - mine:
            self._own.hub.let_go(match_id)
        before, self._living = self._living, {one.id for one in others}
        self.lines.keep(self._living)
        if before - self._living:
            await self._own.give_up(self._living)

    async def _adopt_all(self) -> None:
        """Go on with matches whose process has ended."""
        while not await self._is_leaving():
            try:
                if monotonic() >= self._sure_from:
                    await self._adopt()
            except Exception:
                _log.exception("matches of other processes could not be looked for")

    async def _adopt(self) -> None:
        """Take this process's share of the matches that no process plays: the others take theirs."""
        given_up = [match_id for match_id, tries in self._tries.items() if tries >= MOST_TRIES]
        again = [match_id for match_id, tries in self._tries.items() if tries < MOST_TRIES]
        found = await self._database.read(orphans, given_up)
        for match_id in (*again, *found[: -(-len(found) // self.count)]):
            if not self._leaving.is_set():
                await self._resume(match_id)

    async def _resume(self, match_id: str) -> None:
        assert self._own is not None
        try:
            await self._own.hub.resume(match_id)
        except AtServer:  # it was faster
            self._tries.pop(match_id, None)
        except Exception as error:
            self._tries[match_id] += 1
            if not isinstance(error, Elsewhere):
                _log.exception("match %s cannot be continued", match_id)
        else:
            self._tries.pop(match_id, None)


def _beat(connection: sa.Connection, me: ServerRow) -> tuple[list[ServerRow], set[str]]:
    """A sign of life; all that live, and the matches of this process."""
    return beat(connection, me), matches_of(connection, me.id)
