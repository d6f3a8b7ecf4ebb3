"""Hubs and people for tests of live matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, TypeVar

from ludorum.rules.library import find_sheet
from ludorum.web.live import GameText, Journal, MatchHub, MatchPlan, MemoryJournal, SeatPlan, SetTime
from ludorum.web.live.plan import Json

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds until a test gives up; the machine may be busy."""


@cache
def library_game(name: str) -> GameText:
    sheet = find_sheet(name)
    return GameText(name, sheet.info.title, sheet.language, sheet.source.text, True)


def person(name: str) -> SeatPlan:
    return SeatPlan("person", name, f"u:{name}")


def player(name: str) -> SeatPlan:
    return SeatPlan("player", name)


def plan_of(
    game: str | GameText,
    seats: dict[str, SeatPlan],
    match_id: str = "m1",
    base: float | None = None,
    increment: float = 0.0,
    think: float = 0.2,
    seed: int = 7,
    chat: bool = True,
) -> MatchPlan:
    text = library_game(game) if isinstance(game, str) else game
    return MatchPlan(match_id, text, seats, base, increment, think, seed, chat)


TWO = {"xplayer": person("ann"), "oplayer": person("bob")}
"""Two people at tictactoe."""


@asynccontextmanager
async def running_hub(
    journal: Journal | None = None, time: SetTime | None = None, **more: Any
) -> AsyncIterator[MatchHub]:
    hub = MatchHub(journal or MemoryJournal(), time=time or SetTime(), **more)
    await hub.start()
    try:
        yield hub
    finally:
        await hub.close()


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of a test's coroutine, which must not take for ever."""
    return asyncio.run(asyncio.wait_for(work, 4 * PATIENCE))


async def view_when(
    hub: MatchHub, user: str | None, wanted: Callable[[Json], bool], match_id: str = "m1"
) -> Json:
    """The first view of a user that is as wanted."""

    async def look() -> Json:
        async with hub.subscribe(match_id, user) as views:
            async for view in views:
                if wanted(view):
                    return view
        raise AssertionError("the views ended before")

    return await asyncio.wait_for(look(), PATIENCE)


async def move(hub: MatchHub, user: str, text: str | None = None, match_id: str = "m1") -> None:
    """Make a move, the first in the list where none is named."""
    view = await hub.view_for(match_id, user)
    chosen = view["choices"][0]["move"] if text is None else text
    await hub.act(match_id, user, {"type": "move", "step": view["step"], "move": chosen})


async def play_to_the_end(hub: MatchHub, users: list[str], match_id: str = "m1", at: int = 0) -> Json:
    """Let people make a move of their lists until the match is over; the last view of the first of them."""

    async def one(user: str) -> Json:
        async with hub.subscribe(match_id, user) as views:
            async for view in views:
                if view["result"] is not None or view["how"] is not None:
                    return view
                if view["phase"] == "choice":
                    chosen = view["choices"][at % len(view["choices"])]["move"]
                    await hub.act(match_id, user, {"type": "move", "step": view["step"], "move": chosen})
        raise AssertionError("the views ended before the match")

    ends = await asyncio.wait_for(asyncio.gather(*map(one, users)), 2 * PATIENCE)
    return ends[0]
