"""The players elsewhere of one match: they come when they are free, follow the match, and leave at its end.

A task follows the match for all of them. It is woken at every change and looks at the match itself, so that
it does not matter what has changed, nor how often. Nothing about it is written down: after a restart, and
after the match had to give its players back, they are started again and told all steps from the first on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic

from ....arena.protocol.remote_player import RemotePlayer
from ....rules.terms import format_term
from ..live_match import LiveMatch
from ..plan import Elsewhere, Json
from ..rules_shelf import ArbiterError, GameRules
from .desk import RemoteDesk
from .follower import RemoteFollower, RemoteGone, RemoteMove, seated_remote, wired_from_json

SLEEP_SECONDS = 600.0
"""A match in which people do nothing for so long gives its players back when another match wants them."""
RETRY_SECONDS = 1.0
"""The pause after something that should not have failed."""

OnMove = Callable[[str, object, str, str, float], Awaitable[None]]
"""Takes the role, the version of the match that was asked about, the move, why it is not the player's own,
and how long it took."""

_log = logging.getLogger(__name__)


class MatchRemotes:
    """Follows one match for its players elsewhere."""

    def __init__(
        self,
        live: LiveMatch,
        rules: Callable[[], GameRules],
        course: Callable[[], Json],
        desk: RemoteDesk,
        on_move: OnMove,
        on_news: Callable[[], None],
    ) -> None:
        """``on_news``: called when a remark has changed."""
        self.remarks: dict[str, str] = {}
        """What is to be said of roles whose players are not just playing; nothing that the rules hide."""
        self.was_begun = False
        """Whether the players may be in the match already, from the time before the server stopped."""
        self._live = live
        self._rules = rules
        self._course = course
        self._desk = desk
        self._on_move = on_move
        self._on_news = on_news
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_sent_away = False
        self._gone: set[str] = set()
        """Roles whose players are asked no more."""
        self._asked: set[str] = set()
        self._version: object = None
        self._since = monotonic()

    # -- for the match ----------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether somebody is told something."""
        return self._task is not None and not self._task.done()

    @property
    def is_asking(self) -> bool:
        return bool(self._asked)

    def wake(self) -> None:
        """Something in the match has changed."""
        if self._version != (version := (self._live.version, self._live.is_paused)):
            self._version, self._since = version, monotonic()
        self._changed.set()
        if self._task is None and self._live.is_running and self._live.seats.remotes:
            self._task = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Speak no more. The players are not told: they are in the match, which goes on when it is loaded."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # -- for the desk -----------------------------------------------------------------------------------

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._live.seats.remotes.values())

    @property
    def is_over(self) -> bool:
        return self._live.is_over

    @property
    def is_asleep(self) -> bool:
        awaited = set(self._live.to_move) & set(self._live.seats.remotes)
        is_waiting = not awaited or not self._live.is_running
        return is_waiting and monotonic() - self._since > SLEEP_SECONDS

    def send_away(self) -> None:
        self._is_sent_away = True
        self._changed.set()

    # -- the task ---------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        substitute = asyncio.create_task(self._move_for_those_gone())
        try:
            while not self._live.is_over:
                try:
                    await self._sit()
                except Exception:
                    _log.exception("players elsewhere in %s will be started again", self._live.id)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            substitute.cancel()
            await asyncio.gather(substitute, return_exceptions=True)

    async def _sit(self) -> None:
        """Have the players at the match until it is over, or until another match is given them."""
        roles = {role: name for role, name in self._live.seats.remotes.items() if role not in self._gone}
        if not roles:
            await self._until(lambda: self._live.is_over)
            return
        if any(map(self._desk.is_playing, roles.values())):
            self._remark(roles, "plays another match first")
        async with self._desk.players_of(self) as is_there:
            if not is_there:
                return
            self._is_sent_away = False
            async with asyncio.TaskGroup() as group:
                for role, name in roles.items():
                    group.create_task(self._sit_at(role, name))
            self.was_begun = True
        if self._is_sent_away and not self._live.is_over:
            left = self._live.version
            self._remark(roles, "is in another match, and comes back after the next move")
            await self._until(lambda: self._live.is_over or self._live.version != left)

    async def _sit_at(self, role: str, name: str) -> None:
        try:
            await self._play(role, name)
        except RemoteGone as gone:
            _log.info("%s is asked no more in %s: %s", name, self._live.id, gone)
            self._gone.add(role)
            self._remark([role], "does not answer: legal moves are made for it")
            self._changed.set()
            await self._desk.book.note(name, False)

    async def _play(self, role: str, name: str) -> None:
        follower = await self._follower(role, name)
        try:
            await self._play_with(follower, role, name)
        except RemoteGone:
            await follower.abort()  # it may be there, and would not play with others else
            raise

    async def _play_with(self, follower: RemoteFollower, role: str, name: str) -> None:
        live, book = self._live, self._desk.book
        self._remark([role], "prepares")
        await follower.start(self.was_begun, lambda: self._remark([role], "plays with another host"))
        self._remark([role], "")
        while True:
            await self._until(lambda: self._is_to_leave or (live.is_running and follower.step < live.step))
            if self._is_to_leave:
                break
            await self._ask(follower)
        await book.note(name, True)
        if live.end is not None and live.end.how == "rules":
            await follower.stop(live.step)
        else:
            await follower.abort()

    @property
    def _is_to_leave(self) -> bool:
        return self._live.is_over or self._is_sent_away

    async def _follower(self, role: str, name: str) -> RemoteFollower:
        book = self._desk.book
        entry = await book.find(name)
        if entry is None:
            raise RemoteGone("it is not registered any more")
        language = None if entry.language is None else entry.language.value
        game = wired_from_json(await self._rules().ask("wired", name, language))
        player = RemotePlayer(
            entry.address, game, dialect=entry.dialect, method=entry.method, name=name, dial=book.dial
        )

        async def told(step: int) -> Json:
            known: Json = await self._rules().ask("told", self._course(), role, step)
            return known

        return RemoteFollower(name, player, seated_remote(self._live.plan, role, entry), told)

    async def _ask(self, follower: RemoteFollower) -> None:
        """Ask about the next step; the answer counts where it is awaited now."""
        version, role = self._live.version, format_term(follower.role)
        is_awaited = follower.step + 1 == self._live.step and role in self._live.to_move
        if is_awaited:
            self._asked.add(role)
            self._on_news()
        try:
            move = await follower.play()
        except ArbiterError:  # the rules were too costly this time
            await asyncio.sleep(RETRY_SECONDS)
            return
        finally:
            self._asked.discard(role)
        if is_awaited:
            await self._hand_over(role, version, move)

    async def _hand_over(self, role: str, version: object, move: RemoteMove) -> None:
        """Give a move to the match, as soon as it goes on where it is paused."""
        live = self._live
        while True:
            await self._until(lambda: live.is_running or live.is_over)
            if live.version != version or role not in live.to_move:
                return
            try:
                await self._on_move(role, version, move.move, move.fault, move.seconds)
            except Elsewhere:
                return
            except Exception:
                _log.exception("the move of a player elsewhere in %s failed", live.id)
            if live.version == version and role in live.to_move:
                await asyncio.sleep(RETRY_SECONDS)

    async def _move_for_those_gone(self) -> None:
        live = self._live
        while True:
            await self._until(lambda: live.is_running and not self._gone.isdisjoint(live.to_move))
            role = next(role for role in live.to_move if role in self._gone)
            version = live.version
            try:
                told: Json = await self._rules().ask("told", self._course(), role, live.step)
            except ArbiterError:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            fault = f"{live.seats.remotes[role]} is asked no more: a legal move was made for it"
            await self._hand_over(role, version, RemoteMove(told["legal"][0], fault, 0.0))

    def _remark(self, roles: Iterable[str], text: str) -> None:
        self.remarks.update(dict.fromkeys(roles, text))
        self._on_news()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            self._changed.clear()
            await self._changed.wait()
