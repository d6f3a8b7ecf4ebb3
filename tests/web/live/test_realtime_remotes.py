"""Players elsewhere in realtime matches of the web application: told the clock, heard by their replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest

from ludorum.arena.protocol import PlayerConfig, PlayerServer
from ludorum.arena.protocol.dialects import Language
from ludorum.arena.testing import Act, Heard, ScriptedPlayer
from ludorum.arena.world.desk import RealtimeDesk
from ludorum.web.live import GameText, MatchHub, Refused
from ludorum.web.live.plan import Json
from ludorum.web.live.realtime import running
from tests.arena.protocol.makers import named
from tests.web.live.hubs import person, plan_of, player, run, running_hub, view_when
from tests.web.live.remote_players import Book
from tests.web.live.test_realtime import GAME, SEATS, after, is_over, tap
from tests.web.live.test_realtime_of_strangers import of_a_stranger

FAR = {"ann": person("ann"), "bob": player("remote:far")}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PAUSE_SECONDS", 0.05)


class Tapper:
    """Taps three times, each time with its reply to the next message but one."""

    def __init__(self, taps: int = 3) -> None:
        self.left = taps
        self.at = 0

    def __call__(self, heard: Heard) -> Act:
        match heard.keyword:
            case "info":
                return "((name tapper) (status available))"
            case "start":
                return "ready"
            case "clock" | "play":
                self.at += 1
                if self.left and self.at % 2 == 0:
                    self.left -= 1
                    return "tap"
                return "nil"
        return "done"


@asynccontextmanager
async def hub_with(script: Callable[[Heard], Act]) -> AsyncIterator[tuple[MatchHub, Book, ScriptedPlayer]]:
    async with AsyncExitStack() as stack:
        far = await stack.enter_async_context(ScriptedPlayer(script=script))
        book = Book(far=far.url)
        yield await stack.enter_async_context(running_hub(remotes=book)), book, far


@pytest.mark.parametrize("game", [GAME, of_a_stranger(GAME)], ids=["library", "stranger"])
def test_a_player_elsewhere_is_told_the_clock_and_acts_by_its_replies(game: GameText) -> None:
    async def play() -> tuple[Json, list[str], Book]:
        async with hub_with(Tapper()) as (hub, book, far):
            await hub.create(plan_of(game, FAR))
            async with hub.subscribe("m1", "u:ann"):
                view = await view_when(hub, "u:ann", is_over)
            return view, far.texts, book

    view, texts, book = run(play())
    assert view["result"] == {"ann": 0, "bob": 100}
    assert [line["words"] for line in view["moves"]] == ["bob tap"] * 3
    assert texts[0].lower().startswith("( start m")
    assert "(set realtime)" in texts[0].lower()
    assert texts[0].endswith(f" 10 {running.LONGEST_SECONDS:g} )"), "the seconds to prepare, and of the match"
    assert "m1 " not in texts[0][:20], "the name on the wire is known to players elsewhere alone"
    words = [text.split()[1] for text in texts]
    assert words[-1] == "STOP"
    assert words.count("PLAY") == 2
    assert "CLOCK" in words
    assert book.notes == [("remote:far", True)]


def test_who_resigns_sends_the_player_elsewhere_away() -> None:
    async def play() -> list[str]:
        async with hub_with(Tapper(0)) as (hub, _, far):
            await hub.create(plan_of(GAME, FAR))
            async with hub.subscribe("m1", "u:ann"):
                await view_when(hub, "u:ann", lambda view: view["realtime"]["is_running"])
                await tap(hub, "u:ann")
                await view_when(hub, "u:ann", after(1))
                await hub.act("m1", "u:ann", {"type": "resign"})
                while not any(text.startswith("( ABORT") for text in far.texts):
                    await asyncio.sleep(0.01)
            return far.texts

    assert sum(text.startswith("( ABORT") for text in run(play())) == 1


def test_one_that_goes_away_is_remarked_and_the_match_goes_on() -> None:
    def leaves(heard: Heard) -> Act:
        return "ready" if heard.keyword == "start" else "busy"

    async def play() -> tuple[Json, Json, Book]:
        async with AsyncExitStack() as stack:
            far = ScriptedPlayer(script=leaves)
            await far.__aenter__()
            book = Book(far=far.url)
            hub = await stack.enter_async_context(running_hub(remotes=book))
            await hub.create(plan_of(GAME, FAR))
            async with hub.subscribe("m1", "u:ann"):
                await view_when(hub, "u:ann", lambda view: view["realtime"]["is_running"])
                await far.__aexit__(None, None, None)
                gone = await view_when(hub, "u:ann", lambda view: view["roles"][1]["remark"] != "")
                for number in range(1, 4):
                    await tap(hub, "u:ann")
                    await view_when(hub, "u:ann", after(number))
                return gone, await view_when(hub, "u:ann", is_over), book

    gone, over, book = run(play())
    assert gone["roles"][1]["remark"] == "does not answer"
    assert over["result"] == {"ann": 100, "bob": 0}
    assert book.notes == [("remote:far", True), ("remote:far", False)]


def test_it_is_in_one_match_at_a_time() -> None:
    async def play() -> tuple[str, Json]:
        async with hub_with(Tapper(0)) as (hub, _, far):
            await hub.create(plan_of(GAME, FAR))
            async with hub.subscribe("m1", "u:ann"):
                await view_when(hub, "u:ann", lambda view: view["realtime"]["is_running"])
                await hub.create(plan_of(GAME, FAR, "m2"))
                waits = await view_when(hub, "u:ann", lambda view: view["roles"][1]["remark"] != "", "m2")
                await hub.act("m1", "u:ann", {"type": "resign"})
            async with hub.subscribe("m2", "u:ann"):
                begun = await view_when(hub, "u:ann", lambda view: view["realtime"]["is_running"], "m2")
            assert sum(text.startswith("( START") for text in far.texts) == 2
            return waits["roles"][1]["remark"], begun

    remark, begun = run(play())
    assert remark == "plays another match first"
    assert begun["roles"][1]["remark"] == ""


def test_players_that_cannot_follow_a_clock_are_refused() -> None:
    async def play() -> None:
        async with hub_with(Tapper()) as (hub, book, _):
            book.languages["remote:far"] = Language.GDL
            with pytest.raises(Refused, match="registered as speaking GDL"):
                await hub.create(plan_of(GAME, FAR))
            with pytest.raises(Refused, match="no player is registered as remote:other"):
                await hub.create(plan_of(GAME, SEATS | {"bob": player("remote:other")}))
            with pytest.raises(Refused, match="one seat of a match"):
                await hub.create(plan_of(GAME, FAR | {"ann": player("remote:far")}))
            book.languages["remote:far"] = Language.WDL
            await hub.create(
                plan_of(GAME, FAR | {"ann": replace(person("ann"), kind="open", user="", name="")})
            )

    run(play())


@pytest.mark.long
def test_a_player_of_ours_behind_a_port_plays_in_realtime() -> None:
    async def play() -> Json:
        async with AsyncExitStack() as stack:
            config = PlayerConfig(processes=False, realtime=partial(RealtimeDesk, "random", 1))
            server = PlayerServer(named("legal"), config)
            (port,) = await server.open()
            stack.push_async_callback(server.close)
            book = Book(far=f"http://127.0.0.1:{port}")
            hub = await stack.enter_async_context(running_hub(remotes=book))
            await hub.create(plan_of(GAME, FAR))
            async with hub.subscribe("m1", "u:ann"):
                return await view_when(hub, "u:ann", is_over)

    assert run(play())["result"] == {"ann": 0, "bob": 100}
