"""Tactical positions from a corpus: does a player find an acceptable move within the clocks of the position?

    python bench/tactical.py CORPUS [--player champion] [--scale 1.0] [--only NAME...] [--json FILE]

CORPUS/tactical holds scripted games: moves that lead to a position, clocks, and the moves that are acceptable
there. The player has the start clock on the position before, as it would have had time in a match, and the
play clock on its move; ``--scale 0.1`` gives it a tenth of both. Positions that the suite itself marks to be
skipped are played with ``--skipped`` and listed apart.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ludorum.experiments.tactical import TacticalCase, read_cases, solve_case
from ludorum.players import make_player


@dataclass(frozen=True)
class Row:
    case: str
    sheet: str
    move: str
    wanted: str
    solved: bool
    skipped: bool
    start: float
    play: float
    seconds: float


def main() -> None:
    asked = arguments()
    rows = []
    for case in read_cases(asked.corpus):
        named = not asked.only or any(name in case.name for name in asked.only)
        if not named or (case.skipped and not asked.skipped):
            continue
        rows.append(measured(case, asked))
        print(line(rows[-1]), flush=True)
    counted = [row for row in rows if not row.skipped]
    solved = sum(row.solved for row in counted)
    print(f"{asked.player}: {solved} of {len(counted)} solved ({solved / max(len(counted), 1):.0%})")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def measured(case: TacticalCase, asked: argparse.Namespace) -> Row:
    player = make_player(asked.player, asked.seed)
    begin = time.monotonic()
    found = solve_case(case, player, asked.scale)
    return Row(
        case=case.name,
        sheet=case.sheet.stem,
        move=str(found.move),
        wanted=case.wanted,
        solved=found.solved,
        skipped=case.skipped,
        start=case.start_seconds * asked.scale,
        play=case.play_seconds * asked.scale,
        seconds=time.monotonic() - begin,
    )


def line(row: Row) -> str:
    mark = "ok " if row.solved else "NO "
    return (
        f"{mark}{row.sheet:22} {row.move:24} wanted {row.wanted:50.50} {row.seconds:5.1f} s {row.case[:40]}"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--player", default="champion")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--skipped", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
