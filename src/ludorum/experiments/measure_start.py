"""How long it takes to begin: importing the package, and the first compiled playout of a game.

Each measurement runs in a fresh interpreter. Processor seconds include those of the process that grounds.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass

GAMES = ("tictactoe", "connect_four", "chess", "amazons_8")

_PROGRAM = """
import os, time
def spent():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
empty, clock = time.process_time(), time.perf_counter()
from ludorum import load_game  # import ludorum alone loads next to nothing
imported, import_wall = time.process_time() - empty, time.perf_counter() - clock
before, clock = spent(), time.perf_counter()
game = load_game({name!r}, "compiled")
game.simulator().playouts(1)
wall = time.perf_counter() - clock
import json
print(json.dumps([imported, import_wall, spent() - before, wall]))
"""


@dataclass(frozen=True)
class StartTimes:
    """Seconds to begin with a game, the least of some tries; ``wall`` is by the clock on the wall."""

    game: str
    import_s: float
    """From nothing to ``load_game``, with all that it needs."""
    import_wall_s: float
    first_playout_s: float
    """After the import: reading and checking the rules, compiling, one playout."""
    first_playout_wall_s: float

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def measure_start(game: str, tries: int = 3) -> StartTimes:
    """The quickest of some starts with a library game."""
    found = [_start(game) for _ in range(tries)]
    imported, import_wall, first, wall = (min(column) for column in zip(*found, strict=True))
    return StartTimes(game, imported, import_wall, first, wall)


def _start(game: str) -> tuple[float, float, float, float]:
    command = [sys.executable, "-c", _PROGRAM.format(name=game)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported, import_wall, first, wall = json.loads(done.stdout)
    return imported, import_wall, first, wall
