"""What peers can make us spend: time that other matches need, and memory, are bounded for every message."""

from __future__ import annotations

import asyncio
import os
import re
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.protocol import PeerLimits, PlayerServer
from ludorum.arena.protocol.brackets import Brackets, is_balanced
from ludorum.arena.protocol.messages import MessageError, Preview, Start, parse_message
from ludorum.arena.protocol.replies import parse_info_reply, parse_move_reply
from ludorum.arena.testing import ScriptedServer
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import LIGHT, host_of, our_player
from tests.arena.protocol.makers import always
from tests.arena.protocol.odd_players import Thoughtful
from tests.arena.protocol.test_hostile import START, pour, run_attack
from tests.own_process import in_own_process

INFO = b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)"


# -- crowds -----------------------------------------------------------------------------------------------


def test_silent_connections_do_not_keep_others_out() -> None:
    """They would last for ten seconds; a move may have to be made in one."""
    limits = PeerLimits(read_seconds=10, connections=8)

    async def run() -> tuple[bytes, float]:
        async with our_player(config=LIGHT, limits=limits) as server:
            port = server.seats[0].port
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(limits.connections)]
            async with asyncio.timeout(10):
                while server.seats[0]._http.connections < limits.connections:
                    await asyncio.sleep(0.01)
            begin = time.monotonic()
            crowded = await host_of(server).send(INFO)
            took = time.monotonic() - begin
            with suppress(ConnectionError):  # who has been silent for longest had to make room
                assert await idle[0][0].read() == b""
            for _, writer in idle:
                writer.close()
            return crowded, took

    crowded, took = asyncio.run(run())
    assert crowded.startswith(b"HTTP/1.0 200 OK\r\n")
    assert took < 5


@pytest.mark.long
def test_who_is_being_answered_is_not_cut_off() -> None:
    async def run() -> tuple[list[str], bytes]:
        limits = PeerLimits(connections=2)
        async with our_player(always(Thoughtful), config=LIGHT, limits=limits) as server:
            host = host_of(server)
            assert await host.say(START.replace(" 30 1)", " 30 5)")) == "ready"
            asked = [asyncio.ensure_future(host.say("(PLAY m1 NIL)")) for _ in range(2)]
            async with asyncio.timeout(10):
                while sum(server.seats[0]._http._tasks.values()) < 2:
                    await asyncio.sleep(0.001)
            crowded = await host.send(INFO)
            return await asyncio.gather(*asked), crowded

    answers, crowded = asyncio.run(run())
    assert answers == ["push", "push"]
    assert crowded.startswith(b"HTTP/1.0 503 Service Unavailable\r\n")


# -- texts that take long to read -------------------------------------------------------------------------


def test_brackets_that_close_one_by_one() -> None:
    """Without a length brackets tell the end: who counted them all for every byte would do nothing else."""

    async def attack(server: PlayerServer) -> None:
        await pour(server, b"POST / HTTP/1.0\r\n\r\n" + b"(" * 4_000_000, b")", 2000)

    run_attack(attack, PeerLimits(read_seconds=5, connections=8))


def test_brackets_are_counted_once() -> None:
    brackets = Brackets()
    brackets.feed(b"(" * 1_000_000 + b"|")
    begin = time.process_time()
    for _ in range(20_000):
        brackets.feed(b")")
    assert time.process_time() - begin < 2  # a hundred times that if the million were counted again
    assert not brackets.balanced


@given(st.lists(st.sampled_from([b"(", b")", b"|", b";", b"\n", b"\r", b"a", b" ", b"(|", b"|)", b";)"])))
def test_brackets_in_pieces_are_those_of_the_whole(pieces: list[bytes]) -> None:
    brackets = Brackets()
    for piece in pieces:
        brackets.feed(piece)
    whole = b"".join(pieces)
    quiet = re.sub(rb";[^\r\n]*|\|[^|\n]*\|", b"", whole)
    assert brackets.balanced == is_balanced(whole) == (quiet.count(b"(") <= quiet.count(b")"))


@pytest.mark.long
@pytest.mark.parametrize("reply", ['\\"' * 30_000, '"' * 60_001, "(" + "|" * 60_000, "a " * 30_000])
def test_no_reply_takes_long_to_read(reply: str) -> None:
    """The host reads replies where it keeps the clocks of all its matches."""
    begin = time.process_time()
    with suppress(MessageError):
        parse_move_reply(reply)
    parse_info_reply(reply)
    assert time.process_time() - begin < 2


def test_long_messages_leave_their_rules_unread() -> None:
    """Reading costs time that matches under way do not have; a match reads its rules in its own thread."""
    rules = "(p |a) ;b| c) ; (((\n" * 9000
    start = Start("m1", Term("left"), rules.strip(), 30, 1.5)
    assert parse_message(f"( Start m1 LEFT ({rules}) 30 1.5 7 (and more) )") == start
    assert parse_message(f"(PREVIEW ({rules}) 9)") == Preview(rules.strip(), 9)


LONG = [
    *("(PLAY m1 ({}))", "(START m1 left ({}", "(START m1 left {} 1 1)", "(START m1 left ({}))", "{}", "({})"),
    "(START m1 (left) ({}) 1 1)",
]


@pytest.mark.parametrize("text", LONG)
def test_long_texts_that_are_no_messages(text: str) -> None:
    with pytest.raises(MessageError):
        parse_message(text.format("(p a) b " * 20_000))


MEGABYTES = {
    "moves": f"(PLAY m1 ({'push ' * 700_000}))",
    "rules": f"(START m7 left ({'(p a)' * 700_000}) 0.2 0.2)",
    "brackets": f"(START m7 left ({'(' * 2_000_000}",
}


@pytest.mark.long
@pytest.mark.parametrize("what", MEGABYTES)
def test_megabytes(what: str) -> None:
    async def attack(server: PlayerServer) -> None:
        said = await ScriptedServer(f"http://127.0.0.1:{server.seats[0].port}").say(MEGABYTES[what])
        assert said in ("nil", "busy")

    run_attack(attack, PeerLimits(read_seconds=5, connections=16))


# -- rules that take long to understand -------------------------------------------------------------------


@pytest.mark.long
def test_rules_that_take_long_do_not_pile_up() -> None:
    """Matches begun and given up at once, of rules that nobody understands in time: some, then no more.

    In threads, which cannot be ended; processes can (``test_match_processes``). The threads end with a
    process of their own: here they would work on beside the tests that follow.
    """
    in_own_process(pile_up_rules)


def pile_up_rules() -> None:
    names = " ".join(f"(d {number})" for number in range(30))
    many = " ".join(f"?x{number}" for number in range(7))
    facts = " ".join(f"(d ?x{number})" for number in range(7))
    ending = "(legal left a) (<= terminal (true b)) (goal left 0)"
    rules = f"(role left) {names} (<= (init (at {many})) {facts}) {ending}"

    async def run() -> list[str]:
        async with our_player(config=LIGHT, processes=False) as server:
            host, said = host_of(server), []
            for number in range(8):
                said.append(await host.say(f"(START z{number} left ({rules}) 0.1 0.1)"))
                await host.say(f"(ABORT z{number})")
            server.seats[0]._leaving.clear()  # nobody needs to wait for them
            return said

    said = asyncio.run(run())
    print(said, flush=True)  # for whoever wonders why the process has failed
    os._exit(said != ["ready"] * 3 + ["busy"] * 5)  # at once: an ordinary end would wait for the threads
