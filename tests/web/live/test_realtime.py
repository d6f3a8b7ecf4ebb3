"""Live matches of realtime games: clicks act at once, views come in frames, records replay exactly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from ludorum.arena.world import RealtimeGame, WorldRecord, read_record, replay
from ludorum.arena.world.record import MOST_DROPPED
from ludorum.rules.library import Sheet, SheetInfo
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.source import Source
from ludorum.rules.terms import Term
from ludorum.web.live import GameText, MatchHub, MemoryJournal, Refused
from ludorum.web.live.plan import Json
from ludorum.web.live.realtime import running
from ludorum.web.live.realtime.moments import RecordTail
from tests.web.live.hubs import library_game, person, plan_of, player, run, running_hub, view_when

TAPS = """
(set realtime)
(role ann) (role bob)
(<= (init (taps ?p 0)) (role ?p))
(init (gone 0))
(<= (legal ?p tap) (role ?p) (not (true (taps ?p 3))))
(<= (tapped ?p) (does ?p tap))
(<= moved (tapped ?p))
(<= (next (taps ?p ?m)) (does ?p tap) (true (taps ?p ?n)) (succ ?n ?m))
(<= (next (taps ?p ?n)) (true (taps ?p ?n)) (not (tapped ?p)))
(<= (next (gone ?n)) (true (gone ?n)) moved)
(<= (next (gone ?m)) (true (gone ?n)) (not moved) (succ ?n ?m))
(<= terminal (true (taps ?p 3)))
(<= terminal (true (gone 400)))
(<= (goal ?p 100) (true (taps ?p 3)))
(<= (goal ?p 0) (role ?p) (not (true (taps ?p 3))))
""" + " ".join(f"(succ {n} {n + 1})" for n in range(400))
"""Who taps three times first wins; after four seconds nobody does."""
GAME = GameText("taps", "Taps", "wdl", TAPS, True)
SEATS = {"ann": person("ann"), "bob": person("bob")}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PAUSE_SECONDS", 0.05)


@asynccontextmanager
async def two_at_it(journal: MemoryJournal | None = None) -> AsyncIterator[MatchHub]:
    """A hub with a match of two people that both look at."""
    async with running_hub(journal) as hub:
        await hub.create(plan_of(GAME, SEATS))
        async with hub.subscribe("m1", "u:ann"), hub.subscribe("m1", "u:bob"):
            await view_when(hub, None, lambda view: view["realtime"]["is_running"])
            yield hub


async def tap(hub: MatchHub, user: str) -> None:
    await hub.act("m1", user, {"type": "move", "move": "tap"})


def is_over(view: Json) -> bool:
    return view["how"] is not None


def after(step: int) -> Callable[[Json], bool]:
    return lambda view: view["step"] == step


def states_of(record: Json, text: str = TAPS) -> list[frozenset[object]]:
    sheet, _ = read_wdl_sheet(Sheet("taps", "wdl", Source("taps", text), SheetInfo()))
    lines = [json.dumps(line) + "\n" for line in record["world"]]
    return [state.facts for state in replay(read_record(lines), RealtimeGame(sheet).master)]


@pytest.mark.spec("wdl", 27)
def test_clicks_act_at_once_and_the_match_is_kept_and_replayed() -> None:
    async def play() -> tuple[Json, Json, Json]:
        async with two_at_it() as hub:
            for number, user in enumerate(["u:ann", "u:bob", "u:ann", "u:ann"], start=1):
                await tap(hub, user)
                if number < 4:
                    await view_when(hub, None, after(number))
            view = await view_when(hub, "u:ann", is_over)
            return view, await hub.record_for("m1", None), await hub.step_for("m1", None, 2)

    view, record, step = run(play())
    assert view["result"] == {"ann": 100, "bob": 0}
    assert [line["words"] for line in view["moves"]] == ["ann tap", "bob tap", "ann tap", "ann tap"]
    assert [line["words"] for line in step["moves"]] == ["ann tap", "bob tap"]
    assert record["world"][-1] == {"goals": {"ann": ["100"], "bob": ["0"]}}
    last = states_of(record)[-1]
    assert {"(taps ann 3)", "(taps bob 1)"} <= set(map(str, last))


def test_a_match_that_was_kept_shows_the_same_when_it_is_loaded_again() -> None:
    async def play() -> tuple[Json, Json, Json, Json]:
        journal = MemoryJournal()
        async with two_at_it(journal) as hub:
            for number in range(1, 4):
                await tap(hub, "u:bob")
                if number < 3:
                    await view_when(hub, None, after(number))
            await view_when(hub, None, is_over)
            first = await hub.view_for("m1", "u:ann"), await hub.record_for("m1", None)
        async with running_hub(journal) as hub:
            return *first, await hub.view_for("m1", "u:ann"), await hub.record_for("m1", None)

    view, record, view_again, record_again = run(play())
    assert record_again == record
    here = [{**one, "is_here": False} for one in view["roles"]]
    view |= {"roles": here, "spectators": 0, "realtime": view["realtime"] | {"is_running": False}}
    assert view_again == view


@pytest.mark.long
def test_views_come_in_frames_and_no_state_is_lost() -> None:
    async def play() -> tuple[list[Json], Json]:
        seen = []
        async with two_at_it() as hub, hub.subscribe("m1", None) as views:
            async for view in views:
                seen.append(view)
                if is_over(view):
                    return seen, await hub.record_for("m1", None)
        raise AssertionError("the views ended before")

    seen, record = run(play())
    assert len(seen) <= 4 / running.FRAME_SECONDS + 10, "four seconds of four hundred ticks"
    assert seen[-1]["realtime"]["seconds"] == 4.0
    assert seen[-1]["result"] == {"ann": 0, "bob": 0}
    assert len(states_of(record)) == 401


def test_a_page_that_comes_back_sees_where_the_match_is() -> None:
    async def play() -> tuple[Json, Json]:
        async with two_at_it() as hub:
            await tap(hub, "u:ann")
            away = await view_when(hub, "u:ann", after(1))
            await tap(hub, "u:bob")
            return away, await view_when(hub, "u:ann", after(2))

    away, back = run(play())
    assert away["phase"] == back["phase"] == "choice"
    assert [choice["words"] for choice in back["choices"]] == ["tap"]
    assert back["realtime"]["seconds"] >= away["realtime"]["seconds"]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"type": "pause"}, "waits for nobody"),
        ({"type": "offer", "what": "takeback"}, "waits for nobody"),
        ({"type": "offer", "what": "draw"}, "waits for nobody"),
        ({"type": "premove", "move": "tap"}, "waits for nobody"),
        ({"type": "move", "move": "(("}, "no move"),
        ({"type": "move", "move": 3}, "a short text"),
    ],
)
def test_what_realtime_does_not_know_is_refused(message: Json, why: str) -> None:
    async def play() -> None:
        async with two_at_it() as hub:
            with pytest.raises(Refused, match=why):
                await hub.act("m1", "u:ann", message)
            with pytest.raises(Refused, match="only people at the match"):
                await hub.act("m1", "u:eve", {"type": "move", "move": "tap"})
            # What is not legal is heard, and dropped without a word.
            await hub.act("m1", "u:ann", {"type": "move", "move": "(fly away)"})
            await tap(hub, "u:ann")
            assert (await view_when(hub, None, after(1)))["moves"][-1]["words"] == "ann tap"

    run(play())


def test_a_move_that_comes_after_the_end_is_dropped_without_a_word() -> None:
    async def play() -> tuple[Json, Json]:
        async with two_at_it() as hub:
            for number in range(1, 4):
                await tap(hub, "u:ann")
                await view_when(hub, None, after(number))
            await tap(hub, "u:bob")  # as the match ends
            before = await view_when(hub, None, is_over)
            await tap(hub, "u:bob")  # and later
            return before, await hub.view_for("m1", None)

    before, later = run(play())
    assert before["how"] == "rules"
    assert later["moves"] == before["moves"]


def test_a_flood_of_dropped_moves_takes_a_line_of_the_journal_at_a_time() -> None:
    record = WorldRecord("m1", "tap", "", ("ann",), 1, True)
    tail = RecordTail()
    for _ in range(MOST_DROPPED):
        record.add_dropped(Term("ann"), Term("nonsense"))
    assert len(tail.take(record)) == MOST_DROPPED
    for flood in (1, 1000):
        for _ in range(flood):
            record.add_dropped(Term("ann"), Term("nonsense"))
        assert tail.take(record) == ({"more_dropped": record.more_dropped},)
    assert tail.take(record) == ()
    assert record.more_dropped == {"ann": 1001}


@pytest.mark.long
def test_who_resigns_ends_the_clock() -> None:
    async def play() -> tuple[Json, Json]:
        async with two_at_it() as hub:
            await tap(hub, "u:ann")
            await view_when(hub, None, after(1))
            await hub.act("m1", "u:bob", {"type": "resign"})
            return await hub.view_for("m1", "u:ann"), await hub.record_for("m1", None)

    view, record = run(play())
    assert (view["phase"], view["result"]) == ("resigned", {"ann": 100, "bob": 0})
    assert view["realtime"]["is_running"] is False
    assert sum("moves" in line for line in record["world"]) == 1
    states_of(record)


@pytest.mark.long
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_match_whose_server_stops_is_over_and_says_so(is_killed: bool) -> None:
    async def play() -> tuple[Json, Json]:
        journal = MemoryJournal()
        async with two_at_it(journal) as hub:
            await tap(hub, "u:ann")
            await view_when(hub, None, after(1))
            if is_killed:
                await asyncio.sleep(running.WRITE_SECONDS + 0.5)  # until this has been written down
            kept = MemoryJournal()
            kept.events = {"m1": list(journal.events["m1"])}
        async with running_hub(kept if is_killed else journal) as hub:
            await hub.resume("m1")
            return await hub.view_for("m1", "u:ann"), await hub.record_for("m1", None)

    view, record = run(play())
    assert (view["how"], view["result"], view["asked"]) == ("stopped", None, running.STOPPED)
    assert [line["words"] for line in view["moves"]] == ["ann tap"]
    states_of(record)


def test_players_that_cannot_act_in_realtime_are_refused_and_so_are_reports() -> None:
    async def play() -> None:
        async with running_hub() as hub:
            with pytest.raises(Refused, match="mcts cannot act in realtime: there are champion"):
                await hub.create(plan_of(GAME, SEATS | {"bob": player("mcts")}))
            with pytest.raises(Refused, match="no rounds"):
                await hub.begin_report(GAME)

    run(play())


@pytest.mark.long
def test_a_player_acts_by_itself() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            game = library_game("pursuit")
            await hub.create(plan_of(game, {"red": person("ann"), "blue": player("random")}))
            async with hub.subscribe("m1", "u:ann") as views:
                async for view in views:
                    if is_over(view):
                        return view
        raise AssertionError("the views ended before")

    view = run(play())
    assert view["how"] == "rules"
    assert {line["words"].split()[0] for line in view["moves"]} == {"blue"}
    assert set(view["result"]) == {"red", "blue"}
