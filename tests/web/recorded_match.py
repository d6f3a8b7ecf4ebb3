"""Matches that come about as they are written, on a real server, and every byte that their viewers receive.

Two worlds that a role cannot tell apart are played on two servers, which have the same matches in the
same order. So nothing is left out of a comparison but the values of ``RANDOM_HEADERS``. Of the server only
this is not its own: nature draws, and players of the server answer, as the world says; the clock stands still
until it is moved; lists are written at once, and all at one moment; matches have numbers for names; uploaded
rules are evaluated in this process; and an analysis tells what the worker was asked, so that all that could
be in an answer is compared.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from ludorum.arena.match.match import Match
from ludorum.engine.game import Game, State
from ludorum.rules.terms import Term, format_term
from ludorum.scene import Asking
from ludorum.web import ladder, watcher
from ludorum.web.app import make_app
from ludorum.web.config import SiteConfig
from ludorum.web.games import catalogue
from ludorum.web.games.catalogue import OfferedGame
from ludorum.web.live import SetTime, hub
from ludorum.web.live.player_asking import PlayerAsking
from ludorum.web.live.pool import Pool, PoolTask
from ludorum.web.live.running_match import RunningMatch
from ludorum.web.live.viewer import Viewer
from ludorum.web.routes import matches
from ludorum.web.site import Site
from ludorum.web.store import matches as lists
from ludorum.web.store.database import open_database
from tests.web.served import API, PATIENCE, Person, served_app

T = TypeVar("T")

DAY = 86_400.0
BASE, INCREMENT = 80_000.0, 1.0
"""The clock of people: nobody runs out of time."""
MOST_LOOKS = 8
"""Moments of a match at which everything is asked for; messages of the websocket are taken from all."""
SHOWN = 200
"""Characters before and after a difference that are shown."""
RANDOM_HEADERS = ("date", "x-request-id", "sec-websocket-accept")


@dataclass(frozen=True)
class World:
    """A match as it shall come about."""

    course: Sequence[State]
    seconds: float = 1.0
    """How long others think about a move while the role waits."""
    is_restless: bool = False
    """Whether others do what nobody else may learn: tries that are refused, prepared moves, faults; and they
    choose in another order."""

    @property
    def game(self) -> Game:
        return self.course[0].game

    @cached_property
    def _asking(self) -> Asking:
        return Asking(self.game)

    @cached_property
    def rests(self) -> tuple[int, ...]:
        """The steps in which the match waits for roles."""
        return tuple(at for at in range(len(self.course)) if self.asked(at))

    def asked(self, at: int) -> tuple[str, ...]:
        """The roles that are asked for a move."""
        state = self.course[at]
        if state.is_terminal:
            return ()
        asked = self._asking.roles(self.course[: at + 1])
        return tuple(map(format_term, reversed(asked) if self.is_restless else asked))

    def move(self, at: int, role: str) -> str:
        """The move of a role in a step, nature's too."""
        return format_term(self.term(at, role))

    def term(self, at: int, role: str) -> Term:
        joint = self.course[at + 1].joint
        assert joint is not None
        return joint[[format_term(one) for one in self.game.roles].index(role)]

    def tries(self, at: int, role: Term) -> list[str]:
        """Moves of a role that are not legal in a step, some of which are elsewhere."""
        legal = set(self.course[at].legal(role))
        others = {move for state in self.course for move in state.legal(role)} - legal
        return [*sorted(map(format_term, others))[:2], "(nothing here)"]


class Director:
    """Lets matches come about: the seed of a match names its world."""

    def __init__(self) -> None:
        self.worlds: dict[int, World] = {}
        self.next_id, self.next_seed = "", 0
        self._waiting: dict[tuple[int, str], asyncio.Event] = {}

    def waits(self, seed: int, role: str) -> bool:
        """Whether the player of a role has been asked, and does not answer yet."""
        return (seed, role) in self._waiting

    async def let_answer(self, seed: int, role: str) -> None:
        self._waiting.pop((seed, role)).set()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of what a server does by chance or by the clock of the machine."""
        draw, as_text = Match.draw, OfferedGame.as_text
        director = self

        def drawn(match: Match, role: Term) -> Term:
            world = director.worlds.get(match.seed)
            return draw(match, role) if world is None else world.term(len(match.moves), format_term(role))

        async def answer(
            _asking: PlayerAsking, plan: Any, role: str, _rules: object, course: Any
        ) -> tuple[str, str, float]:
            return await director._answer(plan.seed, role, len(course["joints"]))

        async def ask(_pool: Pool, task: PoolTask) -> dict[str, object]:
            request = {key: value for key, value in task.args[0].items() if key not in ("seed", "game")}
            return {"worker": task.method, "asked": request}

        patch.setattr(Match, "draw", drawn)
        patch.setattr(PlayerAsking, "_move", answer)
        patch.setattr(Pool, "ask", ask)
        patch.setattr(Viewer, "__init__", _with_bell(Viewer.__init__))
        patch.setattr(hub, "MachineTime", SetTime)
        patch.setattr(matches, "new_match_id", lambda: director.next_id)
        patch.setattr(matches, "_seed", lambda _game, _sent: director.next_seed)
        patch.setattr(watcher, "STEP_SECONDS", 0.0)
        patch.setattr(catalogue, "_new_id", lambda title: f"{title}-uploaded")
        patch.setattr(OfferedGame, "as_text", lambda game: replace(as_text(game), is_trusted=True))
        patch.setattr(lists, "now", lambda: 0)
        patch.setattr(ladder, "FRESH_SECONDS", -1.0)

    async def _answer(self, seed: int, role: str, at: int) -> tuple[str, str, float]:
        world, now = self.worlds[seed], asyncio.Event()
        self._waiting[seed, role] = now
        try:
            await now.wait()
        finally:
            if self._waiting.get((seed, role)) is now:  # the question was taken back
                del self._waiting[seed, role]
        fault = "late: a legal move was made for it" if world.is_restless else ""
        return world.move(at, role), fault, world.seconds


class Bell(asyncio.Event):
    """An event that knows whether its waiter has nothing to do."""

    def __init__(self) -> None:
        super().__init__()
        self._is_waited_for = False

    @property
    def is_quiet(self) -> bool:
        return self._is_waited_for and not self.is_set()

    async def wait(self) -> Any:
        self._is_waited_for = True
        try:
            return await super().wait()
        finally:
            self._is_waited_for = False


def _with_bell(init: Callable[..., None]) -> Callable[..., None]:
    def begin(viewer: Viewer, *args: Any) -> None:
        init(viewer, *args)
        viewer._news = Bell()
        viewer._news.set()

    return begin


@dataclass
class Stage:
    """A server, and the hand that moves its clock."""

    address: str
    loop: asyncio.AbstractEventLoop
    site: Site
    director: Director
    _people: dict[str, Person] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of something that is done in the event loop of the server."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def settle(self, match: str) -> None:
        """Returns when nothing happens any more before somebody acts."""
        self.run(self._settled(self.site.hub._matches[match]))

    def person(self, name: str) -> Person:
        """A person with an account, which is made where it is not there yet."""
        if name not in self._people:
            self._people[name] = self._open.enter_context(Person(self.address))
            self._people[name].sign_up(name)
        return self._people[name]

    async def _settled(self, match: RunningMatch) -> None:
        while not self._is_settled(match):
            await asyncio.sleep(0.001)

    def _is_settled(self, match: RunningMatch) -> bool:
        seed = match.live.plan.seed
        bells = [viewer._news for viewer in match.viewers]
        return (
            not match.lock.locked()
            and not match._acting
            and self.site.lists._writing is None
            and all(self.director.waits(seed, role) for role in match._asking._tasks)
            and all(isinstance(bell, Bell) and bell.is_quiet for bell in bells)
        )

    def pass_time(self, seconds: float) -> None:
        async def advance() -> None:
            self._time.advance(seconds)

        self.run(advance())

    def set_time(self, day: int) -> None:
        """A match begins at the same moment in both worlds."""
        self.pass_time(day * DAY - self._time.now())

    @property
    def _time(self) -> SetTime:
        time = self.site.hub._services.time
        assert isinstance(time, SetTime)
        return time


@contextmanager
def staged(folder: Path, director: Director) -> Iterator[Stage]:
    """A server whose matches the director lets come about."""
    app = make_app(
        SiteConfig(str(folder / "web.db"), is_limited=False), open_database(str(folder / "web.db"))
    )
    with served_app(app) as (address, loop):
        stage = Stage(address, loop, app.state.site, director)
        with stage._open:
            yield stage


@dataclass
class Viewing:
    """Somebody at a match whose every byte is written down."""

    person: Person
    name: str
    stage: Stage
    match: str
    received: list[str] = field(default_factory=list)
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Viewing:
        where = self.stage.address.replace("http:", "ws:") + f"{API}/matches/{self.match}/live"
        opened = connect(
            where,
            additional_headers={"Cookie": self.person.cookies},
            origin=Origin(self.stage.address),
            max_queue=None,
        )
        self._socket = self._stack.enter_context(opened)
        assert self._socket.response is not None
        self._note(
            f"websocket {self._socket.response.status_code}", self._socket.response.headers.raw_items()
        )
        self.received.append(self._frame())
        self.stage.settle(self.match)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def say(self, kind: str, **more: object) -> None:
        """Send a message, and take all that follows from it."""
        self._socket.send(json.dumps({"type": kind, "id": len(self.received)} | more))
        self.received.append(f"said {kind} {more}")
        self.take(answers=1)

    def take(self, answers: int = 0) -> None:
        """Take all messages that have come. The answer to an own message may come before or after the view
        that follows from it."""
        found: list[str] = []
        while sum('"type":"ack"' in one or '"type":"refused"' in one for one in found) < answers:
            found.append(self._frame())
        self.stage.settle(self.match)
        self._socket.send('{"type":"ping"}')
        while (frame := self._frame()) != '{"type":"pong"}':
            found.append(frame)
        self.received += sorted(found, key=lambda one: one.startswith('{"type":"view"'))

    def _frame(self) -> str:
        frame = self._socket.recv(timeout=PATIENCE)
        assert isinstance(frame, str)
        return frame

    def get(self, path: str) -> None:
        self._answer(path, self.person.http.get(API + path, headers={"Accept-Encoding": "identity"}))

    def post(self, path: str, body: object) -> None:
        self._answer(path, self.person.send("POST", path, body, **{"Accept-Encoding": "identity"}))

    def _answer(self, path: str, answer: httpx.Response) -> None:
        headers = [(name.decode(), value.decode()) for name, value in answer.headers.raw]
        self._note(f"{path} {answer.status_code}", headers, answer.text)

    def _note(self, what: str, headers: Any, body: str = "") -> None:
        lines = [f"{name}: {'' if name.lower() in RANDOM_HEADERS else value}" for name, value in headers]
        self.received.append("\n".join([what, *lines, body]))

    def look(self, since: int, step: int) -> None:
        """Ask for everything that can be asked for."""
        where = f"/matches/{self.match}"
        self.get(where)
        self.get(f"{where}/record")
        self.get(f"{where}/knowledge")
        self.get(f"{where}/premoves")
        for at in range(since, step + 2):  # the last one is not there
            self.get(f"{where}/steps/{at}")
        self.post(f"{where}/analysis", {"step": step})
        self.post(f"{where}/analysis", {"step": max(0, step - 1)})
        self.get("/matches?state=live")
        self.get(f"/players/{self.name}")


class Performance:
    """One match on a stage."""

    def __init__(
        self, stage: Stage, game: str, number: int, worlds: tuple[World, int], role: Term, with_people: bool
    ) -> None:
        """``number``: of the match, the same on both stages; ``worlds``: the world and its seed."""
        self._stage = stage
        self._world, self._seed = worlds
        self._role = role
        self._name = format_term(role)
        self._others: dict[str, Viewing] = {}
        self._stack = ExitStack()
        self.match = f"m{number:015d}"
        stage.director.worlds[self._seed] = self._world
        self._own = self._sit_down(game, number, with_people)
        self._eve = self._stack.enter_context(self._viewing("eve"))

    def _sit_down(self, game: str, number: int, with_people: bool) -> Viewing:
        roles = [format_term(one) for one in self._world.game.info.players]
        other = "open" if with_people else "player:random"
        self._stage.set_time(20_000 + number)
        seats = {one: "me" if one == self._name else other for one in roles}
        self._stage.director.next_id, self._stage.director.next_seed = self.match, self._seed
        own = self._viewing("ann")
        clock = {"base": BASE, "increment": INCREMENT}
        sent = {"game": game, "seats": seats, "clock": clock, "think": 1}
        own.person.post("/matches", sent, 201)
        self._stack.enter_context(own)
        for at, one in enumerate(roles):
            if with_people and one != self._name:
                self._others[one] = self._viewing(f"bob{at}")
                self._others[one].person.post(f"/matches/{self.match}/seat", {"role": one})
        for viewing in self._others.values():
            self._stack.enter_context(viewing)
        return own

    def _viewing(self, name: str) -> Viewing:
        return Viewing(self._stage.person(name), name, self._stage, self.match)

    def play(self) -> dict[str, list[str]]:
        """All that the role and a spectator have received."""
        rests = self._world.rests
        looks = set(rests[:: -(-len(rests) // MOST_LOOKS)]) | {rests[-1]}
        before = 0
        with self._stack:
            for at in rests:
                self._take()
                if at in looks:
                    self._look(before, at)
                    before = at
                if at == rests[len(rests) // 2]:
                    self._manners()
                if at != rests[-1]:
                    self._make_moves(at)
            # What a finished match tells depends on how it ends: in both worlds in the same way.
            self._own.say("resign")
        return {self._name: self._own.received[:-1], "eve": self._eve.received}

    def _take(self) -> None:
        for viewing in (self._own, self._eve, *self._others.values()):
            viewing.take()

    def _look(self, since: int, at: int) -> None:
        for move in [*self._world.tries(at, self._role), *self._unasked(at)]:
            self._own.say("move", step=at, move=move)
        self._own.look(since, at)
        self._eve.look(since, at)

    def _unasked(self, at: int) -> list[str]:
        """A legal move of the role where it is not asked for one."""
        return (
            []
            if self._name in self._world.asked(at)
            else [format_term(self._world.course[at].legal(self._role)[0])]
        )

    def _manners(self) -> None:
        """What people do beside moving."""
        for viewing in (self._own, self._eve):
            viewing.say("offer", what="draw")
            viewing.say("offer", what="takeback")
            viewing.say("premove", move="(nothing here)")
            viewing.say("premove", move=None)
            viewing.say("chat", text="good luck")
        self._own.say("pause")
        if not self._others:
            self._own.say("resume")
        self._take()

    def _make_moves(self, at: int) -> None:
        """Others first, so that the role could learn what they choose before it does."""
        world = self._world
        asked = world.asked(at)
        self._stage.pass_time(1.0 if self._name in asked else world.seconds)
        for role in asked:
            if role != self._name:
                self._other_moves(at, role)
        if self._name in asked:
            self._own.say("move", step=at, move=world.move(at, self._name))

    def _other_moves(self, at: int, role: str) -> None:
        world, other = self._world, self._others.get(role)
        if other is None:
            self._stage.run(self._stage.director.let_answer(self._seed, role))
        else:
            if world.is_restless:
                for move in world.tries(at, world.game.role(role)):
                    other.say("move", step=at, move=move)
                other.get(f"/matches/{self.match}/knowledge")
            other.say("move", step=at, move=world.move(at, role))
            if world.is_restless:
                other.say("premove", move="(nothing here)")
                other.say("premove", move=None)
        self._stage.settle(self.match)
        self._own.take()
        self._eve.take()


def first_difference(one: Sequence[str], other: Sequence[str]) -> str:
    """The first place where two transcripts differ; empty where they are the same."""
    for at, (left, right) in enumerate(zip_longest(one, other, fillvalue="nothing")):
        if left != right:
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
            begin, shown = left.partition("\n")[0][:80], slice(max(0, same - SHOWN), same + SHOWN)
            return f"entry {at}, {begin}:\n… {left[shown]}\n… {right[shown]}"
    return ""
