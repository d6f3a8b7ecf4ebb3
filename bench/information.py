"""Search over information sets: descents a second of the compiled and of the plain search, and duels.

    python bench/information.py [GAME ...] [--seconds 1] [--json FILE]
    python bench/information.py krieg_tictactoe --duel ismcts:playouts=2000 pimc:playouts=16000 --games 100

Both make descents from the same worlds of a random match, on one core, in processor time. ``one by one`` is
the compiled search without batches, which grows the very trees of the plain one. Duels are played in pairs
with changed seats; the mean goal of the first player is printed with its 95 % interval. Work is counted, so a
duel has the same result on every machine whose vectors are as wide: batches are as large as blocks of lanes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ludorum._core import SplitMix64
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.knowledge.worlds import PossibleState, worlds_for
from ludorum.players import make_player
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.compiled_ismcts import CompiledIsmcts
from ludorum.search.decision import Decision
from ludorum.search.ismcts import Ismcts, IsmctsConfig

GAMES = ["krieg_tictactoe", "blind_breakthrough", "liars_dice", "meier", "battleships_in_fog"]
STEPS = 3
WORLDS = 1000
CONFIG = IsmctsConfig(seed=1, observers="all", games_a_leaf=8)
FIRST = 200
"""Descents of the first, shortest measurement."""


def worlds_of(game: CompiledGame, role: Term) -> list[PossibleState]:
    """Worlds after some steps of the first random match that goes on for longer than these."""
    seat = game.roles.index(role)
    for seed in range(100):
        states = list(game.playout(seed))
        if len(states) <= STEPS + 1:
            continue
        sampler = worlds_for(game, role, 1, keep_views=True)
        for state in states[1 : STEPS + 1]:
            assert state.joint is not None
            sampler.update(state.joint[seat], state.percepts(role))
        return sampler.sample(WORLDS, 1)
    raise SystemExit(f"{game.name} is over after {STEPS} steps")


def rate(search: Callable[[Budget], Decision], seconds: float) -> float:
    """Descents a second: of ever longer searches the first that takes long enough."""
    descents = FIRST
    while True:
        begin = time.process_time()
        search(Budget(playouts=descents))
        taken = time.process_time() - begin
        if taken >= seconds:
            return descents / taken
        descents = 2 * descents


def measure(game: CompiledGame, seconds: float) -> dict[str, float]:
    role = game.info.players[0]
    worlds = worlds_of(game, role)
    one, many = CompiledIsmcts(game, CONFIG, batch=1), CompiledIsmcts(game, CONFIG)
    found = {
        "plain": rate(lambda budget: Ismcts(CONFIG).search_worlds(worlds, role, budget), seconds),
        "one by one": rate(lambda budget: one.search_worlds(worlds, role, budget), seconds),
        "batches": rate(lambda budget: many.search_worlds(worlds, role, budget), seconds),
    }
    return {**found, "ratio": found["batches"] / found["plain"]}


def play(game: Game, names: dict[Term, str], seed: int) -> list[int]:
    """The goals of the players of one match; nature by the seed."""
    nature, clock = SplitMix64(seed), 600.0
    players = {role: make_player(name, 2 * seed + at) for at, (role, name) in enumerate(names.items())}
    for role, player in players.items():
        player.start(game, role, 0.0)
    state = game.initial()
    while not state.is_terminal:
        moves = {role: state.legal(role) for role in game.roles}
        state = state.play(
            [
                players[role].choose(position_of(state, role), clock)
                if role in players
                else moves[role][nature.below(len(moves[role]))]
                for role in game.roles
            ]
        )
    return [state.goal(role) or 0 for role in names]


def duel(game: Game, first: str, second: str, matches: int) -> tuple[float, float]:
    """The mean goal of the first player, and half of its 95 % interval."""
    roles = game.info.players
    goals = []
    for match in range(matches):
        seat = match % 2
        names = dict(zip(roles, (first, second) if seat == 0 else (second, first), strict=True))
        goals.append(play(game, names, match // 2)[seat])
        print(f"  {game.name}: {match + 1} games, {np.mean(goals):.1f}", end="\r", flush=True)
    return float(np.mean(goals)), float(1.96 * np.std(goals) / len(goals) ** 0.5)


def compiled(name: str) -> CompiledGame:
    game = load_game(name, "compiled")
    assert isinstance(game, CompiledGame)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement, at least")
    parser.add_argument("--duel", nargs=2, metavar="PLAYER")
    parser.add_argument("--games", dest="matches", type=int, default=100)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows: dict[str, dict[str, float]] = {}
    if asked.duel is None:
        print(f"{'descents/s':20} {'plain':>9} {'one by one':>12} {'batches':>12} {'ratio':>8}")
    for name in asked.games or GAMES:
        if asked.duel is not None:
            mean, half = duel(compiled(name), *asked.duel, asked.matches)
            rows[name] = {"mean": mean, "half_interval": half, "games": asked.matches}
            print(
                f"{name}: {asked.duel[0]} against {asked.duel[1]}: {mean:.1f} +- {half:.1f}, "
                f"{asked.matches} games",
                flush=True,
            )
            continue
        found = rows[name] = measure(compiled(name), asked.seconds)
        plain, one, many, ratio = found.values()
        print(f"{name:20} {plain:9,.0f} {one:12,.0f} {many:12,.0f} {ratio:8.1f}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps({"duel": asked.duel, "games": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
