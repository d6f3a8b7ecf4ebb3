"""The line to a player elsewhere: one message, one reply, each within its time.

What a match needs of it is in ``remote_player``; here is what can be asked of a player without any match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from ..match.clocks import Clocks
from .client import Address, Dial, ExchangeError, Failure, Sent, dial_any, exchange, format_request
from .dialects import DIALECTS, Dialect
from .messages import Info, Message, Ping
from .replies import BUSY, READY, InfoReply, excerpt, parse_info_reply

OK = 200
LONG_REPLY = 1000
"""Characters from which on a reply is read in a thread: 64 KB of words take a tenth of a second."""
STATUSES = (READY, BUSY, "available")
"""What players say of themselves."""


@dataclass(frozen=True)
class Exchange:
    """One question and its answer, in more detail than the match needs."""

    asked: str
    """The keyword of the message."""
    step: int
    text: str
    """The beginning of the reply, or the failure."""
    seconds: float
    """Counted from the last byte sent."""
    connect_seconds: float
    explanation: str = ""
    taunt: str = ""


T = TypeVar("T")


async def read_aside(read: Callable[[str], T], reply: str) -> T:
    """What a reply says; a long one does not keep others waiting who are served by the same event loop."""
    return read(reply) if len(reply) < LONG_REPLY else await asyncio.to_thread(read, reply)


class PlayerLine:
    """Sends messages to the player at an address, as one dialect writes them."""

    def __init__(
        self,
        address: Address,
        *,
        dialect: Dialect = DIALECTS["ggp-base"],
        method: str = "POST",
        name: str = "",
        dial: Dial = dial_any,
    ) -> None:
        """``dial``: opens connections; one that refuses some addresses keeps the player from naming them."""
        self.address = address
        self.name = name or str(address)
        self.exchanges: list[Exchange] = []
        self._dialect = dialect
        self._method = method
        self._dial = dial
        self._bonus: float | None = None
        self._reached = True
        """Whether it could be reached last time; True for a player that was never tried."""

    async def info(self, clocks: Clocks, seconds: float = 2.0) -> InfoReply | None:
        """What the player says about itself; None where it says nothing, as very old players do."""
        try:
            said = (await self.tell(Info(), clocks, seconds)).response.body
        except ExchangeError:
            return None
        return await read_aside(parse_info_reply, said)

    async def ping(self, clocks: Clocks, seconds: float = 2.0) -> bool:
        """Whether a player answers."""
        try:
            return "ready" in (await self.tell(Ping(), clocks, seconds)).response.body.lower()
        except ExchangeError:
            return False

    async def greet(self, clocks: Clocks, seconds: float) -> InfoReply | None:
        """What the player says about itself, or only that it answers a ping; None where what answers is no
        player, such as a web server."""
        info = await self._asked(Info(), clocks, seconds)
        said = InfoReply() if info is None else await read_aside(parse_info_reply, info)
        if said.name or said.status in STATUSES:
            return said
        ping = await self._asked(Ping(), clocks, seconds)
        return InfoReply(READY) if ping is not None and ping.strip().lower() in STATUSES else None

    async def _asked(self, message: Message, clocks: Clocks, seconds: float) -> str | None:
        """The text of a reply; None where there is none."""
        try:
            response = (await self.tell(message, clocks, seconds)).response
        except ExchangeError:
            return None
        return response.body if response.status == OK else None

    async def tell(
        self,
        message: Message,
        clocks: Clocks,
        seconds: float,
        step: int = 0,
        tags: Mapping[str, str] = MappingProxyType({}),
    ) -> Sent:
        """Send a message and wait so many seconds for its reply; ExchangeError where there is none."""
        asked = type(message).__name__.lower().removesuffix("percepts")
        body = self._dialect.write(message)
        headers = {**self._dialect.headers(self.address, self.name), **tags}
        request = format_request(self.address, body, headers, self._method)
        if self._bonus is None:
            self._bonus = clocks.connect_bonus
        connect = clocks.connect + self._bonus
        try:
            sent = await exchange(
                self.address,
                request,
                connect_seconds=connect,
                reply_seconds=seconds,
                retry=self._reached,
                dial=self._dial,
            )
        except ExchangeError as error:
            self._reached = error.failure is not Failure.UNREACHABLE
            if not self._reached:
                self._bonus = 0.0
            self.exchanges.append(Exchange(asked, step, str(error), error.seconds, 0.0))
            raise
        self._reached = True
        self._bonus -= min(self._bonus, max(0.0, sent.connect_seconds - clocks.connect))
        self.exchanges.append(
            Exchange(asked, step, excerpt(sent.response.body), sent.seconds, sent.connect_seconds)
        )
        return sent
