"""Hostile peers: whatever they send, nobody crashes, no other match waits, and memory stays bounded."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludorum.arena.match.match import Match
from ludorum.arena.match.seat import Briefing, turn_of
from ludorum.arena.protocol import PeerLimits, PlayerServer, RemoteSeat
from ludorum.arena.protocol.wire import WireError, read_request, read_response
from ludorum.arena.testing import Raw, ScriptedPlayer, ScriptedServer
from ludorum.processes import descendants
from tests.arena.protocol.loopback import LIGHT, QUICK, door, host_of, one_line, our_player
from tests.how_much import sample
from tests.own_process import in_own_process, most_megabytes
from tests.small_games import DOOR

START = f"(START m1 left ({one_line(DOOR)}) 30 1)"
TIGHT = PeerLimits(read_seconds=0.4, connections=8)


async def other_match_goes_on(server: PlayerServer, attack: Callable[[], Awaitable[object]]) -> None:
    """A match is played while somebody attacks; its answers are right and at once."""
    host = host_of(server)
    assert await host.say(START) == "ready"
    attacks = [asyncio.ensure_future(attack()) for _ in range(3)]
    for _ in range(5):
        begin = time.monotonic()
        assert await host.say("(PLAY m1 NIL)") == "push"
        assert time.monotonic() - begin < 6  # the clock, and the most that hosts allow for the way
    await asyncio.gather(*attacks)
    assert await host.say("(STOP m1 NIL)") == "done"


def run_attack(attack: Callable[[PlayerServer], Awaitable[object]], limits: PeerLimits = TIGHT) -> None:
    async def run() -> None:
        async with our_player(config=LIGHT, limits=limits) as server:
            await other_match_goes_on(server, lambda: attack(server))
            async with asyncio.timeout(10):
                while server.seats[0]._http.connections:
                    await asyncio.sleep(0.01)

    asyncio.run(run())


async def pour(server: PlayerServer, head: bytes, chunk: bytes, count: int) -> int:
    """Send a head and many chunks for as long as the player listens; the bytes that were taken."""
    _, writer = await asyncio.open_connection("127.0.0.1", server.seats[0].port)
    sent = 0
    try:
        writer.write(head)
        for _ in range(count):
            writer.write(chunk)
            await writer.drain()
            sent += len(chunk)
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()
    return sent


HEADS = {
    "with its length": b"POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n",
    "without length": b"POST / HTTP/1.0\r\n\r\n",
    "in chunks": b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n5F5E100\r\n",
    "a lying length": b"POST / HTTP/1.0\r\nContent-Length: 4000000\r\n\r\n",
    "as headers": b"POST / HTTP/1.0\r\n",
    "as one header": b"POST / HTTP/1.0\r\nX-Long: ",
}


@pytest.mark.long
@pytest.mark.parametrize("name", sample(HEADS, 6))
def test_a_hundred_megabytes(name: str) -> None:
    in_own_process(pour_a_hundred_megabytes, name)


def pour_a_hundred_megabytes(name: str) -> None:
    before = most_megabytes()
    chunk = (b"a: b\r\n" * 11000)[:65536] if name == "as headers" else b"(" * 65536

    async def attack(server: PlayerServer) -> None:
        sent = await pour(server, HEADS[name], chunk, 1600)
        assert sent < 40e6  # cut off long before the end; the rest was in the sockets

    run_attack(attack, PeerLimits(read_seconds=2, connections=8, discard_bytes=1_000_000))
    assert most_megabytes() - before < 80


@pytest.mark.slow
def test_ordinary_clients_with_a_hundred_megabytes_are_told_that_it_is_too_much(tmp_path: Path) -> None:
    """They send everything before they read anything: cut off earlier, they would see a reset."""
    file = tmp_path / "large"
    with file.open("wb") as out:
        out.truncate(100_000_000)
    in_own_process(send_as_ordinary_clients, str(file))


def send_as_ordinary_clients(file: str) -> None:
    before = most_megabytes()

    def ask_by_urllib(url: str) -> int:
        with Path(file).open("rb") as body:
            request = urllib.request.Request(url, data=body, headers={"Content-Length": "100000000"})
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=30)
        return refused.value.code

    def ask_by_curl(url: str, *options: str) -> str:
        command = ["curl", "--silent", "--max-time", "30", "--write-out", "%{http_code}", *options]
        done = subprocess.run(
            [*command, "--data-binary", f"@{file}", url], capture_output=True, text=True, check=False
        )
        return done.stdout

    async def attack() -> None:
        async with our_player(config=LIGHT) as server:
            url = f"http://127.0.0.1:{server.seats[0].port}/"
            assert await asyncio.to_thread(ask_by_urllib, url) == 413
            if shutil.which("curl"):
                assert await asyncio.to_thread(ask_by_curl, url) == "nil413"
                # Without asking first whether it may send so much:
                assert await asyncio.to_thread(ask_by_curl, url, "--header", "Expect:") == "nil413"

    asyncio.run(attack())
    assert most_megabytes() - before < 80


def test_slow_loris() -> None:
    """A byte now and then: each such connection ends after its time, and others are served meanwhile."""

    async def attack(server: PlayerServer) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.seats[0].port)
        begin = time.monotonic()
        ended = asyncio.ensure_future(reader.read())
        for byte in b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(((((((((((((((((((":
            if ended.done():
                break
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)
        assert b"408 Request Timeout" in await ended
        assert time.monotonic() - begin < 5
        writer.close()

    run_attack(attack)


def test_a_host_that_does_not_read_its_answers() -> None:
    async def attack(server: PlayerServer) -> None:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", server.seats[0].port)
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
            await writer.drain()
            writer.transport.abort()

    run_attack(attack)


def test_a_crowd_that_came_while_we_were_busy_is_heard() -> None:
    """Twice as many as there are places, all of whom have spoken before anybody was let in."""

    def crowd(port: int, busy: threading.Event) -> list[bytes]:
        with ExitStack() as stack:
            peers = [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), 30)) for _ in range(40)
            ]
            for peer in peers:
                peer.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
            busy.set()
            return [peer.recv(4096) for peer in peers]

    async def run() -> list[bytes]:
        async with our_player(config=LIGHT, limits=PeerLimits(connections=20)) as server:
            spoken = threading.Event()
            answers = asyncio.create_task(asyncio.to_thread(crowd, server.seats[0].port, spoken))
            await asyncio.sleep(0)
            assert spoken.wait(30)  # the loop stands still until all have sent their question
            return await answers

    answers = asyncio.run(run())
    assert [data.partition(b"\r\n")[0] for data in answers] == [b"HTTP/1.0 200 OK"] * 40


NASTY = {
    "unbalanced": "(" * 3000,
    "deep": "(PLAY m1 (" + "(a " * 2000 + ")" * 2000 + "))",
    "closing": ")" * 3000,
    "bars": "(PLAY m1 (" + "|" * 999 + "))",
    "a thousand moves": f"(PLAY m1 ({'push ' * 40_000}))",
    "a long move": f"(PLAY m1 ({'x' * 200_000} push))",
    "variables": "(PLAY m1 (?x ?y))",
    "a long id": f"(PLAY {'m' * 9999} NIL)",
    "huge clocks": f"(START m7 left ({one_line(DOOR)}) 1e308 1e308)",
    "rules for ever": "(START m7 left ((role left) (init (n z)) (<= (n (s ?x)) (n ?x)) "
    "(<= (init (n ?x)) (n ?x)) (n z) (legal left a) (<= terminal (true (n q))) (goal left 0)) 0.2 0.2)",
    "negation in a circle": "(START m7 left ((role left) (<= p (not q)) (<= q (not p)) (<= (legal left a) p) "
    "(<= terminal q) (goal left 0)) 0.2 0.2)",
    "many rules": f"(START m7 left ({'(role left)' * 20_000}) 0.2 0.2)",
    "preview": f"(PREVIEW ({'(p a)' * 20_000}) 0.2)",
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_messages(name: str) -> None:
    async def attack(server: PlayerServer) -> None:
        await ScriptedServer(f"http://127.0.0.1:{server.seats[0].port}").say(NASTY[name])

    run_attack(attack, PeerLimits(read_seconds=2, connections=16))


# -- bytes of any kind ------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [b"POST / HTTP/1.0\r\n", b"GET /(INFO) HTTP/1.1\r\n", b"HTTP/1.0 200 OK\r\n", b"\r\n", b"\n", b"\r\n\r\n",
     b"Content-Length: 7\r\n", b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n", b"ffffffff\r\n",
     b"3\r\nabc\r\n", b"0\r\n\r\n", b"(PLAY m1 NIL)", b"(((", b")))", b"|", b"\xff\xfe", b":"]
)  # fmt: skip
BYTES = st.lists(PIECES | st.binary(max_size=20), max_size=12).map(b"".join)


@given(BYTES)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    async def run() -> None:
        for read in (read_request, read_response):
            reader = asyncio.StreamReader(limit=1024)
            reader.feed_data(data)
            reader.feed_eof()
            try:
                found = await read(reader, PeerLimits(head_bytes=1024, body_bytes=4096))
            except WireError:
                continue
            assert len(found.body) <= 4096

    asyncio.run(run())


@pytest.mark.long
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(BYTES, min_size=1, max_size=8))
def test_a_player_survives_any_bytes(attempts: list[bytes]) -> None:
    async def run() -> None:
        async with our_player(config=LIGHT, limits=TIGHT) as server:
            host = host_of(server)
            for data in attempts:
                await host.send(data, half_close=True)
            assert await host.say(START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "push"

    asyncio.run(run())


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(BYTES | st.binary(max_size=300), min_size=1, max_size=8))
def test_a_host_survives_any_bytes(replies: list[bytes]) -> None:
    game = door()

    async def run() -> None:
        async with ScriptedPlayer([Raw(data) for data in replies]) as player:
            seat = RemoteSeat(player.url, game)
            turn = turn_of(Match(game), Briefing("m1", game.roles[0], game, QUICK))
            for _ in replies:
                reply = await seat.play(turn)
                match = Match(game)
                match.settle({game.roles[0]: reply})
                assert match.moves

    asyncio.run(run())


@pytest.mark.long
def test_hundreds_of_messages_leave_nothing_behind() -> None:
    """In a process of its own: here other tests have left things that may go or grow."""
    in_own_process(leave_nothing_behind)


def kept_things() -> tuple[int, int, int]:
    """Threads, open files and processes."""
    files = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    return threading.active_count(), files, len(descendants(os.getpid()))


def leave_nothing_behind() -> None:
    """Memory, threads, files and processes after many matches are those after a few."""

    async def run() -> None:
        async with our_player() as server:
            host = host_of(server)

            async def rounds(first: int, count: int) -> None:
                for number in range(first, first + count):
                    start = START.replace("m1", f"m{number}")
                    assert await host.say(start) == "ready"
                    assert await host.say(f"(PLAY m{number} NIL)") == "push"
                    assert await host.say("(rubbish") == "nil"
                    assert await host.say(f"(ABORT m{number})") == "aborted"
                host.exchanges.clear()

            await rounds(0, 15)
            while server.seats[0]._leaving:
                await asyncio.sleep(0.001)
            gc.collect()
            before, kept = most_megabytes(), kept_things()
            await rounds(15, 60)
            async with asyncio.timeout(30):
                while kept_things() != kept:
                    await asyncio.sleep(0.01)
            assert most_megabytes() - before < 20

    asyncio.run(run())
