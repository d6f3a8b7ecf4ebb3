"""Players against each other where rules hide something: champion against hyperplay and random.

    python bench/hidden_duels.py [GAME...] [--player champion] [--against hyperplay random]
                                 [--pairs 50] [--playouts 2000 | --seconds 1] [--json FILE]

Matches come in pairs of one seed, with the seats changed. The score of a pair is the mean goal of the player
in both matches less that of its opponent; in games of one player both play alone. Means are printed with
intervals of 95 %: where an interval is above 0, the player is better. Work is counted (``--playouts``) unless
seconds are asked for. Results are kept after every game, and games that the file has are not played again.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import fmean, stdev

from ludorum.arena.match.local import play_match
from ludorum.arena.tournament.play import open_match
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.experiments.machine import describe_machine
from ludorum.players import make_player
from ludorum.rules.terms import format_term

GAMES = ["number_guessing", "banker_and_thief", "battleships_in_fog", "krieg_tictactoe", "blind_breakthrough"]
RESULTS = Path(__file__).parent / "results"
LONGEST = 300
"""Decisions of a match that goes on and on."""
NO_CLOCK = 600.0
"""Seconds for a move where work is counted."""


@dataclass
class Duel:
    """Goals of two players in pairs of matches."""

    own: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    by_role: dict[str, list[float]] = field(default_factory=dict)
    """The goals of the first player, by role."""
    faults: int = 0

    @property
    def differences(self) -> list[float]:
        return [own - other for own, other in zip(self.own, self.others, strict=True)]

    def as_json(self) -> dict[str, object]:
        return {
            "pairs": len(self.own),
            "goal": mean_and_half(self.own),
            "other_goal": mean_and_half(self.others),
            "difference": mean_and_half(self.differences),
            "goal_by_role": {role: mean_and_half(goals) for role, goals in self.by_role.items()},
            "faults": self.faults,
        }


def mean_and_half(values: list[float]) -> list[float]:
    """The mean and half of its interval of 95 %."""
    half = 1.96 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return [round(fmean(values), 2), round(half, 2)]


def play_pair(game: Game, names: tuple[str, str], seed: int, asked: argparse.Namespace, duel: Duel) -> None:
    """Two matches of one seed, with the seats changed; in games of one player each plays one."""
    roles = game.info.players
    goals: dict[int, list[float]] = {0: [], 1: []}
    for shift in (0, 1):
        seats = [(at + shift) % 2 for at in range(len(roles))]
        players = {
            role: make_player(bounded(names[which], asked), 1000 * seed + at)
            for at, (role, which) in enumerate(zip(roles, seats, strict=True))
        }
        match = open_match(game, seed, 0)
        seconds = asked.seconds or NO_CLOCK
        start = asked.start if asked.seconds else 0.0
        play_match(match, players, seconds, limit=LONGEST, start_seconds=start)
        duel.faults += len(match.faults)
        for role, which in zip(roles, seats, strict=True):
            goal = float(match.state.goal(role) or 0)
            goals[which].append(goal)
            if which == 0:
                duel.by_role.setdefault(format_term(role), []).append(goal)
    duel.own.append(fmean(goals[0]))
    duel.others.append(fmean(goals[1]))


def bounded(name: str, asked: argparse.Namespace) -> str:
    """The player with its bound of work."""
    if asked.seconds or name in ("random", "legal"):
        return name
    return f"{name}{',' if ':' in name else ':'}playouts={asked.playouts}"


def fought(game: Game, other: str, asked: argparse.Namespace) -> dict[str, object]:
    duel, begin = Duel(), time.monotonic()
    for pair in range(asked.pairs):
        play_pair(game, (asked.player, other), asked.seed + pair, asked, duel)
    row = {"game": game.name, "player": asked.player, "other": other, **duel.as_json()}
    return {**row, "seconds": round(time.monotonic() - begin, 1)}


def line(row: dict[str, object]) -> str:
    """A row of a Markdown table."""
    cells = [shown(row[key]) for key in ("goal", "other_goal", "difference")]
    return f"| {row['game']} | {row['player']} | {row['other']} | {row['pairs']} | {' | '.join(cells)} |"


def shown(value: object) -> str:
    assert isinstance(value, list)
    return f"{value[0]:.1f} ± {value[1]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--player", default="champion")
    parser.add_argument("--against", nargs="*", default=["hyperplay", "random"])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--playouts", type=int, default=2000, help="the work of a decision")
    parser.add_argument("--seconds", type=float, help="a clock for every move, instead of counted work")
    parser.add_argument("--start", type=float, default=5.0, help="seconds to prepare, with a clock")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=RESULTS / f"hidden-duels-{date.today()}.json")
    asked = parser.parse_args()
    bounds = {"playouts": None if asked.seconds else asked.playouts, "seconds": asked.seconds}
    bounds["seed"] = asked.seed
    kept = json.loads(asked.json.read_text()) if asked.json.exists() else {}
    rows = kept.get("rows", []) if kept.get("bounds") == bounds else []
    print("| game | player | against | pairs | its mean goal | the other's | difference |")
    print("|---|---|---|---:|---:|---:|---:|")
    for name in asked.games:
        game = load_game(name, "compiled")
        for other in asked.against:
            key = (name, asked.player, other, asked.pairs)
            row = next(
                (one for one in rows if (one["game"], one["player"], one["other"], one["pairs"]) == key), None
            )
            if row is None:
                row = fought(game, other, asked)
                rows.append(row)
                whole = {"machine": describe_machine(), "bounds": bounds, "rows": rows}
                asked.json.write_text(json.dumps(whole, indent=1) + "\n")
            print(line(row), flush=True)


if __name__ == "__main__":
    main()
