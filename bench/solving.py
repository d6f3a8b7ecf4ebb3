"""The solving table: our sheets of the seven published games, solved, with strategies that are checked.

    python bench/solving.py                    # all but the largest
    python bench/solving.py --all --keep       # everything, kept in bench/results/
    python bench/solving.py connect_4_5x5

Published are the seconds of the better of two solvers of `hharryyf/gdl2qbf` (AAMAS 2024, table 2): a QBF
solver and minimax with a transposition table, on a laptop. Ours are seconds of the processor, one thread.
*solve* is the search for the value; *start* comes before it (reading, grounding, building the circuit; the
grounding runs in its own process and is counted too); *strategy* and *check* come after it.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.search.budget import Budget
from ludorum.solve.values.check_strategy import check_strategy
from ludorum.solve.values.prover import ProverConfig
from ludorum.solve.values.solve_game import SolveConfig, solve_game

SHEETS = Path(__file__).parent / "solving"
RESULTS = Path(__file__).parent / "results"

T = TypeVar("T")


@dataclass(frozen=True)
class Published:
    """What others have measured, and what is known of the game."""

    qbf: float
    minimax: float | None
    """Seconds; None: more than a thousand."""
    value: int
    """Of the first player."""

    @property
    def better(self) -> float:
        return self.qbf if self.minimax is None else min(self.qbf, self.minimax)


PUBLISHED = {
    "breakthrough_2x6": Published(6.44, 2.86, 100),
    "breakthrough_3x5": Published(655.64, 92.41, 0),
    "breakthrough_4x4": Published(17.37, 106.20, 0),
    "connect_3_6x6": Published(0.45, 1.37, 100),
    "connect_4_5x5": Published(135.52, 517.50, 50),
    "connect_4_6x6": Published(381.30, None, 0),
    "dots_and_boxes_2x3": Published(599.74, 15.06, 0),
}
LARGEST = {"connect_4_6x6"}


@dataclass(frozen=True)
class Line:
    game: str
    value: int
    method: str
    nodes: int
    start_s: float
    solve_s: float
    published_s: float
    ratio: float
    """How many times as fast as the better published solver, the search alone."""
    ratio_with_start: float
    strategy: int
    """States in which the strategy chooses."""
    strategy_s: float
    check_s: float
    checked_states: int
    holds: bool
    megabytes: int
    """The most memory that the run had taken by then, Python and all."""


def processor_seconds() -> float:
    """Of this process and of those it has started and waited for."""
    return sum(
        own.ru_utime + own.ru_stime
        for own in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def timed(work: Callable[[], T]) -> tuple[T, float]:
    begin = processor_seconds()
    return work(), processor_seconds() - begin


def measure(name: str, memory: int) -> Line:
    game, start = timed(lambda: load_game(str(SHEETS / f"{name}.kif"), "compiled"))
    assert isinstance(game, CompiledGame)
    published = PUBLISHED[name]
    prover = ProverConfig(table_bytes=memory << 20)
    found, seconds = timed(
        lambda: solve_game(
            game,
            budget=Budget(seconds=100_000),
            config=SolveConfig(prover=prover, strategies=True, nodes_a_move=0),
        )
    )
    seconds -= found.strategy_seconds
    role = game.roles[0]
    value = int(found.values[role])
    if value != published.value:
        sys.exit(f"{name}: {value} for {role}, but {published.value} is known")
    best = max(found.strategies.values(), key=lambda each: each.value)
    check, check_seconds = timed(lambda: check_strategy(game, best))
    return Line(
        name,
        value,
        found.method.value,
        found.nodes,
        round(start, 3),
        round(seconds, 3),
        published.better,
        round(published.better / seconds, 1),
        round(published.better / (seconds + start), 1),
        len(best),
        round(found.strategy_seconds, 3),
        round(check_seconds, 3),
        check.states,
        check.holds and check.complete,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(PUBLISHED))
    parser.add_argument("--all", action="store_true", help="the largest too, which take minutes")
    parser.add_argument("--memory", type=int, default=2048, help="megabytes of the table of states")
    parser.add_argument("--keep", action="store_true", help="keep the table in bench/results/")
    arguments = parser.parse_args()
    unknown = set(arguments.games) - set(PUBLISHED)
    if unknown:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    names = arguments.games or [name for name in PUBLISHED if arguments.all or name not in LARGEST]
    columns = [
        "game",
        "value",
        "nodes",
        "start s",
        "solve s",
        "published s",
        "times as fast",
        "strategy",
        "strategy s",
        "check s",
        "holds",
    ]
    print(f"| {' | '.join(columns)} |")
    print("| --- " * len(columns) + "|")
    lines = []
    for name in names:
        line = measure(name, arguments.memory)
        lines.append(line)
        print(
            f"| {name} | {line.value} | {line.nodes} | {line.start_s:.2f} | {line.solve_s:.3f} | "
            f"{line.published_s:.2f} | {line.ratio:.0f} ({line.ratio_with_start:.0f} with start) | "
            f"{line.strategy} | {line.strategy_s:.2f} | {line.check_s:.2f} | "
            f"{'yes' if line.holds else 'NO'} |",
            flush=True,
        )
    if arguments.keep:
        print(f"kept in {keep(lines)}")


def keep(lines: list[Line]) -> Path:
    today = datetime.now(UTC).date().isoformat()
    commit = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    path = RESULTS / f"solving-{today}.json"
    known = json.loads(path.read_text())["games"] if path.exists() else {}
    known.update({line.game: asdict(line) for line in lines})
    shown = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "commit": commit,
        "games": known,
    }
    path.write_text(json.dumps(shown, indent=2) + "\n")
    return path


if __name__ == "__main__":
    main()
