"""Players that are code of others: whatever they do, there is a legal move, and nothing is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position, position_of
from ludorum.players import Guard, Lapse, make_player
from ludorum.players.isolated import IsolatedPlayer
from tests.players.hostile_players import install

pytestmark = [
    pytest.mark.usefixtures("hostile"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)


def at_the_start(game: Game | None = None) -> Position:
    game = game or load_game("tictactoe")
    return position_of(game.initial(), game.roles[0])


@contextmanager
def guarded(name: str) -> Iterator[Guard]:
    guard = Guard(make_player(name, 1))
    try:
        yield guard
    finally:
        guard.stop()


def lives(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "engine", ["compiled", *(pytest.param(name, marks=pytest.mark.long) for name in ("lifted", "auto"))]
)
def test_a_match_is_followed_there_as_here(engine: str) -> None:
    game = load_game("tictactoe", engine)
    state = game.initial()
    with guarded("last") as guard:
        assert guard.name == "last"  # by which it was called, whatever it says
        assert guard.start(game, game.roles[0], 60) is None
        for _ in range(2):
            position = position_of(state, game.roles[0])
            assert guard.choose(position, 60).move is position.legal[-1]
            state = state.play([state.legal(role)[0] for role in game.roles])


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("exit", "exit failed: its process exited with 0"),
        ("crash", "crash failed: its process died of SIGSEGV"),
        ("rubbish", "rubbish failed: its process answered with rubbish and was ended"),
        ("raising", "raising failed: SystemExit: 3"),
        ("unspeakable", "unspeakable chose something of the type Thing, which is not legal"),
    ],
)
def test_what_a_player_does_is_told_and_a_legal_move_is_made(name: str, fault: str) -> None:
    position = at_the_start()
    with guarded(name) as guard:
        answer = guard.choose(position, 60)
        assert (answer.move, answer.fault) == (position.legal[0], fault)
        again = guard.choose(position, 60)
        assert again.move is position.legal[0]
        assert again.lapse is answer.lapse


@pytest.mark.long
def test_garbage_is_no_move() -> None:
    position = at_the_start()
    with guarded("garbage") as guard:
        for said in ("None", "b'x'", "x" * 499 + "…", "(", "7"):
            assert guard.choose(position, 60).fault == f"garbage chose {said}, which is not legal"


@pytest.mark.long
@pytest.mark.parametrize("name", ["loop", "hang"])
def test_one_that_does_not_answer_is_late_and_ends_with_the_match(name: str) -> None:
    position = at_the_start()
    player = make_player(name)
    assert isinstance(player, IsolatedPlayer)
    supervisor = player._tree._supervisor
    assert supervisor is not None
    guard = Guard(player)
    for _ in range(2):
        assert guard.choose(position, 0.2).lapse is Lapse.LATE
    guard.stop()
    assert supervisor.poll() == 0
    assert player.death == "was ended"


@pytest.mark.long
def test_one_that_closes_all_its_files_has_a_move_made_for_it() -> None:
    position = at_the_start()
    with guarded("closing") as guard:
        for _ in range(2):  # late first, and dead when its own listener finds nothing to listen at
            answer = guard.choose(position, 0.2)
            assert answer.move is position.legal[0]
            assert answer.lapse in (Lapse.LATE, Lapse.FAILED)


@pytest.mark.long
def test_memory_is_bounded() -> None:
    position = at_the_start()
    player = IsolatedPlayer(EntryPoint("hog", "hostile_players:Hog", "ludorum.players"), 1, megabytes=300)
    guard = Guard(player)
    assert guard.choose(position, 60).fault == "hog failed: its process needed more than 300 MB"
    guard.stop()


def spawned() -> list[int]:
    return list(map(int, Path(os.environ["SPAWNED"]).read_text().split()))


@pytest.mark.long
def test_everything_a_player_has_started_ends_with_it() -> None:
    with guarded("spawn") as guard:
        assert guard.choose(at_the_start(), 60).lapse is None
        pids = spawned()
        assert len(pids) == 4
        assert all(map(lives, pids))
    until(lambda: not any(map(lives, pids)))  # the system may take a moment for it


KILLED = """
from ludorum.engine.load import load_game
from ludorum.players import make_player, position_of

game = load_game("tictactoe")
player = make_player("spawn")
player.choose(position_of(game.initial(), game.roles[0]), 60)
print("spawned", flush=True)
input()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_everything_a_player_has_started_ends_with_the_program(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "spawned\n"
        pids = spawned()
        assert all(map(lives, pids))
        program.send_signal(number)
    until(lambda: not any(map(lives, pids)))


def test_a_player_that_cannot_be_made_is_named() -> None:
    with pytest.raises(ValueError, match=r"'unborn' \(hostile_players:unborn\) cannot be made: no licence"):
        make_player("unborn")
