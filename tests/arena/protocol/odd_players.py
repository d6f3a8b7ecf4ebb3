"""Players that do not do as they should, where the process of a match can import them quickly."""

from __future__ import annotations

import ctypes
import subprocess
import threading
import time
from pathlib import Path

from ludorum.engine.game import Game
from ludorum.engine.sight import Position
from ludorum.players import Player
from ludorum.rules.terms import Term


class Thoughtful(Player):
    """Takes half its time."""

    name = "thoughtful"

    def choose(self, position: Position, seconds: float) -> Term:
        time.sleep(seconds / 2)
        return position.legal[0]


class Sleeper(Player):
    """Thinks until the match is over, and on."""

    name = "sleeper"
    woken = threading.Event()
    """Ends the sleep of those that are threads; a process is ended with its match."""

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.woken.wait(3600)

    def choose(self, position: Position, seconds: float) -> Term:
        self.woken.wait(3600)
        return position.legal[-1]


class Cheat(Player):
    name = "cheat"

    def choose(self, position: Position, seconds: float) -> Term:
        return Term("fly")


class Faint(Player):
    name = "faint"

    def start(self, game: Game, role: Term, seconds: float) -> None:
        raise RuntimeError("not today")

    def choose(self, position: Position, seconds: float) -> Term:
        raise RuntimeError("nor now")


class Last(Player):
    """Chooses what nobody holds for it: the last of its moves."""

    name = "last"

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[-1]


class Breeder(Last):
    """Starts a process in a session of its own, whose parent ends at once."""

    name = "breeder"

    def start(self, game: Game, role: Term, seconds: float) -> None:
        subprocess.run(["sh", "-c", "setsid sleep 1000 &"], check=True)


class Glutton(Last):
    """Thinks with more and more memory."""

    name = "glutton"

    def choose(self, position: Position, seconds: float) -> Term:
        thoughts = []
        while True:
            thoughts.append(bytearray(b"x") * 10_000_000)


class Diarist(Last):
    """Writes down what it gets for a match."""

    name = "diarist"

    def __init__(self, file: str) -> None:
        self._file = Path(file)

    def ended(self, role: Term, goal: int) -> None:
        self._file.write_text(f"{role} {goal}")


class Deaf(Player):
    """Keeps the interpreter's lock while it thinks, so that nothing else in its process runs."""

    name = "deaf"

    def choose(self, position: Position, seconds: float) -> Term:
        ctypes.PyDLL(None).sleep(3600)
        raise AssertionError("nobody waits that long")
