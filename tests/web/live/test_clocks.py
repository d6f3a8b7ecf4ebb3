"""The clocks of a match, in numbers."""

from __future__ import annotations

import asyncio

from ludorum.web.live import SetTime
from ludorum.web.live.clocks import RoleClocks
from tests.web.live.hubs import run


def test_a_clock_that_runs_goes_down_and_others_stand_still() -> None:
    clocks = RoleClocks(["red", "yellow"], 60.0, 0.0)
    clocks.run(["red"], 100.0)
    assert (clocks.left("red", 110.0), clocks.left("yellow", 110.0)) == (50.0, 60.0)
    clocks.run(["yellow"], 110.0)
    assert (clocks.left("red", 130.0), clocks.left("yellow", 130.0)) == (50.0, 40.0)


def test_in_a_simultaneous_step_all_clocks_run() -> None:
    clocks = RoleClocks(["red", "yellow"], 60.0, 0.0)
    clocks.run(["red", "yellow"], 0.0)
    assert (clocks.left("red", 5.0), clocks.left("yellow", 5.0)) == (55.0, 55.0)
    clocks.run(["yellow"], 5.0)
    assert (clocks.left("red", 9.0), clocks.left("yellow", 9.0)) == (55.0, 51.0)


def test_a_clock_never_goes_below_nothing() -> None:
    clocks = RoleClocks(["red"], 1.0, 0.0)
    clocks.run(["red"], 0.0)
    assert clocks.left("red", 100.0) == 0.0


def test_the_increment_is_added_for_each_move() -> None:
    clocks = RoleClocks(["red"], 10.0, 2.5)
    clocks.run(["red"], 0.0)
    clocks.run([], 4.0)
    clocks.add_increment("red")
    assert clocks.left("red", 50.0) == 8.5


def test_the_first_clock_to_fall_is_known_beforehand() -> None:
    clocks = RoleClocks(["red", "yellow"], 60.0, 0.0)
    assert clocks.first_to_fall is None
    clocks.run(["red"], 0.0)
    clocks.run(["red", "yellow"], 20.0)
    assert clocks.first_to_fall == (60.0, "red")


def test_time_that_is_forgiven_is_not_counted() -> None:
    clocks = RoleClocks(["red"], 60.0, 0.0)
    clocks.run(["red"], 0.0)
    clocks.forgive(10.0, 500.0)  # the server was away from 10 to 500
    assert (clocks.left("red", 505.0), clocks.first_to_fall) == (45.0, (550.0, "red"))


def test_roles_without_a_clock_have_none() -> None:
    clocks = RoleClocks(["red"], 60.0, 1.0)
    clocks.run(["red", "robot"], 0.0)
    clocks.add_increment("robot")
    assert ("red" in clocks, "robot" in clocks) == (True, False)


def test_a_set_time_wakes_those_that_wait_in_their_order() -> None:
    async def wait() -> list[str]:
        time = SetTime(0.0)
        woken: list[str] = []

        async def sleep(name: str, moment: float) -> None:
            await time.wait_until(moment)
            woken.append(name)

        sleepers = [asyncio.create_task(sleep(*one)) for one in (("c", 30.0), ("a", 10.0), ("b", 20.0))]
        await asyncio.sleep(0)
        time.advance(25.0)
        await asyncio.gather(*sleepers[1:])
        return [*woken, str(sleepers[0].done())]

    assert run(wait()) == ["a", "b", "False"]
