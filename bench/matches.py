"""How many local matches a second, and what the authority costs a move.

    python bench/matches.py [GAME] [--seconds 5] [--processes 2] [--engine compiled lifted] [--json FILE]

Players are ``random``, so that nearly all time is the match's own: judging, clocks, what each role may see,
writing down. *Bare* is the same play in the engine alone; the difference is what a move costs more. Seconds
are the processor's, so that other programs on the machine do not count; ``wall`` are those of the clock.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.experiments.machine import describe_machine
from ludorum.players import make_player

APART = 1_000_003
"""How far apart the seeds of processes are."""


class Tally(NamedTuple):
    """What one process played."""

    matches: int
    moves: int
    faults: int
    seconds: float
    wall: float


def play_for(name: str, engine: str, seconds: float, seed: int) -> Tally:
    """What comes of so many seconds; the engine is warm before they begin."""
    game = load_game(name, engine)
    play_one(game, seed)
    begin, wall = time.process_time(), time.perf_counter()
    matches = moves = faults = 0
    while time.perf_counter() - wall < seconds:
        match = play_one(game, seed + matches)
        matches, moves, faults = matches + 1, moves + len(match.moves), faults + len(match.faults)
    return Tally(matches, moves, faults, time.process_time() - begin, time.perf_counter() - wall)


def play_one(game: Game, seed: int) -> Match:
    players = {role: make_player("random", seed + at) for at, role in enumerate(game.info.players)}
    return play_match(Match(game, seed), players, 1.0)


def bare_seconds(name: str, engine: str, seconds: float) -> float:
    """Seconds a move of random play in the engine alone."""
    game = load_game(name, engine)
    sum(1 for _ in game.playout(0))
    begin, moves, seed = time.process_time(), 0, 0
    while time.process_time() - begin < seconds:
        moves += sum(1 for _ in game.playout(seed)) - 1
        seed += 1
    return (time.process_time() - begin) / moves


def measure(game: str, engine: str, seconds: float, processes: int) -> dict[str, object]:
    bare = bare_seconds(game, engine, min(1.0, seconds))
    alone = play_for(game, engine, seconds, 0)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(play_for, game, engine, seconds, APART * at) for at in range(processes)]
        together = [job.result() for job in jobs]
    return {
        "game": game,
        "engine": engine,
        "processes": processes,
        "matches_per_s": sum(one.matches / one.seconds for one in together),
        "matches_per_s_wall": sum(one.matches / one.wall for one in together),
        "matches_per_s_one_process": alone.matches / alone.seconds,
        "microseconds_a_move": 1e6 * alone.seconds / alone.moves,
        "microseconds_a_move_bare": 1e6 * bare,
        "microseconds_added_a_move": 1e6 * (alone.seconds / alone.moves - bare),
        "faults": alone.faults + sum(one.faults for one in together),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--engine", nargs="+", default=["compiled", "lifted"])
    parser.add_argument("--json", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    found = []
    for engine in asked.engine:
        found.append(measure(asked.game, engine, asked.seconds, asked.processes))
        for key, value in found[-1].items():
            print(f"{key:28} {value:.1f}" if isinstance(value, float) else f"{key:28} {value}")
        print()
    if asked.json:
        report = {"machine": describe_machine(), "seconds": asked.seconds, "engines": found}
        asked.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
