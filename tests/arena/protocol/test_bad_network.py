"""A network that drops, delays, garbles and cuts: every match ends, and every fault is written down."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import pytest

from ludorum._core import SplitMix64
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import ErrorCode, Match
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.spectator import publish, published_json
from ludorum.arena.testing import FaultyProxy, Heard, Trouble
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.players import RandomPlayer
from tests.arena.protocol.loopback import our_player, play_at, url_of
from tests.arena.protocol.makers import always

PATIENT = Clocks(1, 1, connect=5, start_grace=0.5, play_grace=0.5, abort=0.2)
HARMFUL = [trouble for trouble in Trouble if trouble not in (Trouble.NONE, Trouble.DELAY)]
Weather: TypeAlias = Callable[[Heard], Trouble]
CODES = {
    Trouble.DROP: ErrorCode.LOST,
    Trouble.RESET: ErrorCode.LOST,
    Trouble.RUBBISH: ErrorCode.LOST,
    Trouble.HTML: ErrorCode.LOST,
    Trouble.TRUNCATE: ErrorCode.ILLEGAL,
    Trouble.STALL: ErrorCode.LATE,
}


async def troubled(game: Game, trouble_of: Weather, seed: int = 0) -> tuple[Match, list[tuple[str, Trouble]]]:
    """A match in which the first role is reached through a bad network; what happened there."""
    roles = game.info.players
    async with (
        our_player(always(RandomPlayer, seed), len(roles)) as server,
        FaultyProxy(url_of(server), trouble_of, delay=0.1) as proxy,
    ):
        urls = {role: url_of(server, at) for at, role in enumerate(roles)} | {roles[0]: proxy.url}
        match, _ = await play_at(game, urls, seed=seed, clocks=PATIENT)
        return match, proxy.injected


@pytest.mark.long
@pytest.mark.parametrize("trouble", HARMFUL, ids=lambda trouble: trouble.value)
def test_each_trouble_is_noted_as_what_it_is(trouble: Trouble) -> None:
    plays = 0

    def second_move(heard: Heard) -> Trouble:
        nonlocal plays
        plays += heard.keyword == "play"
        return trouble if heard.keyword == "play" and plays == 3 else Trouble.NONE

    match, injected = asyncio.run(troubled(load_game("tictactoe"), second_move))
    assert match.is_over
    assert injected == [("play", trouble)]
    first = match.faults[0]
    assert (first.step, first.role, first.code) == (2, match.game.roles[0], CODES[trouble])
    if trouble is not Trouble.DROP:  # else the player has lost a move, and answers out of time
        assert len(match.faults) == 1


def test_a_delay_within_the_clock_is_no_fault() -> None:
    match, injected = asyncio.run(troubled(load_game("rock_paper_scissors"), lambda heard: Trouble.DELAY))
    assert match.is_over
    assert match.faults == []
    assert {trouble for _, trouble in injected} == {Trouble.DELAY}


def test_a_player_that_never_heard_of_the_match_loses_by_its_silence_not_ours() -> None:
    def no_start(heard: Heard) -> Trouble:
        return Trouble.DROP if heard.keyword == "start" else Trouble.NONE

    match, _ = asyncio.run(troubled(load_game("tictactoe"), no_start))
    assert match.is_over
    assert match.faults[0].step == -1
    assert [fault.text for fault in match.faults[1:]] == ["busy"] * len(match.moves)


async def storm(game: Game, count: int, share: int, at_once: int = 6) -> Counter[str]:
    """Matches in which one message of ``share`` meets with some trouble, for every role; what happened."""
    roles = game.info.players
    gate = asyncio.Semaphore(at_once)
    seen: Counter[str] = Counter()

    async def one(number: int) -> None:
        async with gate, our_player(always(RandomPlayer, number), len(roles)) as server:
            proxies = [
                FaultyProxy(url_of(server, at), _weather(100 * number + at, share), delay=0.05)
                for at in range(len(roles))
            ]
            for proxy in proxies:
                await proxy.open()
            urls = {role: proxy.url for role, proxy in zip(roles, proxies, strict=True)}
            match, _ = await play_at(game, urls, seed=number, match_id=f"m{number}", clocks=PATIENT)
            for proxy in proxies:
                await proxy.close()
            assert match.is_over
            for role, proxy in zip(roles, proxies, strict=True):
                asked = [
                    trouble
                    for keyword, trouble in proxy.injected
                    if keyword in ("start", "play") and trouble is not Trouble.DELAY
                ]
                seen.update(trouble.value for trouble in asked)
                noted = [fault for fault in match.faults if fault.role is role]
                assert len(noted) >= len(asked)
            data = published_json(publish(match.record(), PATIENT))
            assert record_faults(data) == []

    await asyncio.gather(*map(one, range(count)))
    return seen


def _weather(seed: int, share: int) -> Weather:
    chance = SplitMix64(seed)
    kinds = [trouble for trouble in Trouble if trouble is not Trouble.NONE]

    def trouble_of(heard: Heard) -> Trouble:
        return kinds[chance.below(len(kinds))] if chance.below(share) == 0 else Trouble.NONE

    return trouble_of


@pytest.mark.long
@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker", "rock_paper_scissors"])
def test_every_match_ends_in_a_storm(name: str) -> None:
    seen = asyncio.run(storm(load_game(name), 8, 6))
    assert sum(seen.values()) >= 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("tictactoe", 500), ("connect_four", 250), ("leduc_poker", 250)])
def test_a_thousand_matches_in_a_storm(name: str, count: int) -> None:
    seen = asyncio.run(storm(load_game(name), count, 10, at_once=12))
    assert set(seen) == {trouble.value for trouble in HARMFUL}
