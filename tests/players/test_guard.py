"""The guard: always a legal move, always in time, and faults are told."""

from __future__ import annotations

import threading
import time

import pytest

from ludorum.engine.game import GameError
from ludorum.players import Guard, Lapse, Player, Position, RandomPlayer, position_of
from ludorum.players.guard import wait_for_guarded
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import door

LEFT = parse_term("left")


class Scripted(Player):
    """Does what a test tells it to."""

    name = "scripted"

    def __init__(self, work: object) -> None:
        self.work = work

    def choose(self, position: Position, seconds: float) -> Term:
        if isinstance(self.work, Exception):
            raise self.work
        if isinstance(self.work, threading.Event):
            self.work.wait()
            return position.legal[-1]
        return self.work  # type: ignore[return-value]


def at_the_door() -> Position:
    return position_of(door().initial(), LEFT)


def test_a_good_answer_passes() -> None:
    position = at_the_door()
    guard = Guard(Scripted(position.legal[-1]))
    answer = guard.choose(position, 5)
    assert (answer.move, answer.fault) == (position.legal[-1], "")
    guard.stop()


@pytest.mark.parametrize("work", [parse_term("fly"), None, "push"])
def test_an_illegal_answer_is_replaced(work: object) -> None:
    position = at_the_door()
    answer = Guard(Scripted(work)).choose(position, 5)
    assert answer.move is position.legal[0]
    assert answer.fault == f"scripted chose {work}, which is not legal"


def test_a_player_that_raises_is_replaced_and_goes_on() -> None:
    position = at_the_door()
    player = Scripted(RuntimeError("out of ideas"))
    guard = Guard(player)
    assert guard.choose(position, 5).fault == "scripted failed: RuntimeError: out of ideas"
    player.work = position.legal[-1]
    assert guard.choose(position, 5).fault == ""


def test_a_late_player_is_replaced_in_time_and_may_come_back() -> None:
    position = at_the_door()
    release = threading.Event()
    player = Scripted(release)
    guard = Guard(player)
    begin = time.monotonic()
    late = guard.choose(position, 0.1)
    assert (late.move, late.fault) == (position.legal[0], "scripted did not answer within 0.1 s")
    assert guard.choose(position, 0.1).fault == "scripted is still busy with what it was asked before"
    assert time.monotonic() - begin < 2
    release.set()
    assert guard.choose(position, 5).fault == ""


def test_a_late_player_is_asked_to_come_to_an_end() -> None:
    class Heeding(Scripted):
        def hurry(self) -> None:
            assert isinstance(self.work, threading.Event)
            self.work.set()

    position = at_the_door()
    guard = Guard(Heeding(threading.Event()))
    assert guard.choose(position, 0.1).lapse is Lapse.LATE
    assert guard.choose(position, 5).lapse is None


def test_no_legal_move_is_an_error_of_the_rules() -> None:
    position = at_the_door()
    none = Position(LEFT, (), position.view, position.state)
    with pytest.raises(GameError, match="left has no legal move although the game is not over"):
        Guard(RandomPlayer()).choose(none, 1)


def test_the_start_clock_is_guarded_too() -> None:
    class Slow(RandomPlayer):
        def start(self, game: object, role: object, seconds: float) -> None:
            raise MemoryError("too large")

    game = door()
    guard = Guard(Slow())
    assert guard.start(game, LEFT, 1) is Lapse.FAILED
    assert guard.trouble == "random failed: MemoryError: too large"
    assert Guard(RandomPlayer()).start(game, LEFT, 1) is None


class Quick(Scripted):
    """Says that it never thinks."""

    quick = True

    def choose(self, position: Position, seconds: float) -> Term:
        if isinstance(self.work, float):
            time.sleep(self.work)
            return position.legal[-1]
        return super().choose(position, seconds)


def test_a_quick_player_is_judged_like_any_other() -> None:
    position = at_the_door()
    threads = threading.active_count()
    for work, lapse in (
        (position.legal[-1], None),
        (parse_term("fly"), Lapse.ILLEGAL),
        (RuntimeError("out of ideas"), Lapse.FAILED),
        (0.05, Lapse.LATE),
    ):
        slow, quick = Guard(Scripted(work)), Guard(Quick(work))
        answer = quick.choose(position, 0.01 if lapse is Lapse.LATE else 5)
        assert answer.lapse is lapse
        if lapse is not Lapse.LATE:
            assert answer == slow.choose(position, 5)
        quick.stop()
        slow.stop()
    assert threading.active_count() <= threads + 3
    assert Guard(RandomPlayer(1)).choose(position, 5).lapse is None


def test_who_still_thinks_is_known() -> None:
    release = threading.Event()
    guard = Guard(Scripted(release))
    assert guard.choose(at_the_door(), 0.05).lapse is Lapse.LATE
    guard.stop()
    del guard
    assert not wait_for_guarded(0.05)
    release.set()
    assert wait_for_guarded(5)
