"""Worker processes: they are reused, replaced when they die, and freed when their answer is not wanted."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

import pytest

from ludorum.web.live import GameText
from ludorum.web.live.child import Child, ChildError
from ludorum.web.live.child_process import NICE
from ludorum.web.live.plan import Json
from ludorum.web.live.pool import Pool, PoolError, PoolTask, Urgency
from tests.web.live.hubs import (
    PATIENCE,
    library_game,
    person,
    plan_of,
    player,
    run,
    running_hub,
    view_when,
)


@asynccontextmanager
async def running_pool(workers: int = 1, megabytes: float = 2000.0) -> AsyncIterator[Pool]:
    pool = Pool(workers, megabytes)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def move_request(
    name: str = "legal",
    game: str | GameText = "tictactoe",
    match: str = "m1",
    seconds: float = 0.1,
    joints: list[list[str]] | None = None,
    urgency: Urgency = Urgency.AWAITED,
    role: str = "xplayer",
) -> PoolTask:
    text = library_game(game) if isinstance(game, str) else game
    sight = {"joints": joints or [], "legal": []}
    request = {
        "game": asdict(text),
        "match": match,
        "role": role,
        "player": name,
        "seed": 1,
        "seconds": seconds,
        "sight": sight,
    }
    return PoolTask("move", (request,), seconds, match, text.id, urgency)


def worker_of(pool: Pool) -> int:
    """The process of the only worker."""
    (child,) = pool._children.values()
    assert child.pid is not None
    return child.pid


def test_a_request_has_the_players_move() -> None:
    async def ask() -> Json:
        async with running_pool() as pool:
            found: Json = await pool.ask(move_request())
            return found

    assert run(ask()) == {"move": "(mark 1 1)", "fault": "", "fallback": ""}


@pytest.mark.long
def test_a_worker_that_is_killed_while_it_thinks_is_replaced_and_the_request_answered() -> None:
    async def ask() -> tuple[Json, float]:
        async with running_pool() as pool:
            await pool.ask(move_request())
            victim = worker_of(pool)
            asked = asyncio.create_task(pool.ask(move_request("mcts", seconds=2.0)))
            while not pool.busy:
                await asyncio.sleep(0)
            os.kill(victim, signal.SIGKILL)
            return await asyncio.wait_for(asked, PATIENCE), pool.replaced

    answer, replaced = run(ask())
    assert answer["move"].startswith("(mark")
    assert (answer["fault"], replaced) == ("", 1)


def test_a_cancelled_request_frees_its_worker() -> None:
    async def ask() -> float:
        async with running_pool() as pool:
            await pool.ask(move_request())
            asked = asyncio.create_task(pool.ask(move_request("mcts", seconds=100.0)))
            while not pool.busy:
                await asyncio.sleep(0)
            begin = time.monotonic()
            asked.cancel()
            await asyncio.wait_for(pool.ask(move_request(match="m2")), PATIENCE)
            return time.monotonic() - begin

    assert run(ask()) < 20


def test_a_request_that_waits_can_be_cancelled() -> None:
    async def ask() -> tuple[int, Json]:
        async with running_pool() as pool:
            first = asyncio.create_task(pool.ask(move_request("mcts", seconds=0.5)))
            while not pool.busy:
                await asyncio.sleep(0)
            second = asyncio.create_task(pool.ask(move_request(match="m2")))
            await asyncio.sleep(0)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
            return pool.waiting, await first

    waiting, answer = run(ask())
    assert waiting == 0
    assert answer["fault"] == ""


@pytest.mark.long
def test_a_tournament_gives_its_worker_to_others_and_begins_anew() -> None:
    """The player of the tournament has its whole time in the end."""

    async def ask() -> tuple[list[str], float, int]:
        async with running_pool() as pool:
            await pool.ask(move_request())
            await pool.ask(move_request("mcts", "connect_four", "warm", role="red"))
            order: list[str] = []

            async def one(name: str, request: PoolTask) -> None:
                assert (await pool.ask(request))["fault"] == ""
                order.append(name)

            cup = move_request("mcts", "connect_four", "cup", 1.0, urgency=Urgency.TOURNAMENT, role="red")
            asked = [asyncio.create_task(one("tournament", cup))]
            while not pool.busy:
                await asyncio.sleep(0)
            assert pool.crowd == 0
            report = move_request(match="report", urgency=Urgency.SHOWN)
            asked += [asyncio.create_task(one("report", report))]
            await asyncio.sleep(0)
            asked += [asyncio.create_task(one("person", move_request(match="person")))]
            await asyncio.sleep(0)
            assert pool.crowd == 2
            await asyncio.gather(*asked[1:])
            begin = time.monotonic()
            await asyncio.gather(*asked)
            return order, time.monotonic() - begin, pool.replaced

    order, seconds, replaced = run(ask())
    assert order == ["person", "report", "tournament"]
    assert seconds > 0.7
    assert replaced == 0


def test_requests_that_wait_are_refused_when_the_pool_is_closed() -> None:
    async def ask() -> list[str]:
        async with running_pool() as pool:
            asked = [asyncio.create_task(pool.ask(move_request("mcts", seconds=100.0))) for _ in range(3)]
            while not pool.busy:
                await asyncio.sleep(0)
            await pool.close()
            return [str(error) for error in await asyncio.gather(*asked, return_exceptions=True)]

    assert run(ask()) == ["the server stops"] * 3


def test_an_error_of_the_player_is_an_answer_and_the_worker_lives_on() -> None:
    async def ask() -> tuple[str, Json]:
        async with running_pool() as pool:
            with pytest.raises(PoolError) as error:
                await pool.ask(move_request("no such player"))
            return str(error.value), await pool.ask(move_request())

    error, answer = run(ask())
    assert "no player 'no such player'" in error
    assert answer["move"] == "(mark 1 1)"


def test_a_player_that_goes_on_gives_the_same_moves_as_one_that_is_told_all_anew() -> None:
    """Requests are stateless: what a worker has kept changes nothing but the time."""
    joints = [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"], ["(mark 1 2)", "noop"], ["noop", "(mark 1 3)"]]

    async def ask(kept: bool) -> str:
        async with running_pool() as pool:
            answer: Json = {}
            for length in (0, 2, 4) if kept else (4,):
                answer = await pool.ask(move_request("greedy", joints=joints[:length], seconds=1.0))
            return str(answer["move"])

    assert run(ask(True)) == run(ask(False)) == "(mark 3 2)"  # it wins


def test_after_a_takeback_a_kept_player_is_asked_about_the_other_moves() -> None:
    async def ask() -> list[str]:
        async with running_pool() as pool:
            found = []
            for cell in ("(mark 1 1)", "(mark 3 3)", "(mark 1 1)"):
                joints = [["(mark 1 2)", "noop"], ["noop", cell]]
                found.append((await pool.ask(move_request(joints=joints)))["move"])
            return found

    assert run(ask()) == ["(mark 1 3)", "(mark 1 1)", "(mark 1 3)"]


def test_workers_give_way_to_the_server() -> None:
    async def look() -> int:
        async with running_pool() as pool:
            await pool.ask(move_request())
            return os.getpriority(os.PRIO_PROCESS, worker_of(pool))

    assert run(look()) == os.getpriority(os.PRIO_PROCESS, 0) + NICE


def test_a_process_that_is_too_slow_or_ended_says_so() -> None:
    async def ask() -> tuple[object, ...]:
        return move_request("mcts", seconds=30.0).args

    child = Child("players", 1000.0)
    with pytest.raises(ChildError, match=r"took more than 0\.01 s"):
        child.ask("move", *run(ask()), seconds=0.01)
    child.close()
    other = Child("players", 1000.0)
    other.end()
    with pytest.raises(ChildError, match="its process was ended"):
        other.ask("report_slice", seconds=10.0)
    other.close()


# -- seen from a match --------------------------------------------------------------------------------------


def test_people_are_told_when_a_legal_move_was_made_for_a_player() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            # A player of card games alone: it fails at tictactoe.
            seats = {"xplayer": player("card_greedy"), "oplayer": person("bob")}
            await hub.create(plan_of("tictactoe", seats))
            return await view_when(hub, "u:bob", lambda view: view["phase"] == "choice")

    view = run(play())
    assert view["step"] == 1
    assert [line["words"] for line in view["moves"]] == ["xplayer mark 1 1"]
    (note,) = view["notes"]
    assert (note["step"], note["role"]) == (1, "xplayer")
    assert "a legal move was made for it" in note["text"]


def test_a_match_goes_on_when_its_worker_is_killed() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            seats = {"xplayer": person("ann"), "oplayer": player("mcts")}
            await hub.create(plan_of("tictactoe", seats, think=1.0))
            await hub._pool.ask(move_request(match="m2"))
            await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 1 1)"})
            while not any(child.pid for child in hub._pool._children.values()):
                await asyncio.sleep(0.01)
            os.kill(worker_of(hub._pool), signal.SIGKILL)
            return await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")

    view = run(play())
    assert (view["step"], view["notes"]) == (2, [])
