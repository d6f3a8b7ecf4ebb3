"""The hub: all live matches of this process, found by their names and loaded from the journal when needed."""

from __future__ import annotations

import asyncio
import logging
import secrets
import string
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from time import monotonic

from ...arena.match.seeds import secret_seed
from ...processes import fork_server
from .child import PROGRAM
from .events import Created, event_from_json
from .jobs import Jobs
from .journal import Journal
from .leases import Leases, OneProcess
from .live_match import LiveMatch
from .plan import Elsewhere, GameText, Json, MatchPlan, Refused, UnknownMatch
from .player_names import check_player
from .pool import Pool
from .realtime import RealtimeTables, RunningRealtimeMatch, check_realtime_players
from .remote import RemoteBook, RemoteDesk
from .rules_shelf import ArbiterError, RulesShelf
from .running_match import RunningMatch
from .services import MatchWatcher, Services
from .time_source import MachineTime, TimeSource

MOST_LOADED = 2000
"""Matches that stay loaded although nobody looks at them and nothing goes on."""
IDLE_SECONDS = 60.0
"""A match that was used so lately stays loaded: somebody may be about to act on it."""
TIDY_SECONDS = 30.0
RETURN_SECONDS = 1.0
"""How soon it is looked again who plays a match that this process has let go of."""
REMOTES = "remotes"
"""The lease of the process that speaks to players elsewhere."""
LONGEST_THINK = 120.0
LONGEST_CLOCK = 7 * 24 * 3600.0

_log = logging.getLogger(__name__)
Joints = tuple[tuple[str, ...], ...]
_LETTERS = string.ascii_letters + string.digits


def new_match_id() -> str:
    """A name for a match that nobody can guess."""
    return "m" + "".join(secrets.choice(_LETTERS) for _ in range(15))


class MatchHub:
    """All live matches."""

    def __init__(
        self,
        journal: Journal,
        watcher: MatchWatcher | None = None,
        *,
        workers: int = 1,
        time: TimeSource | None = None,
        new_id: Callable[[], str] = new_match_id,
        leases: Leases | None = None,
        remotes: RemoteBook | None = None,
    ) -> None:
        """``workers``: processes in which players think; ``leases``: where several processes play;
        ``remotes``: where players elsewhere are found."""
        self._shelf = RulesShelf()
        self._tables = RealtimeTables()
        self._pool = Pool(workers)
        self._desk = RemoteDesk(remotes)
        self._services = Services(
            journal,
            watcher,
            self._shelf,
            self._pool,
            self._desk,
            time or MachineTime(),
            self._follow,
            self.let_go,
        )
        self._jobs = Jobs(self._pool)
        self._new_id = new_id
        self._leases: Leases = leases or OneProcess()
        self._is_closing = False
        self._matches: dict[str, RunningMatch] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._tidying: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        """Matches that another process plays now."""

    async def start(self) -> None:
        """Start what matches need; to be called before anything else."""
        await asyncio.to_thread(fork_server, PROGRAM)  # it gets warm while the first people come
        await self._pool.start()
        self._tidying = asyncio.create_task(self._tidy())

    async def close_matches(self) -> None:
        """Stop all matches: viewers' views end, and everything acknowledged is in the journal."""
        self._is_closing = True
        if self._tidying is not None:
            self._tidying.cancel()
        for match in list(self._matches.values()):
            async with match.lock:
                await match.close()
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def close(self) -> None:
        """Stop all matches, and end all processes that worked for them."""
        await self.close_matches()
        await self._jobs.close()
        await self._pool.close()
        await self._tables.close()
        await self._shelf.close()

    # -- matches ----------------------------------------------------------------------------------------

    async def create(self, plan: MatchPlan) -> None:
        """Begin a match; Refused where the plan does not fit its game."""
        about = await self._about(plan.game)
        _check(plan, about)
        plan = replace(plan, seats={role: plan.seats[role] for role in about["roles"]})
        if await self._tables.about(plan.game) is None:
            await asyncio.to_thread(_check_players, plan)
            await self._desk.check(plan, self._shelf.rules_of(plan.game))
        else:
            check_realtime_players(plan)
            await self._desk.check_realtime(plan)
            self._tables.check_room(plan.game)
            plan = replace(plan, base=None)
        if any(seat.remote for seat in plan.seats.values()):
            plan = replace(plan, wire_id=f"m{secrets.token_hex(12)}")
        services = self._services
        await self._leases.take(plan.id)
        if services.watcher is not None:
            await services.watcher.created(plan)
        created = Created(services.time.now(), plan)
        match = await self._match_of(LiveMatch(plan, created.at), about["hides"], about["chance"])
        async with self._loading_of(plan.id):  # it may be asked for as soon as it is in the journal
            await services.journal.append(plan.id, 0, created.as_json())
            if not await self._stays(match.live):
                return
            self._matches[plan.id] = match
        await match.begin()

    async def examine(self, game: GameText) -> Json:
        """What is known of a game: roles, whether it hides something, whether it has chance; Refused where
        its rules cannot be played, or are too costly."""
        return await self._about(game)

    async def take_seat(self, match_id: str, role: str, user: str, name: str) -> None:
        """A person takes an open seat; Refused where that is not possible."""
        await (await self._running(match_id)).take_seat(role, user, name)

    async def act(self, match_id: str, user: str | None, message: Json) -> None:
        """Do what a message of a person asks for, and what follows from it; else Refused."""
        await (await self._running(match_id)).act(user, message)

    async def accept(self, match_id: str, user: str | None, message: Json) -> None:
        """The same, but returns as soon as it is in the journal: the rest follows by itself."""
        await (await self._running(match_id)).accept(user, message)

    async def stop(self, match_id: str, why: str) -> None:
        """End a match without a result, if it is not over."""
        await (await self._running(match_id)).stop(why)

    async def draw_opening(self, game: GameText, seed: int, moves: int) -> tuple[int, Joints]:
        """Random moves that begin a match of a game, and the seed of nature that belongs to them."""
        await self._refuse_realtime(game)
        try:
            drawn = await self._shelf.rules_of(game).ask("opening", seed, moves)
        except ArbiterError as error:
            raise _unplayable(game, error) from error
        return drawn["seed"], tuple(map(tuple, drawn["joints"]))

    async def view_for(self, match_id: str, user: str | None) -> Json:
        """The MatchView for a user; None is a spectator without an account."""
        return await (await self._running(match_id)).view(user)

    async def step_for(self, match_id: str, user: str | None, step: int) -> Json:
        """One step of a match as a user may see it; Refused where there is none."""
        return await (await self._running(match_id)).sights.step_view(user, step)

    async def premoves_for(self, match_id: str, user: str | None) -> Json:
        """The moves that a user can prepare while others choose."""
        return await (await self._running(match_id)).sights.premoves(user)

    async def record_for(self, match_id: str, user: str | None) -> Json:
        """The record of a match: all of it when the match is over, before that what the user may see."""
        return await (await self._running(match_id)).sights.record(user)

    async def finished_record(self, match_id: str) -> Json:
        """The record of a match that is over, as everybody may see it, read from the journal: the match does
        not stay loaded, and any process can give it."""
        match = self._matches.get(match_id) or await self._loaded(match_id)
        if not match.live.is_over:
            raise Refused("the match is not over")
        return await match.sights.record(None)

    async def analysis_for(self, match_id: str, user: str | None, step: int | None = None) -> Json:
        """Values, candidates, the principal line, reasons and features of a step, the last one by default;
        Refused where they would help somebody against other people."""
        return await (await self._running(match_id)).sights.analysis(user, step)

    async def knowledge_for(self, match_id: str, user: str | None) -> Json:
        """What the user's role knows where the rules hide something; Refused for all others."""
        return await (await self._running(match_id)).sights.knowledge(user)

    async def begin_report(self, game: GameText) -> str:
        """Begin a quick report on a game; returns the name of the job. Refused where too many are made."""
        await self._about(game)
        await self._refuse_realtime(game)
        if self._jobs.is_full:
            raise Refused("too many reports are being made: try again later")
        return self._jobs.begin(game)

    def job(self, name: str) -> Json | None:
        """The state, progress (0..1), result and error of a report; None where there is no such job."""
        found = self._jobs.get(name)
        return None if found is None else asdict(found)

    @asynccontextmanager
    async def subscribe(self, match_id: str, user: str | None) -> AsyncIterator[AsyncIterator[Json]]:
        """The views of a match, the present one first; a slow reader gets the newest only."""
        match = await self._running(match_id)
        viewer = match.watch(user)
        try:
            yield viewer.views()
        finally:
            match.leave(viewer)

    async def resume(self, match_id: str) -> None:
        """Load a match that was live before the server stopped, so that its players and clocks go on.

        The watcher is told where it is over all the same.
        """
        await self._running(match_id, was_listed_live=True)

    @property
    def loaded(self) -> set[str]:
        """Names of the matches that are here."""
        return set(self._matches)

    def metrics(self) -> dict[str, float]:
        """Numbers about the hub, by name."""
        matches = self._matches.values()
        return {
            "matches_loaded": len(matches),
            "matches_live": sum(match.live.state == "live" for match in matches),
            "viewers": sum(len(match.viewers) for match in matches),
            "remotes_playing": self._desk.playing,
            "matches_waiting_for_remotes": self._desk.waiting,
            "players_asked": sum(match.asked_players for match in matches),
            "moves_made": self._services.moves_made,
            "requests_waiting": self._pool.waiting,
            "requests_answered": self._pool.answered,
            "workers": self._pool.workers,
            "workers_busy": self._pool.busy,
            "workers_replaced": self._pool.replaced,
            "rules_processes": self._shelf.processes + self._tables.processes,
        }

    # -- loading ----------------------------------------------------------------------------------------

    async def _running(self, match_id: str, was_listed_live: bool = False) -> RunningMatch:
        """The match of a name, loaded from the journal where it is not here; UnknownMatch where there is
        none."""
        found = self._matches.get(match_id)
        if found is not None:
            found.last_used = monotonic()
            return found
        if self._is_closing:
            raise Elsewhere(match_id)
        async with self._loading_of(match_id):
            if match_id not in self._matches:
                found = await self._load(match_id, was_listed_live)
                if self._is_closing:
                    await found.close()
                    raise Elsewhere(match_id)
                self._matches[match_id] = found
            return self._matches[match_id]

    @asynccontextmanager
    async def _loading_of(self, match_id: str) -> AsyncIterator[None]:
        """The right to load a match: it must not be here twice."""
        async with self._loading.setdefault(match_id, asyncio.Lock()):
            try:
                yield
            finally:
                self._loading.pop(match_id, None)

    async def _load(self, match_id: str, was_listed_live: bool) -> RunningMatch:
        may_collide = await self._leases.take(match_id, is_match=True)
        match = await self._loaded(match_id)
        if not await self._stays(match.live):
            raise Elsewhere(match_id)
        await match.reopen(was_listed_live, may_collide)
        return match

    async def _stays(self, live: LiveMatch) -> bool:
        """Whether a match is for this process. One process plays all that have players elsewhere: it sees to
        it that each of them is in one match at a time."""
        return live.is_over or not live.seats.remotes or await self._leases.stays(live.id, REMOTES)

    async def speaks_to_remotes(self) -> bool:
        """Whether this process, of several, is the one that speaks to players elsewhere."""
        return await self._leases.has(REMOTES)

    async def _loaded(self, match_id: str) -> RunningMatch:
        """The match of a name as the journal has it; nothing goes on in it."""
        events = await self._services.journal.load(match_id)
        if not events:
            raise UnknownMatch(match_id)
        live = LiveMatch.rebuilt(map(event_from_json, events))
        try:
            about = await self._about(live.plan.game)
            hides, has_chance = about["hides"], about["chance"]
        except Refused:  # it was possible once; nothing is shown where that is not known
            hides = has_chance = True
        return await self._match_of(live, hides, has_chance)

    async def _match_of(self, live: LiveMatch, hides: bool, has_chance: bool) -> RunningMatch:
        """A match that nothing goes on in yet."""
        table = await self._tables.table_of(live)
        if table is not None:
            return RunningRealtimeMatch(live, table, self._services)
        return RunningMatch(live, hides, has_chance, self._services)

    async def _refuse_realtime(self, game: GameText) -> None:
        if await self._tables.about(game) is not None:
            raise Refused(f"{game.title or game.id} is a realtime game, which has no rounds to count")

    async def _about(self, game: GameText) -> Json:
        realtime = await self._tables.about(game)
        if realtime is not None:
            return asdict(realtime)
        try:
            about: Json = await self._shelf.rules_of(game).ask("about")
        except ArbiterError as error:
            raise _unplayable(game, error) from error
        return about

    async def _follow(self, live: LiveMatch, swap: bool) -> str:
        """Begin the match after one that is over."""
        plan = replace(live.plan, id=self._new_id(), seats=live.seats.rotated(swap), seed=secret_seed())
        await self.create(plan)
        return plan.id

    def let_go(self, match_id: str) -> None:
        """Forget a match that another process plays: its viewers' views end, and their pages come back."""
        match = self._matches.pop(match_id, None)
        if match is not None:
            _log.warning("another process plays the match %s", match_id)
            task = asyncio.create_task(self._close_and_look(match))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _close_and_look(self, match: RunningMatch) -> None:
        """Close a match that another process plays; where none does, this one goes on with it."""
        await match.close()
        if match.live.state != "live":
            return
        await asyncio.sleep(RETURN_SECONDS)
        try:
            await self.resume(match.live.id)
        except Elsewhere:
            pass
        except Exception:
            _log.exception("match %s cannot be continued", match.live.id)

    async def _tidy(self) -> None:
        """Now and then: end idle processes, and forget matches nobody looks at."""
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            with suppress(Exception):
                await self._shelf.tidy()
            with suppress(Exception):
                await self._tables.tidy()
            self._unload(MOST_LOADED)

    def _unload(self, most: int) -> None:
        """Forget idle matches, the oldest first, while there are more than so many."""
        since = monotonic() - IDLE_SECONDS
        idle = [
            name
            for name, match in self._matches.items()
            if match.last_used < since and not match.is_busy and not match.lock.locked()
        ]
        for name in idle[: max(0, len(self._matches) - most)]:
            del self._matches[name]


def _unplayable(game: GameText, error: ArbiterError) -> Refused:
    return Refused(f"{game.title or game.id} cannot be played: {error}")


def _check(plan: MatchPlan, about: Json) -> None:
    """Refused where a plan does not fit its game."""
    if set(plan.seats) != set(about["roles"]):
        raise Refused(f"{plan.game.title} has seats for {', '.join(about['roles'])}")
    if not 0 <= plan.think <= LONGEST_THINK:
        raise Refused(f"players think {LONGEST_THINK:g} seconds at most")
    if plan.base is not None and not (0 < plan.base <= LONGEST_CLOCK):
        raise Refused("a clock begins with more than nothing, and less than a week")
    if not 0 <= plan.increment <= LONGEST_CLOCK:
        raise Refused("the increment of a clock cannot be negative")
    users = [seat.user for seat in plan.seats.values() if seat.kind == "person"]
    if about["hides"] and len(set(users)) < len(users):
        raise Refused("in a game that hides something a person has one seat")


def _check_players(plan: MatchPlan) -> None:
    for seat in plan.seats.values():
        if seat.kind == "player" and not seat.remote:
            check_player(seat.name)


async def warm_up() -> None:
    """Wait until the process is warm that workers are forked from, so that no player is waited for."""
    await asyncio.to_thread(lambda: fork_server(PROGRAM).wait_until_warm())
