"""Disks that are full, clients that go away, and lists that have to be told: a match gets over all of it."""

from __future__ import annotations

import asyncio

import pytest

from ludorum.web.live import MatchPlan, MemoryJournal, SeatPlan
from ludorum.web.live.events import End
from ludorum.web.live.plan import Json
from tests.web.live.hubs import (
    PATIENCE,
    TWO,
    move,
    person,
    plan_of,
    play_to_the_end,
    player,
    run,
    running_hub,
    view_when,
)


class SlowJournal(MemoryJournal):
    """A journal that writes only when it may, and says when it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.is_asked = asyncio.Event()

    async def append(self, match_id: str, number: int, event: Json) -> None:
        self.is_asked.set()
        await self.may_write.wait()
        await super().append(match_id, number, event)


def test_a_move_is_made_to_the_end_although_its_client_goes_away() -> None:
    async def play() -> Json:
        journal = SlowJournal()
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": player("legal")}))
            journal.may_write.clear()
            journal.is_asked.clear()
            message = {"type": "move", "step": 0, "move": "(mark 2 2)"}
            acting = asyncio.create_task(hub.act("m1", "u:ann", message))
            await journal.is_asked.wait()
            acting.cancel()
            await asyncio.sleep(0)
            journal.may_write.set()
            with pytest.raises(asyncio.CancelledError):
                await acting
            return await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")

    view = run(play())
    assert [line["words"] for line in view["moves"]] == ["xplayer mark 2 2", "oplayer mark 1 1"]


class FullJournal(MemoryJournal):
    """A journal on a disk that has no space for some events."""

    full_for = 0

    async def append(self, match_id: str, number: int, event: Json) -> None:
        if event["kind"] == "moved" and event["role"] == "oplayer" and self.full_for:
            self.full_for -= 1
            raise OSError("no space left")
        await super().append(match_id, number, event)


@pytest.mark.long
def test_a_player_whose_move_could_not_be_written_is_asked_again() -> None:
    async def play() -> tuple[Json, int]:
        journal = FullJournal()
        journal.full_for = 2
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": player("legal")}))
            await move(hub, "u:ann")
            view = await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")
            return view, journal.full_for

    view, left = run(play())
    assert (view["step"], left) == (2, 0)


class Lists:
    """A watcher that writes down what it is told."""

    def __init__(self, troubles: int = 0) -> None:
        self.told: list[str] = []
        self._troubles = troubles

    async def created(self, plan: MatchPlan) -> None:
        self.told.append(f"created {plan.id}")

    async def changed(
        self, match_id: str, state: str, step: int, seats: dict[str, SeatPlan], end: End | None
    ) -> None:
        if end is not None and self._troubles:
            self._troubles -= 1
            raise OSError("the database is away")
        names = ", ".join(seat.name or "?" for seat in seats.values())
        how = "" if end is None else f" by {end.how}: {end.result}"
        self.told.append(f"{state} at {step} with {names}{how}")


def test_lists_are_told_of_every_change() -> None:
    lists = Lists()

    async def play() -> None:
        async with running_hub(watcher=lists) as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": SeatPlan("open")}))
            await hub.take_seat("m1", "oplayer", "u:bob", "bob")
            await move(hub, "u:ann")
            await hub.act("m1", "u:bob", {"type": "resign"})

    run(play())
    assert lists.told == [
        "created m1",
        "open at 0 with ann, ?",
        "live at 0 with ann, bob",
        "live at 1 with ann, bob",
        "over at 1 with ann, bob by resigned: {'xplayer': 100, 'oplayer': 0}",
    ]


@pytest.mark.long
def test_lists_are_told_again_of_an_end_that_they_could_not_take() -> None:
    lists = Lists(troubles=1)

    async def play() -> None:
        async with running_hub(watcher=lists) as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await hub.act("m1", "u:ann", {"type": "resign"})

            async def wait() -> None:
                while not lists.told[-1].startswith("over"):
                    await asyncio.sleep(0.05)

            await asyncio.wait_for(wait(), PATIENCE)

    run(play())
    assert lists.told[-1] == "over at 0 with ann, bob by resigned: {'xplayer': 0, 'oplayer': 100}"


@pytest.mark.parametrize("was_live", [True, False])
def test_an_end_that_was_not_told_before_a_kill_is_told_when_a_live_match_is_resumed(was_live: bool) -> None:
    journal, lists = MemoryJournal(), Lists()

    async def play() -> None:
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await play_to_the_end(hub, ["u:ann", "u:bob"])
        async with running_hub(journal, watcher=lists) as hub:
            if was_live:
                await hub.resume("m1")
            else:
                await hub.view_for("m1", "u:ann")

    run(play())
    assert [line.split(" ")[0] for line in lists.told] == (["over"] if was_live else [])
