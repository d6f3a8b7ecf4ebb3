"""Random games of `backgammon` beside OpenSpiel's hand-written game in C++, in turns in one process.

    pip install '.[rivals]'
    python bench/backgammon_speed.py [--rounds 15] [--json FILE]

Both play on one core, and the clock is the processor's. OpenSpiel's games are the rollouts of a search with
two simulations from the first move on, so that all time is spent in C++. A move there is a whole turn with
both dice, all of them as likely; here men go one by one. Games take about a hundred turns in both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import pyspiel

from ludorum.engine.load import load_game

OURS, THEIRS = 8192, 150
"""Games of one round, and of one simulation: some tenths of a second."""
SIMULATIONS = 2
"""A search of so few is all rollouts."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    ours, theirs = load_game("backgammon", "compiled"), pyspiel.load_game("backgammon")
    start = theirs.new_initial_state()
    start.apply_action(start.legal_actions()[0])  # a search begins where a player moves
    assert not start.is_chance_node()
    rows = []
    for number in range(asked.rounds + 1):
        begun = time.process_time()
        ours.playouts(OURS, seed=number)
        between = time.process_time()
        evaluator = pyspiel.RandomRolloutEvaluator(THEIRS, number)
        pyspiel.MCTSBot(theirs, evaluator, 2.0, SIMULATIONS, 100, False, number, False).step(start)
        rows.append((OURS / (between - begun), THEIRS * SIMULATIONS / (time.process_time() - between)))
    rows = rows[1:]  # the first round warms both up
    ratios = sorted(here / there for here, there in rows)
    here, there = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"{here:.0f} games a second here, {there:.0f} in OpenSpiel")
    print(
        f"ratio {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f} in {len(ratios)} rounds)"
    )
    if asked.json:
        found = {"ours": here, "openspiel": there, "ratios": ratios, "rounds": asked.rounds}
        asked.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
