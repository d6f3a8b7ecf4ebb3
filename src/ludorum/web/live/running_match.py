"""A live match with everything that works for it: journal, rules, players, timers and viewers.

All changes happen under one lock, and each is written to the journal before it counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, cast

from .events import (
    OFFERS,
    Answered,
    Began,
    Chatted,
    End,
    Ended,
    MatchEvent,
    Moved,
    Offered,
    Premoved,
    Rematched,
    Reopened,
    Seated,
    What,
    advance_from_json,
)
from .live_match import LiveMatch, shares
from .offers import TableOffer
from .plan import Elsewhere, Json, Overtaken, Refused
from .player_asking import PlayerAsking
from .remote import MatchRemotes
from .rules_shelf import ArbiterError, to_the_end
from .services import Services
from .sights import MatchSights
from .view import viewer_role
from .viewer import Viewer

MOST_FAILURES = 2
"""How often in a row the rules may fail before the match is given up."""
MOST_TRIES = 3
"""Views that are begun before the match has to wait for one."""
RETRY_SECONDS = 1.0
"""How long a match waits that could not go on."""
LONGEST_MOVE = 1000
"""Characters of a move that is read."""

_log = logging.getLogger(__name__)


class RunningMatch:
    """One match that is loaded."""

    def __init__(self, live: LiveMatch, hides: bool, has_chance: bool, services: Services) -> None:
        self.live = live
        self.hides = hides
        self.has_chance = has_chance
        self.viewers: set[Viewer] = set()
        self.lock = asyncio.Lock()
        self.last_used = monotonic()
        self._services = services
        self._asking = PlayerAsking(services.pool)
        self._remotes = MatchRemotes(
            live,
            lambda: self.sights.rules,
            lambda: self.sights.course(),
            services.desk,
            self._player_moves,
            self.notify,
        )
        self.sights = MatchSights(live, hides, has_chance, services, self._asking, self._remotes)
        self._flag: tuple[float, asyncio.Task[None]] | None = None
        self._retry: asyncio.Task[None] | None = None
        self._acting: set[asyncio.Task[None]] = set()
        """What people do, with what follows from it."""
        self._told: object = None
        """What the watcher has been told last."""
        self._failures = 0
        self._is_closed = False

    # -- who looks --------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether something goes on by itself, so that the match must stay loaded."""
        is_asking = self._asking.is_busy or self._remotes.is_busy
        return bool(self.viewers or is_asking or self._flag or self._retry)

    @property
    def asked_players(self) -> int:
        return self._asking.count

    async def view(self, user: str | None) -> Json:
        """The MatchView for a user; None is a spectator without an account."""
        for _ in range(MOST_TRIES):
            if (view := await self.sights.view(user, self._here, self._spectators)) is not None:
                return view
        async with self.lock:  # players move faster than views are made
            view = await self.sights.view(user, self._here, self._spectators)
        assert view is not None
        return view

    @property
    def _here(self) -> set[str]:
        return {viewer.user for viewer in self.viewers if viewer.user is not None}

    @property
    def _spectators(self) -> int:
        """How many look on that have no seat; one that is unknown counts for every page."""
        users = [viewer.user for viewer in self.viewers if not self.live.seats.roles_of(viewer.user)]
        return users.count(None) + len({*users} - {None})

    def watch(self, user: str | None) -> Viewer:
        """Somebody begins to look at the match."""
        viewer = Viewer(partial(self.view, user), user)
        self.viewers.add(viewer)
        self.notify()
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Somebody looks no longer."""
        self.viewers.discard(viewer)
        self.notify()

    def notify(self) -> None:
        """Something has changed: all viewers get a new view."""
        for viewer in self.viewers:
            viewer.notify()

    # -- what people do ---------------------------------------------------------------------------------

    async def take_seat(self, role: str, user: str, name: str) -> None:
        """A person takes an open seat."""
        # After a crash only matches that are listed as live go on: the lists are told before this returns.
        await to_the_end(await self._begin_work(self._take_seat(role, user, name)))

    async def _take_seat(self, role: str, user: str, name: str) -> None:
        if self.live.is_over:
            raise Refused("the match is over")
        self.live.seats.check_free(role, user, self.hides)
        await self._record(Seated(self._now(), role, user, name))

    async def act(self, user: str | None, message: Json) -> None:
        """Do what a message of a person asks for, and what follows from it; Refused where that is not
        possible."""
        await to_the_end(await self.accept(user, message))

    async def accept(self, user: str | None, message: Json) -> asyncio.Task[None]:
        """The same, but returns as soon as it is in the journal: a move is acknowledged before players, lists
        and views are thought of. The task is what follows."""
        return await self._begin_work(self._act(user, message))

    async def _begin_work(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do some work under the lock, even if the caller goes away meanwhile; returns the task in which
        what follows from it is done, under the same lock."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def all_of_it() -> None:
            try:
                async with self.lock:
                    try:
                        await work
                        done.set_result(None)
                    except Exception as error:
                        done.set_exception(error)
                    await self._follow_up()
            finally:
                done.cancel()  # does nothing unless this was cancelled before the work was done

        task = asyncio.create_task(all_of_it())
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)
        await to_the_end(done)
        return task

    async def stop(self, why: str) -> None:
        """End the match without a result, if it is not over."""
        await to_the_end(await self._begin_work(self._stop(why)))

    async def _stop(self, why: str) -> None:
        if not self.live.is_over:
            await self._record(Ended(self._now(), End("stopped", why=why)))

    async def _act(self, user: str | None, message: Json) -> None:
        role = viewer_role(self.live, user)
        if role is None:
            raise Refused("only people at the match can do this")
        await self._fall_flags()
        now = self._now()
        match message.get("type"):
            case "move":
                self.live.check_move(role, message.get("step"))
                await self._move(role, move_text(message.get("move")))
            case "premove":
                await self._premove(role, message.get("move"))
            case "offer":
                await self._offer(role, _what(message.get("what")), message.get("swap", True) is True)
            case "pause" | "resume" as what:
                await self._offer(role, cast(What, what), False)
            case "answer":
                what = _what(message.get("what"))
                self.live.offers.check_answer(role, what)
                await self._record(Answered(now, role, what, message.get("accept") is True))
            case "resign":
                if self.live.is_over or not self.live.has_begun:
                    raise Refused("there is nothing to resign")
                result = shares(self.live.seats.all, [role])
                await self._record(Ended(now, End("resigned", result, role)))
            case "chat":
                text = self.live.chat.check(message.get("text"))
                await self._record(Chatted(now, self.live.seats.all[role].name, text))
            case other:
                raise Refused(f"nothing is known of {str(other)[:40]!r}")

    async def _offer(self, role: str, what: What, swap: bool) -> None:
        self.live.check_offer(role, what, self.hides, self.has_chance)
        await self._record(Offered(self._now(), role, what, swap))

    async def _premove(self, role: str, move: object) -> None:
        if move is not None:
            self.live.check_running()
            if self.hides:
                raise Refused("nothing can be prepared where something is hidden")
            if role in self.live.to_move:
                raise Refused("it is your turn: make the move itself")
        await self._record(Premoved(self._now(), role, None if move is None else move_text(move)))

    # -- moves ------------------------------------------------------------------------------------------

    async def _move(self, role: str, text: str, fault: str = "", seconds: float = 0.0) -> None:
        """Make a move of a role, and the step where it is the last one."""
        live = self.live
        args = (self.sights.course(), live.chosen, live.choosing, role, text)
        try:
            found = await self.sights.rules.ask("choose", *args)
        except ArbiterError as error:
            await self._failed(error)
            return
        self._failures = 0
        advance = None if found["advance"] is None else advance_from_json(found["advance"])
        await self._record(Moved(self._now(), role, found["move"], advance, fault, seconds))
        self._services.moves_made += 1

    async def _failed(self, error: ArbiterError) -> None:
        """The rules gave no answer: the move is refused, or the match given up where that goes on."""
        if error.kind == "IllegalMoveError":
            raise Refused(str(error))
        self._failures += 1
        if error.kind == "limit" and self._failures < MOST_FAILURES:
            raise Refused(f"{error}; try again")
        await self._record(Ended(self._now(), End("failed", None, None, str(error))))

    async def _player_moves(self, role: str, version: object, move: str, fault: str, seconds: float) -> None:
        """A player of the server has answered."""
        async with self.lock:
            if version != self.live.version or role not in self.live.to_move:
                return
            if not self.live.is_running:
                return
            for _ in range(MOST_FAILURES):
                with suppress(Refused):
                    await self._move(role, move, fault, seconds)
                    break
            await self._follow_up()

    # -- what follows by itself -------------------------------------------------------------------------

    async def reopen(self, was_listed_live: bool, may_collide: bool = False) -> None:
        """Go on with a match that was loaded from its journal.

        ``was_listed_live``: the watcher takes it for live, and is told if it is over. ``may_collide``:
        another process may still write; from the first event of this one on, it cannot.
        """
        async with self.lock:
            self._remotes.was_begun = self.live.has_begun
            self._told = () if was_listed_live else self._news()
            clocks = self.live.clocks
            if may_collide or (clocks is not None and clocks.first_to_fall is not None):
                await self._record(Reopened(self._now()))
            await self._follow_up()

    async def begin(self) -> None:
        """Go on with a match that was just created."""
        async with self.lock:
            await self._follow_up()

    async def _follow_up(self) -> None:
        """``drive``; where that fails, since the disk is full or the database away, again after a while."""
        if self._is_closed:
            return
        try:
            await self.drive()
        except Elsewhere:
            return
        except Exception:
            _log.exception("the match %s cannot go on and will be tried again", self.live.id)
            self._try_again()

    def _try_again(self) -> None:
        if self._retry is None or self._retry.done():
            self._retry = asyncio.create_task(self._drive_later())

    async def _drive_later(self) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        self._retry = None
        async with self.lock:
            await self._follow_up()

    async def drive(self) -> None:
        """Do what follows from the state of the match without anybody's doing. The lock is held."""
        live = self.live
        if not live.has_begun and not live.is_over and not live.seats.open:
            await self._begin()
        while (role := next((one for one in live.to_move if one in live.premoves), None)) is not None:
            if not live.is_running:
                break
            prepared = live.premoves[role]
            try:
                await self._move(role, prepared)
            except Refused:  # it is not legal in this position
                await self._record(Premoved(self._now(), role, None, prepared))
        if (agreed := live.rematch_is_agreed) is not None:
            await self._rematch(agreed)
        self._ask_players()
        self._wake_remotes()
        self._set_flag()
        await self._tell_watcher()
        self.notify()

    async def _rematch(self, agreed: TableOffer) -> None:
        try:
            name = await self._services.follow(self.live, agreed.swap)
        except Refused:  # its rules cannot be evaluated any more, say
            _log.exception("there is no match after %s", self.live.id)
            self.live.rematch_is_agreed = None
            return
        await self._record(Rematched(self._now(), name))

    async def _begin(self) -> None:
        opening = self.live.plan.opening
        course = self.sights.course() | {"joints": opening}
        try:
            advance = advance_from_json(await self.sights.rules.ask("advance", course, None))
        except ArbiterError as error:
            await self._record(Ended(self._now(), End("failed", None, None, str(error))))
            return
        advance = replace(advance, joints=(*opening, *advance.joints))
        await self._record(Began(self._now(), advance))

    def _ask_players(self) -> None:
        live = self.live
        version = live.version
        players = set(live.seats.players) - set(live.seats.remotes)
        wanted = [role for role in live.to_move if role in players] if live.is_running else []
        self._asking.keep(version, wanted)
        for role in wanted:
            if not self._asking.is_asked(role):
                asked = self._asking.ask(
                    live.plan, role, self.sights.rules, self.sights.course(), self._player_moves, version
                )
                asked.add_done_callback(self._player_task_ended)

    def _wake_remotes(self) -> None:
        self._remotes.wake()

    def _player_task_ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Elsewhere):
            _log.error("the move of a player in %s failed", self.live.id, exc_info=error)
            self._try_again()

    def _set_flag(self) -> None:
        clocks = self.live.clocks
        falls = None if clocks is None or not self.live.is_running else clocks.first_to_fall
        if falls is None or self._flag is None or self._flag[0] != falls[0]:
            if self._flag is not None:
                self._flag[1].cancel()
                self._flag = None
            if falls is not None:
                self._flag = falls[0], asyncio.create_task(self._wait_for_flag(falls[0]))

    async def _wait_for_flag(self, moment: float) -> None:
        await self._services.time.wait_until(moment)
        self._flag = None
        with suppress(Elsewhere):
            await self._begin_work(self._fall_flags())

    async def _fall_flags(self) -> None:
        """End the match where a clock has run out."""
        clocks = self.live.clocks
        if clocks is None or not self.live.is_running or clocks.first_to_fall is None:
            return
        moment, role = clocks.first_to_fall
        if moment <= self._now():
            await self._record(Ended(self._now(), End("time", shares(self.live.seats.all, [role]), role)))

    # -- writing it down --------------------------------------------------------------------------------

    async def _record(self, event: MatchEvent) -> None:
        """Write an event and let it happen; done to the end even if the caller is cancelled."""
        await to_the_end(asyncio.ensure_future(self._write(event)))

    async def _write(self, event: MatchEvent) -> None:
        if self._is_closed:
            raise Elsewhere(self.live.id)
        try:
            await self._services.journal.append(self.live.id, self.live.events, event.as_json())
        except Overtaken:
            self._services.let_go(self.live.id)
            raise
        self.live.apply(event)

    async def _tell_watcher(self) -> None:
        live, watcher, told = self.live, self._services.watcher, self._news()
        if watcher is None or told == self._told:
            return
        await watcher.changed(live.id, cast(Any, live.state), live.step, live.seats.all, live.end)
        self._told = told

    def _news(self) -> object:
        """What the watcher is told of."""
        return self.live.state, self.live.step, self.live.seats.all

    async def close(self) -> None:
        """Stop everything that goes on by itself; nothing that was acknowledged is lost, and nothing is
        written any more."""
        self._is_closed = True
        for viewer in self.viewers:
            viewer.is_ended = True
        self.notify()
        if self._flag is not None:
            self._flag[1].cancel()
            self._flag = None
        if self._retry is not None:
            self._retry.cancel()
        await self._asking.close()
        await self._remotes.close()

    def _now(self) -> float:
        # Clocks of machines differ: the match may have been on one that is ahead.
        return max(self._services.time.now(), self.live.last_at)


def move_text(move: object) -> str:
    """The text of a move that somebody sent; Refused where it is none."""
    if not isinstance(move, str) or not move or len(move) > LONGEST_MOVE:
        raise Refused("a move is a short text")
    return move


def _what(what: object) -> What:
    if what not in OFFERS:
        raise Refused(f"nobody can offer {str(what)[:40]!r}")
    return what
