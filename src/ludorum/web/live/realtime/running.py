"""A live match of a realtime game: the clock on the wall, people whose clicks act at once, and players.

What happens is written to the journal every second and at the end, not before it counts: a clock cannot wait
for a disk. A match whose server stops is over without a result, since nobody could act meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from ....arena.match.seeds import seed_from
from ....arena.protocol.messages import Start
from ....arena.world import RealtimeController, ThinkingSeat
from ....arena.world.thinking_seat import MEGABYTES
from ....rules.kif import parse_term
from ....rules.source import RulesError
from ..events import Advance, Began, End, Ended, MatchEvent, WorldEvents
from ..live_match import LiveMatch
from ..plan import Elsewhere, Json, Refused
from ..rules_shelf import ArbiterError, most_megabytes
from ..running_match import RunningMatch, move_text
from ..services import Services
from ..view import viewer_role
from ..viewer import Viewer
from .remotes import RealtimeRemotes
from .sights import RealtimeSights
from .table import MatchTable

FRAME_SECONDS = 0.05
"""The least time between two views: what happens meanwhile is shown together."""
WRITE_SECONDS = 1.0
"""How often what has happened is written down."""
LONGEST_SECONDS = 1800.0
"""The length of a match that its rules do not end."""
READY_SECONDS = 20.0
"""How long players may take until they are ready, and people until they look at the match."""
PAUSE_SECONDS = 2.0
"""The time between the moment when all are there and the first signal of the clock."""
MOST_SLOWED = 60.0
"""Seconds by which the rules of a stranger may slow a match down before it is given up."""
STOPPED = "The server stopped, and a game by the clock cannot wait for it."

_log = logging.getLogger(__name__)


class TooSlow(Exception):
    """The match is given up, since its rules cannot keep up with the clock."""


class RunningRealtimeMatch(RunningMatch):
    """One realtime match that is loaded."""

    def __init__(self, live: LiveMatch, table: MatchTable, services: Services) -> None:
        super().__init__(live, table.about.hides, table.about.chance, services)
        self.table = table
        self._elsewhere = RealtimeRemotes(live, table, services.desk, self.notify)
        self._shown = RealtimeSights(live, table, self._elsewhere.remarks)
        self.sights = self._shown  # type: ignore[assignment]
        self._controller: RealtimeController | None = None
        self._playing: asyncio.Task[None] | None = None
        self._came = asyncio.Event()
        """Set whenever somebody begins to look."""
        self._frame: asyncio.TimerHandle | None = None
        self._framed = 0.0

    # -- who looks --------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return super().is_busy or self._playing is not None

    async def view(self, user: str | None) -> Json:
        return await self._shown.view(user, self._here, self._spectators, self._services.time.now())

    def watch(self, user: str | None) -> Viewer:
        viewer = super().watch(user)
        self._came.set()
        return viewer

    # -- what people do ---------------------------------------------------------------------------------

    async def accept(self, user: str | None, message: Json) -> asyncio.Task[None]:
        if message.get("type") == "move":
            self._offer_move(user, message)
            return asyncio.create_task(asyncio.sleep(0))
        return await super().accept(user, message)

    def _offer_move(self, user: str | None, message: Json) -> None:
        """A person acts now: who comes first is first, so nothing is waited for."""
        role = viewer_role(self.live, user)
        if role is None:
            raise Refused("only people at the match can do this")
        if self._is_too_late:
            return  # dropped like any other move that is not legal any more: the view says how it ended
        self.live.check_running()
        try:
            move = parse_term(move_text(message.get("move")))
        except RulesError as error:
            raise Refused("that is no move") from error
        if self._controller is None or not self._controller.offer(parse_term(role), move):
            raise Refused("this was not heard: the clock does not run, or too much came at once")

    @property
    def _is_too_late(self) -> bool:
        """Whether the match has ended, even if that is not written down yet."""
        return self.live.is_over or self.table.is_over

    async def _act(self, user: str | None, message: Json) -> None:
        what = message.get("type")
        if what in ("premove", "pause", "resume") or (what == "offer" and message.get("what") != "rematch"):
            raise Refused("the clock of a realtime game waits for nobody, and nothing is taken back")
        await super()._act(user, message)

    # -- how it goes on ---------------------------------------------------------------------------------

    async def reopen(self, was_listed_live: bool, may_collide: bool = False) -> None:
        async with self.lock:
            self._told = () if was_listed_live else self._news()
            if self.live.has_begun and not self.live.is_over:
                await self._record(Ended(self._now(), End("stopped", why=STOPPED)))
            await self._follow_up()

    async def drive(self) -> None:
        await super().drive()
        if self.live.is_running and self._playing is None:
            self._playing = asyncio.create_task(self._play())
        elif self.live.is_over and self._playing not in (None, asyncio.current_task()):
            self._playing.cancel()

    async def _begin(self) -> None:
        await self._record(Began(self._now(), Advance()))

    def _ask_players(self) -> None:
        """Players act by themselves."""

    def _wake_remotes(self) -> None:
        """So do players elsewhere."""

    async def _play(self) -> None:
        """Play the match to its end."""
        live, seats = self.live, dict[str, ThinkingSeat]()
        controller = RealtimeController(self.table, lambda told: self._happened(controller))
        writing = asyncio.create_task(self._write_now_and_then())
        try:
            async with self._elsewhere.invited() as are_free:
                if are_free:
                    await self._play_with(controller, seats)
        except (ArbiterError, Refused, TooSlow) as error:
            await self._end(End("failed", why=str(error)[:500]))
        except Exception as error:  # rules can be wrong in every way
            _log.exception("the realtime match %s cannot go on", live.id)
            await self._end(End("failed", why=f"{type(error).__name__}: {error}"[:500]))
        else:
            await self._end(End("rules", self.table.progress.result))
        finally:
            self._controller = None
            self.table.stop()
            writing.cancel()
            for seat in seats.values():
                seat.close()
            self._playing = None

    async def _play_with(self, controller: RealtimeController, seats: dict[str, ThinkingSeat]) -> None:
        """Let all get ready, and then the clock run."""
        starts = await self.table.begin(READY_SECONDS, LONGEST_SECONDS)
        await self._seat_players(starts, controller, seats)
        await self._await_people()
        await asyncio.sleep(PAUSE_SECONDS)
        self._controller, self._shown.has_started = controller, True
        self._changed()
        await controller.run()

    async def _seat_players(
        self, starts: dict[str, Start], controller: RealtimeController, seats: dict[str, ThinkingSeat]
    ) -> None:
        """Start all players, and let them hear what happens."""
        plan = self.live.plan
        megabytes = MEGABYTES if plan.game.is_trusted else most_megabytes()
        for name in starts:
            seat = self.live.seats.all[name]
            if seat.kind == "player" and not seat.remote:
                seed = seed_from(seed_from(plan.seed, "player"), name)
                seats[name] = ThinkingSeat(seat.name, seed, controller.offer, megabytes)

        async def begin(name: str, seat: ThinkingSeat) -> None:
            if await seat.start(starts[name], READY_SECONDS):
                controller.join(starts[name].role, seat.send)
            else:
                _log.warning("%s does not play in %s: %s", seat.name, plan.id, seat.trouble)

        elsewhere = self._elsewhere.start(starts, controller)
        await asyncio.gather(elsewhere, *(begin(name, seat) for name, seat in seats.items()))

    async def _await_people(self) -> None:
        """Wait until all people at the match look at it; not for ever, since some may never come."""
        people = {seat.user for seat in self.live.seats.all.values() if seat.kind == "person"}
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                while not people <= self._here:
                    self._came.clear()
                    await self._came.wait()

    def _happened(self, controller: RealtimeController) -> None:
        """The match has a new state."""
        if not self.live.plan.game.is_trusted and controller.punctuality.slowed > MOST_SLOWED:
            raise TooSlow("the rules take too long for the clock")
        self._changed()

    def _changed(self) -> None:
        """All viewers get a new view, now or when the next frame is due."""
        if self._frame is None:
            loop = asyncio.get_running_loop()
            self._frame = loop.call_at(max(loop.time(), self._framed + FRAME_SECONDS), self._show)

    def _show(self) -> None:
        self._frame, self._framed = None, asyncio.get_running_loop().time()
        self.notify()

    # -- writing it down --------------------------------------------------------------------------------

    async def _write_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            with suppress(Elsewhere):
                async with self.lock:
                    await self._keep()

    async def _record(self, event: MatchEvent) -> None:
        if isinstance(event, Ended) and self._controller is not None:
            await self._keep()
        await super()._record(event)

    async def _keep(self) -> None:
        """Write what has happened since the last time. The lock is held."""
        if not self.live.is_over and (events := self.table.take_events()):
            await self._record(WorldEvents(self._now(), events))

    async def _end(self, end: End) -> None:
        with suppress(Elsewhere):
            async with self.lock:
                await self._keep()
                if not self.live.is_over:
                    await self._record(Ended(self._now(), end))
                await self._follow_up()

    async def close(self) -> None:
        if self.live.is_running and not self._is_closed:
            with suppress(Exception):  # another process may have it now, or the database be gone
                await self._record(Ended(self._now(), End("stopped", why=STOPPED)))
                await self._tell_watcher()
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        if self._frame is not None:
            self._frame.cancel()
        await self.table.close()
        await super().close()
