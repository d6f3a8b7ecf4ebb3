"""What our player answers, byte for byte, to every form of message and every way to send it."""

from __future__ import annotations

import asyncio
import socket
from urllib.parse import quote, quote_plus

import pytest

from ludorum.arena.protocol import PlayerEvent
from ludorum.processes import is_possible
from tests.arena.protocol.loopback import host_of, one_line, our_player
from tests.small_games import CIRCLE, COIN, DOOR


def reply(body: str, status: str = "200 OK", leave: str = "") -> bytes:
    return (
        f"HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {len(body)}\r\n{leave}\r\n{body}"
    ).encode()


def post(body: str) -> bytes:
    return (
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: player\r\nSender: GAMESERVER\r\nReceiver: tester\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


START = f"(START m1 left ({one_line(DOOR)}) 30 30)"
START_COIN = f"(START m1 guesser ({one_line(COIN)}) 30 30)"
DICE = (
    "(role random) (role walker) (init toss) (<= (legal random (roll 1)) (true toss)) "
    "(<= (legal random (roll 2)) (true toss)) (<= (legal random noop) (not (true toss))) "
    "(<= (legal walker noop) (true toss)) (<= (legal walker (go ?n)) (true (dice ?n))) "
    "(<= (next (dice ?n)) (does random (roll ?n))) (<= (next toss) (not (true toss))) "
    "(<= terminal (true never)) (goal walker 0) (goal random 0)"
)
MIRROR = (  # the guesser is told the opposite of what was tossed, in words that could be a joint move
    "(role random) (role guesser) (init toss) (side heads) (side tails) "
    "(<= (legal random (toss ?s)) (side ?s) (true toss)) (<= (legal random noop) (not (true toss))) "
    "(<= (legal guesser noop) (true toss)) (<= (legal guesser (call ?s)) (true (coin ?s))) "
    "(<= (next (coin ?s)) (does random (toss ?s))) (<= (next over) (not (true toss))) "
    "(<= (sees guesser (toss ?s)) (does random (toss ?t)) (side ?s) (distinct ?s ?t)) "
    "(<= (sees guesser noop) (true toss)) (<= terminal (true over)) (goal guesser 50) (goal random 50)"
)
SIGHT = "(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m))"
AVAILABLE = "((name tester) (status available) (species alien))"
TAKEN = "((name tester) (status busy) (species alien))"

CONVERSATIONS: dict[str, list[tuple[str, str]]] = {
    "info": [("( INFO )", AVAILABLE), ("(info)", AVAILABLE), ("info", AVAILABLE)],
    "ping": [("(ping)", "ready"), ("(PING)", "ready"), ("(ping m17)", "(reply m17 ready)")],
    "preview": [(f"(PREVIEW ({one_line(DOOR)}) 1)", "ready"), ("(info)", AVAILABLE)],
    "preview of rubbish": [("(PREVIEW ((((a)) b)) 1)", "ready")],
    "a match": [
        (START, "ready"), ("(INFO)", TAKEN), ("(PLAY m1 NIL)", "push"), ("(PLAY m1 (wait push))", "push"),
        ("(STOP m1 (push push))", "done"), ("(INFO)", AVAILABLE),
    ],
    "a match in capitals": [
        (START.upper(), "ready"), ("(PLAY M1 NIL)", "push"), ("(PLAY M1 (WAIT PUSH))", "push"),
        ("(STOP M1 NIL)", "done"),
    ],
    "trailing arguments": [
        (START[:-1] + " 7 (and more))", "ready"), ("(PLAY m1 NIL)", "push"), ("(ABORT m1 so)", "aborted"),
    ],
    "aborted": [
        (START, "ready"), ("(ABORT m1)", "aborted"), ("(PLAY m1 NIL)", "busy"), (START, "ready"),
    ],
    "one match at a time": [
        (START, "ready"), (START.replace("m1", "m2"), "busy"), ("(PLAY m2 NIL)", "busy"),
        ("(STOP m2 NIL)", "busy"), ("(ABORT m2)", "busy"), ("(PLAY m1 NIL)", "push"),
    ],
    "the same start again": [
        (START, "ready"), (START, "ready"), (START.replace("left", "right"), "busy"),
        ("(PLAY m1 NIL)", "push"),
    ],
    "the first turn again": [
        (START, "ready"), ("(PLAY m1 NIL)", "push"), ("(PLAY m1 (wait wait))", "push"),
        ("(PLAY m1 NIL)", "push"), ("(PLAY m1 (wait wait))", "push"),
    ],
    "no such match": [("(PLAY m1 NIL)", "busy"), ("(STOP m1 NIL)", "busy"), ("(ABORT m1)", "busy")],
    "moves that are not legal": [
        (START, "ready"), ("(PLAY m1 NIL)", "push"), ("(PLAY m1 (fly swim))", "push"),
        ("(PLAY m1 (push))", "push"), ("(PLAY m1 (wait wait))", "push"),
    ],
    "gdl-ii": [
        (START_COIN, "ready"), ("(PLAY m1 0 NIL NIL)", "noop"), ("(PLAY m1 1 noop (tossed))", "(call heads)"),
        ("(PLAY m1 1 noop (tossed))", "(call heads)"), ("(STOP m1 2 (call heads) ((it_was tails)))", "done"),
    ],
    "gdl-ii as in 2011": [
        (START_COIN, "ready"), ("(PLAY m1 NIL)", "noop"), ("(PLAY m1 (tossed))", "(call heads)"),
        ("(STOP m1 ((it_was tails)))", "done"),
    ],
    "gdl-ii, the first turn again": [
        (START_COIN, "ready"), ("(PLAY m1 0 NIL NIL)", "noop"), ("(PLAY m1 1 noop (tossed))", "(call heads)"),
        ("(PLAY m1 0 NIL NIL)", "noop"), ("(PLAY m1 1 noop (tossed))", "(call heads)"),
    ],
    "percepts that look like a joint move": [
        (f"(START m1 guesser ({MIRROR}) 30 30)", "ready"), ("(PLAY m1 NIL)", "noop"),
        ("(PLAY m1 ((toss tails) noop))", "(call heads)"),
    ],
    "gdl-ii with a percept nobody can have": [
        (START_COIN, "ready"), ("(PLAY m1 0 NIL NIL)", "noop"),
        ("(PLAY m1 1 noop ((saw elephant)))", "(call heads)"),
    ],
    "gdl-ii with a lost message": [
        (START_COIN, "ready"), ("(PLAY m1 1 noop (tossed))", "(call heads)"),
    ],
    "gdl-ii from a turn that cannot be": [
        (START_COIN, "ready"), ("(PLAY m1 0 NIL NIL)", "noop"), ("(PLAY m1 999999999 noop (tossed))", "noop"),
        ("(PLAY m1 1 noop (tossed))", "(call heads)"),
    ],
    "a game without secrets told in gdl-ii": [
        (f"(START m1 left ({one_line(DOOR)} {SIGHT}) 30 30)", "ready"),
        ("(PLAY m1 0 NIL NIL)", "push"), ("(PLAY m1 1 wait ((did left wait) (did right push)))", "push"),
    ],
    "chance without percepts, from a host that tells joint moves": [
        (f"(START m1 walker ({DICE}) 30 30)", "ready"), ("(PLAY m1 NIL)", "noop"),
        ("(PLAY m1 ((roll 2) noop))", "(go 2)"), ("(PLAY m1 (noop (go 2)))", "noop"),
    ],
    "rules that cannot be played": [
        ("(START m1 left ((role left)) 30 30)", "busy"),
        ("(START m1 nobody (" + one_line(DOOR) + ") 30 30)", "busy"),
        ("(START m1 random (" + one_line(COIN) + ") 30 30)", "busy"),
        ("(START m1 left ((<= (legal ?x ?y)) (<= p (not p))) 30 30)", "busy"),
        ("(START m1 left () 30 30)", "busy"),
        ("(INFO)", AVAILABLE),
    ],
    "rubbish": [
        ("", "nil"), ("(", "nil"), (")", "nil"), ("(PLAY m1 (a", "nil"), ("hello", "nil"), ("(PLAY)", "nil"),
        ("(START m1 left)", "nil"), ("(START m1 left rules soon later)", "nil"), ("(INFO)", AVAILABLE),
    ],
}  # fmt: skip


@pytest.mark.parametrize("processes", [True, False], ids=["in processes", "in threads"])
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_conversations(name: str, processes: bool) -> None:
    async def talk() -> None:
        async with our_player(processes=processes and is_possible()) as server:
            host = host_of(server)
            for message, body in CONVERSATIONS[name]:
                # Bytes without brackets to count need a length; the usual ones have it.
                assert await host.send(post(message)) == reply(body), message

    asyncio.run(talk())


INFO = "( INFO )"
WAYS: dict[str, tuple[bytes, bool]] = {
    "as ggp-base": (post(INFO), False),
    "as Dresden": (
        b"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: x\r\n"
        b"Content-type: text/acl\r\nContent-length: 8\r\n\r\n( INFO )", False),
    "as Tiltyard": (
        b"POST / HTTP/1.0\r\nGGP-Match-ID: tiltyard.x.1\r\nGGP-Match-Step: 3\r\nGGP-Match-Host: Tiltyard\r\n"
        b"GGP-Match-Players: 2\r\nContent-Length: 8\r\n\r\n( INFO )", False),
    "header names in any case": (b"post / http/1.0\r\ncOnTeNt-LeNgTh:8\r\n\r\n( INFO )", False),
    "HTTP/1.1": (
        b"POST / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 8\r\n\r\n( INFO )", False),
    "lines that end in LF": (b"POST / HTTP/1.0\nContent-Length: 8\n\n( INFO )", False),
    "no length, closed": (b"POST / HTTP/1.0\r\n\r\n( INFO )", True),
    "no length, left open": (b"POST / HTTP/1.0\r\n\r\n( INFO )", False),
    "no length, bracket in a comment": (b"POST / HTTP/1.0\r\n\r\n( INFO ; ) (\r\n)", False),
    "a length that is none": (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n( INFO )", False),
    "a length counted in characters": (
        "POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n( INFO äöü )".encode(), False),
    "chunks": (
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n( I\r\n5;x\r\nNFO )\r\n0\r\n\r\n", False),
    "GET": (b"GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: a\r\n\r\n", False),
    "GET with blanks": (b"GET /( INFO ) HTTP/1.0\r\n\r\n\r\n", False),
    "GET with plus signs": (b"GET /(+INFO+) HTTP/1.0\r\n\r\n", False),
    "GET with a whole address": (b"GET http://127.0.0.1:9147/(INFO) HTTP/1.0\r\n\r\n", False),
    "GET as a question": (b"GET /?(INFO) HTTP/1.0\r\n\r\n", False),
    "a host that asks for leave": (
        b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n( INFO )", False),
    "an empty line too much": (b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )\r\n\r\n", False),
    "a path": (b"POST /player/one HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )", False),
    "empty lines first": (b"\r\n\r\nPOST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )", False),
    "no version": (b"POST /\r\nContent-Length: 8\r\n\r\n( INFO )", False),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_send_a_message(way: str) -> None:
    data, half_close = WAYS[way]

    async def talk() -> bytes:
        async with our_player() as server:
            return await host_of(server).send(data, half_close=half_close)

    assert asyncio.run(talk()) == reply(AVAILABLE)


NIL_400 = reply("nil", "400 Bad Request")
OTHERS: dict[str, tuple[bytes, bytes]] = {
    "OPTIONS": (b"OPTIONS / HTTP/1.1\r\n\r\n", reply("")),
    "PUT": (b"PUT / HTTP/1.1\r\n\r\n", reply("nil", "405 Method Not Allowed")),
    "not HTTP": (b"(INFO)\r\n\r\n", NIL_400),
    "binary": (bytes(range(128, 256)) + b"\r\n\r\n", NIL_400),
    "a picture": (b"GET /favicon.ico HTTP/1.1\r\n\r\n", reply("nil")),
    "cut headers": (b"POST / HTTP/1.0\r\nContent-Le", NIL_400),
    "a chunk without length": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", NIL_400),
    "a length beyond all bounds": (
        b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n(", reply("nil", "413 Content Too Large")),
    "fewer bytes than promised": (b"POST / HTTP/1.0\r\nContent-Length: 80\r\n\r\n( INFO )", reply(AVAILABLE)),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_requests(name: str) -> None:
    data, expected = OTHERS[name]

    async def talk() -> bytes:
        async with our_player() as server:
            return await host_of(server).send(data, half_close=True)

    assert asyncio.run(talk()) == expected


FORBIDDEN = reply("nil", "403 Forbidden")
ORIGIN = "Origin: https://host.example\r\n"
PAGES: dict[str, str] = {
    "a post": ORIGIN,
    "a post without a home": "Origin: null\r\n",
    "a picture": "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n",
    "a name that was made to point here": "Sec-Fetch-Site: same-origin\r\n",
    "an old browser": "Referer: https://host.example/page\r\n",
}


@pytest.mark.parametrize("page", PAGES)
def test_web_pages_can_neither_ask_nor_begin_a_match(page: str) -> None:
    """A browser sends what a page asks for, whatever the page may read: the player has to refuse it."""
    events: list[PlayerEvent] = []

    async def talk() -> list[bytes]:
        async with our_player(events=events) as server:
            host = host_of(server)
            posted = post(START).replace(b"\r\n", f"\r\n{PAGES[page]}".encode(), 1)
            got = f"GET /{quote(START)} HTTP/1.1\r\n{PAGES[page]}\r\n".encode()
            asked = f"OPTIONS / HTTP/1.1\r\n{PAGES[page]}\r\n".encode()
            return [await host.send(data) for data in (posted, got, asked, post(INFO))]

    assert asyncio.run(talk()) == [FORBIDDEN, FORBIDDEN, FORBIDDEN, reply(AVAILABLE)]
    assert [event.kind for event in events] == ["peer"] * 3
    assert "--allow-origin" in events[0].text


@pytest.mark.parametrize("origin", ["*", "https://host.example"])
def test_pages_of_an_origin_may_be_a_host_where_that_was_asked_for(origin: str) -> None:
    leave = (
        f"Access-Control-Allow-Origin: {origin}\r\n"
        "Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
        "Access-Control-Allow-Headers: Content-Type\r\n"
        "Access-Control-Max-Age: 86400\r\n"
    )

    async def talk() -> list[bytes]:
        async with our_player(origin=origin) as server:
            host = host_of(server)
            asked = f"OPTIONS / HTTP/1.1\r\n{ORIGIN}\r\n".encode()
            posted = post(INFO).replace(b"\r\n", f"\r\n{ORIGIN}".encode(), 1)
            other = posted.replace(b"host.example", b"elsewhere.example")
            return [await host.send(data) for data in (asked, posted, other)]

    allowed = reply(AVAILABLE, leave=leave)
    refused = allowed if origin == "*" else FORBIDDEN
    assert asyncio.run(talk()) == [reply("", leave=leave), allowed, refused]


def test_the_address_line_of_a_browser_may_ask() -> None:
    async def talk() -> bytes:
        async with our_player() as server:
            return await host_of(server).send(b"GET /(INFO) HTTP/1.1\r\nSec-Fetch-Site: none\r\n\r\n")

    assert asyncio.run(talk()) == reply(AVAILABLE)


@pytest.mark.parametrize("encode", [quote, quote_plus])
def test_a_browser_plays_a_match_by_get(encode: object) -> None:
    async def talk() -> list[bytes]:
        async with our_player() as server:
            host = host_of(server)
            written = [encode(text) for text, _ in CONVERSATIONS["a match"]]  # type: ignore[operator]
            return [await host.send(f"GET /{text} HTTP/1.1\r\n\r\n".encode()) for text in written]

    assert asyncio.run(talk()) == [reply(body) for _, body in CONVERSATIONS["a match"]]


def test_several_matches_on_one_port_and_the_same_match_on_two() -> None:
    async def talk() -> list[str]:
        async with our_player(ports=2, matches=2) as server:
            first, second = host_of(server, 0), host_of(server, 1)
            said = [await first.say(START), await first.say(START.replace("m1", "m2")), await first.say(INFO)]
            said += [await second.say(START.replace("left", "right")), await second.say(INFO)]
            said += [await first.say("(PLAY m2 NIL)"), await first.say("(PLAY m1 NIL)")]
            said += [await second.say("(PLAY m1 NIL)"), await second.say("(PLAY m2 NIL)")]
            return said

    assert asyncio.run(talk()) == [
        "ready", "ready", TAKEN, "ready", AVAILABLE, "push", "push", "push", "busy",
    ]  # fmt: skip


def test_a_forgotten_match_makes_room_for_a_new_one() -> None:
    async def talk() -> list[str]:
        async with our_player(patience=-1000.0) as server:
            host = host_of(server)
            return [
                await host.say(START),
                await host.say("(INFO)"),
                await host.say(START.replace("m1", "m2")),
            ]

    assert asyncio.run(talk()) == ["ready", AVAILABLE, "ready"]


def test_the_way_of_every_message_is_measured() -> None:
    """So much less is thought: the answer has to be back in time."""

    async def talk() -> int:
        async with our_player() as server:
            host = host_of(server)
            assert await host.say(START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "push"
            return server.seats[0].time.delays.count

    assert asyncio.run(talk()) == (2 if hasattr(socket, "TCP_INFO") else 0)


def test_what_went_wrong_is_told_to_whoever_runs_the_player() -> None:
    events: list[PlayerEvent] = []

    async def talk() -> None:
        async with our_player(events=events) as server:
            host = host_of(server)
            await host.say("(START m1 left () 30 30)")
            await host.say("(PLAY m1 (a")
            await host.say("(PLAY m9 NIL)")

    asyncio.run(talk())
    assert [event.kind for event in events] == ["refused", "rubbish", "stranger"]
    assert "never closed" in events[1].text
    assert "(PLAY m1 (a" in events[1].text


def test_a_player_that_plays_or_previews_has_no_time_for_previews() -> None:
    preview = f"(PREVIEW ({one_line(DOOR)}) 1)"

    async def talk() -> list[bytes]:
        async with our_player() as server:
            host = host_of(server)
            said = [await host.send(post(text)) for text in (preview, START, preview, "(ABORT m1)")]
            return [*said, await host.send(post(preview))]

    assert asyncio.run(talk()) == [reply(word) for word in ("ready", "ready", "busy", "aborted", "ready")]


def test_match_ids_of_tiltyard_and_any_case() -> None:
    start = START.replace("m1", "tiltyard.door.1400")

    async def talk() -> list[bytes]:
        async with our_player() as server:
            host = host_of(server)
            texts = (
                start,
                "(PLAY Tiltyard.DOOR.1400 NIL)",
                "(STOP TILTYARD.door.1400 NIL)",
            )
            return [await host.send(post(text)) for text in texts]

    assert asyncio.run(talk()) == [reply("ready"), reply("push"), reply("done")]


def test_letters_beyond_ascii_are_counted_in_bytes() -> None:
    """Only a host that sent such letters hears them again."""
    rules = one_line(CIRCLE).replace("walker go", "walker größe")
    start = f"(START m1 walker ({rules}) 30 30)".encode()

    async def talk() -> list[bytes]:
        async with our_player() as server:
            head = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(start)
            host = host_of(server)
            return [await host.send(head + start), await host.send(post("(PLAY m1 NIL)"))]

    ready, move = asyncio.run(talk())
    head, _, body = move.partition(b"\r\n\r\n")
    assert ready == reply("ready")
    assert body == "größe".encode()
    assert head.endswith(b"\r\nContent-length: 7")
    assert head.isascii()


def test_what_is_not_for_the_player_does_not_reach_it() -> None:
    events: list[PlayerEvent] = []

    async def talk() -> list[bytes]:
        async with our_player(events=events) as server:
            host = host_of(server)
            asked = (
                b"OPTIONS /(START HTTP/1.1\r\n\r\n",
                b"OPTIONS * HTTP/1.1\r\n\r\n",
                b"HEAD / HTTP/1.1\r\n\r\n",
            )
            return [await host.send(data) for data in asked]

    assert asyncio.run(talk()) == [reply("")] * 3
    assert events == []
