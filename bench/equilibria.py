"""Our regret minimisation beside OpenSpiel's in C++: iterations a second on the same games, one core each.

    pip install '.[rivals]'
    python bench/equilibria.py [GAME...] [--seconds 1] [--rounds 5] [--json FILE]

Before anything is measured, both run as many iterations of CFR and must come to the same exploitability. Of
several rounds, in turn, the best counts for each side, in processor time. The tree is made once, before.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyspiel

from ludorum.engine.load import load_game
from ludorum.solve.equilibrium.game_tree import GameTree
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import RegretMinimiser


@dataclass(frozen=True)
class Pair:
    """A game of ours and the same of theirs."""

    rival: str
    unit: float
    """Goal points for one point of theirs."""
    is_same: bool = True
    """Whether the values are the same, too, and not only the moves."""


GOOFSPIEL = "goofspiel(imp_info=True,num_cards=4,players=2,points_order=random,returns_type=win_loss)"
PAIRS = {
    "kuhn_poker": Pair("kuhn_poker", 25),
    "leduc_poker": Pair("leduc_poker", 3),
    "goofspiel": Pair(f"turn_based_simultaneous_game(game={GOOFSPIEL})", 50),
    # In their game a six counts as any face.
    "liars_dice": Pair("liars_dice", 50, is_same=False),
}
SOLVERS: dict[RegretMethod, Callable[[pyspiel.Game], object]] = {
    RegretMethod.CFR: pyspiel.CFRSolver,
    RegretMethod.CFR_PLUS: pyspiel.CFRPlusSolver,
    RegretMethod.EXTERNAL: lambda game: pyspiel.ExternalSamplingMCCFRSolver(game, 1),
    RegretMethod.OUTCOME: lambda game: pyspiel.OutcomeSamplingMCCFRSolver(game, seed=1),
}


def stepper(solver: object) -> Callable[[], object]:
    """What runs one iteration of OpenSpiel."""
    name = "evaluate_and_update_policy" if hasattr(solver, "evaluate_and_update_policy") else "run_iteration"
    step: Callable[[], object] = getattr(solver, name)
    return step


def check_pair(tree: GameTree, pair: Pair, iterations: int = 20) -> tuple[float, float]:
    """The exploitability that both come to; ValueError where it is not the same."""
    theirs = pyspiel.CFRSolver(game := pyspiel.load_game(pair.rival))
    ours = RegretMinimiser(tree, RegretMethod.CFR)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    ours.run(iterations)
    gains = ours.worth(ours.average())[1]
    both = sum(gains) / len(gains) / pair.unit, pyspiel.exploitability(game, theirs.average_policy())
    if abs(both[0] - both[1]) > 1e-9:
        raise ValueError(f"another game: {both} after {iterations} iterations of CFR")
    return both


def rate(run: Callable[[int], object], seconds: float) -> float:
    """Iterations a second, of processor time."""
    count = 1
    while True:
        begin = time.process_time()
        run(count)
        spent = time.process_time() - begin
        if spent >= seconds:
            return count / spent
        count = max(count + 1, int(count * min(10.0, 1.2 * seconds / max(spent, 1e-9))))


def compare(
    name: str, method: RegretMethod, tree: GameTree, seconds: float, rounds: int
) -> dict[str, object]:
    step = stepper(SOLVERS[method](pyspiel.load_game(PAIRS[name].rival)))
    found = RegretMinimiser(tree, method)

    def run_theirs(count: int) -> None:
        for _ in range(count):
            step()

    ours = theirs = 0.0
    for _ in range(rounds):
        theirs = max(theirs, rate(run_theirs, seconds))
        ours = max(ours, rate(found.run, seconds))
    return {
        "game": name,
        "nodes": tree.size,
        "information_sets": len(tree.sets),
        "method": method.value,
        "ours": round(ours, 1),
        "theirs": round(theirs, 1),
        "ratio": round(ours / theirs, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(PAIRS), help=", ".join(PAIRS))
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement, at least")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows = []
    print("| game | nodes | information sets | method | iterations/s | OpenSpiel's | times as fast |")
    print("|---|---:|---:|---|---:|---:|---:|")
    for name in asked.games:
        tree = make_tree(load_game(name, "compiled"))
        if PAIRS[name].is_same:
            check_pair(tree, PAIRS[name])
        for method in RegretMethod:
            row = compare(name, method, tree, asked.seconds, asked.rounds)
            rows.append(row)
            print(
                f"| {name} | {tree.size} | {len(tree.sets)} | {method.full_name} "
                f"| {row['ours']:,.0f} | {row['theirs']:,.0f} | {row['ratio']:,.0f} |",
                flush=True,
            )
    if asked.json is not None:
        lines = ",\n".join(map(json.dumps, rows))
        asked.json.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
