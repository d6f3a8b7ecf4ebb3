"""A match is rebuilt from its journal, wherever the server was killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from ludorum.web.live import (
    FileJournal,
    Journal,
    MatchHub,
    MatchPlan,
    MemoryJournal,
    Overtaken,
    Refused,
    SetTime,
)
from ludorum.web.live import hub as hub_module
from ludorum.web.live.events import event_from_json
from ludorum.web.live.live_match import LiveMatch
from ludorum.web.live.plan import Json, SeatPlan
from tests.web.live.hubs import (
    PATIENCE,
    TWO,
    person,
    plan_of,
    play_to_the_end,
    player,
    run,
    running_hub,
    view_when,
)

USERS = ("u:ann", "u:bob", None)


@dataclass(frozen=True)
class Quiet:
    """A moment in which nothing goes on."""

    events: int
    time: float
    views: list[Json]


async def views_of(hub: MatchHub) -> list[Json]:
    return [await hub.view_for("m1", user) for user in USERS]


async def play_script(plan: MatchPlan, script: Iterable[tuple[str, Json]]) -> tuple[list[Json], list[Quiet]]:
    """Play messages of people; the journal, and what was seen after each."""
    journal, time = MemoryJournal(), SetTime()
    numbers = count(2)
    async with running_hub(journal, time, new_id=lambda: f"m{next(numbers)}") as hub:
        await hub.create(plan)
        quiet = [Quiet(len(journal.events["m1"]), time.now(), await views_of(hub))]
        for user, message in script:
            time.advance(3.0)
            if message["type"] == "sit":
                await hub.take_seat("m1", message["role"], user, user[2:])
            else:
                view = await hub.view_for("m1", user)
                await hub.act("m1", user, {"step": view["step"]} | message)
            quiet.append(Quiet(len(journal.events["m1"]), time.now(), await views_of(hub)))
        return journal.events["m1"], quiet


async def check_every_kill(events: list[Json], quiet: list[Quiet]) -> None:
    for number in range(1, len(events) + 1):
        moment = next(one for one in quiet if one.events >= number)
        journal = MemoryJournal()
        journal.events["m1"] = events[:number]
        async with running_hub(journal, SetTime(moment.time), new_id=lambda: "m2") as hub:
            assert await views_of(hub) == moment.views, f"killed after event {number}: {events[number - 1]}"


MANNERS: list[tuple[str, Json]] = [
    ("u:bob", {"type": "sit", "role": "oplayer"}),
    ("u:bob", {"type": "premove", "move": "(mark 1 2)"}),
    ("u:ann", {"type": "chat", "text": "good luck"}),
    ("u:ann", {"type": "move", "move": "(mark 1 1)"}),
    ("u:bob", {"type": "offer", "what": "draw"}),
    ("u:ann", {"type": "answer", "what": "draw", "accept": False}),
    ("u:bob", {"type": "premove", "move": "(mark 2 2)"}),
    ("u:bob", {"type": "premove", "move": None}),
    ("u:ann", {"type": "move", "move": "(mark 2 2)"}),
    ("u:ann", {"type": "offer", "what": "takeback"}),
    ("u:bob", {"type": "answer", "what": "takeback", "accept": True}),
    ("u:bob", {"type": "pause"}),
    ("u:ann", {"type": "answer", "what": "pause", "accept": True}),
    ("u:ann", {"type": "resume"}),
    ("u:bob", {"type": "resume"}),
    ("u:bob", {"type": "premove", "move": "(mark 3 3)"}),
    ("u:ann", {"type": "move", "move": "(mark 3 3)"}),
    ("u:bob", {"type": "resign"}),
    ("u:ann", {"type": "offer", "what": "rematch", "swap": True}),
    ("u:bob", {"type": "answer", "what": "rematch", "accept": True}),
]


@pytest.mark.long
def test_a_match_with_all_manners_is_the_same_after_a_kill_at_every_event() -> None:
    async def play() -> list[str]:
        seats = {"xplayer": person("ann"), "oplayer": SeatPlan("open")}
        plan = plan_of("tictactoe", seats, base=60.0, increment=2.0)
        events, quiet = await play_script(plan, MANNERS)
        await check_every_kill(events, quiet)
        return [event["kind"] for event in events]

    kinds = run(play())
    assert set(kinds) == {
        *("created", "seated", "began", "moved", "premoved"),
        *("offered", "answered", "ended", "rematched", "chatted"),
    }


@pytest.mark.parametrize(
    "game", ["kuhn_poker", pytest.param("krieg_tictactoe", marks=pytest.mark.long), "rock_paper_scissors"]
)
def test_hidden_and_simultaneous_matches_are_the_same_after_a_kill_at_every_event(game: str) -> None:
    async def play() -> int:
        journal = MemoryJournal()
        quiet: list[Quiet] = []
        time = SetTime()
        async with running_hub(journal, time) as hub:
            text = plan_of(game, {}).game
            roles = (await hub.examine(text))["roles"]
            await hub.create(plan_of(game, dict(zip(roles, (person("ann"), person("bob")), strict=True))))
            quiet.append(Quiet(len(journal.events["m1"]), time.now(), await views_of(hub)))
            while (view := quiet[-1].views[2])["how"] is None and len(quiet) < 12:
                user = next(
                    user
                    for user, seen in zip(USERS, quiet[-1].views, strict=True)
                    if seen["choices"] and seen["viewer"]
                )
                assert user is not None
                mine = quiet[-1].views[USERS.index(user)]["choices"]
                chosen = mine[len(quiet) % len(mine)]["move"]
                await hub.act("m1", user, {"type": "move", "step": view["step"], "move": chosen})
                quiet.append(Quiet(len(journal.events["m1"]), time.now(), await views_of(hub)))
        await check_every_kill(journal.events["m1"], quiet)
        return len(quiet)

    assert run(play()) > 2


def test_a_match_is_rebuilt_without_its_rules() -> None:
    async def play() -> tuple[list[Json], Json]:
        journal = MemoryJournal()
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", TWO))
            return journal.events["m1"], await play_to_the_end(hub, ["u:ann", "u:bob"])

    events, view = run(play())
    match = LiveMatch.rebuilt(map(event_from_json, events))
    assert (match.step, match.is_over) == (view["step"], True)
    assert match.end is not None
    assert match.end.result == view["result"]


def test_a_player_that_was_thinking_when_the_server_was_killed_is_asked_again() -> None:
    async def play() -> Json:
        journal = MemoryJournal()
        seats = {"xplayer": person("ann"), "oplayer": player("mcts")}
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", seats, think=60.0))
            await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 2 2)"})
        journal.events["m1"][0]["plan"]["think"] = 0.1
        async with running_hub(journal) as hub:
            await hub.resume("m1")
            return await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")

    assert run(play())["step"] == 2


def test_time_that_the_server_was_away_counts_for_nobody() -> None:
    async def play() -> object:
        journal = MemoryJournal()
        async with running_hub(journal, SetTime(1000.0)) as hub:
            await hub.create(plan_of("tictactoe", TWO, base=60.0))
        async with running_hub(journal, SetTime(9000.0)) as hub:
            return (await hub.view_for("m1", "u:ann"))["roles"][0]["clock"]

    assert run(play()) == {"left": 60.0, "running": True}


class Failing(MemoryJournal):
    """A journal on a disk that is full from some moment on."""

    is_full = False

    async def append(self, match_id: str, number: int, event: Json) -> None:
        if self.is_full:
            raise OSError("no space left")
        await super().append(match_id, number, event)


class Unsure(MemoryJournal):
    """A journal of which the answer to one event is lost."""

    is_unsure = False

    async def append(self, match_id: str, number: int, event: Json) -> None:
        await super().append(match_id, number, event)
        if self.is_unsure:
            self.is_unsure = False
            raise OSError("no answer")


def test_what_was_not_written_has_not_happened() -> None:
    async def play() -> tuple[Json, Json, Json]:
        journal = Failing()
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", TWO))
            before = await hub.view_for("m1", "u:ann")
            journal.is_full = True
            with pytest.raises(OSError, match="no space left"):
                await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 2 2)"})
            after = await hub.view_for("m1", "u:ann")
            journal.is_full = False
            await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 1 1)"})
            return before, after, await hub.view_for("m1", "u:ann")

    before, after, last = run(play())
    assert before == after
    assert [line["words"] for line in last["moves"]] == ["xplayer mark 1 1"]


def test_a_hub_lets_go_of_a_match_that_another_one_plays() -> None:
    """The second hub has loaded the match and made a move; the first one does not know of it."""

    async def play() -> tuple[list[Json], Json, float]:
        journal = MemoryJournal()
        async with running_hub(journal) as first, running_hub(journal) as second:
            await first.create(plan_of("tictactoe", TWO))
            async with first.subscribe("m1", "u:bob") as views:
                await anext(views)
                await second.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 2 2)"})
                with pytest.raises(Overtaken):
                    await first.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 1 1)"})
                rest = [view async for view in views]
            loaded = first.metrics()["matches_loaded"]
            return rest, await first.view_for("m1", "u:ann"), loaded

    rest, view, loaded = run(play())
    assert (rest, loaded) == ([], 0)
    assert [line["words"] for line in view["moves"]] == ["xplayer mark 2 2"]


def test_a_hub_that_was_wrongly_taken_for_overtaken_goes_on_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer to a commit was lost: the event is there although it seemed to fail."""
    monkeypatch.setattr(hub_module, "RETURN_SECONDS", 0.01)

    async def play() -> Json:
        journal = Unsure()
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": player("legal")}))
            journal.is_unsure = True
            with pytest.raises(OSError, match="no answer"):
                await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 2 2)"})
            with pytest.raises(Overtaken):
                await hub.act("m1", "u:ann", {"type": "chat", "text": "hello?"})
            while len(journal.events["m1"]) < 4:  # nobody asks for the match
                await asyncio.sleep(0.01)
            return await hub.view_for("m1", "u:ann")

    view = run(play())
    assert [line["words"] for line in view["moves"]] == ["xplayer mark 2 2", "oplayer mark 1 1"]


# -- a file -------------------------------------------------------------------------------------------------

PROGRAM = """
import asyncio, sys
from pathlib import Path
from ludorum.web.live import FileJournal
from tests.web.live.hubs import TWO, plan_of, running_hub

async def main():
    async with running_hub(FileJournal(Path(sys.argv[1]))) as hub:
        for number in range(1000):
            name = f"m{number}"
            await hub.create(plan_of("tictactoe", TWO, name))
            for user in ("u:ann", "u:bob", "u:ann", "u:bob"):
                view = await hub.view_for(name, user)
                move = view["choices"][0]["move"]
                await hub.act(name, user, {"type": "move", "step": view["step"], "move": move})
                print(name, view["step"], move, flush=True)

asyncio.run(main())
"""


def test_every_acknowledged_move_is_there_after_a_kill(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert server.stdout is not None
    told = [server.stdout.readline() for _ in range(11)]
    server.send_signal(signal.SIGKILL)
    told += server.stdout.readlines()
    server.wait(PATIENCE)

    async def joints(journal: Journal, name: str) -> list[tuple[str, ...]]:
        return LiveMatch.rebuilt(map(event_from_json, await journal.load(name))).joints

    found = {
        name: run(joints(FileJournal(tmp_path), name))
        for name in {line.split(maxsplit=1)[0] for line in told}
    }
    for line in told:
        name, step, move = line.rstrip("\n").split(" ", 2)
        assert move in found[name][int(step)]


def test_a_line_that_was_not_written_whole_is_dropped(tmp_path: Path) -> None:
    async def write() -> list[Json]:
        journal = FileJournal(tmp_path)
        await journal.append("m1", 0, {"kind": "a"})
        with (tmp_path / "m1.jsonl").open("ab") as file:
            file.write(b'{"kind": "b')
        seen = await journal.load("m1")
        await journal.append("m1", 1, {"kind": "c"})
        return [*seen, *await journal.load("m1")]

    assert run(write()) == [{"kind": "a"}, {"kind": "a"}, {"kind": "c"}]


@pytest.mark.parametrize("name", ["../m1", "", "a/b", ".hidden"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is no name of a match"):
        run(FileJournal(tmp_path).load(name))


def test_a_rebuilt_match_refuses_what_the_old_one_would_have_refused() -> None:
    async def play() -> str:
        journal = MemoryJournal()
        seats = {"left": person("ann"), "right": person("bob")}
        async with running_hub(journal) as hub:
            await hub.create(plan_of("rock_paper_scissors", seats))
            view = await hub.view_for("m1", "u:ann")
            chosen = {"type": "move", "step": 0, "move": view["choices"][0]["move"]}
            await hub.act("m1", "u:ann", chosen)
        async with running_hub(journal) as hub:
            with pytest.raises(Refused) as refused:
                await hub.act("m1", "u:ann", chosen)
            return str(refused.value)

    assert "has chosen already" in run(play())
