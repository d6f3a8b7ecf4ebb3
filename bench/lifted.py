"""Random play with the lifted engine against the reference engine, both measured in this run.

    python bench/lifted.py [GAME...] [--corpus FOLDER] [--every N] [--seconds 1] [--json FILE]

A GAME is a library name or a path; without any, a few library games. ``--corpus`` takes every Nth sheet of a
folder. All seconds are seconds of the processor. A step is one joint move with all its questions: is the game
over, what is legal, what comes next. ``first`` is the time from the text to the first legal moves without
reading; ``states`` is play through ``State`` objects, ``lifted`` the same play in compiled code.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from pathlib import Path
from typing import Any

from ludorum.engine import Game, LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.library import find_sheet
from ludorum.rules.reader import read_rules
from ludorum.rules.repair import make_safe
from ludorum.rules.ruleset import Ruleset

GAMES = (
    "tictactoe",
    "connect_four",
    "breakthrough",
    "othello",
    "hex",
    "english_draughts",
    "amazons_8",
    "chess",
)
LONGEST = 500
SLOW_START = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    names = list(asked.games)
    if asked.corpus:
        names += [str(path) for path in sorted(asked.corpus.rglob("*.kif"))[:: asked.every]]
    rows = []
    print(f"{'sheet':44} {'first s':>8} {'reference':>10} {'states':>10} {'lifted':>10} {'ratio':>8}")
    for name in names or GAMES:
        rows.append(measured(name, asked.seconds))
        print(line(rows[-1]), flush=True)
    print(*summary(rows), sep="\n")
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


def measured(name: str, seconds: float) -> dict[str, Any]:
    row: dict[str, Any] = {"sheet": Path(name).stem}
    try:
        rules = safe_rules(name)
        began = time.process_time()
        game = LiftedGame(rules, row["sheet"])
        start = game.initial()
        for role in game.roles:
            start.legal(role)
        row["first_s"] = time.process_time() - began
        row["states"] = steps_per_second(game, seconds)
        played = game.playouts(seconds=seconds, longest=LONGEST)
        row["tuning_s"] = played.tuning_seconds
        row["lifted"] = played.steps / max(1e-9, played.cpu_seconds - played.tuning_seconds)
        row["reference"] = steps_per_second(ReferenceGame(rules, row["sheet"]), seconds)
    except Exception as error:  # one bad sheet must not end the run
        row["error"] = f"{type(error).__name__}: {error}"
    return row


def safe_rules(name: str) -> Ruleset:
    ruleset, _ = read_rules(find_sheet(name).source)
    return make_safe(ruleset)[0]


def steps_per_second(game: Game, seconds: float) -> float:
    chance = random.Random(0)
    steps = 0
    began = time.process_time()
    state, length = game.initial(), 0
    while (spent := time.process_time() - began) < seconds or not steps:
        choices = [state.legal(role) for role in game.roles]
        if state.is_terminal or not all(choices) or length == LONGEST:
            if length == 0:
                return 0.0  # over before it begins: there are no steps
            state, length = game.initial(), 0
            continue
        state = state.play([chance.choice(moves) for moves in choices])
        steps, length = steps + 1, length + 1
    return steps / spent


def line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['sheet']:44} {row['error']}"
    ratio = f"{row['lifted'] / row['reference']:8.0f}" if row["reference"] else "       -"
    return (
        f"{row['sheet']:44} {row['first_s']:8.3f} {row['reference']:10.1f} {row['states']:10.0f}"
        f" {row['lifted']:10.0f} {ratio}"
    )


def summary(rows: list[dict[str, Any]]) -> list[str]:
    whole = [row for row in rows if row.get("reference") and row.get("lifted")]
    failed = [row["sheet"] for row in rows if "error" in row]
    lines = [f"{len(rows)} sheets, {len(failed)} failed {' '.join(failed)}"]
    if whole:
        mean = math.exp(statistics.fmean(math.log(row["lifted"] / row["reference"]) for row in whole))
        median = statistics.median(row["lifted"] for row in whole)
        lines.append(f"lifted: median {median:.0f} steps/s; {mean:.0f} times the reference (geometric mean)")
    slow = sorted(
        ((row["first_s"], row["sheet"]) for row in rows if row.get("first_s", 0) > SLOW_START), reverse=True
    )
    lines.append(f"first legal moves after more than {SLOW_START} s: {len(slow)}")
    lines += [f"  {seconds:6.2f} s  {sheet}" for seconds, sheet in slow]
    return lines


if __name__ == "__main__":
    main()
