"""The register of players elsewhere: what their owners say, and whether they answer."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy.exc import IntegrityError

from ...arena.match.clocks import Clocks
from ...arena.protocol.client import Address, Dial
from ...arena.protocol.dialects import DIALECTS, Language
from ...arena.protocol.player_line import PlayerLine
from ...arena.protocol.public_dial import ForbiddenAddressError, PublicDial
from ...arena.protocol.replies import InfoReply
from ..config import SiteConfig
from ..live import REMOTE, RemoteEntry
from ..store.accounts import Account
from ..store.database import Database, now
from ..store.remotes import (
    NotFree,
    Registration,
    RemoteRow,
    add_remote,
    asked_before,
    find_remote,
    note_answer,
)

CLOCKS = Clocks(0, 0, connect=3.0)
ANSWER_SECONDS = 3.0
"""How long a player may take to be reached, and to answer, outside of matches."""
ASK_SECONDS = 300.0
"""After so long without a word a player is asked whether it is there."""
LOOK_SECONDS = 30.0
MOST_ASKED = 50
MOST_AT_ONCE = 8
"""Players that are asked in one round, and at the same time."""

LONGEST_NAME = 60
_NO_TEXT = re.compile(r"[^ -~]")

LOG = logging.getLogger("ludorum.web")


class Unreachable(Exception):
    """No player answers at an address."""


class RemoteRegister:
    """Players elsewhere in the database, and the connections to them."""

    def __init__(self, database: Database, config: SiteConfig) -> None:
        self._database = database
        self._dial = PublicDial(config.remote_hosts)
        self._at_once = asyncio.Semaphore(MOST_AT_ONCE)
        self._looking: asyncio.Task[None] | None = None

    def start(self, is_ours: Callable[[], Awaitable[bool]]) -> None:
        """Begin to ask players now and then. ``is_ours``: whether this process, of several, is the one that
        speaks to them."""
        self._looking = asyncio.create_task(self._look(is_ours))

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
        self._dial.close()

    # -- for owners -------------------------------------------------------------------------------------

    async def add(
        self, owner: Account, name: str, address: Address, language: str, method: str, dialect: str
    ) -> RemoteRow:
        """Register a player that answers now. ForbiddenAddressError, Unreachable or NotFree where that is
        not possible."""
        try:
            await self._dial.look_up(address)
        except ForbiddenAddressError:
            raise
        except OSError as error:
            raise Unreachable(f"the host {address.host} is not known") from error
        said = await self._greet(address, method, dialect)
        if said is None:
            raise Unreachable(f"nothing at {address} answers as a player does")
        told = Registration(name, address.host, address.port, language, method, dialect, _own_name(said))
        try:
            return await self._database.write(add_remote, owner, told)
        except IntegrityError as error:  # another process has just added one of this name
            raise NotFree(f"there is a player of the name {name}") from error

    async def check(self, row: RemoteRow) -> RemoteRow | None:
        """A player after it was asked whether it is there; None where it was removed meanwhile.

        One that plays is left alone, since it may not answer while it thinks.
        """
        if row.is_playing and row.is_reachable:
            return row
        said = await self._greet(Address(row.host, row.port), row.method, row.dialect)
        name = None if said is None else _own_name(said)
        await self._database.write(note_answer, row.name, said is not None, name)
        return await self._database.read(find_remote, row.name)

    # -- for live matches -------------------------------------------------------------------------------

    @property
    def dial(self) -> Dial:
        return self._dial

    async def find(self, name: str) -> RemoteEntry | None:
        return _entry(await self._row(name))

    async def ask(self, name: str) -> RemoteEntry | None:
        row = await self._row(name)
        return None if row is None else _entry(await self.check(row))

    async def note(self, name: str, is_reachable: bool) -> None:
        try:
            await self._database.write(note_answer, name.removeprefix(REMOTE), is_reachable)
        except Exception:  # the match matters more
            LOG.exception("it could not be noted whether %s answers", name)

    async def _row(self, name: str) -> RemoteRow | None:
        plain = name.removeprefix(REMOTE)
        row = await self._database.read(find_remote, plain)
        return row if row is not None and row.name == plain else None

    # -- asking -----------------------------------------------------------------------------------------

    async def _greet(self, address: Address, method: str, dialect: str) -> InfoReply | None:
        line = PlayerLine(address, dialect=DIALECTS[dialect], method=method, dial=self._dial)
        async with self._at_once:
            return await line.greet(CLOCKS, ANSWER_SECONDS)

    async def _look(self, is_ours: Callable[[], Awaitable[bool]]) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if not await is_ours():
                    continue
                before = now() - int(ASK_SECONDS)
                rows = await self._database.read(asked_before, before, MOST_ASKED)
                await asyncio.gather(*map(self.check, rows))
            except Exception:
                LOG.exception("players elsewhere could not be asked")


def _own_name(said: InfoReply) -> str:
    """The name that a player gives itself, as databases and pages can have it."""
    return " ".join(_NO_TEXT.sub(" ", said.name).split())[:LONGEST_NAME]


def _entry(row: RemoteRow | None) -> RemoteEntry | None:
    if row is None:
        return None
    language = Language(row.language) if row.language else None
    address = Address(row.host, row.port)
    return RemoteEntry(
        REMOTE + row.name, address, language, row.method, DIALECTS[row.dialect], row.is_reachable
    )
