"""Work in a program with threads: forked from a warm process, with the surroundings of the one that asked."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from ludorum.asp.ground import ground_rules
from ludorum.processes import ForkServer, descendants, fork_server
from ludorum.processes.forked import ForkedProcess
from ludorum.processes.session import ChildLimitError, Limit, children_seconds, run_limited
from ludorum.rules.library import find_sheet
from ludorum.rules.reader import read_rules

from ..own_process import in_own_process
from . import impatient
from .test_session import add, die, fail, spin, stop, swell

FORKED = ForkedProcess.__module__


@pytest.fixture(autouse=True)
def another_thread() -> Iterator[None]:
    """With it alone there may be locks that a fork of this process would never see opened."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


def surroundings(name: str) -> tuple[str, str | None, list[str]]:
    return os.getcwd(), os.environ.get(name), sys.path


def is_imported(module: str) -> bool:
    return module in sys.modules


@pytest.mark.long
def test_answers_failures_and_limits_are_those_of_any_child() -> None:
    assert run_limited(add, (2, 3)) == 5
    with pytest.raises(KeyError, match="lost"):
        run_limited(fail, ("lost",))
    assert stop(spin, seconds=0.2) is Limit.TIME
    assert stop(spin, seconds=0.2, processor_time=True) is Limit.TIME
    assert stop(swell, seconds=30, megabytes=50) is Limit.MEMORY
    with pytest.raises(ChildLimitError, match="the process exited with 3"):
        run_limited(die)


def test_it_begins_where_the_caller_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_limited(add, (1, 1))  # the warm process has been there before all this
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDORUM_NEW_HERE", "yes")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder, value, path = run_limited(surroundings, ("LUDORUM_NEW_HERE",))
    assert (folder, value, path[0]) == (str(tmp_path), "yes", str(tmp_path))
    monkeypatch.delenv("LUDORUM_NEW_HERE")
    assert run_limited(surroundings, ("LUDORUM_NEW_HERE",))[1] is None


def test_a_folder_that_is_gone_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run_limited(add, (2, 3)) == 5


def test_what_work_needs_is_imported_once_for_all() -> None:
    rules, _ = read_rules(find_sheet("tictactoe").source)
    ground_rules(rules)
    assert run_limited(is_imported, ("clingo",))  # which this function does not need


def test_nothing_is_left_when_the_call_ends() -> None:
    run_limited(add, (1, 1))
    warm = fork_server(FORKED).pid
    stop(spin, seconds=0.1)
    run_limited(add, (1, 1))
    supervisors = [pid for pid in descendants(warm) if _parent(pid) == warm]  # about to end themselves
    assert [pid for pid in descendants(warm) if pid not in supervisors and _state(pid) != "Z"] == []
    deadline = time.monotonic() + 10
    while any(_state(pid) != "Z" for pid in supervisors):
        assert time.monotonic() < deadline


def _state(pid: int) -> str:
    return _stat(pid)[0]


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return ["Z", "0"]


def test_its_processor_seconds_count() -> None:
    before = children_seconds()
    stop(spin, seconds=0.3, processor_time=True)
    assert 0.29 < children_seconds() - before < 3


def test_after_the_warm_process_was_killed_there_is_another() -> None:
    run_limited(add, (1, 1))
    server = fork_server(FORKED)
    starts = server.starts
    os.kill(server.pid, signal.SIGKILL)
    os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
    assert run_limited(add, (2, 3)) == 5
    assert server.starts == starts + 1


@pytest.mark.long
def test_a_fork_has_a_warm_process_of_its_own() -> None:
    in_own_process(fork_beside_a_thread)


def fork_beside_a_thread() -> None:
    done = threading.Event()
    threading.Thread(target=done.wait).start()
    assert run_limited(add, (1, 1)) == 2
    ours = fork_server(FORKED).pid
    child = os.fork()
    if child == 0:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        right = run_limited(add, (2, 3)) == 5 and fork_server(FORKED).pid != ours
        fork_server(FORKED).close()
        os._exit(7 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert run_limited(add, (2, 3)) == 5
    assert fork_server(FORKED).pid == ours
    done.set()


def test_a_warm_process_that_has_been_idle_ends_and_another_begins() -> None:
    server = ForkServer(impatient.__name__)
    for starts in (1, 2):
        tree = server.start(1000.0)
        assert Connection(tree.work.detach()).recv() == 42
        tree.close()
        assert server.starts == starts
        os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
    server.close()


def test_all_who_wait_hear_that_it_is_warm() -> None:
    """It is told once: who came a moment later waited for ever."""
    server = ForkServer(FORKED)
    for _ in range(200):
        server.close()
        server._control, told = socket.socketpair()
        server._warm = False
        waiting = [threading.Thread(target=server.wait_until_warm, daemon=True) for _ in range(4)]
        for number, thread in enumerate(waiting):
            thread.start()
            if number == 1:
                told.send(b"w")
        for thread in waiting:
            thread.join(30)
            assert not thread.is_alive()
        server._control.close()
        told.close()
