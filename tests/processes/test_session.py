"""Killable work: answers come back, limits are told apart, nothing is left running."""

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ludorum.processes.session import ChildLimitError, Limit, end_stage, run_limited, tell


def add(one: int, other: int) -> int:
    return one + other


def fail(message: str) -> None:
    raise KeyError(message)


def spin() -> None:
    while True:
        pass


def swell() -> None:
    kept = []
    while True:
        kept.append(bytearray(b"x") * 4_000_000)


def die() -> None:
    os._exit(3)


def stop(function: object, **limits: Any) -> Limit:
    with pytest.raises(ChildLimitError) as caught:
        run_limited(function, **limits)  # type: ignore[arg-type]
    return caught.value.limit


def test_answers_and_exceptions_come_back() -> None:
    assert run_limited(add, (2, 3)) == 5
    with pytest.raises(KeyError, match="lost"):
        run_limited(fail, ("lost",))


def test_limits_are_told_apart() -> None:
    assert stop(spin, seconds=0.2) is Limit.TIME
    assert stop(swell, seconds=30, megabytes=50) is Limit.MEMORY
    assert stop(die) is Limit.CRASH


def finish_a_stage_then(seconds: float) -> str:
    end_stage()
    time.sleep(seconds)
    return "done"


@pytest.mark.long
def test_once_its_first_stage_has_ended_work_has_the_whole_time() -> None:
    # On a busy machine the child alone may take a second to begin.
    assert run_limited(finish_a_stage_then, (3.2,), seconds=60, first_seconds=3) == "done"
    assert stop(finish_a_stage_then, args=(20,), seconds=0.3, first_seconds=0.1) is Limit.TIME
    assert stop(spin, seconds=20, first_seconds=0.1) is Limit.TIME


@pytest.mark.long
def test_processor_time_does_not_run_while_the_child_sleeps() -> None:
    run_limited(time.sleep, (1.2,), seconds=1, processor_time=True)
    with pytest.raises(ChildLimitError, match="took more"):
        run_limited(spin, seconds=0.2, processor_time=True)


def test_a_child_is_gone_when_the_call_ends() -> None:
    """But for what serves all calls: children of tests before this one may still be about."""
    run_limited(add, (1, 1))
    listed, before = set(multiprocessing.active_children()), _our_children()
    stop(spin, seconds=0.1)
    run_limited(add, (1, 1))
    assert set(multiprocessing.active_children()) <= listed
    assert _our_children() <= before  # those that have ended and were not waited for included


def _our_children() -> set[Path]:
    return {stat for stat in Path("/proc").glob("[0-9]*/stat") if _is_ours(stat)}


def _is_ours(stat: Path) -> bool:
    try:
        _state, parent = stat.read_text().rpartition(")")[2].split()[:2]
    except OSError:  # ended while we looked
        return False
    return int(parent) == os.getpid()


def test_an_interrupt_stops_the_child_as_well() -> None:
    begun = time.monotonic()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run_limited(spin, seconds=20)
    assert time.monotonic() - begun < 10
    assert not multiprocessing.active_children()


def test_work_runs_beside_other_threads_of_the_caller() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert run_limited(add, (2, 3)) == 5
    finally:
        done.set()
        thread.join()


def talkative(count: int) -> int:
    for number in range(count):
        tell(number)
    return count


def test_news_are_heard_before_the_answer() -> None:
    heard: list[object] = []
    assert run_limited(talkative, (5,), on_news=heard.append) == 5
    assert heard == [0, 1, 2, 3, 4]
    assert run_limited(talkative, (3,)) == 3  # nobody listens
    assert talkative(2) == 2  # in no child at all
