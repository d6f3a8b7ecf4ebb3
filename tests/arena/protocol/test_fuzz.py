"""Mutated messages over real sockets: both ends live through them, others wait for nothing, memory stays."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.match.referee import Referee
from ludorum.arena.protocol import RemoteSeat
from ludorum.arena.testing import Act, Heard, Later, Raw, Reset, ScriptedPlayer, ScriptedServer, Silence
from ludorum.engine.load import load_game
from ludorum.players import RandomPlayer
from ludorum.rules.terms import format_term
from tests.arena.protocol.loopback import QUICK, door, one_line, our_player, play_at, url_of
from tests.arena.protocol.makers import always
from tests.arena.protocol.mutations import SENSIBLE_REPLIES, SENSIBLE_REQUESTS, mutated
from tests.arena.protocol.player_process import RunningPlayer, player_process
from tests.how_much import some
from tests.own_process import in_own_process, most_megabytes
from tests.small_games import DOOR

MOST_GROWTH = 64.0
"""Megabytes that messages may leave behind with a host …"""
MOST_GAMES = 192.0
"""… and with a player, which makes games of whatever rules can still be read, and keeps the last few."""
START = f"(START other left ({one_line(DOOR)}) 2 2)"


DOOR_GAME, TICTACTOE = door(), load_game("tictactoe")
"""Made once: what is measured is what messages leave behind, not what engines do."""


def memory_of(process: int) -> float:
    """Megabytes that a process has now."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no such line")


async def assault(url: str, data: bytes, chance: random.Random) -> None:
    """Send bytes and leave, in one of the ways in which peers leave."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    with suppress(ConnectionError):
        cut = chance.randrange(len(data) + 1) if chance.random() < 0.3 else len(data)
        writer.write(data[:cut])
        await writer.drain()
        writer.write(data[cut:])
        if chance.random() < 0.5:
            writer.write_eof()
        if chance.random() < 0.7:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    await reader.read()
    writer.transport.abort()


async def other_match(host: ScriptedServer, until: asyncio.Event) -> int:
    """A match beside the assault: every answer is right and in time. How many there were."""
    assert await host.say(START) == "ready"
    asked = 0
    while not until.is_set() or not asked:
        begin = time.monotonic()
        assert await host.say("(PLAY other NIL)") in ("push", "wait")
        assert time.monotonic() - begin < 7  # the clock, and the most that hosts allow for the way
        asked += 1
    assert await host.say("(ABORT other)") == "aborted"
    return asked


async def whole_match(urls: list[str], match_id: str = "after") -> Match:
    game = TICTACTOE
    match, _ = await play_at(
        game, dict(zip(game.roles, urls, strict=True)), match_id=match_id, clocks=Clocks(5, 2)
    )
    return match


async def assaults(player: RunningPlayer, first: int, count: int) -> int:
    """So many at eight a time, on both ports, beside a match."""
    urls = [f"http://127.0.0.1:{port}" for port in player.ports]
    over, gate = asyncio.Event(), asyncio.Semaphore(8)

    async def one(number: int) -> None:
        chance = random.Random(number)
        async with gate:
            await assault(urls[number % 2], mutated(chance, SENSIBLE_REQUESTS), chance)

    beside = asyncio.create_task(other_match(ScriptedServer(urls[0]), over))
    await asyncio.gather(*map(one, range(first, first + count)))
    over.set()
    return await beside


async def until_available(urls: list[str]) -> None:
    """Until matches that nobody goes on with are given up: some requests were good enough to begin one."""
    async with asyncio.timeout(600):
        for url in urls:
            while "available" not in await ScriptedServer(url).say("(INFO)"):
                await asyncio.sleep(0.2)


def assault_player(rounds: int, size: int) -> None:
    with player_process("--as", "random", "--matches", "100", seats=2) as player:
        urls = [f"http://127.0.0.1:{port}" for port in player.ports]

        async def run() -> None:
            assert await assaults(player, 0, size) > 0
            assert (await whole_match(urls, "first")).faults == []
            before = memory_of(player.process.pid)
            for number in range(1, rounds):
                assert await assaults(player, number * size, size) > 0
            await until_available(urls)
            match = await whole_match(urls)
            assert match.is_over
            assert match.faults == []
            assert memory_of(player.process.pid) - before < MOST_GAMES

        asyncio.run(run())
        assert player.process.poll() is None


@pytest.mark.long
def test_a_player_lives_through_hundreds_of_mutated_requests() -> None:
    assault_player(rounds=some(3), size=150)


@pytest.mark.slow
def test_a_player_lives_through_thousands_of_mutated_requests() -> None:
    assault_player(rounds=10, size=1000)


@pytest.mark.long
@settings(max_examples=some(15), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=6), st.booleans())
def test_a_player_answers_after_any_mutated_requests(seeds: list[int], half_close: bool) -> None:
    async def run() -> None:
        async with our_player(matches=20) as server:
            host = ScriptedServer(url_of(server))
            for seed in seeds:
                data = mutated(random.Random(seed), SENSIBLE_REQUESTS)
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        said = await host.send(data, half_close=half_close)
                        assert said.startswith(b"HTTP/1.0 ")
            assert await host.say(START) == "ready"
            assert await host.say("(PLAY other NIL)") == "push"

    asyncio.run(run())


# -- the host ---------------------------------------------------------------------------------------------


def mad_script(seed: int) -> Callable[[Heard], Act]:
    """Answers that were sensible once, some of them late, lost or never."""
    chance = random.Random(seed)

    def script(heard: Heard) -> Act:
        draw = chance.random()
        if draw < 0.05:
            return Later(0.3, "push")
        if draw < 0.08:
            return Silence()
        return Reset() if draw < 0.12 else Raw(mutated(chance, SENSIBLE_REPLIES))

    return script


async def mad_match(seed: int, clocks: Clocks) -> Match:
    game = DOOR_GAME
    left, right = game.roles
    async with ScriptedPlayer(script=mad_script(seed)) as mad, ScriptedPlayer(["wait"] * 9) as calm:
        seats = {left: RemoteSeat(mad.url, game), right: RemoteSeat(calm.url, game)}
        match = await Referee(Match(game, seed, match_id=f"m{seed}"), seats, clocks).run()
    assert match.is_over
    noted = {(fault.step, format_term(fault.role)) for fault in match.faults}
    assert {role for _, role in noted} <= {"left"}
    match.record()
    return match


HURRIED = Clocks(1.5, 1.5, connect=5, start_grace=0, play_grace=0)


async def mad_matches(first: int, count: int) -> list[Match]:
    """So many matches with a mad player, four at a time, beside one among ourselves that must not suffer."""
    gate = asyncio.Semaphore(4)

    async def one(seed: int) -> Match:
        async with gate:
            return await mad_match(seed, HURRIED)

    async def beside() -> None:
        async with our_player(always(RandomPlayer, 1), 2) as server:
            match = await whole_match([url_of(server, 0), url_of(server, 1)], f"beside{first}")
            assert match.faults == []

    done, _ = await asyncio.gather(asyncio.gather(*map(one, range(first, first + count))), beside())
    return list(done)


def assault_host(rounds: int, size: int) -> None:
    """In a process of its own, so that its memory is its own."""
    in_own_process(host_under_assault, rounds, size, seconds=900)


def host_under_assault(rounds: int, size: int) -> None:
    def play(first: int) -> None:
        matches = asyncio.run(mad_matches(first, size))
        assert any(match.faults for match in matches)

    play(0)
    before = most_megabytes()
    for number in range(1, rounds):
        play(number * size)
    assert most_megabytes() - before < MOST_GROWTH


@pytest.mark.long
def test_a_host_lives_through_mad_players() -> None:
    assault_host(rounds=some(3), size=15)


@pytest.mark.slow
def test_a_host_lives_through_hundreds_of_mad_players() -> None:
    assault_host(rounds=10, size=100)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 2**32), min_size=3, max_size=3))
def test_a_match_ends_whatever_is_answered(seeds: list[int]) -> None:
    game = DOOR_GAME
    replies = [Raw(mutated(random.Random(seed), SENSIBLE_REPLIES)) for seed in seeds]

    async def run() -> Match:
        waiting = iter(replies)
        mad = ScriptedPlayer(script=lambda heard: next(waiting, "done"))
        async with mad, ScriptedPlayer(["wait"] * 9) as calm:
            urls = zip(game.roles, (mad.url, calm.url), strict=True)
            seats = {role: RemoteSeat(url, game) for role, url in urls}
            return await Referee(Match(game, match_id="m1"), seats, QUICK).run()

    match = asyncio.run(run())
    assert match.is_over
    assert all(fault.role is game.roles[0] for fault in match.faults)
