"""One player elsewhere in one match: started, told every step, asked for its moves, told the end."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ....arena.match.clocks import Clocks
from ....arena.match.match import ErrorCode, Notice, Reply
from ....arena.protocol.dialects import Language
from ....arena.protocol.remote_player import RemotePlayer, WiredGame, WiredViews
from ....arena.protocol.replies import excerpt
from ....arena.protocol.scramble import Scrambler
from ....rules.kif import parse_term
from ....rules.terms import Term, format_term
from ..plan import Json, MatchPlan
from .book import RemoteEntry

MOST_SILENT = 5
"""Answers in a row that a player may leave out before it is asked no more."""
BUSY_SECONDS = 600.0
BUSY_PAUSE_SECONDS = 3.0
"""How long, and how often, a player is asked that plays with another host."""
LEAST_CLOCK = 1
"""The shortest play clock: most players read whole seconds only."""


@dataclass(frozen=True)
class SeatedRemote:
    """What every message of the match depends on."""

    match_id: str
    role: Term
    clocks: Clocks
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class RemoteMove:
    """An answer that is awaited: the move, or a legal one in its place."""

    move: str
    fault: str
    """Why the move is not the player's own."""
    seconds: float


class RemoteGone(Exception):
    """A player is asked no more, since it does not answer; says how it has failed."""


class RemoteFollower:
    """Speaks to one player. What it is told is asked of the rules, step by step."""

    def __init__(
        self,
        name: str,
        player: RemotePlayer,
        seated: SeatedRemote,
        told: Callable[[int], Awaitable[Json]],
    ) -> None:
        """``told``: what the rules let the player know at a step."""
        self.name = name
        self.role = seated.role
        self.step = -1
        """The last step that the player was asked about."""
        self._player = player
        self._seated = seated
        self._told = told
        self._silent = 0
        self._trouble = ""
        """Why the player could not prepare, until it is told."""

    async def start(self, was_begun: bool, on_busy: Callable[[], None]) -> None:
        """Let the player prepare. ``was_begun``: it may still be in the match, as it was before the server
        stopped, or the match was interrupted."""
        self.step = -1
        if was_begun:
            await self._player.abort(self._seated)
        loop = asyncio.get_running_loop()
        until = loop.time() + BUSY_SECONDS
        while (reply := await self._player.start(self._seated)).text.strip().lower() == "busy":
            if loop.time() > until:
                raise RemoteGone("it plays with another host")
            on_busy()
            await asyncio.sleep(BUSY_PAUSE_SECONDS)
        if reply.code is not None:
            self._trouble = f"START was not answered ({reply.text}); "
        self._count(reply)

    async def play(self) -> RemoteMove:
        """Ask about the next step; RemoteGone where the player has not answered too often."""
        told = await self._told(self.step + 1)
        notice = _notice(self._seated.role, self.step + 1, told)
        reply = await self._player.play(self._seated, notice)
        self.step += 1
        self._count(reply)
        move = "" if reply.move is None else format_term(reply.move)
        trouble, self._trouble = self._trouble, ""
        if reply.code is None and move in told["legal"]:
            return RemoteMove(move, f"{self.name}: {trouble}" if trouble else "", reply.seconds)
        why = reply.text if reply.code is not None else f"{excerpt(move)} is not legal"
        fault = f"{self.name}: {trouble}{why}: a legal move was made for it"
        return RemoteMove(told["legal"][0], fault, reply.seconds)

    async def stop(self, steps: int) -> None:
        """Tell the player the end of a match of so many steps, and the steps before that it does not know."""
        while self.step < steps - 1:
            await self.play()
        told = await self._told(steps)
        await self._player.stop(self._seated, _notice(self._seated.role, steps, told))

    async def abort(self) -> None:
        await self._player.abort(self._seated)

    def _count(self, reply: Reply) -> None:
        """Note whether the player is there. What it says may be wrong, but then it is there."""
        is_silent = reply.code in (ErrorCode.LATE, ErrorCode.LOST)
        self._silent = self._silent + 1 if is_silent else 0
        if self._silent >= MOST_SILENT:
            raise RemoteGone(reply.text)


def seated_remote(plan: MatchPlan, role: str, entry: RemoteEntry) -> SeatedRemote:
    """What a player is told with every message."""
    clocks = entry.dialect.clocks(math.ceil(plan.prepare), max(LEAST_CLOCK, math.ceil(plan.think)))
    return SeatedRemote(plan.wire_id, parse_term(role), clocks)


def wired_from_json(data: Json) -> WiredGame:
    """The game that ``Arbiter.wired`` told."""
    return WiredGame(
        data["name"],
        tuple(map(parse_term, data["roles"])),
        data["is_hidden"],
        Language(data["language"]),
        data["rules"],
        Scrambler(data["words"], strict=False),
        None if data["views"] is None else _views(data["views"]),
    )


def _views(data: Json) -> WiredViews:
    return WiredViews({parse_term(role): text for role, text in data["descriptions"].items()}, data["did"])


def _notice(role: Term, step: int, told: Json) -> Notice:
    joint = None if told["joint"] is None else tuple(map(parse_term, told["joint"]))
    own = None if told["own"] is None else parse_term(told["own"])
    return Notice(role, step, joint, own, tuple(map(parse_term, told["percepts"])))
