"""The guard: always a legal move, always in time, and faults are told."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.sight import Position, position_of
from ludorum.players import Guard, Lapse, Player, RandomPlayer
from ludorum.players.guard import Answer, wait_for_guarded
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import coin, door

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


@pytest.mark.alone
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


def test_a_legal_move_is_held_before_the_player_thinks() -> None:
    position = at_the_door()
    events: list[str] = []

    class Noting(RandomPlayer):
        def choose(self, position: Position, seconds: float) -> Term:
            events.append("choose")
            return position.legal[-1]

    guard = Guard(Noting(), on_hold=lambda move: events.append(f"hold {move}"))
    assert guard.held is None
    assert guard.choose(position, 5).move is position.legal[-1]
    assert events == [f"hold {position.legal[0]}", "choose"]
    assert guard.held is position.legal[0]


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


@pytest.mark.long
def test_who_still_thinks_is_known() -> None:
    release = threading.Event()
    guard = Guard(Scripted(release))
    assert guard.choose(at_the_door(), 0.05).lapse is Lapse.LATE
    guard.stop()
    del guard
    assert not wait_for_guarded(0.05)
    release.set()
    assert wait_for_guarded(5)


class Following(Player):
    """Notes what it is told; blocks where a test has it block."""

    name = "following"

    def __init__(self) -> None:
        self.told: list[str] = []
        self.block = threading.Event()
        self.block.set()

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.told.append(f"start {seconds:g}")
        self.block.wait()

    def observe(self, position: Position) -> None:
        self.told.append(f"observe {phase(position)}")
        self.block.wait()

    def choose(self, position: Position, seconds: float) -> Term:
        self.told.append(f"choose {phase(position)}")
        self.block.wait()
        return position.legal[-1]


def phase(position: Position) -> str:
    return ",".join(sorted(map(str, position.view.percepts))) or "nothing"


def tossed() -> list[Position]:
    """The positions of the guesser in a game that hides a coin: the start, the toss, the end."""
    game = coin()
    states = [game.initial()]
    for joint in ("(toss heads)", "noop"), ("noop", "(call heads)"):
        states.append(states[-1].play(list(map(parse_term, joint))))
    positions = [position_of(state, parse_term("guesser")) for state in states]
    return [replace(one, legal=one.legal or (parse_term("noop"),)) for one in positions]


def test_a_late_player_catches_up_with_every_percept() -> None:
    first, second, third = tossed()
    player = Following()
    guard = Guard(player)
    player.block.clear()
    assert guard.choose(first, 0.05).fault == "following did not answer within 0.05 s"
    assert guard.choose(second, 0.05).fault == "following is still busy with what it was asked before"
    player.block.set()
    assert guard.choose(third, 30) == Answer(third.legal[-1])
    assert player.told == ["choose nothing", "observe tossed", "choose (it_was heads)"]
    guard.stop()


def test_what_was_missed_while_a_player_prepared_is_told_first() -> None:
    first, second, third = tossed()
    player = Following()
    guard = Guard(player)
    player.block.clear()
    assert guard.start(coin(), first.role, 0.05) is Lapse.LATE
    guard.catch_up([first, second], 0.05)
    player.block.set()
    assert guard.choose(third, 30).lapse is None
    assert player.told == ["start 0.05", "observe nothing", "observe tossed", "choose (it_was heads)"]
    guard.stop()


def test_a_player_that_catches_up_too_slowly_is_told_the_last_position_all_the_same() -> None:
    first, second, third = tossed()
    player = Following()
    guard = Guard(player)
    guard.observe(first)
    player.block.clear()
    assert guard.choose(second, 0.05).lapse is Lapse.LATE
    player.block.set()
    assert guard.choose(third, 30).lapse is None
    assert player.told == ["observe nothing", "observe tossed", "choose (it_was heads)"]
    guard.stop()


def test_where_nothing_is_hidden_the_last_position_is_enough() -> None:
    position = at_the_door()
    player = Following()
    guard = Guard(player)
    player.block.clear()
    for _ in range(3):
        assert guard.choose(position, 0.02).lapse is Lapse.LATE
    player.block.set()
    assert guard.choose(position, 30).lapse is None
    assert player.told == ["choose nothing"] * 2
    guard.stop()


def test_a_busy_player_does_not_get_its_clock_twice() -> None:
    position = at_the_door()
    asked: list[float] = []

    class Slow(Following):
        def choose(self, position: Position, seconds: float) -> Term:
            asked.append(seconds)
            return super().choose(position, seconds)

    player = Slow()
    guard = Guard(player)
    player.block.clear()
    while not asked:  # until a question has come to the player, which a busy machine may not do in time
        assert guard.choose(position, 0.05).lapse is Lapse.LATE

    def release() -> None:
        while not guard._missed:  # until the next question waits
            time.sleep(0.001)
        time.sleep(0.3)
        player.block.set()

    threading.Thread(target=release, daemon=True).start()
    assert guard.choose(position, 30).lapse is None
    assert 0 < asked[1] < 29.8
    guard.stop()


def test_without_a_start_clock_a_player_is_started_and_not_called_late() -> None:
    player = Following()
    guard = Guard(player)
    player.block.clear()
    assert guard.start(coin(), tossed()[0].role, 0.0, 0.02) is None
    player.block.set()
    assert guard.choose(tossed()[0], 30).lapse is None
    assert player.told == ["start 0", "choose nothing"]
    guard.stop()


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


def test_what_cannot_be_written_down_is_named_by_its_type() -> None:
    position = at_the_door()
    for player in (Scripted, Quick):
        answer = Guard(player(Unspeakable())).choose(position, 5)
        assert answer.fault == "scripted chose something of the type Unspeakable, which is not legal"
        answer = Guard(player(UnspeakableError())).choose(position, 5)
        assert answer.fault == "scripted failed: UnspeakableError: something of the type UnspeakableError"
    long = Guard(Scripted("x" * 10**6)).choose(position, 5)
    assert len(long.fault) < 600


def test_the_guard_says_when_its_player_works() -> None:
    noted: list[bool] = []
    position = at_the_door()
    for player in (Scripted(position.legal[-1]), Quick(RuntimeError("out of ideas"))):
        guard = Guard(player, noted.append)
        guard.choose(position, 5)
        assert noted == [True, False]
        guard.stop()
        noted.clear()
