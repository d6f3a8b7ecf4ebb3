"""How many worlds a second the packed sampler gives that agree with all a role was told, on one core.

    python bench/worlds.py [GAME ...] [--json FILE]

A random match is followed for every role. "A step" counts the worlds that agree after each step and the time
of its update; "whole matches" counts those after the last step and the time of all updates before it. Seconds
are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import date
from pathlib import Path

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.experiments.machine import describe_machine
from ludorum.knowledge.knower import ImpossiblePerceptsError
from ludorum.knowledge.worlds import PackedWorlds
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term

WORLDS = 100_000
STEPS = 8
"""Steps of a match that are followed."""


def measure(game: CompiledGame, role: Term, seed: int) -> tuple[int, int, float]:
    """Worlds after all steps together, worlds after the last, and seconds."""
    sampler = PackedWorlds(game, role, seed, most=WORLDS, most_joints=2 * WORLDS)
    seat = game.roles.index(role)
    total, seconds = 0, 0.0
    for state in list(game.playout(seed))[1 : STEPS + 1]:
        assert state.joint is not None
        begin = time.process_time()
        try:
            sampler.update(state.joint[seat], state.percepts(role))
        except ImpossiblePerceptsError:
            break
        seconds += time.process_time() - begin
        total += sampler.drawn
    return total, sampler.drawn, seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    hidden = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
    parser.add_argument("games", nargs="*", default=hidden)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows: list[dict[str, object]] = []
    print(f"{'game':22} {'role':12} {'worlds/s, a step':>18} {'worlds/s, whole matches':>24}")
    for name in asked.games:
        game = load_game(name, "compiled")
        assert isinstance(game, CompiledGame)
        for role in game.info.players:
            total, last, seconds = measure(game, role, 1)
            a_step, whole = round(total / seconds), round(last / seconds)
            print(f"{name:22} {role!s:12} {a_step:18,} {whole:24,}", flush=True)
            rows.append({"game": name, "role": str(role), "a_step": a_step, "whole_matches": whole})
    if asked.json is not None:
        result = {"date": str(date.today()), "machine": describe_machine(), "rows": rows}
        asked.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
