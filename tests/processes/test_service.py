"""An object in a process of its own: answers, news, failures, and a fresh process after every end."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import pytest

from ludorum.processes.service import Service
from ludorum.processes.session import ChildLimitError, Limit

from ..own_process import in_own_process

Tell = Callable[[object], None]


class Counter:
    def __init__(self) -> None:
        self.total = 0

    def begin(self, tell: Tell, total: int) -> None:
        self.total = total

    def add(self, tell: Tell, number: int) -> int:
        self.total += number
        tell(f"now {self.total}")
        return self.total

    def fail(self, tell: Tell) -> None:
        raise ValueError("no such number")

    def sleep(self, tell: Tell, seconds: float) -> None:
        time.sleep(seconds)

    def die(self, tell: Tell) -> None:
        os._exit(3)


def test_a_service_keeps_what_it_was_told() -> None:
    service = Service(Counter)
    service.open("begin", 40)
    news: list[object] = []
    assert service.ask("add", 1, seconds=60, on_news=news.append) == 41
    assert service.ask("add", 1, seconds=60, on_news=news.append) == 42
    assert news == ["now 41", "now 42"]
    with pytest.raises(ValueError, match="no such number"):
        service.ask("fail", seconds=60)
    assert service.ask("add", 1, seconds=60) == 43
    service.open("begin", 0)
    assert service.ask("add", 1, seconds=60) == 1
    assert service.starts == 1
    service.kill()


def test_a_service_outlives_the_thread_that_asked_first() -> None:
    service = Service(Counter)
    first = threading.Thread(target=lambda: service.ask("add", 1, seconds=60))
    first.start()
    first.join()
    assert service.ask("add", 1, seconds=60) == 2
    assert service.starts == 1
    service.kill()


@pytest.mark.long
def test_after_an_end_there_is_a_fresh_one_with_the_same_opening() -> None:
    service = Service(Counter)
    service.open("begin", 40)
    assert service.ask("add", 1, seconds=60) == 41
    for method, args, seconds, limit in [("sleep", (100,), 0.2, Limit.TIME), ("die", (), 60.0, Limit.CRASH)]:
        with pytest.raises(ChildLimitError) as caught:
            service.ask(method, *args, seconds=seconds)
        assert caught.value.limit is limit
        assert service.pid is None
        assert service.ask("add", 2, seconds=60) == 42
    assert service.starts == 3
    service.kill()
    service.kill()


def test_many_may_end_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second must not close a connection again: its number may be somebody else's by then."""
    closed: list[int] = []
    close = Connection.close

    def slow_close(connection: Connection) -> None:
        closed.append(connection.fileno())
        close(connection)

    service = Service(Counter)
    assert service.ask("add", 1, seconds=60) == 1
    monkeypatch.setattr(Connection, "close", slow_close)
    begin = threading.Barrier(8)

    def end() -> None:
        begin.wait()
        service.kill()

    threads = [threading.Thread(target=end) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(closed) == 1


@pytest.mark.long
def test_a_connection_that_somebody_closed_is_replaced() -> None:
    in_own_process(lose_the_connection)


def lose_the_connection() -> None:
    service = Service(Counter)
    assert service.ask("add", 1, seconds=60) == 1
    assert service._connection is not None
    os.close(service._connection.fileno())
    service.open("begin", 40)  # must not fail
    assert service.ask("add", 2, seconds=60) == 42
    assert service.starts == 2
    service.kill()


@pytest.mark.long
def test_a_fork_does_not_speak_to_the_process_of_its_parent() -> None:
    in_own_process(fork_and_open)


def fork_and_open() -> None:
    service = Service(Counter)
    assert service.ask("add", 1, seconds=60) == 1
    child = os.fork()
    if child == 0:
        service.open("begin", 40)
        os._exit(int(service.ask("add", 2, seconds=60)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
    assert service.ask("add", 2, seconds=60) == 3
    assert service.starts == 1
    service.kill()
