"""How fast trees grow: playouts a second with the tree, beside raw simulation, by threads and by batches.

    python bench/search.py [--games NAME,...] [--seconds 2] [--json FILE]

Rates of one thread are by seconds of the processor, so that a busy machine does not change them. How two
threads compare with one is by the wall clock, and only means something where two cores are free: how much
sooner they have played the same number of games, the median of three tries. (In the same *time* they grow a
larger tree, and steps in a larger tree take longer, for one thread as for two.) ``per cpu`` says what two
threads do with a second of the processor, beside one: what they lose by sharing the tree.
``foreseeing`` is the tree as it is used, with playouts that look ahead where that pays, and so are the two
threads; the other columns are of purely random games.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.search import Budget, Mcts, MctsConfig

GAMES = "tictactoe,connect_four,breakthrough,othello,english_draughts,hex,amazons_8,chess"


@dataclass(frozen=True)
class Rate:
    """What one search did in its time."""

    playouts: int
    nodes: int
    cpu_seconds: float
    wall_seconds: float
    bytes_per_node: float

    @property
    def per_cpu(self) -> float:
        return self.playouts / self.cpu_seconds

    @property
    def per_wall(self) -> float:
        return self.playouts / self.wall_seconds


def search_rate(game: CompiledGame, config: MctsConfig, budget: Budget) -> Rate:
    """Playouts of a search from the start; the solver is off, since it would end some searches early."""
    searcher = Mcts(game, config)
    searcher.search(game.initial(), game.info.players[0], Budget(playouts=100))  # warm up
    searcher.forget()
    cpu = time.process_time()
    found = searcher.search(game.initial(), game.info.players[0], budget)
    used = time.process_time() - cpu
    return Rate(found.playouts, found.nodes, used, found.seconds, searcher.memory / searcher.nodes)


def raw_rate(game: CompiledGame, seconds: float) -> float:
    simulator = game.simulator()
    cpu = time.process_time()
    return simulator.playouts(seconds=seconds).playouts / (time.process_time() - cpu)


def measure(name: str, seconds: float) -> dict[str, object]:
    game = load_game(name, "compiled")
    assert isinstance(game, CompiledGame)
    raw = raw_rate(game, seconds)
    clock = Budget(seconds=seconds)
    lanes = search_rate(game, MctsConfig(solver=False, foresight=False), clock)
    ahead = search_rate(game, MctsConfig(solver=False), clock)
    tries = [
        search_rate(game, MctsConfig(solver=False, threads=2), Budget(playouts=ahead.playouts))
        for _ in range(3)
    ]
    two = sorted(tries, key=lambda rate: rate.per_wall)[1]
    single = search_rate(game, MctsConfig(solver=False, batch=1), clock)
    print(
        f"{name:18} raw {raw:12,.0f}  tree {lanes.per_cpu:12,.0f}  ({lanes.per_cpu / raw:5.1%})"
        f"  foreseeing {ahead.per_cpu:12,.0f}"
        f"  one by one {single.per_cpu:9,.0f}  (x {lanes.per_cpu / single.per_cpu:5.1f})"
        f"  nodes/s {lanes.nodes / lanes.cpu_seconds:9,.0f}  bytes/node {lanes.bytes_per_node:5.0f}"
        f"  two threads x {two.per_wall / ahead.per_wall:4.2f}  per cpu x {two.per_cpu / ahead.per_cpu:4.2f}",
        flush=True,
    )
    rates = {"lanes": lanes, "foreseeing": ahead, "two_threads": two, "one_by_one": single}
    return {"game": name, "raw_per_s": raw, **{key: asdict(rate) for key, rate in rates.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default=GAMES)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = [measure(name, options.seconds) for name in options.games.split(",")]
    if options.json:
        report = {"machine": platform.machine(), "seconds": options.seconds, "games": found}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
