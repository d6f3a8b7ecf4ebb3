"""Random games a second: counted in bulk, and with the results of every game as arrays.

    python bench/each_game.py [GAME...] [--games 1000000]

The rates are games for each second of the processor in one thread, the best of five rounds that take turns.
"""

from __future__ import annotations

import argparse
import time

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_rules
from ludorum.rules.library import find_sheet

GAMES = ("tictactoe", "connect_four", "breakthrough", "othello", "chess")
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=1_000_000)
    asked = parser.parse_args()
    for name in asked.names:
        kernel = CompiledGame(load_rules(find_sheet(name)), name).simulator().kernel
        games = min(asked.games, _in_a_second(kernel.playouts(2000)["seconds"]))
        rates = {False: 0.0, True: 0.0}
        for seed in range(ROUNDS):
            for each in rates:
                begin = time.process_time()
                kernel.playouts(games, seed=seed, each=each)
                rates[each] = max(rates[each], games / (time.process_time() - begin))
        bulk, arrays = rates[False] / 1e6, rates[True] / 1e6
        print(
            f"{name:<16} bulk {bulk:8.2f} M/s   arrays {arrays:8.2f} M/s   ratio {arrays / bulk:.2f}",
            flush=True,
        )


def _in_a_second(seconds: float) -> int:
    """How many games fit into a second, where 2000 took so long."""
    return max(2000, int(2000 / max(seconds, 1e-6)))


if __name__ == "__main__":
    main()
