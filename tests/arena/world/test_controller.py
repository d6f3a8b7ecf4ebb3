"""The controller of realtime matches: punctual ticks, the order of moves, listeners that are slow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ludorum.arena.protocol.realtime_messages import ClockSignal, Happened, TimeIsUp
from ludorum.arena.world import RealtimeController, RealtimeMatch, View, read_record, replay
from ludorum.arena.world.controller import MOST_LATE
from ludorum.arena.world.inbox import MOST_AT_ONCE
from ludorum.arena.world.outbox import MOST_APART, MOST_WAITING
from ludorum.arena.world.record import Dropped, MadeMoves
from ludorum.engine.wdl_master import MasterState
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.arena.world.counted_time import loop, run_counted
from tests.arena.world.test_realtime_match import ANN, BOB, CHESS_CLOCK, grab, match_of

PUSH = """
(set realtime) (role ann) (role bob)
(init (at ann)) (other ann bob) (other bob ann)
(<= (legal ?p push) (role ?p))
(<= (legal ?p (whisper (visible ?p word))) (role ?p))
(random word 1 hush)
(<= (next (at ?q)) (does ?p push) (true (at ?p)) (other ?p ?q))
(<= (next (at ?p)) (true (at ?p)) (not pushed))
(<= pushed (does ?p push) (true (at ?p)))
(<= terminal (clock 100000))
(<= (goal ?p 50) (role ?p))
"""
"""Both may push at any time, and a push hands something over; nothing ends it for a long time."""


class Heard:
    """A listener that writes down what it is told, and when."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.times: list[float] = []

    async def __call__(self, view: View) -> None:
        self.views.append(view)
        self.times.append(asyncio.get_running_loop().time())

    @property
    def clocks(self) -> list[int]:
        return [view.number for view in self.views if isinstance(view, ClockSignal)]

    @property
    def others(self) -> list[View]:
        return [view for view in self.views if not isinstance(view, ClockSignal)]


def at(seconds: float, do: Callable[[], object]) -> None:
    """Do something so many seconds from now."""
    loop().call_later(seconds, do)


def played(match: RealtimeMatch, course: Callable[[RealtimeController], Awaitable[None] | None]) -> Heard:
    """What ann hears of a match in counted time; ``course`` is what happens in it."""
    heard = Heard()

    async def main() -> None:
        controller = RealtimeController(match)
        controller.join(ANN if ANN in match.master.roles else match.master.roles[0], heard)
        course(controller)
        await controller.run()

    run_counted(main())
    return heard


@pytest.mark.spec("wdl", 24)
def test_a_tick_comes_when_it_is_due_however_long_the_match_lasts() -> None:
    heard = played(match_of(PUSH, seconds=30), lambda controller: None)
    assert heard.clocks == list(range(1, 3001))
    late = [when - (1000 + number / 100) for number, when in zip(heard.clocks, heard.times, strict=False)]
    assert max(late) < 0.0001  # a clock that were set anew at each tick would drift by more
    assert heard.views[-1] == TimeIsUp("m1")


def test_ticks_that_are_late_are_caught_up_and_none_is_left_out() -> None:
    match = match_of(PUSH, seconds=3)

    def busy() -> None:
        loop().now += 0.5

    def course(controller: RealtimeController) -> None:
        at(1.0, busy)

    heard = played(match, course)
    assert heard.clocks == list(range(1, 301))
    assert heard.times[-1] == pytest.approx(1003, abs=0.001)


def test_a_machine_that_stands_still_slows_the_match_and_loses_nothing() -> None:
    controllers: list[RealtimeController] = []

    def sleep() -> None:
        loop().now += 3600

    def course(controller: RealtimeController) -> None:
        controllers.append(controller)
        at(1.0, sleep)

    heard = played(match_of(PUSH, seconds=3), course)
    assert heard.clocks == list(range(1, 301))
    kept = controllers[0].punctuality
    assert kept.ticks == 300
    assert kept.slowed == pytest.approx(3600 - MOST_LATE, abs=0.02)


@pytest.mark.spec("wdl", 27)
def test_a_move_counts_when_it_came_also_where_the_machine_was_busy_meanwhile() -> None:
    match = match_of(CHESS_CLOCK)

    def course(controller: RealtimeController) -> None:
        x, o, move = Term("x"), Term("o"), Term("move")

        def act_while_busy() -> None:  # at tick 5: x moves, then 40 ms pass, then o moves
            controller.offer(x, move)
            loop().now += 0.04
            controller.offer(o, move)

        at(0.055, act_while_busy)

    played(match, course)
    events = [one for one in match.record.events if isinstance(one, MadeMoves)]
    assert [one.moves[0].role for one in events] == ["x", "o"]
    assert {str(fact) for fact in match.state.facts} == {"(control x)", "(used x 21)", "(used o 4)"}


@pytest.mark.spec("wdl", 26, 27)
def test_listeners_get_their_own_views_and_hear_nothing_of_dropped_moves() -> None:
    match = match_of()
    ann, bob = Heard(), Heard()

    async def main() -> None:
        controller = RealtimeController(match)
        controller.join(ANN, ann)
        controller.join(BOB, bob)
        at(0.1, lambda: controller.offer(ANN, grab(ANN, "apple")))
        at(0.1, lambda: controller.offer(BOB, grab(BOB, "apple")))
        at(0.3, lambda: controller.offer(ANN, grab(ANN, "pear")))
        await controller.run()

    run_counted(main())
    assert Dropped("bob", str(grab(BOB, "apple"))) in match.record.events
    assert bob.others == [
        Happened("m1", ANN, parse_term("(grab apple)")),
        Happened("m1", ANN, parse_term("(grab pear)"), is_last=True),
    ]
    assert [len(one.move.args) for one in ann.others if isinstance(one, Happened)] == [2, 2]
    assert ann.clocks == bob.clocks == list(range(1, len(ann.clocks) + 1))


def test_a_listener_that_stalls_neither_delays_others_nor_grows_without_end() -> None:
    match = match_of(PUSH, seconds=20)
    heard = Heard()

    async def stalled(view: View) -> None:
        await asyncio.sleep(1e9)

    async def main() -> int:
        controller = RealtimeController(match)
        outbox = controller.join(BOB, stalled)
        controller.join(ANN, heard)
        most = 0

        def look() -> None:
            nonlocal most
            most = max(most, outbox.waiting)

        for second in range(20):
            at(second + 0.5, look)
        await controller.run()
        return most

    assert run_counted(main()) <= MOST_APART
    assert heard.clocks == list(range(1, 2001))
    assert heard.times[-1] == pytest.approx(1020, abs=0.001)


def test_a_slow_listener_hears_fewer_signals_of_the_clock_but_every_move_in_its_place() -> None:
    match = match_of(PUSH, seconds=20)
    slow = Heard()

    async def send(view: View) -> None:
        await asyncio.sleep(0.1)
        await slow(view)

    async def main() -> None:
        controller = RealtimeController(match)
        outbox = controller.join(BOB, send)
        for second in range(1, 20):
            at(second + 0.005, lambda: controller.offer(ANN, Term("push")))
        await controller.run()
        assert not outbox.lost

    run_counted(main())
    assert len(slow.clocks) < 250  # of two thousand
    assert len(slow.others) > 10
    assert slow.clocks == sorted(slow.clocks)
    for before, view in zip(slow.views, slow.views[1:], strict=False):
        if isinstance(view, Happened):
            assert isinstance(before, ClockSignal)
            assert before.number % 100 == 0  # a signal that stands for others never passes over a move


def test_a_listener_that_takes_nothing_is_lost_in_the_end() -> None:
    match = match_of(PUSH, seconds=30)

    async def stalled(view: View) -> None:
        await asyncio.sleep(1e9)

    async def main() -> str:
        controller = RealtimeController(match)
        outbox = controller.join(BOB, stalled)
        for tick in range(3000):
            at(tick / 100, lambda: controller.offer(ANN, Term("push")))
        await controller.run()
        assert outbox.waiting == 0
        return outbox.lost

    assert run_counted(main()) == f"{MOST_WAITING} messages behind"


def test_a_listener_that_fails_is_lost_and_the_match_goes_on() -> None:
    match = match_of(PUSH, seconds=1)
    heard = Heard()

    async def broken(view: View) -> None:
        raise ConnectionResetError("gone")

    async def main() -> str:
        controller = RealtimeController(match)
        outbox = controller.join(BOB, broken)
        controller.join(ANN, heard)
        await controller.run()
        return outbox.lost

    assert run_counted(main()) == "ConnectionResetError: gone"
    assert heard.clocks == list(range(1, 101))


def test_a_player_that_floods_is_heard_so_often_and_keeps_no_other_waiting() -> None:
    match = match_of(PUSH, seconds=5)
    heard: list[bool] = []

    def course(controller: RealtimeController) -> None:
        def flood() -> None:
            heard.extend(controller.offer(BOB, Term("push")) for _ in range(20))
            if not match.is_over:
                at(0.002, flood)

        at(0, flood)
        for second in range(5):
            at(second + 0.5, lambda: controller.offer(ANN, Term("push")))

    listener = played(match, course)
    acted = [one.player for one in listener.others if isinstance(one, Happened)]
    assert acted.count(ANN) == 5
    assert sum(heard) == acted.count(BOB)
    assert 125 <= acted.count(BOB) <= 125 + MOST_AT_ONCE
    waits = [listener.times[at] for at, view in enumerate(listener.views) if _is_of(view, ANN)]
    assert waits == pytest.approx([1000.5, 1001.5, 1002.5, 1003.5, 1004.5], abs=0.0001)


def _is_of(view: View, role: Term) -> bool:
    return isinstance(view, Happened) and view.player is role


def test_moves_before_the_beginning_and_after_the_end_are_not_heard() -> None:
    match = match_of(PUSH, seconds=1)

    async def main() -> list[bool]:
        controller = RealtimeController(match)
        early = controller.offer(ANN, Term("push"))
        await controller.run()
        return [early, controller.offer(ANN, Term("push"))]

    assert run_counted(main()) == [False, False]
    assert not [one for one in match.record.events if isinstance(one, MadeMoves)]


def test_a_game_that_is_over_before_it_begins_ends_at_once() -> None:
    heard = played(match_of(PUSH.replace("(clock 100000)", "(role ann)")), lambda controller: None)
    assert heard.views == [TimeIsUp("m1")]


def test_who_is_no_role_cannot_listen() -> None:
    async def main() -> None:
        RealtimeController(match_of()).join(Term("eve"), Heard())

    with pytest.raises(ValueError, match="eve is no role"):
        run_counted(main())


def test_a_match_that_is_given_up_tells_its_listeners_nothing_more() -> None:
    heard = Heard()

    async def main() -> None:
        controller = RealtimeController(match_of(PUSH))
        outbox = controller.join(ANN, heard)
        task = asyncio.create_task(controller.run())
        await asyncio.sleep(0.505)
        task.cancel()
        await asyncio.wait([task])
        await asyncio.sleep(1)
        assert not outbox.is_open

    run_counted(main())
    assert heard.clocks == list(range(1, 51))


@pytest.mark.spec("wdl", 32)
def test_a_match_by_the_clock_on_the_wall_has_the_states_of_counted_time() -> None:
    match = match_of(PUSH, seconds=0.5)
    states: list[MasterState] = [match.state]

    async def main() -> None:
        controller = RealtimeController(match, lambda told: states.append(match.state))
        asyncio.get_running_loop().call_later(0.1, lambda: controller.offer(ANN, Term("push")))
        asyncio.get_running_loop().call_later(0.2, lambda: controller.offer(BOB, Term("push")))
        await controller.run()

    asyncio.run(main())
    states.pop()  # the end of the time is told as well
    assert [state.clock for state in states][-1] == 50
    assert len(states) == 53
    record = read_record(f"{line}\n" for line in match.record.lines())
    assert list(replay(record, match.master)) == states
    counted = match_of(PUSH, seconds=0.5)
    again = [counted.state]
    for event in record.events:
        if isinstance(event, MadeMoves):
            counted.act(Term(event.moves[0].role), parse_term(event.moves[0].move))
            again.append(counted.state)
        else:
            for _ in range(event.count):  # type: ignore[union-attr]
                counted.tick()
                again.append(counted.state)
    assert again == states
