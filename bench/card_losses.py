"""What short searches of the card champion lose to a long one, position by position.

    python bench/card_losses.py [--games trumps kings_and_jacks] [--positions 200] [--playouts 300]
        [--settings prior=0.0 prior=0.4 prior=0.0,policy=0.5] [--json FILE]
    python bench/card_losses.py --table [--json FILE]

Positions come from random games. A search eighty times as long says what every move wins there; the loss is
what the chosen move wins less than the best, in goal points of 100, on average over several seeds. That tells
settings apart with far fewer games than playing them does. The first settings are those that the others are
compared with, position by position. What was measured is added to the file.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from pathlib import Path
from typing import Any

from ludorum._core import SplitMix64
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.mind.mind import CardMind, CardMindConfig
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget

RESULTS = Path(__file__).parent / "results" / "cards-losses.json"
LONG = 80
"""Times as many playouts as 300 for the search that is taken for the truth."""
DEEPEST = 5
"""Decisions of the first player before the one that is looked at, at most."""


def some_position(game: CardGame, seed: int) -> Knowledge | None:
    """What the first player knows in a random game where there is a choice; None where it was too short."""
    random = SplitMix64(seed)
    state, role = game.initial(), game.players[0]
    mind = CardMind(game, role, seed, CardMindConfig(prior=0.0))
    left = seed % DEEPEST
    while not state.is_terminal:
        mind.observe(state.percepts(role))
        if state.asked is role and len(state.legal(role)) > 1:
            if left == 0:
                return mind.knowledge
            left -= 1
        legal = [state.legal(one) for one in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    return None


def decided(game: CardGame, known: Knowledge, seed: int, config: CardMindConfig, playouts: int) -> Any:
    mind = CardMind(game, game.players[0], seed, config)
    mind.knowledge = known
    return mind.decide(Budget(playouts=playouts))


def truths(game: CardGame, count: int, seed: int) -> list[tuple[Knowledge, dict[Term, float]]]:
    """Positions, with what every move wins; without a prior, which is to be judged."""
    found: list[tuple[Knowledge, dict[Term, float]]] = []
    while len(found) < count:
        seed += 1
        known = some_position(game, seed)
        if known is not None:
            long = decided(game, known, seed, CardMindConfig(prior=0.0), 300 * LONG)
            found.append((known, {choice.move: choice.value for choice in long.choices}))
            print(f"  {game.name}: {len(found)} positions", end="\r")
    return found


def read_settings(text: str) -> CardMindConfig:
    parts = dict(part.split("=") for part in text.split(",") if part)
    return CardMindConfig(**{name: json.loads(value) for name, value in parts.items()})


def losses(
    game: CardGame,
    positions: list[tuple[Knowledge, dict[Term, float]]],
    config: CardMindConfig,
    playouts: int,
    seeds: int,
) -> tuple[list[float], float]:
    """By position, and milliseconds of a decision."""
    decided(game, positions[0][0], 0, config, 1)  # the analysis is not part of a decision
    begin = time.process_time()
    found = []
    for known, values in positions:
        moves = [decided(game, known, seed, config, playouts).move for seed in range(1, seeds + 1)]
        found.append(max(values.values()) - statistics.fmean(values[move] for move in moves))
    return found, 1000 * (time.process_time() - begin) / (seeds * len(positions))


def mean_and_half(values: list[float]) -> list[float]:
    """The mean, and half the width of its 95 % interval."""
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values))
    return [round(statistics.fmean(values), 3), round(half, 3)]


def table(rows: dict[str, Any]) -> str:
    """What the file holds, as docs/cards-strength.md has it."""
    lines = [
        "| game | looks | settings | lost of 100 | less than the first | ms a decision | positions |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows.values(), key=lambda row: (row["game"], row["playouts"], row["settings"])):
        (loss, half), (more, wide) = row["loss"], row["more"]
        less = "" if row["settings"] == row["against"] else f"{-more:.2f} ± {wide:.2f}"
        lines.append(
            f"| {row['game']} | {row['playouts']} | `{row['settings']}` | {loss:.2f} ± {half:.2f} | {less} "
            f"| {row['milliseconds']:.1f} | {row['positions']} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="*", default=["trumps", "kings_and_jacks"])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--playouts", type=int, nargs="*", default=[300])
    parser.add_argument("--seeds", type=int, default=4, help="searches of each position")
    parser.add_argument("--seed", type=int, default=20_000, help="of the positions")
    parser.add_argument("--settings", nargs="*", default=["prior=0.0", "prior=0.4", "prior=0.0,policy=0.5"])
    parser.add_argument("--json", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="only write what the file holds")
    asked = parser.parse_args()
    if asked.table:
        print(table(json.loads(asked.json.read_text())))
        return
    for name in asked.games:
        game = load_card_game(name)
        positions = truths(game, asked.positions, asked.seed)
        for playouts in asked.playouts:
            first: list[float] | None = None
            for settings in asked.settings:
                found, took = losses(game, positions, read_settings(settings), playouts, asked.seeds)
                first = first or found
                more = [one - other for one, other in zip(found, first, strict=True)]
                row = {
                    "game": name,
                    "settings": settings,
                    "playouts": playouts,
                    "positions": len(positions),
                    "seeds": asked.seeds,
                    "seed": asked.seed,
                    "loss": mean_and_half(found),
                    "against": asked.settings[0],
                    "more": mean_and_half(more),
                    "milliseconds": round(took, 2),
                }
                rows = json.loads(asked.json.read_text()) if asked.json.exists() else {}
                rows[f"{name}: {settings}, {playouts} playouts"] = row
                asked.json.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")
                print(f"{name} [{settings}] {playouts}: {row['loss']} ({row['more']} more), {took:.1f} ms")


if __name__ == "__main__":
    main()
