"""Players that try to hurt a match, as an installed package that tests put on the path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SOURCE = '''
import ctypes, os, signal, subprocess, sys, threading, time
from ludorum.players import Player

class Last(Player):
    name = "mcts"  # it lies
    def __init__(self, seed):
        pass
    def choose(self, position, seconds):
        return position.legal[-1]

class Exit(Last):
    def choose(self, position, seconds):
        os._exit(0)

class Bomb(Last):
    """Ends its process a moment after its own move, when the other player thinks."""
    def choose(self, position, seconds):
        if len(position.legal) > 1:
            threading.Timer(0.3, os._exit, [0]).start()
        return position.legal[-1]

class Crash(Last):
    def choose(self, position, seconds):
        ctypes.string_at(0)  # reads where nothing is

class Loop(Last):
    def choose(self, position, seconds):
        while True:
            pass

class Hang(Last):
    def choose(self, position, seconds):
        ctypes.PyDLL(None).sleep(3600)  # with the interpreter's lock held: no thread of the process runs

class Spawn(Last):
    """Starts a child, one in a session of its own, and one whose parent is gone; none of them ends."""
    def choose(self, position, seconds):
        nap = [sys.executable, "-c", "import time; time.sleep(3600)"]
        pids = [subprocess.Popen(nap).pid, subprocess.Popen(nap, start_new_session=True).pid]
        quiet = "stdout=-3, stderr=-3, start_new_session=True"
        lost = f"import subprocess; print(subprocess.Popen({nap!r}, {quiet}).pid)"
        pids.append(int(subprocess.run([sys.executable, "-c", lost], capture_output=True).stdout))
        with open(os.environ["SPAWNED"], "w") as file:
            file.write(" ".join(map(str, [os.getpid(), *pids])))
        return position.legal[-1]

class Unspeakable(Last):
    def choose(self, position, seconds):
        class Thing:
            def __repr__(self):
                raise SystemExit("no words")
        return Thing()

class Garbage(Last):
    said = [None, b"x", "x" * 10**6, "(", 7]
    def choose(self, position, seconds):
        return self.said.pop(0)

class Rubbish(Last):
    """Writes into every file it can find."""
    def choose(self, position, seconds):
        for number in range(3, 64):
            try:
                os.write(number, b"\\0\\0\\0\\2[]")
            except OSError:
                pass
        time.sleep(3600)

class Hog(Last):
    def choose(self, position, seconds):
        kept = []
        while True:
            kept.append(bytearray(os.urandom(1 << 20)))

class Closing(Last):
    def choose(self, position, seconds):
        os.closerange(0, 256)
        time.sleep(3600)

class Printing(Last):
    def choose(self, position, seconds):
        print("printed")
        os.write(1, b"written")
        sys.stdin.close()
        return position.legal[-1]

class Raising(Last):
    def choose(self, position, seconds):
        raise SystemExit(3)

class Accident(Last):
    """Dies once."""
    def choose(self, position, seconds):
        try:
            os.close(os.open(os.environ["ACCIDENT"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return position.legal[0]
        os.kill(os.getpid(), signal.SIGKILL)

def unborn(seed):
    raise RuntimeError("no licence")
'''

_CLASSES = (
    "Last Exit Bomb Crash Loop Hang Spawn Unspeakable Garbage Rubbish Hog Closing Printing Raising Accident"
)
NAMES = {name.lower(): name for name in _CLASSES.split()} | {"unborn": "unborn"}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the package on the path of this process and of those it starts."""
    (folder / "hostile_players.py").write_text(SOURCE)
    info = folder / "hostile_players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile-players\nVersion: 1.0\n")
    points = "".join(f"{name} = hostile_players:{entry}\n" for name, entry in NAMES.items())
    (info / "entry_points.txt").write_text(f"[ludorum.players]\n{points}")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("ACCIDENT", str(folder / "happened"))
    monkeypatch.setenv("SPAWNED", str(folder / "spawned"))
