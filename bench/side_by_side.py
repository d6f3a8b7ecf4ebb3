"""This clone beside another one, of an earlier commit for example: which is faster, on a busy machine too.

    python bench/side_by_side.py OTHER_CLONE [--games tictactoe,chess] [--kinds lifted,single] [--json]

Both clones must have been set up (`make setup`). A process of each does the same piece of work, some
milliseconds long, in turn, many times: other programs on the machine disturb both alike, and the least time
of each is the one that was disturbed least. Times are the processor's. Both must come to the same result, or
the comparison ends with an error. Exits with 1 where this clone needs more than `--limit` times as long, in
the mean of a kind.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = "tictactoe,connect_four,english_draughts,breakthrough"
KINDS = ("lanes", "single", "lifted", "mcts")
INTERPRETER = ".venv/bin/python"

# Only what clones of all ages have. Prints seconds and a result for each line that it reads.
WORKER = """
import sys, time
from ludorum.engine import load_game

name, kind, least = sys.argv[1], sys.argv[2], float(sys.argv[3])
game = load_game(name, "lifted" if kind == "lifted" else "compiled")
if kind == "lanes":
    from ludorum._core import Lanes
    lanes = Lanes(game.network)
    def work(count):
        return lanes.playouts(count * lanes.lanes, seed=1)["steps"]
elif kind == "mcts":
    from ludorum.search import Budget
    from ludorum.search.mcts import Mcts
    def work(count):
        return str(Mcts(game).search(game.initial(), game.roles[0], Budget(playouts=count)).move)
else:
    def work(count):
        return game.initial().playouts(count, seed=1)

def timed(count):
    begun = time.process_time()
    found = work(count)
    return time.process_time() - begun, found

count = int(sys.argv[4])
size = 1
while not count:
    size *= 2
    if timed(size)[0] > least:
        count = size
print(count, flush=True)
for line in sys.stdin:
    seconds, found = timed(count)
    print(f"{seconds:.9f} {found}", flush=True)
"""


class Side:
    """A process of one clone."""

    def __init__(self, clone: Path, name: str, kind: str, least: float, count: int) -> None:
        """``count``: how much work each question is; 0 for as much as takes ``least`` seconds."""
        command = [str(clone / INTERPRETER), "-c", WORKER, name, kind, str(least), str(count)]
        self._process = subprocess.Popen(
            command, cwd=clone, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.count = int(self._read())

    def ask(self) -> tuple[float, str]:
        """Seconds for the work, and what came of it."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        seconds, _, found = self._read().partition(" ")
        return float(seconds), found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a side has ended with status {self._process.wait()}")
        return line.strip()


def ratio(other: Path, name: str, kind: str, rounds: int, least: float) -> float:
    """How many times the other clone's time this one needs."""
    ours = Side(ROOT, name, kind, least, 0)
    theirs = Side(other, name, kind, least, ours.count)
    try:
        times: dict[Side, list[float]] = {ours: [], theirs: []}
        results = set()
        for _ in range(rounds):
            for side, taken in times.items():
                seconds, found = side.ask()
                taken.append(seconds)
                results.add(found)
        if len(results) > 1:
            raise SystemExit(f"{name}, {kind}: the clones come to different results: {sorted(results)}")
        return min(times[ours]) / min(times[theirs])
    finally:
        ours.close()
        theirs.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="the folder of another clone that was set up")
    parser.add_argument("--games", default=GAMES, help=f"names of library games (default {GAMES})")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)} (default all)")
    parser.add_argument("--rounds", type=int, default=60, help="how often each side is asked (default 60)")
    parser.add_argument("--least", type=float, default=0.01, help="seconds of each piece of work")
    parser.add_argument("--limit", type=float, default=1.03, help="how many times as long it may take")
    parser.add_argument("--json", action="store_true", help="print a JSON object instead of lines")
    options = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    for name in options.games.split(","):
        for kind in options.kinds.split(","):
            times = ratio(options.other.resolve(), name, kind, options.rounds, options.least)
            found.setdefault(kind, {})[name] = round(times, 3)
            if not options.json:
                print(f"{name:20} {kind:8} {times:6.3f} times the time of the other", flush=True)
    means = {kind: round(math.prod(row.values()) ** (1 / len(row)), 3) for kind, row in found.items()}
    if options.json:
        print(json.dumps({"times": found, "means": means}))
    else:
        for kind, mean in means.items():
            print(f"{'mean':20} {kind:8} {mean:6.3f}")
    return int(any(mean > options.limit for mean in means.values()))


if __name__ == "__main__":
    sys.exit(main())
