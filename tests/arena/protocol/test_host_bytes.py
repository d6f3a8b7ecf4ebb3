"""What our host sends, byte for byte, and what it makes of every kind of reply."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import closing
from dataclasses import replace
from socket import socket

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import ErrorCode, Match, Reply
from ludorum.arena.match.referee import Referee
from ludorum.arena.match.seat import Briefing, Turn, turn_of
from ludorum.arena.protocol import Language, RemoteSeat, parse_address, parse_move_reply, remote_player
from ludorum.arena.protocol.client import Address, Sent, exchange
from ludorum.arena.testing import Act, Endless, Later, Raw, Reset, ScriptedPlayer, Silence
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import QUICK, coin, door, play_at

LEFT, RIGHT, PUSH, WAIT, GUESSER, NOOP = map(parse_term, ("left", "right", "push", "wait", "guesser", "noop"))

DOOR_RULES = (
    "(role left) (role right) (init (step 0)) (init closed) (<= (legal ?r push) (role ?r)) "
    "(<= (legal ?r wait) (role ?r)) (succ 0 1) (succ 1 2) "
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) "
    "(<= pushed (does left push) (does right push)) (<= (next open) pushed) "
    "(<= (next closed) (true closed) (not pushed)) (<= terminal (true open)) (<= terminal (true (step 2))) "
    "(<= (goal ?r 100) (role ?r) (true open)) (<= (goal ?r 0) (role ?r) (true closed))"
)
SIGHT = "(<= (sees ?seer (did ?doer ?move)) (role ?seer) (does ?doer ?move))"


def ggp_base(host: str, body: str, more: str = "") -> str:
    return (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: {host}\r\n"
        f"{more}Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )


def talk(game_name: str, moves: list[str], **options: object) -> tuple[Match, list[str], str]:
    """A match of one scripted player against somebody who always waits; all that it heard."""
    game = {"door": door, "coin": coin}[game_name]()
    role = {"door": LEFT, "coin": GUESSER}[game_name]

    async def run() -> tuple[Match, list[str], str]:
        async with ScriptedPlayer(moves) as player, ScriptedPlayer(["wait"] * 9) as other:
            urls = {role: player.url} | ({RIGHT: other.url} if game_name == "door" else {})
            match, _ = await play_at(game, urls, **options, clocks=QUICK)  # type: ignore[arg-type]
            return match, [heard.data.decode() for heard in player.heard], player.url.removeprefix("http://")

    return asyncio.run(run())


def test_a_match_as_ggp_base_sends_it() -> None:
    match, heard, host = talk("door", ["push", "WAIT"])
    assert match.moves == [(PUSH, WAIT), (WAIT, WAIT)]
    assert match.faults == []
    assert heard == [
        ggp_base(host, f"( START m1 left ({DOOR_RULES}) 2 2 )"),
        ggp_base(host, "( PLAY m1 NIL )"),
        ggp_base(host, "( PLAY m1 (push wait) )"),
        ggp_base(host, "( STOP m1 (wait wait) )"),
    ]


def bodies(heard: list[str]) -> list[str]:
    return [text.partition("\r\n\r\n")[2] for text in heard]


def test_gdl_ii_players_hear_their_move_and_percepts() -> None:
    match, heard, _ = talk("coin", ["noop", "(call heads)"])
    side = match.moves[0][0].args[0]
    assert bodies(heard)[1:] == [
        "( PLAY m1 0 NIL NIL )",
        "( PLAY m1 1 noop (tossed) )",
        f"( STOP m1 2 (call heads) ((it_was {side})) )",
    ]


def test_a_replaced_move_is_told_to_its_player() -> None:
    _, heard, _ = talk("coin", ["noop", "(call edge)"])
    assert bodies(heard)[3].startswith("( STOP m1 2 (call heads) (")


def test_gdl_ii_as_in_2011() -> None:
    match, heard, _ = talk("coin", ["noop", "(call heads)"], language=Language.GDL2_2011)
    side = match.moves[0][0].args[0]
    assert bodies(heard)[1:] == [
        "( PLAY m1 NIL )",
        "( PLAY m1 (tossed) )",
        f"( STOP m1 ((it_was {side})) )",
    ]


def test_an_open_game_for_a_gdl_ii_player_lets_everybody_see_everything() -> None:
    _, heard, _ = talk("door", ["push", "wait"], language=Language.GDL2)
    assert bodies(heard)[0] == f"( START m1 left ({DOOR_RULES} {SIGHT}) 2 2 )"
    assert bodies(heard)[1] == "( PLAY m1 0 NIL NIL )"
    assert bodies(heard)[2] == "( PLAY m1 1 push ((did left push) (did right wait)) )"


def test_a_game_with_secrets_is_refused_to_a_gdl_i_player() -> None:
    with pytest.raises(ValueError, match=r"coin hides something, and 127.0.0.1:9147 speaks GDL-I only"):
        RemoteSeat("http://127.0.0.1", coin(), language=Language.GDL)


def test_a_player_may_take_its_messages_by_get() -> None:
    async def run() -> list[bytes]:
        async with ScriptedPlayer(["push"]) as player:
            seat = RemoteSeat(player.url, door(), method="GET")
            briefing = Briefing("m1", LEFT, door(), QUICK)
            assert (await seat.play(turn_of(Match(door()), briefing))).move is PUSH
            return [heard.data for heard in player.heard]

    (heard,) = asyncio.run(run())
    assert heard.startswith(b"GET /%28%20PLAY%20m1%20NIL%20%29 HTTP/1.0\r\nAccept: text/delim\r\n")


def test_names_others_cannot_read_are_written_in_ascii() -> None:
    from ludorum.engine.lifted import LiftedGame
    from ludorum.rules.kif import parse_kif

    rules = """(role |Weiß Spieler|) (init (|at Größe| 1)) (legal |Weiß Spieler| |Zug A|)
        (<= terminal (not (true (|at Größe| 1)))) (goal |Weiß Spieler| 100)"""
    game = LiftedGame(parse_kif(rules), "odd")
    role = game.roles[0]

    async def run() -> tuple[Reply, list[bytes]]:
        async with ScriptedPlayer(["(ZUG_A)"]) as player:
            seat = RemoteSeat(player.url, game)
            briefing = Briefing("m1", role, game, QUICK)
            await seat.start(briefing)
            reply = await seat.play(turn_of(Match(game), briefing))
            return reply, [heard.data for heard in player.heard]

    reply, heard = asyncio.run(run())
    assert reply.move == Term("Zug A")
    assert heard[0].isascii()
    assert b"|" not in heard[0]
    assert b"START m1 wei_spieler (" in heard[0]


# -- what comes back --------------------------------------------------------------------------------------

CL = b"HTTP/1.0 200 OK\r\nContent-length: %d\r\n\r\n%s"
GOOD: dict[str, Act] = {
    "plain": "push",
    "in brackets and capitals": " ( PUSH ) \n",
    "remarks": '(push) (explanation "because (it); is") (taunt "ha")',
    "no length": Raw(b"HTTP/1.0 200 OK\r\n\r\npush"),
    "LF only": Raw(b"HTTP/1.1 200 OK\nContent-Length: 4\n\npush"),
    "odd header names": Raw(b"HTTP/1.1 200 Okay then\r\ncontent-LENGTH: 4\r\nX: y\r\n\r\npush"),
    "chunks": Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\npu\r\n2\r\nsh\r\n0\r\n\r\n"),
    "less than promised": Raw(CL % (40, b"push")),
    "more than promised": Raw(CL % (4, b"push and so on")),
    "a wrong status": Raw(b"HTTP/1.0 500 Oops\r\n\r\npush"),
    "late but in time": Later(0.3, "push"),
}  # fmt: skip

BAD: dict[str, tuple[Act, ErrorCode, str]] = {
    "illegal": ("fly", ErrorCode.ILLEGAL, "fly"),
    "nil": ("nil", ErrorCode.ILLEGAL, "nil"),
    "empty": ("", ErrorCode.ILLEGAL, "an empty reply"),
    "variable": ("?x", ErrorCode.ILLEGAL, "?x (a move with variables)"),
    "variable inside": ("(push ?x)", ErrorCode.ILLEGAL, "(push ?x) (a move with variables)"),
    "unbalanced": ("((push", ErrorCode.ILLEGAL, "((push (not a move: this opening bracket is never closed; "
                   "2 brackets missing by line 1)"),
    "two moves": ("push wait", ErrorCode.ILLEGAL, "push wait (more than a move: only (explanation ...) and "
                  "(taunt ...) may follow)"),
    "HTML": ("<html> <body>no</body> </html>", ErrorCode.ILLEGAL, "<html> <body>no</body> </html> (more than "
             "a move: only (explanation ...) and (taunt ...) may follow)"),
    "an error page": (Raw(b"HTTP/1.1 502 Bad Gateway\r\n\r\n<h1>bad gateway</h1>"), ErrorCode.LOST,
                      "HTTP 502 <h1>bad gateway</h1>"),
    "not HTTP": (Raw(b"push\r\n"), ErrorCode.LOST, "the reply is not HTTP: 'push'"),
    "rubbish": (Raw(b"\xff\x00\xfe\r\n\r\n"), ErrorCode.LOST, r"the reply is not HTTP: '�\x00�'"),
    "closed": (Raw(b""), ErrorCode.LOST, "closed without a reply"),
    "cut headers": (Raw(b"HTTP/1.0 200 OK\r\nConte"), ErrorCode.LOST,
                    "the connection closed in the middle of the headers"),
    "reset": (Reset(), ErrorCode.LOST, "the connection broke: Connection reset by peer"),
    "silence": (Silence(), ErrorCode.LATE, "no answer in 0.4 s"),
    "late": (Later(0.8, "push"), ErrorCode.LATE, "no answer in 0.4 s"),
    "endless body": (Endless(), ErrorCode.LOST, "text longer than 65536 bytes"),
    "endless headers": (Endless(b"a: b\r\n", b"HTTP/1.0 200 OK\r\n"), ErrorCode.LOST,
                        "headers longer than 16384 bytes"),
    "endless line": (Endless(b"a" * 999, b"HTTP/1.0 "), ErrorCode.LOST, "a header line without end"),
    "a length beyond bounds": (Raw(CL % (10**9, b"push")), ErrorCode.LOST, "text longer than 65536 bytes"),
}  # fmt: skip

HURRIED = Clocks(0.4, 0.4, connect=0.4, start_grace=0, play_grace=0, abort=0.2)


async def ask(act: Act, seconds: float = 5.0) -> tuple[Reply, RemoteSeat, ScriptedPlayer]:
    game = door()
    clocks = replace(HURRIED, play=seconds)
    async with ScriptedPlayer([act]) as player:
        seat = RemoteSeat(player.url, game)
        reply = await seat.play(turn_of(Match(game), Briefing("m1", LEFT, game, clocks)))
        return reply, seat, player


@pytest.mark.parametrize("name", GOOD)
def test_moves_in_every_dress(name: str) -> None:
    reply, _, _ = asyncio.run(ask(GOOD[name]))
    text = 'push (explanation "because (it); is") (taunt "ha")' if name == "remarks" else "push"
    assert (reply.move, reply.code, reply.text) == (PUSH, None, text)
    assert (0.3 if name.startswith("late") else 0) <= reply.seconds < 5


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("name", BAD)
def test_faults_are_told_apart(name: str) -> None:
    act, code, text = BAD[name]
    late = code is ErrorCode.LATE
    begin = time.monotonic()
    reply, _, player = asyncio.run(ask(act, 0.4 if late else 5.0))
    assert time.monotonic() - begin < 4
    assert len(player.heard) == 1  # a message is never sent twice
    match = Match(door())
    match.settle({LEFT: reply, RIGHT: Reply(WAIT)})
    (fault,) = match.faults
    assert (fault.code, fault.text) == (code, text)


@pytest.mark.parametrize(("kind", "at"), [("explanation", 0), ("taunt", 1)])
def test_whatever_players_say_besides_is_kept(kind: str, at: int) -> None:
    _, seat, _ = asyncio.run(ask(f'push ({kind} "ha")'))
    (told,) = seat.exchanges
    assert (told.explanation, told.taunt)[at] == "ha"
    assert (told.explanation, told.taunt)[1 - at] == ""


def test_what_players_say_besides_is_kept() -> None:
    _, seat, _ = asyncio.run(ask(GOOD["remarks"]))
    (told,) = seat.exchanges
    assert (told.asked, told.explanation, told.taunt) == ("play", "because (it); is", "ha")
    assert told.text == '(push) (explanation "because (it); is") (taunt "ha")'


def free_port() -> int:
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_player_that_is_not_there_costs_its_connect_limit_at_most() -> None:
    game = door()

    async def run() -> Match:
        async with ScriptedPlayer(["wait", "wait"]) as other:
            seats = {LEFT: RemoteSeat(f"127.0.0.1:{port}", game), RIGHT: RemoteSeat(other.url, game)}
            match = Match(game, match_id="m1")
            return await Referee(match, seats, HURRIED).run()

    port = free_port()
    begin = time.monotonic()
    match = asyncio.run(run())
    assert time.monotonic() - begin < 5
    assert match.is_over
    assert [str(fault) for fault in match.faults] == [
        f"CE 127.0.0.1:{port} cannot be reached: Connect call failed ('127.0.0.1', {port})"
    ] * 3


def test_a_player_that_comes_up_late_is_tried_again() -> None:
    game = door()

    async def run() -> Reply:
        seat = RemoteSeat(f"127.0.0.1:{port}", game)
        briefing = Briefing("m1", LEFT, game, replace(HURRIED, connect=2))
        asked = asyncio.create_task(seat.play(turn_of(Match(game), briefing)))
        await asyncio.sleep(0.1)  # the first try has been refused
        player = ScriptedPlayer(["push"])
        player._server = await asyncio.start_server(player._accept, "127.0.0.1", port)
        reply = await asked
        await player.close()
        return reply

    port = free_port()
    reply = asyncio.run(run())
    assert reply.move is PUSH


@pytest.mark.alone
def test_the_bonus_for_slow_connections_is_spent_once() -> None:
    game = door()

    async def run() -> tuple[float, float]:
        seat = RemoteSeat(f"127.0.0.1:{port}", game)
        clocks = replace(HURRIED, connect=0.0, connect_bonus=1.0)
        turn = turn_of(Match(game), Briefing("m1", LEFT, game, clocks))
        took = []
        for _ in range(2):
            begin = time.monotonic()
            await seat.play(turn)
            took.append(time.monotonic() - begin)
        return took[0], took[1]

    port = free_port()
    first, second = asyncio.run(run())
    assert first > 0.7
    assert second < 0.5


@pytest.mark.long
@pytest.mark.alone
def test_time_counts_from_the_last_byte_sent() -> None:
    """A player that takes half a second to read a long message still has its whole clock."""

    async def read_slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.5)
        left = len(request)
        while left:
            left -= len(await reader.read(65536))
        await asyncio.sleep(0.2)
        writer.write(b"HTTP/1.0 200 OK\r\n\r\nready")
        writer.close()

    async def run() -> Sent:
        server = await asyncio.start_server(read_slowly, "127.0.0.1", 0)
        address = Address("127.0.0.1", server.sockets[0].getsockname()[1])
        async with server:
            return await exchange(address, request, connect_seconds=5, reply_seconds=20)

    request = b"x" * 30_000_000  # more than the sockets hold
    begin = time.monotonic()
    sent = asyncio.run(run())
    assert sent.response.body == "ready"
    assert 0.15 < sent.seconds < time.monotonic() - begin - 0.45


def test_besides_the_match() -> None:
    game = door()
    script: dict[str, Act] = {"info": "((name Deep Blue) (status busy))", "preview": Silence()}

    async def run() -> None:
        async with ScriptedPlayer(script=script) as player:
            seat = RemoteSeat(player.url, game)
            info = await seat.info(HURRIED)
            assert info is not None
            assert (info.name, info.status) == ("Deep Blue", "busy")
            assert await seat.ping(HURRIED)
            assert not await seat.preview(HURRIED, 0.2)  # stock players drop it
            assert player.texts[-1] == f"( PREVIEW ({DOOR_RULES}) 0.2 )"
        gone = RemoteSeat(player.url, game)
        assert await gone.info(HURRIED) is None
        assert not await gone.ping(HURRIED)

    asyncio.run(run())


def test_stop_and_abort_wait_for_nobody() -> None:
    game = door()

    async def run() -> list[str]:
        async with ScriptedPlayer(script={"stop": Silence(), "abort": Reset()}) as player:
            seat = RemoteSeat(player.url, game)
            briefing = Briefing("m1", LEFT, game, HURRIED)
            turn: Turn = turn_of(Match(game), briefing)
            await seat.stop(turn)
            await seat.abort(briefing)
            return player.texts

    assert asyncio.run(run()) == ["( STOP m1 NIL )", "( ABORT m1 )"]


@pytest.mark.parametrize("match_id", ["", "7up", "a b", "ma(tch", "mätch"])
def test_a_match_id_is_a_word(match_id: str) -> None:
    game = door()
    seat = RemoteSeat("127.0.0.1:1", game)
    with pytest.raises(ValueError, match="a match id is a letter"):
        asyncio.run(seat.start(Briefing(match_id, LEFT, game, HURRIED)))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://example.org:4001/", Address("example.org", 4001)),
        ("http://example.org", Address("example.org", 9147)),
        ("example.org:4001", Address("example.org", 4001)),
        ("http://[::1]:99", Address("::1", 99)),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["ftp://a:1", "http://", "http://a:99999", "a:b", ""])
def test_bad_addresses_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"'"):
        parse_address(text)


@pytest.mark.parametrize(("count", "is_aside"), [(10, False), (30_000, True)])
def test_a_long_reply_is_read_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, count: int, is_aside: bool
) -> None:
    """Words without end take half a second to read, and other matches are served by the same loop."""
    threads: list[threading.Thread] = []

    def read(text: str) -> object:
        threads.append(threading.current_thread())
        return parse_move_reply(text)

    monkeypatch.setattr(remote_player, "parse_move_reply", read)
    reply, _, _ = asyncio.run(ask(f"(f {'a ' * count})"))
    assert reply.move is not None
    assert len(reply.move.args) == count
    assert (threads != [threading.main_thread()]) is is_aside
