"""How strong the players of card games are, in paired games; and how many worlds they need.

    python bench/cards.py figures [--deals 2000] [--games trumps kings_and_jacks] [--json FILE]
    python bench/cards.py sweep [--deals 1000] [--worlds 1 2 5 10 20 40 80] [--json FILE]
    python bench/cards.py gain --first A --rival B --second OPPONENT [--games GAME] [--json FILE]
    python bench/cards.py table [--json FILE]

A figure is one player against another: every deal is played from both seats, a draw is half a win, and the
interval is Wilson's at 95 %. What has been measured is kept in the file after every figure, so that a run can
be stopped and taken up again; ``table`` writes what the file holds as docs/cards-strength.md has it. A gain
is what one player wins more than another against the same opponent, deal by deal: what both owe to their
cards falls out. The first games are kept one by one, so that a test can play some of them again.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.experiments.paired import PairedStanding, compare, paired_games, sweep_worlds

RESULTS = Path(__file__).parent / "results" / "cards-strength.json"
GAMES = ["trumps", "kings_and_jacks"]
BASELINE = {  # hand-coded for the two games, 60000 games a figure: what is to be reached
    ("trumps", "hyper_heur", "random"): 0.655,
    ("trumps", "hyper_heur", "card_greedy"): 0.562,
    ("kings_and_jacks", "hyper_heur", "random"): 0.705,
    ("kings_and_jacks", "hyper_heur", "card_greedy"): 0.535,
    ("trumps", "hyper_heur:role_mismatch=count_one", "random"): 0.629,
    ("trumps", "hyper_heur:role_mismatch=count_one", "card_greedy"): 0.546,
    ("kings_and_jacks", "hyper_heur:role_mismatch=count_one", "random"): 0.687,
    ("kings_and_jacks", "hyper_heur:role_mismatch=count_one", "card_greedy"): 0.529,
    ("trumps", "card_greedy", "random"): 0.578,
    ("kings_and_jacks", "card_greedy", "random"): 0.672,
}
EVERY = 100
"""Games after which a figure that is under way is kept."""
SAMPLE = 20
"""Games whose points are kept one by one."""
PAIRS = [("hyper_heur", "random"), ("hyper_heur", "card_greedy"), ("card_greedy", "random")]


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return {"figures": {}, "gains": {}, "sweeps": {}} | found


def keep(path: Path, found: dict[str, Any]) -> None:
    path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


def show(label: str, standing: PairedStanding) -> None:
    low, high = standing.interval
    line = f"{label} {standing.share:6.1%} ({low:.1%} to {high:.1%}) after {standing.games} games"
    print(f"  {line}", end="\r", flush=True)


def figures(asked: argparse.Namespace) -> None:
    found = read(asked.json)
    pairs = [tuple(pair.split(" v ")) for pair in asked.pairs] if asked.pairs else PAIRS
    for name in asked.games:
        game = load_card_game(name)
        for first, second in pairs:
            key = f"{name}: {first} v {second}"
            if found["figures"].get(key, {}).get("deals", 0) >= asked.deals and not asked.again:
                continue
            measure(game, first, second, asked)


def measure(game: CardGame, first: str, second: str, asked: argparse.Namespace) -> None:
    """One figure; what there is of it is kept now and then."""
    key = f"{game.name}: {first} v {second}"
    begin = time.process_time()

    def note(standing: PairedStanding) -> None:
        show(key, standing)
        if standing.games % EVERY and standing.games < 2 * asked.deals:
            return
        found = read(asked.json)
        found["figures"][key] = standing.as_json() | {
            "game": game.name,
            "first": first,
            "second": second,
            "deals": standing.games // 2,
            "seed": asked.seed,
            "cpu_seconds": round(time.process_time() - begin, 1),
            "sample": standing.points[:SAMPLE],
        }
        keep(asked.json, found)

    compare(game, first, second, asked.deals, asked.seed, note)
    print()


def sweep(asked: argparse.Namespace) -> None:
    for name in asked.games:
        title = f"{name}: {asked.first} v {asked.second}"
        game = load_card_game(name)
        for count, standing in sweep_worlds(
            game, asked.first, asked.second, asked.worlds, asked.deals, asked.seed
        ):
            show(f"{name}, {count} worlds:", standing)
            print()
            found = read(asked.json)  # other numbers of worlds stay
            found["sweeps"].setdefault(title, {})[str(count)] = standing.as_json()
            keep(asked.json, found)


def gain(asked: argparse.Namespace) -> None:
    """What ``first`` wins more than ``rival``, both against ``second``."""
    for name in asked.games:
        game = load_card_game(name)
        both = [
            paired_games(game, one, asked.second, asked.deals, asked.seed)
            for one in (asked.first, asked.rival)
        ]
        begin = time.process_time()
        points: tuple[list[float], list[float]] = ([], [])
        for (_, _, more), (_, _, less) in zip(*both, strict=True):
            points[0].append(more)
            points[1].append(less)
            if len(points[0]) % EVERY and len(points[0]) < 2 * asked.deals:
                continue
            mean, low, high = mean_interval([a - b for a, b in zip(*points, strict=True)])
            print(f"  {name}: {mean:+.1%} ({low:+.1%} to {high:+.1%}) after {len(points[0])} games", end="\r")
            found = read(asked.json)
            found["gains"][f"{name}: {asked.first} over {asked.rival} v {asked.second}"] = {
                "game": name,
                "first": asked.first,
                "rival": asked.rival,
                "second": asked.second,
                "games": len(points[0]),
                "seed": asked.seed,
                "shares": [round(sum(one) / len(one), 5) for one in points],
                "gain": round(mean, 5),
                "interval": [round(low, 5), round(high, 5)],
                "cpu_seconds": round(time.process_time() - begin, 1),
                "sample": [one[:SAMPLE] for one in points],
            }
            keep(asked.json, found)
        print()


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of paired differences and where it lies, 95 % sure."""
    mean = statistics.fmean(values)
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return mean, mean - half, mean + half


def table(asked: argparse.Namespace) -> None:
    print(tables(read(asked.json)))


def tables(found: dict[str, Any]) -> str:
    """All that was measured, as Markdown."""
    lines = [
        "| game | player | against | share | 95 % | games | baseline |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found["figures"].values():
        low, high = row["wilson"]
        known = BASELINE.get((row["game"], row["first"], row["second"]))
        lines.append(
            f"| {row['game']} | `{row['first']}` | `{row['second']}` | {row['share']:.1%} "
            f"| {low:.1%} to {high:.1%} | {row['games']} | {'' if known is None else f'{known:.1%}'} |"
        )
    if found["gains"]:
        lines += [
            "",
            "| game | player | instead of | against | gain | 95 % | games |",
            "|---|---|---|---|---|---|---|",
        ]
    for row in found["gains"].values():
        low, high = row["interval"]
        lines.append(
            f"| {row['game']} | `{row['first']}` | `{row['rival']}` | `{row['second']}` | {row['gain']:+.1%} "
            f"| {low:+.1%} to {high:+.1%} | {row['games']} |"
        )
    for title, rows in found["sweeps"].items():
        lines += ["", f"{title}, by the number of worlds:", ""]
        lines += ["| worlds | share | 95 % | deviation of 40 games | games |", "|---|---|---|---|---|"]
        for count, row in sorted(rows.items(), key=lambda item: int(item[0])):
            low, high = row["wilson"]
            lines.append(
                f"| {count} | {row['share']:.1%} | {low:.1%} to {high:.1%} "
                f"| {row['deviation']:.3f} | {row['games']} |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["figures", "gain", "sweep", "table"])
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--pairs", nargs="*", help="'FIRST v SECOND'; else the usual ones")
    parser.add_argument("--first", default="hyper_heur")
    parser.add_argument("--rival", default="card_greedy", help="whom the first should be better than")
    parser.add_argument("--second", default="random")
    parser.add_argument("--worlds", type=int, nargs="*", default=[1, 2, 5, 10, 20, 40, 80])
    parser.add_argument("--deals", type=int, default=2000, help="each is played from both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="measure also what is in the file already")
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    {"figures": figures, "gain": gain, "sweep": sweep, "table": table}[asked.what](asked)


if __name__ == "__main__":
    main()
