"""What is left when a game nobody wants any more was still being compiled: nothing."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludorum.engine.auto import AutoGame
from ludorum.engine.game import Game
from ludorum.processes import descendants, fork_server
from ludorum.processes.forked import ForkedProcess
from ludorum.processes.session import ChildLimitError, run_limited
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from tests.own_process import PYTHON
from tests.small_games import DOOR

ENDLESS = """(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))
             (<= (legal r go) (true (n z))) (goal r 0) (<= terminal (true (n done)))"""
"""Grounding it goes on until it is stopped."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def at_work() -> set[int]:
    """The processes that do work for this one, without their supervisors."""
    below = descendants(fork_server(ForkedProcess.__module__).pid)
    return {pid for pid in below if any(pid in descendants(other) for other in below) and is_alive(pid)}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def endless_game() -> tuple[AutoGame, set[int]]:
    """A game whose circuit is never done, and the child process that is at work on it."""
    before = at_work()
    game = AutoGame(parse_kif(ENDLESS), "endless")
    assert within(20, lambda: bool(at_work() - before))
    return game, at_work() - before


@needs_proc
def test_a_closed_game_has_no_child_and_plays_on() -> None:
    game, children = endless_game()
    game.close()
    assert not any(map(is_alive, children))
    assert "was stopped" in game.failure
    after = game.initial().play([parse_term("go")])
    assert str(after) == "((n (s z)))"


@needs_proc
def test_a_game_closes_with_its_block() -> None:
    game, children = endless_game()
    with game:
        assert not game.is_compiled
    assert not any(map(is_alive, children))


@needs_proc
def test_a_forgotten_game_has_no_child() -> None:
    game, children = endless_game()
    builder = game._construction.thread
    del game
    gc.collect()
    assert within(20, lambda: not any(map(is_alive, children)))
    builder.join(20)
    assert not builder.is_alive()


def test_a_game_is_kept_by_its_states() -> None:
    may_build = threading.Event()

    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        assert may_build.wait(30)
        assert not stop.is_set()
        raise ValueError("built as far as was wanted")

    game = AutoGame(parse_kif(DOOR), "door", build)
    state = game.initial()
    del game
    gc.collect()
    may_build.set()
    assert not state.game.wait(30)
    assert "as far as was wanted" in state.game.failure


SCRIPT = f"""
import sys, time
from ludorum.engine.auto import AutoGame
from ludorum.rules.kif import parse_kif
from tests.engine.test_auto_endings import at_work, within
game = AutoGame(parse_kif('''{ENDLESS}'''), "endless")
assert within(20, lambda: bool(at_work()))
print(*at_work(), flush=True)
if sys.argv[1:] == ["wait"]:
    time.sleep(60)
"""


def start_script(folder: Path, *args: str) -> tuple["subprocess.Popen[str]", list[int]]:
    """A program with a game that is being compiled, and its child processes. It has no main idiom."""
    path = folder / "script.py"
    path.write_text(SCRIPT)
    root = Path(__file__).parents[2]
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    program = subprocess.Popen(
        [*PYTHON, str(path), *args], stdout=subprocess.PIPE, text=True, cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert program.stdout is not None
    return program, [int(word) for word in program.stdout.readline().split()]


@pytest.mark.long
@needs_proc
def test_a_program_that_ends_leaves_no_child(tmp_path: Path) -> None:
    program, children = start_script(tmp_path)
    rest, _ = program.communicate(timeout=30)
    assert (program.returncode, rest) == (0, "")
    assert children
    assert within(5, lambda: not any(map(is_alive, children)))


@pytest.mark.long
@needs_proc
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells children of such an end")
def test_a_program_that_is_killed_leaves_no_child(tmp_path: Path) -> None:
    program, children = start_script(tmp_path, "wait")
    time.sleep(1.0)  # the child has to have begun: until then it notices by itself
    program.send_signal(signal.SIGKILL)
    program.communicate(timeout=30)
    assert children
    assert within(5, lambda: not any(map(is_alive, children)))


def test_work_is_stopped_from_another_thread() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with pytest.raises(ChildLimitError, match="was stopped"):
        run_limited(time.sleep, (60,), stop=stop)
    assert time.monotonic() - began < 20
