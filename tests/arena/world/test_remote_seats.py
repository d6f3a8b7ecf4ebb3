"""Realtime matches over real connections: moves as replies, posted moves, slow and hostile players."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import pytest

from ludorum.arena.protocol import PlayerConfig, PlayerServer
from ludorum.arena.protocol.client import Address
from ludorum.arena.protocol.invitations import Invitation, parse_invitations
from ludorum.arena.protocol.messages import Start
from ludorum.arena.protocol.realtime_messages import (
    ClockSignal,
    Happened,
    OwnMove,
    TimeIsUp,
    format_realtime,
    parse_realtime,
)
from ludorum.arena.protocol.server import HttpServer
from ludorum.arena.protocol.wire import Request
from ludorum.arena.testing import Act, Heard, ScriptedPlayer, Silence
from ludorum.arena.world import RealtimeMatch, read_record, replay
from ludorum.arena.world.desk import RealtimeDesk
from ludorum.arena.world.hosting import RealtimeHosting, refuse_unable
from ludorum.arena.world.move_inlet import MOVES_TO
from ludorum.arena.world.record import Dropped, MadeMoves
from ludorum.arena.world.remote_seat import RealtimeRemoteSeat, sent_rules
from ludorum.arena.world.stream import MessageStream
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.arena.protocol.makers import named
from tests.arena.world.test_controller import PUSH
from tests.arena.world.test_realtime_match import ANN, BOB, GRAB, grab, match_of
from tests.players.realtime.test_realtime_players import QUICK_DRAW
from tests.rules.wdl.sheets import sheet_of

Do: TypeAlias = "Callable[[Peer, object], str | Awaitable[str]]"


class Peer:
    """A player elsewhere that is told what to do: ``do`` gives its reply to each message."""

    def __init__(self, do: Do = lambda peer, message: "nil") -> None:
        self.heard: list[object] = []
        self.start: Start | None = None
        self.moves_to = ""
        self._do = do
        self.http = HttpServer(self._answer)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> str:
        message = parse_realtime(request.message)
        self.moves_to = request.headers[MOVES_TO.lower()]
        self.heard.append(message)
        if isinstance(message, Start):
            self.start = message
            return "ready"
        reply = self._do(self, message)
        return reply if isinstance(reply, str) else await reply

    async def post(self, text: str, moves_to: str = "") -> str:
        port, _, path = (moves_to or self.moves_to).partition("/")
        stream = MessageStream(Address("127.0.0.1", int(port)), {}, path=f"/{path}")
        try:
            return (await stream.tell(text)).body
        finally:
            stream.close()

    @property
    def clocks(self) -> list[int]:
        return [one.number for one in self.heard if isinstance(one, ClockSignal)]


def hosted(match: RealtimeMatch, *peers: Peer, no_colons: bool = False) -> dict[Term, str]:
    """Host a match between peers; what was wrong with them."""

    async def main() -> dict[Term, str]:
        ports = [await peer.http.open() for peer in peers]
        try:
            text = ",".join(f"http://127.0.0.1:{port}" for port in ports)
            return dict(await RealtimeHosting(match, parse_invitations(text), no_colons=no_colons).play())
        finally:
            for peer in peers:
                await peer.http.close()

    return asyncio.run(main())


def made(match: RealtimeMatch) -> list[tuple[str, str]]:
    events = (one for one in match.record.events if isinstance(one, MadeMoves))
    return [(one.moves[0].role, one.moves[0].move) for one in events]


def at_tick(number: int, reply: str) -> Callable[[Peer, object], str]:
    """Answer so to the signal of the clock with this number, or the first after it."""
    done = False

    def do(peer: Peer, message: object) -> str:
        nonlocal done
        if isinstance(message, ClockSignal) and message.number >= number and not done:
            done = True
            return reply
        return "nil"

    return do


@pytest.mark.spec("wdl", 33, 43)
def test_a_move_may_be_the_reply_to_any_message() -> None:
    match = match_of(seconds=0.4)
    ann, bob = Peer(at_tick(5, "(GRAB apple (VISIBLE ann prize))")), Peer()
    assert hosted(match, ann, bob) == {}
    assert made(match) == [("ann", str(grab(ANN, "apple")))]
    assert [one for one in bob.heard if isinstance(one, Happened)] == [
        Happened("m1", ANN, Term("grab", (Term("apple"),)))
    ]
    assert ann.heard[-1] == bob.heard[-1] == TimeIsUp("m1")
    record = read_record(f"{line}\n" for line in match.record.lines())
    assert list(replay(record, match.master))[-1] == match.state


@pytest.mark.spec("wdl", 33)
def test_a_move_may_be_posted_at_any_time() -> None:
    match = match_of(seconds=0.4)

    async def act(peer: Peer) -> str:
        if len(peer.heard) == 6:
            assert await peer.post(format_realtime(OwnMove("m1", BOB, grab(BOB, "apple")))) == "done"
        return "nil"

    hosted(match, Peer(), Peer(lambda peer, message: act(peer)))
    assert made(match) == [("bob", str(grab(BOB, "apple")))]


@pytest.mark.spec("wdl", 37)
def test_each_player_is_told_its_own_rules_and_that_they_are_realtime() -> None:
    match = match_of(GRAB + "(visible ann (secret 7))", seconds=0.1)
    ann, bob = Peer(), Peer()
    hosted(match, ann, bob)
    assert ann.start is not None
    assert bob.start is not None
    assert ann.start.rules.startswith("(set realtime) (role ann)")
    assert "(secret 7)" in ann.start.rules
    assert "secret" not in bob.start.rules
    assert "\n" not in bob.start.rules


def test_a_player_can_post_moves_for_its_own_role_alone() -> None:
    match = match_of(seconds=0.5)
    replies: list[str] = []
    ann = Peer()

    async def attack(peer: Peer) -> str:
        if len(peer.heard) == 4:
            own = format_realtime(OwnMove("m1", BOB, grab(BOB, "apple")))
            stolen = format_realtime(OwnMove("m1", ANN, grab(ANN, "apple")))
            port = peer.moves_to.partition("/")[0]
            for text, where in (
                (stolen, ""), (own, f"{port}/guessed"), (own.replace("m1", "m2"), ""),
                ("(PLAY m1 bob x)", ""), ("((", ""),
            ):  # fmt: skip
                replies.append(await peer.post(text, where))
        return "nil"

    hosted(match, ann, Peer(lambda peer, message: attack(peer)))
    assert replies == ["nil"] * 5
    assert made(match) == []
    assert ann.moves_to.partition("/")[2] != ""


@pytest.mark.long
def test_a_player_that_never_answers_neither_delays_nor_hinders_others() -> None:
    match = match_of(PUSH, seconds=1)

    async def stall(peer: Peer) -> str:
        await asyncio.sleep(3600)
        return "nil"

    ann = Peer(at_tick(50, "push"))
    hosted(match, ann, Peer(lambda peer, message: stall(peer)))
    assert made(match) == [("ann", "push")]
    assert ann.clocks[-1] == match.state.clock == 100


def test_a_player_that_sends_rubbish_plays_on() -> None:
    match = match_of(PUSH, seconds=0.4)
    replies = iter(["((((", '(taunt "x")', "?x", "push push", "x" * 5000, "nonsense", "ready", "", "push"])
    hosted(match, Peer(lambda peer, message: next(replies, "nil")), Peer())
    assert made(match) == [("ann", "push")]
    dropped = [one.move for one in match.record.events if isinstance(one, Dropped)]
    assert dropped[-1] == "nonsense"


def test_a_player_that_is_not_there_is_named_and_the_match_goes_on_without_it() -> None:
    match = match_of(PUSH, seconds=0.2)

    async def main() -> tuple[dict[Term, str], list[int]]:
        ann = Peer()
        port = await ann.http.open()
        gone = HttpServer(ann._answer)
        closed = await gone.open()
        await gone.close()
        text = f"http://127.0.0.1:{port},http://127.0.0.1:{closed}"
        trouble = await RealtimeHosting(match, parse_invitations(text)).play()
        await ann.http.close()
        return dict(trouble), ann.clocks

    trouble, clocks = asyncio.run(main())
    assert list(trouble) == [BOB]
    assert clocks[-1] == 20


def test_names_that_peers_cannot_read_are_told_as_others() -> None:
    match = RealtimeMatch(WdlMaster(sheet_of(PUSH.replace("p push", "p stoß"))), "m1", 1, 3, 0.3)

    def do(peer: Peer, message: object) -> str:
        assert peer.start is not None
        rules = parse_kif(peer.start.rules).rules
        word = next(str(rule.head.args[1]) for rule in rules if rule.head.name == "legal")
        assert word.isascii()
        return word if len(peer.heard) == 3 else "nil"

    hosted(match, Peer(do), Peer())
    assert [role for role, _ in made(match)] == ["ann"]
    assert "sto" in made(match)[0][1]


def test_a_match_that_is_given_up_is_aborted_for_remote_players() -> None:
    match = match_of(PUSH)
    ann, bob = Peer(), Peer()

    async def main() -> None:
        ports = [await peer.http.open() for peer in (ann, bob)]
        text = ",".join(f"http://127.0.0.1:{port}" for port in ports)
        task = asyncio.create_task(RealtimeHosting(match, parse_invitations(text)).play())
        while len(ann.heard) < 5:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        await ann.http.close()
        await bob.http.close()

    asyncio.run(main())
    assert type(ann.heard[-1]).__name__ == "Abort"


def test_a_player_hears_of_the_end_although_it_owes_a_reply() -> None:
    """A message that waits for its reply keeps its connection."""
    heard: list[str] = []

    def script(message: Heard) -> Act:
        heard.append(message.keyword)
        return Silence() if message.keyword == "clock" else "done"

    async def main() -> None:
        async with ScriptedPlayer(script=script) as far:
            sent = sent_rules(sheet_of(PUSH), ANN)
            seat = RealtimeRemoteSeat(far.url, sent, ANN, lambda _role, _move: False)
            waiting = asyncio.create_task(seat.send(ClockSignal("m", 1)))
            while "clock" not in heard:
                await asyncio.sleep(0.01)
            waiting.cancel()
            await seat.abort("m")
            seat.close()

    asyncio.run(main())
    assert heard == ["clock", "abort"]


@pytest.mark.parametrize(("players", "what"), [
    ("champion", "is for 2"), ("champion,mcts", "no player 'mcts' acts in realtime"),
    ("champion,gdl2+http://ann:9147", "only players of WDL"), ("champion,get+http://ann:9147", "posted"),
    ("http://ann:9147,http://ann:9147", "named for two players"),
])  # fmt: skip
def test_players_that_cannot_play_are_refused_before_the_match(players: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        refuse_unable(match_of().master, parse_invitations(players))


ROLLED = """
(set realtime) (include boardgames:dicing) (role ann) (role bob) (init fresh)
(<= (legal ?p (roll boardgames:dicing:dice)) (role ?p) (true fresh))
(<= (next (rolled ?p ?n)) (does ?p (roll ?n)))
(<= (next fresh) (true fresh) (not (does ann (roll ?n))) (face ?n))
(face 1)
(<= terminal (true (rolled ?p ?n)))
(goal ann 50) (goal bob 50)
"""


@pytest.mark.parametrize("no_colons", [False, True])
def test_names_of_modules_are_told_without_colons_where_that_is_asked_for(no_colons: bool) -> None:
    match = match_of(ROLLED)
    name = "boardgames_dicing_dice" if no_colons else "boardgames:dicing:dice"
    ann = Peer(at_tick(3, f"(ROLL {name.upper()})"))
    assert hosted(match, ann, Peer(), no_colons=no_colons) == {}
    assert ann.start is not None
    assert f"(roll {name})" in ann.start.rules
    assert (":" in ann.start.rules) is not no_colons
    assert made(match) == [("ann", "(roll boardgames:dicing:dice)")]


# -- our own player behind a port --------------------------------------------------------------------------


async def with_our_player(match: RealtimeMatch, other: str, posts: bool) -> dict[Term, str]:
    config = PlayerConfig(processes=False, realtime=partial(RealtimeDesk, "champion", 1))
    server = PlayerServer(named("legal"), config)
    (port,) = await server.open()
    hosting = RealtimeHosting(match, [*parse_invitations(f"wdl+http://127.0.0.1:{port}"), Invitation(other)])
    if not posts:  # a host that takes moves as replies only
        hosting._inlet.add = lambda role, offer: ""  # type: ignore[method-assign]
    try:
        return dict(await hosting.play())
    finally:
        await server.close()


@pytest.mark.long
@pytest.mark.parametrize("posts", [True, False])
def test_our_player_plays_over_the_wire(posts: bool) -> None:
    match = RealtimeMatch(WdlMaster(sheet_of(QUICK_DRAW)), "m1", 1, 30, 0)
    assert asyncio.run(with_our_player(match, "legal", posts)) == {}
    assert match.record.goals == {"ann": ["100"], "bob": ["0"]}


@pytest.mark.long
def test_our_player_is_busy_while_it_plays_and_refuses_what_it_cannot_follow() -> None:
    async def main() -> list[str]:
        desk = RealtimeDesk("random", 1)
        start = replace(match_of().start(ANN), start_clock=30)
        request = Request("POST", "/", {}, "")

        async def ask(message: object, is_free: bool = True) -> str:
            text = format_realtime(message)  # type: ignore[arg-type]
            return await desk.answer(text, request, "127.0.0.1", is_free) if desk.concerns(text) else "-"

        replies = [
            await ask(ClockSignal("m1", 1)),
            await ask(TimeIsUp("m1")),
            await ask(start, is_free=False),
            await ask(replace(start, role=Term("eve"))),
            await ask(start),
            await ask(replace(start, match_id="m2")),
            await ask(ClockSignal("M1", 1)),
            await ask(TimeIsUp("m1")),
            await ask(replace(start, rules="(role ann)")),
        ]
        assert desk.count == 0
        return replies

    assert asyncio.run(main()) == ["busy", "-", "busy", "busy", "ready", "busy", "nil", "done", "-"]
